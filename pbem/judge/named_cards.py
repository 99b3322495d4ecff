"""What is the same in every way to deal in which orders name cards, and the referee sees them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from engine import Decision, Entry, Game, OrderSet, Table
from pbem.judge.dealing_mode import MakerCards, MakerTables
from pbem.judge.sealed_tables import Recorder
from pbem.records.turn import LogEntry


class NamedPublicCards:
    """A part of `PublicCards`: no turn waits for a dealer."""

    opens_always_lines = False
    is_stopped = False
    replaced_keys: Collection[str] = ()

    def check_fact(self, logged: LogEntry) -> None:
        """Do nothing: such an entry has no fields besides (see `PublicCards`)."""


class NamedSeatCards:
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

    def own_text(self, text: str) -> str:
        """Return the choice as it is (see `SeatCards`)."""
        return text


class NamedMakerCards:
    """A part of `MakerCards`: the referee needs no help to deal."""

    goes_on = False
    spoiled_seat = ""

    def make_tables(self: MakerCards, game: Game[Any]) -> MakerTables:
        """Return the full and the public table (see `MakerCards`)."""
        return Recorder(game, self)

    def order_set(self, orders: OrderSet) -> OrderSet:
        """Return the lines as they are (see `MakerCards`)."""
        return orders

    def stop(self, *, is_over: bool) -> bool:
        """Return False: the game waits for no dealer (see `MakerCards`)."""
        return False
