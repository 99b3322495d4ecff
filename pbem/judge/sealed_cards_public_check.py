"""Check sealed cards without a key, turn by turn, as everybody can (protocol §7, §8)."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any

from engine import CHANCE, Decision, Entry, Table, Tag, cards_in
from engine.value_classes import Value
from pbem.format.record_error import RecordError
from pbem.judge.base_classes_of_one_dealer_modes import OneDealerPublicCards
from pbem.judge.chance_entry_checks import ChanceChecker, TurnDeals
from pbem.judge.opened_lines_for_decision import LinesOfKind
from pbem.judge.orders_in_force import OrdersInForce
from pbem.judge.record_chain import Chain, Finder
from pbem.judge.sealed_openings import Openings
from pbem.judge.tagged_json_data import PlainData, from_data, to_data
from pbem.records.orders import Orders
from pbem.records.packet import handover_size, packet_size
from pbem.records.read_and_sign_record import Record
from pbem.records.sealed_orders import OrderPlace, check_hidden, check_line_opening, handles_in
from pbem.records.seeded_decks_and_dice import check_hidden_ref
from pbem.records.turn import LogEntry, OpenCard, OpenLine, Turn, check_no_dealers


class HandleOrigin(Value):
    """The source of a face-down card's handle: a bracket in an order line, or the referee."""

    handle: bytes
    """The id of the face-down card: a hash that its opening must fit."""
    place: OrderPlace | None = None
    """The place of the orders with the line; None for a handle of the referee."""
    slot: int = 0
    """The slot of the line in the orders, which hides its number."""
    bracket: int = 0
    """The number of the card in the line, from 0."""


class SealedPublicCards(OneDealerPublicCards):
    """Checks openings, decks, dice and handles of each turn (see `PublicCards`)."""

    table: Table[Any]
    """The public table, from `begin` on."""
    openings: Openings
    """The openings of the turn being read."""
    deals: TurnDeals
    """The deals of that turn so far."""

    def __init__(self, chain: Chain) -> None:
        """`chain` is the chain of the reader that these checks belong to."""
        self.game = chain.game
        self.chance = ChanceChecker(chain.game)
        self.opened_lines: dict[bytes, dict[int, OpenLine]] = {}
        """The lines opened so far, by order id and slot."""
        self.spent_lines: set[tuple[bytes, int]] = set()
        """The script lines that were carried out, as order id and slot; each is used only once."""
        self.line_handles: set[bytes] = set()
        """The handles in the lines opened so far."""
        self.handle_origins: dict[Tag, HandleOrigin] = {}
        """For each card put down, by the numbers of its entry and of the bracket in it: the source
        of its handle."""
        self.used_handles: set[bytes] = set()
        """The handles of cards put down so far; each is used only once."""

    def begin(
        self,
        turn: Turn,
        first_number: int,
        table: Table[Any],
        find: Finder,
    ) -> None:
        """Begin a turn (see `PublicCards`), after checking that it has no fields of the mode
        `dealers`. Turn 1 names the end of the dice chain, `link0`, with which the link for the
        first die is compared. Raises RecordError `field`."""
        check_no_dealers(turn)
        if turn.turn == 1:
            self.chance.link = turn.link0
        self.table, self.openings, self.deals = table, Openings(turn), TurnDeals()

    def check_chance(self, number: int, key: str, decision: Decision, text: str) -> None:
        """Check an entry of chance against the commitments. Raises RecordError `chain`, `opening`
        or `commitment`."""
        self.deals.entry = number
        self.chance.check(key, decision, text, self.openings, self.deals)

    def check_choice(
        self,
        number: int,
        decision: Decision,
        logged: LogEntry,
        orders_in_force: OrdersInForce | None,
    ) -> None:
        """Check the handles of cards put down, and the plain line in `orders_in_force` that settled
        the entry; None if something else settled it (see `PublicCards`). Raises RecordError
        `opening`."""
        key, handles = logged.key, logged.hidden
        if len(cards_in(logged.text)) != len(handles):
            raise RecordError(
                "opening",
                f"entry {key} does not have one code (handle) for each card that is put down",
            )
        if len(set(handles) - self.used_handles) != len(handles):
            raise RecordError(
                "opening",
                f"entry {key} gives a face-down card a code (handle) that an earlier card has "
                "already",
            )
        for bracket, handle in enumerate(handles):
            self.handle_origins[number, bracket] = HandleOrigin(handle)
        if orders_in_force is not None:
            self._check_line(number, decision, logged, orders_in_force.record)
        self.used_handles.update(handles)
        self.deals.handles += [(decision.seat, handle) for handle in handles]

    def _check_line(
        self, number: int, decision: Decision, logged: LogEntry, record: Record[Orders]
    ) -> None:
        """Check that an opened plain line of the orders settles each step of an entry, with the
        handles that the line names for its cards. Note that the turn needed its opening. Raises
        RecordError `opening`, and others for a line that is not in the orders."""
        opened_lines = self.opened_lines.setdefault(record.id, {})
        for opening in self.openings.lines_of(record.id):
            if opening.slot not in opened_lines:
                self.line_handles.update(check_line_opening(record.content, opening))
                opened_lines[opening.slot] = opening
        is_scripted = decision.script or self.table.game.ruleset.kinds[decision.kind].script
        lines = LinesOfKind(self.table, decision, opened_lines.values())
        handles = list(logged.hidden)
        for step in logged.text.split("; ") if decision.script else [logged.text]:
            card_count = len(cards_in(step))
            candidates = [
                line
                for line in lines.find_lines(step)
                if (line.order, line.slot) not in self.spent_lines
            ]
            exact_lines = [x for x in candidates if handles_in(x.text) == handles[:card_count]]
            # a line's handle is used only once. If the line puts its card down again, the card has
            # a new handle of the referee, and the line matches all the same
            reused_lines = [x for x in candidates if self.used_handles & {*handles_in(x.text)}]
            matches = exact_lines or reused_lines
            if not matches:
                raise RecordError(
                    "opening",
                    f"entry {logged.key}: the turn shows no order of this player that says "
                    f"{step!r}",
                )
            self._note_origins(number, logged, matches[0], record.content)
            for line in (*matches, *lines.find_limits(matches)):  # if two lines say the same,
                self.openings.use_line(line)  # either may have settled the entry
            if is_scripted:
                self.spent_lines.add((matches[0].order, matches[0].slot))
            del handles[:card_count]

    def _note_origins(
        self, number: int, logged: LogEntry, opening: OpenLine, orders: Orders
    ) -> None:
        """Note which handles of the entry with this number come from an opened line."""
        handles = handles_in(opening.text)
        for bracket, handle in enumerate(logged.hidden):
            if handle in handles:
                place, index = OrderPlace.of_orders(orders), handles.index(handle)
                source = HandleOrigin(handle, place, opening.slot, index)
                self.handle_origins[number, bracket] = source

    def check_turned_up(self, tag: Tag, card: str) -> None:
        """Check a card that turns up against its handle. `tag` has the numbers of the log entry and
        of the bracket in which the card was put down. Raises RecordError `opening`,
        `commitment`."""
        source = self.handle_origins.get(tag)
        if source is None:
            raise RecordError("opening", f"{card} was turned face up where no card was put down")
        opening = self.openings.use_card(source.handle)
        if opening.card != card:
            raise RecordError(
                "opening",
                f"{card} was turned face up, but the proof in the turn shows {opening.card}",
            )
        self.check_card(tag, opening)

    def check_card(self, tag: Tag, opening: OpenCard) -> None:
        """Check the opening of a card put down against its handle. Raises RecordError
        `commitment`."""
        source = self.handle_origins[tag]
        if source.place is None:
            check_hidden_ref(self.game, *tag, opening)
        else:
            check_hidden(source.place, source.slot, source.bracket, opening)

    def check_shown(self, seat: str, card: str) -> None:
        """Check a card shown from a hand (see `ChanceChecker.show`)."""
        self.chance.show(seat, card, self.openings)

    def end(self) -> None:
        """Check that the log needed all openings. Raises RecordError `opening`."""
        self.openings.check_all_used()

    def packet_size(self, turn: Turn) -> int:
        """Return the packet size for the greatest number of cards that the turn opens to a seat."""
        return packet_size(self.deals.opened(self.line_handles).values(), turn.orders)

    def handover_size(self, seat: str, log: Sequence[Entry]) -> int:
        """Return the handover size for all cards that the log opens only to the seat."""
        return handover_size(count_known_cards(seat, log))

    def awaited_kinds(self) -> Mapping[str, tuple[str, ...]]:
        """Return nobody: the referee needs no help to deal."""
        return {}

    # -------------------------------------------------------------- checkpoints
    def state(self, order_ids: Container[bytes]) -> PlainData:
        """Return the state as plain data: opened lines of the orders in force, handles and their
        sources, decks, hands and the last link of the dice (see `PublicCards`)."""
        opened_lines = [
            (line.order, line.slot, line.text, line.salt)
            for order_id, lines in self.opened_lines.items()
            for line in lines.values()
            if order_id in order_ids
        ]
        origins = list[list[Any]]()
        for tag, source in self.handle_origins.items():
            place = source.place
            place_fields = [place.turn, place.seat, place.revision] if place else None
            origins.append([*tag, source.handle.hex(), place_fields, source.slot, source.bracket])
        return {
            "opened": to_data(opened_lines),
            "spent": to_data({line for line in self.spent_lines if line[0] in order_ids}),
            "origins": origins,
            "chance": self.chance.state(),
        }

    def resume(self, state: PlainData, table: Table[Any]) -> None:
        """Restore the data that `state` returned (see `PublicCards`)."""
        for line in (OpenLine(*row) for row in from_data(state["opened"])):
            self.opened_lines.setdefault(line.order, {})[line.slot] = line
            self.line_handles.update(handles_in(line.text))
        self.spent_lines = set(from_data(state["spent"]))
        for number, bracket, handle_hex, place_fields, slot, line_bracket in state["origins"]:
            place = OrderPlace(self.game, *place_fields) if place_fields else None
            source = HandleOrigin(bytes.fromhex(handle_hex), place, slot, line_bracket)
            self.handle_origins[number, bracket] = source
            self.used_handles.add(source.handle)
        self.chance.resume(state["chance"])


def count_known_cards(seat: str, log: Sequence[Entry]) -> int:
    """Count the cards in a public log whose openings only one seat gets: cards dealt to the seat,
    put down by the seat, or put under a deck by the seat."""
    count = 0
    for entry in log:
        if entry.seat == CHANCE and entry.to == seat:
            is_under = entry.kind == "under"  # `deck hides 2 below 3` names no card
            count += int(entry.text.split()[2]) if is_under else entry.text.count("[")
        elif entry.seat == seat:
            count += entry.text.count("[")
    return count
