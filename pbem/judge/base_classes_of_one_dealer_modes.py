"""Base classes of the ways to deal in which the referee alone deals: orders name cards, and the
referee sees them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from engine import CHANCE, Decision, Entry, Game, OrderSet, Referee, Table, cards_in
from pbem.judge.dealing_mode_interfaces import MakerCards, MakerTables
from pbem.judge.orders_in_force import OrdersInForce
from pbem.judge.tagged_json_data import PlainData
from pbem.judge.turn_inputs_and_outcome import OpenedOrders
from pbem.records.turn import LogEntry, SaidAnswer


class OneDealerPublicCards:
    """A part of `PublicCards`: no turn waits for a dealer."""

    opens_always_lines = False
    is_stopped = False
    is_frozen = False
    bound_answers: Mapping[str, SaidAnswer] = {}
    replaced_keys: Collection[str] = ()

    def check_fact(self, logged: LogEntry) -> None:
        """Do nothing: such an entry has no fields besides (see `PublicCards`)."""

    def new_answers(self) -> Sequence[tuple[str, Decision, SaidAnswer]]:
        """Return nothing: no answer waits for a name (see `PublicCards`)."""
        return ()

    def check_answer(
        self, decision: Decision, answer: SaidAnswer, orders_in_force: OrdersInForce | None
    ) -> None:
        """Do nothing: no answer waits for a name (see `PublicCards`)."""


class OneDealerSeatCards:
    """A part of `SeatCards`: the seat knows its cards at once, and its lines name them."""

    def own_entry(self, number: int, entry: Entry, public_text: str) -> Entry:
        """Return the entry as it is (see `SeatCards`)."""
        return entry

    def entered(self, number: int, decision: Decision, logged: LogEntry) -> None:
        """Do nothing: the seat's table has the log (see `SeatCards`)."""

    def order_set(self, orders: OrderSet) -> OrderSet:
        """Return the lines as they are (see `SeatCards`)."""
        return orders

    def orders_table(self, own_table: Table[Any]) -> Table[Any]:
        """Return the seat's own table (see `SeatCards`)."""
        return own_table

    def choice_without_lines(self, decision: Decision, source: str) -> str:
        """Return the only option, or the default (see `SeatCards`)."""
        if source == "forced":
            return next(iter(decision.options(*decision.args)))
        assert decision.default is not None
        return decision.default()

    def sealed_texts(self, texts: Sequence[str]) -> Sequence[str]:
        """Return the lines as they are (see `SeatCards`)."""
        return texts

    def typed_texts(self, texts: Sequence[str]) -> list[str]:
        """Return the lines as they are (see `SeatCards`)."""
        return [*texts]

    def own_text(self, text: str) -> str:
        """Return the choice as it is (see `SeatCards`)."""
        return text

    def state(self) -> PlainData:
        """Return nothing: all follows from the seat's log (see `SeatCards`)."""
        return {}

    def resume(self, state: PlainData, log: Sequence[Entry]) -> None:
        """Do nothing (see `SeatCards`)."""


class OneDealerMakerCards:
    """A part of `MakerCards`: the referee needs no help to deal."""

    goes_on = False
    is_frozen = False
    spoiled_seat = ""

    def make_tables(self: MakerCards, game: Game[Any]) -> MakerTables:
        """Return the full and the public table (see `MakerCards`)."""
        return RecordingReferee(game, self)

    def order_set(self, orders: OrderSet) -> OrderSet:
        """Return the lines as they are (see `MakerCards`)."""
        return orders

    def stop(self, *, is_over: bool) -> bool:
        """Return False: the game waits for no dealer (see `MakerCards`)."""
        return False

    def said_entries(self) -> Sequence[tuple[Entry, bool]]:
        """Return nothing: no answer waits for a name (see `MakerCards`)."""
        return ()

    def open_lines(self, entry: Entry, ranks: Sequence[int], orders: OpenedOrders) -> None:
        """Do nothing: `entry` opens the lines that settled an entry (see `MakerCards`)."""


class RecordingReferee(Referee[Any]):
    """The referee's tables, which also report to `cards` each card that turns up or leaves a
    hand."""

    def __init__(self, game: Game[Any], cards: MakerCards) -> None:
        super().__init__(game, cards, checks_entries=False)
        self._cards = cards
        self.scripts: set[str] = set()
        """The keys of decisions that a script answered."""

    def resume(self, log: Iterable[Entry], state: PlainData) -> None:
        """Play the log of a checkpoint again (see `MakerTables`)."""
        for entry in log:
            self.push(entry)

    def push(self, entry: Entry) -> None:
        """Add an entry, and note the cards that it shows. Raises Misfit or Illegal."""
        table, ruleset = self.tables[self._cards.viewpoint], self.game.ruleset
        number = len(self.log)
        self._cards.turn_up([t for t, _ in ruleset.turned_up(table.state, entry.text, number)])
        if entry.seat != CHANCE:
            shown_cards = ruleset.shows(table.state, entry.text)
            self._cards.leave(entry.seat, cards_in(entry.text), shown_cards)
        if self.public_table.pending[0][1].script:
            self.scripts.add(entry.key)
        super().push(entry)
