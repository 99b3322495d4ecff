"""Sealed cards as everybody can check them, turn by turn (protocol §7, §8)."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any

from engine import CHANCE, Decision, Entry, Table, Tag, cards_in
from engine.values import Value
from pbem.format.canonical import RecordError
from pbem.judge.chain import Chain, Finder
from pbem.judge.chain_checkpoint import Plain, from_plain, plain
from pbem.judge.lines import LinesOfKind, OrdersInForce
from pbem.judge.sealed_openings import ChanceChecker, Openings, TurnDeals
from pbem.records.charter import Orders
from pbem.records.deck import Pile, Position, check_hidden_ref
from pbem.records.sealed_orders import OrderPlace, check_hidden, check_line_opening, handles_in
from pbem.records.turn import LogEntry, OpenCard, OpenLine, Turn, handover_size, packet_size


class HandleOrigin(Value):
    """Where a face-down card's handle comes from: a bracket in a line of orders, or the referee."""

    handle: bytes
    place: OrderPlace | None = None
    slot: int = 0
    bracket: int = 0


class SealedPublicCards:
    """Checks openings, decks, dice and handles of each turn (see `PublicCards`)."""

    table: Table[Any]
    """The public table, from `begin` on."""
    openings: Openings
    """What the turn that is being read opens."""
    deals: TurnDeals
    """What that turn dealt so far."""

    def __init__(self, chain: Chain) -> None:
        self.game = chain.game
        self.chance = ChanceChecker(chain.game)
        self.opened_lines: dict[bytes, dict[int, OpenLine]] = {}
        """Lines opened so far, by order and slot."""
        self.spent_lines: set[tuple[bytes, int]] = set()
        """Lines of scripts that were carried out; each is used only once."""
        self.line_handles: set[bytes] = set()
        """The handles in the lines opened so far."""
        self.handle_origins: dict[Tag, HandleOrigin] = {}
        """Where the handle of each card put down comes from."""
        self.used_handles: set[bytes] = set()

    def begin(self, turn: Turn, first: int, table: Table[Any], find: Finder) -> None:
        """Begin a turn (see `PublicCards`)."""
        if turn.turn == 1:
            self.chance.link = turn.link0
        self.table, self.openings, self.deals = table, Openings(turn), TurnDeals(turn, first)

    def check_chance(self, number: int, key: str, decision: Decision, text: str) -> None:
        """Check an entry of chance against the commitments. Raises RecordError `chain`, `opening`
        or `commitment`."""
        self.deals.entry = number
        self.chance.check(key, decision, text, self.openings, self.deals)

    def check_choice(
        self, number: int, decision: Decision, logged: LogEntry, force: OrdersInForce | None
    ) -> None:
        """Check the handles of cards put down, and the line in `force` that says the same."""
        key, handles = logged.key, logged.hidden
        if len(cards_in(logged.text)) != len(handles):
            raise RecordError("opening", f"{key}: must have one handle for each card put down")
        if len(set(handles) - self.used_handles) != len(handles):
            raise RecordError("opening", f"{key}: a handle that is used here was already used")
        for bracket, handle in enumerate(handles):
            self.handle_origins[number, bracket] = HandleOrigin(handle)
        if force is not None:
            self._by_line(number, decision, logged, force.record.id, force.record.content)
        self.used_handles.update(handles)
        self.deals.handles += [(decision.seat, handle) for handle in handles]

    def _by_line(
        self, number: int, decision: Decision, logged: LogEntry, order_id: bytes, orders: Orders
    ) -> None:
        """Check an entry settled by a plain line, which must be opened, and say the same."""
        opened = self.opened_lines.setdefault(order_id, {})
        for opening in self.openings.lines_of(order_id):
            if opening.slot not in opened:
                self.line_handles.update(check_line_opening(orders, opening))
                opened[opening.slot] = opening
        scripted = decision.script or self.table.game.ruleset.kinds[decision.kind].script
        lines = LinesOfKind(self.table, decision, opened.values())
        handles = list(logged.hidden)
        for step in logged.text.split("; ") if decision.script else [logged.text]:
            saying = [x for x in lines.saying(step) if (x.order, x.slot) not in self.spent_lines]
            exact = [o for o in saying if handles_in(o.text) == handles[: len(cards_in(step))]]
            # a line's handle is used only once; the referee makes a new one for the card after that
            used = [o for o in saying if self.used_handles.intersection(handles_in(o.text))]
            matches = exact or used
            if not matches:
                raise RecordError("opening", f"{logged.key}: no opened line says {step!r}")
            self._trace(number, matches[0], orders, logged)
            for line in (*matches, *lines.holding(matches)):  # if two lines say the same,
                self.openings.use_line(line)  # either may have settled the entry
            if scripted:
                self.spent_lines.add((matches[0].order, matches[0].slot))
            del handles[: len(cards_in(step))]

    def _trace(self, number: int, opening: OpenLine, orders: Orders, logged: LogEntry) -> None:
        handles = handles_in(opening.text)
        for bracket, handle in enumerate(logged.hidden):
            if handle in handles:
                place, index = OrderPlace.of_orders(orders), handles.index(handle)
                source = HandleOrigin(handle, place, opening.slot, index)
                self.handle_origins[number, bracket] = source

    def check_turned_up(self, tag: Tag, card: str) -> None:
        """Check a card that turns up against its handle. Raises RecordError `opening`,
        `commitment`."""
        source = self.handle_origins.get(tag)
        if source is None:
            raise RecordError("opening", f"{card} turns up where no card was put down")
        opening = self.openings.card(source.handle)
        if opening.card != card:
            raise RecordError("opening", f"{card} turns up, but the turn opens {opening.card}")
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
        self.openings.all_used()

    def packet_size(self, turn: Turn) -> int:
        """Return the size that fits the most cards that the turn opens to one seat."""
        return packet_size(self.deals.opened(self.line_handles).values(), turn.orders)

    def handover_size(self, seat: str, log: Sequence[Entry]) -> int:
        """Return the size that fits all cards that the log opens only to the seat."""
        return handover_size(known_cards(seat, log))

    def waits_for(self) -> Mapping[str, tuple[str, ...]]:
        """Return nobody: the referee needs no help to deal."""
        return {}

    # -------------------------------------------------------------- checkpoints
    def state(self, counting: Container[bytes]) -> Plain:
        """Return what is known, but only the lines of orders that count (see `PublicCards`)."""
        opened = [
            (line.order, line.slot, line.text, line.salt)
            for order, lines in self.opened_lines.items()
            for line in lines.values()
            if order in counting
        ]
        spent = {(order, slot) for order, slot in self.spent_lines if order in counting}
        origins = list[list[Any]]()
        for tag, source in self.handle_origins.items():
            place = source.place
            where = [place.turn, place.seat, place.revision] if place else None
            origins.append([*tag, source.handle.hex(), where, source.slot, source.bracket])
        chance = self.chance
        piles = {
            deck: (pile.epoch, pile.entered, pile.positions) for deck, pile in chance.piles.items()
        }
        known = {"link": chance.link, "commitments": chance.commitments, "hands": chance.hands}
        return {
            "opened": plain(opened),
            "spent": plain(spent),
            "origins": origins,
            "chance": plain(known | {"piles": piles}),
        }

    def resume(self, state: Plain) -> None:
        """Take over what `state` returned (see `PublicCards`)."""
        for line in (OpenLine(*row) for row in from_plain(state["opened"])):
            self.opened_lines.setdefault(line.order, {})[line.slot] = line
            self.line_handles.update(handles_in(line.text))
        self.spent_lines = set(from_plain(state["spent"]))
        for entry, at, handle, where, slot, bracket in state["origins"]:
            place = OrderPlace(self.game, *where) if where else None
            source = HandleOrigin(bytes.fromhex(handle), place, slot, bracket)
            self.handle_origins[entry, at] = source
            self.used_handles.add(source.handle)
        known, chance = from_plain(state["chance"]), self.chance
        chance.link = known["link"]
        chance.commitments = {Position(*at): made for at, made in known["commitments"].items()}
        hands = known["hands"].items()
        chance.hands = {seat: {Position(*at) for at in hand} for seat, hand in hands}
        for deck, (epoch, entered, left) in known["piles"].items():
            pile = chance.piles[deck] = Pile(deck)
            pile.epoch, pile.entered, pile.positions = (
                epoch,
                entered,
                [Position(*at) for at in left],
            )


def known_cards(seat: str, log: Sequence[Entry]) -> int:
    """Count the cards in a public log that are opened only to this seat."""
    count = 0
    for entry in log:
        if entry.seat == CHANCE and entry.to == seat:
            hides = entry.kind == "under"
            count += int(entry.text.split()[2]) if hides else entry.text.count("[")
        elif entry.seat == seat:
            count += entry.text.count("[")
    return count
