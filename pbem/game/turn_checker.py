"""Check a game turn by turn: without any key, as everybody can, or with a seat's key (§1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, NamedTuple

from engine import (
    CHANCE,
    PUBLIC,
    UNKNOWN,
    Decision,
    Entry,
    Illegal,
    Misfit,
    OrderSet,
    Pending,
    Table,
    Tag,
    cards_in,
    filled,
    forced,
    mask,
)
from engine.table import resumed_orders
from engine.values import Mutable, Value
from pbem.format.canonical import RecordError
from pbem.format.encrypted_box import TAG, box_key, public_of
from pbem.format.keys import Secrets
from pbem.game.absence import (
    Absence,
    check_unasked,
    phase_of,
    round_asked,
    round_of,
    waited_for,
)
from pbem.game.chain import Chain, Finder, acts_of
from pbem.game.lines import (
    HandleOrigin,
    LinesOfKind,
    OrdersInForce,
    bot_answer,
    check_choice,
    check_status,
    read_lines,
    why_misplaced,
    why_unusable,
)
from pbem.game.notices import check_needed
from pbem.game.rules import board_lines, game_of
from pbem.game.standing import Standing
from pbem.records.charter import Charter, Join, Orders, check_keys, check_share, is_let_in
from pbem.records.deck import (
    Pile,
    Position,
    check_hidden_ref,
    check_link,
    check_position,
    die,
    place_of,
)
from pbem.records.read_record import Record
from pbem.records.sealed_orders import (
    OrderPlace,
    Sealed,
    check_hidden,
    check_line_opening,
    handles_in,
    unseal_orders,
)
from pbem.records.turn import (
    Listed,
    LogEntry,
    OpenCard,
    OpenLine,
    OpenPosition,
    Packet,
    Refusal,
    Turn,
    handover_size,
    open_handover,
    open_packet,
    packet_size,
)

# ---- what a turn opens


class Openings:
    """Looks up what a turn opens, and remembers which openings the log needed."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self._lines = {(o.order, o.slot): o for o in turn.lines}
        self._cards = {o.handle: o for o in turn.cards}
        self._dealt = {place_of(o): o for o in turn.dealt}
        self._shown = {place_of(o): o for o in turn.shown}
        self._decks = {Position(o.deck, o.epoch, o.first): o.cards for o in turn.decks}
        self._needed: set[object] = set()
        self._links = iter(turn.links)

    def lines_of(self, order: bytes) -> Sequence[OpenLine]:
        """Return the lines of these orders that the turn opens."""
        return [o for (wanted, _), o in self._lines.items() if wanted == order]

    def use_line(self, line: OpenLine) -> None:
        """Note that this line settled a decision; an earlier turn may have opened the line."""
        if (line.order, line.slot) in self._lines:
            self._needed.add((line.order, line.slot))

    def card(self, handle: bytes) -> OpenCard:
        """Return the opening of a face-down card. Raises RecordError `opening` if there is none."""
        if handle not in self._cards:
            told = f"the card {handle.hex()[:6]} turns up, but no opening shows it"
            raise RecordError("opening", told)
        self._needed.add(handle)
        return self._cards[handle]

    def position(self, at: Position) -> OpenPosition:
        """Return the opening of a card dealt openly. Raises RecordError `opening`."""
        if at not in self._dealt:
            told = f"card {at.k} of {at.deck} is shown, but no opening proves it"
            raise RecordError("opening", told)
        self._needed.add(("dealt", at))
        return self._dealt[at]

    def shown(self, card: str, hand: Container[Position]) -> OpenPosition | None:
        """Return the first opening of this card from a position in this hand, or None."""
        for at, opening in self._shown.items():
            if opening.card == card and at in hand:
                self._needed.add(("shown", at))
                return opening
        return None

    def cards_of(self, first: Position, count: int) -> tuple[bytes, ...]:
        """Return the commitments to cards that enter a deck. Raises RecordError `opening`."""
        cards = self._decks.get(first, ())
        if len(cards) != count:
            told = f"{count} cards enter {first.deck}, but {len(cards)} have a commitment"
            raise RecordError("opening", told)
        self._needed.add(("decks", first))
        return cards

    def link(self) -> bytes:
        """Return the link for the next die. Raises RecordError `opening` if there is none."""
        if not (link := next(self._links, b"")):
            told = "a die is rolled, but the turn opens no link of the dice chain for it"
            raise RecordError("opening", told)
        return link

    def all_used(self) -> None:
        """Raise RecordError `opening` if the turn opens something that the log did not need."""
        there: set[object] = {*self._lines, *self._cards}
        there |= {("dealt", at) for at in self._dealt} | {("decks", at) for at in self._decks}
        there |= {("shown", at) for at in self._shown}
        if there != self._needed or next(self._links, None):
            raise RecordError("opening", "the turn opens something that the log does not require")


# ---- decks and dice


class DealtPositions(Value):
    """The positions of cards that one entry dealt to a seat, or that the seat put under a deck;
    only this seat knows which cards they are."""

    entry: int
    seat: str
    positions: tuple[Position, ...]


class TurnDeals(Mutable):
    """What one turn dealt or put under decks, as positions."""

    turn: Turn
    first: int
    """The number of the turn's first log entry."""
    dealt: list[DealtPositions] = field(default_factory=list)
    under: list[DealtPositions] = field(default_factory=list)
    """The cards that seats put under a deck, unseen by the others."""
    handles: list[tuple[str, bytes]] = field(default_factory=list)
    """For each card put down, the seat and the handle."""
    entry: int = 0
    """The number of the log entry that is being read."""

    def opened(self, in_lines: Container[bytes]) -> Counter[str]:
        """Count, for each seat, the cards that its packet must open: all but those whose handles
        are `in_lines`."""
        count = Counter(seat for seat, handle in self.handles if handle not in in_lines)
        for some in [*self.dealt, *self.under]:
            count[some.seat] += len(some.positions)
        return count


def moved(pile: Pile, decision: Decision, text: str) -> list[Position]:
    """Let an entry of chance that is no die change a deck; return the positions of the cards that
    enter it or are dealt from it. Raises RecordError `chain`."""
    if decision.kind == "shuffle":
        return pile.shuffle(len(decision.cards))
    if decision.kind == "under":
        return pile.under(len(decision.cards), int(text.rsplit(" ", 1)[1]))
    (pattern,) = decision.listed()
    return pile.deal(pattern.count("?"))


class ChanceChecker:
    """Checks log entries that come from chance against the commitments to decks and dice."""

    def __init__(self, game: bytes) -> None:
        self._game = game
        self.commitments: dict[Position, bytes] = {}
        self.piles: dict[str, Pile] = {}
        self.hands: dict[str, set[Position]] = {}
        """The positions dealt to each hand, without those that left it in public."""
        self.link = b""
        """The link of the last die, or the end of the chain if no die has fallen yet."""

    def check(
        self, key: str, decision: Decision, text: str, openings: Openings, deals: TurnDeals
    ) -> None:
        """Check one log entry of chance. Raises RecordError `chain`, `opening` or `commitment`."""
        pile = self.piles.setdefault(decision.deck, Pile(decision.deck))
        if decision.kind == "die":
            self._check_die(key, decision, text, openings)
            return
        positions = moved(pile, decision, text)
        if decision.kind in ("shuffle", "under") and positions:
            commitments = openings.cards_of(positions[0], len(positions))
            self.commitments.update(zip(positions, commitments, strict=True))
        dealt = DealtPositions(deals.entry, decision.to, tuple(positions))
        if decision.kind == "shuffle":
            return
        if decision.to == PUBLIC:
            under = decision.kind == "under"
            cards = decision.cards if under else filled(decision.listed()[0], text)
            for at, card in zip(positions, cards, strict=True):
                opening = openings.position(at)
                self.check_dealt(opening)
                if opening.card != card:
                    told = f"the log shows {card}, but the turn opens {opening.card}"
                    raise RecordError("opening", told)
        elif decision.kind == "under":
            deals.under.append(dealt)
        else:
            deals.dealt.append(dealt)
            self.hands.setdefault(decision.to, set()).update(positions)

    def _check_die(self, key: str, decision: Decision, text: str, openings: Openings) -> None:
        link = openings.link()
        check_link(link, self.link)
        self.link = link
        faces = decision.listed()
        face = faces[die(self._game, link, key, len(faces))]
        if text != face:
            raise RecordError("chain", f"{key}: the die shows {face!r}, but the turn says {text!r}")

    def show(self, seat: str, card: str, openings: Openings) -> None:
        """Check that a card shown from a hand was dealt to it and not shown before. Raises
        RecordError.

        The first opening that matches is enough: others may be for equal cards shown later in the
        turn.
        """
        hand = self.hands.get(seat, set())
        opening = openings.shown(card, hand)
        if opening is None:
            told = f"seat {seat} shows {card}, but no opening proves that it had this card"
            raise RecordError("opening", told)
        self.check_dealt(opening)
        hand.remove(place_of(opening))

    def check_dealt(self, opening: OpenPosition) -> None:
        """Check an opened card against its commitment. Raises RecordError `commitment`."""
        at = place_of(opening)
        if at not in self.commitments:
            raise RecordError("opening", f"card {at.k} of {at.deck} was never in the deck")
        check_position(self._game, opening, self.commitments[at])


# ---- a seat that gets new keys


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


def check_handovers(turn: Turn, seats: Collection[str], log: Sequence[Entry]) -> None:
    """Check that a turn, whose entries end `log`, hands over exactly these seats, in boxes of the
    right size. Raises RecordError `field`, `padding`."""
    boxes = turn.handover or {}
    if set(boxes) != set(seats):
        raise RecordError("field", "handover: must have a box for each seat that gets new keys")
    for seat, box in boxes.items():
        size = handover_size(known_cards(seat, log)) + TAG
        if len(box) != size:
            raise RecordError("padding", f"handover: the box of seat {seat} needs {size} bytes")


def check_entry(table: Table[Any], decision: Decision, entry: Entry) -> None:
    """Raise RecordError `rule` if the rules, as this table shows them, do not allow an entry."""
    try:
        if reason := table.why_not_entry(decision, entry):
            raise Illegal(f"{entry.key}: {reason}")
    except (Illegal, Misfit) as error:
        raise RecordError("rule", str(error)) from None


class HandoverReplay:
    """Replays a seat's log on a new table, with the cards that a handover opens.

    The box opens every card that the seat got or put down since turn 1, so the new player can check
    each as the previous player did (protocol §5, *Handover*).
    """

    def __init__(
        self,
        table: Table[Any],
        packet: Packet,
        deals: Sequence[TurnDeals],
        handles: Mapping[Tag, bytes],
        chance: ChanceChecker,
    ) -> None:
        """`deals` are those of all turns so far; `handles` those of cards put down, by entry and
        bracket."""
        self.table, self.handles, self.chance = table, handles, chance
        self._at = {
            one.entry: one.positions for some in deals for one in (*some.dealt, *some.under)
        }
        self._cards = {place_of(opening): opening for opening in (*packet.dealt, *packet.under)}
        self._hidden = {opening.handle: opening for opening in packet.hidden}
        self.opened: dict[Tag, OpenCard] = {}
        """The cards that the seat put down, for the reader to check."""

    def play(self, log: Sequence[Entry]) -> list[Entry]:
        """Return the public log as the seat reads it, with its cards shown. Raises RecordError."""
        own = []
        for number, entry in enumerate(log):
            own.append(told := self._told(number, entry))
            try:
                _, decision = self.table.pending[0]
                if reason := self.table.why_not_entry(decision, told):
                    raise Illegal(f"{told.key}: {reason}")
                self.table.send(told.text)
            except (Illegal, Misfit) as error:
                raise RecordError("rule", f"handover: {error}") from None
        if self._cards or self._hidden:
            raise RecordError("opening", "handover: must open only cards that the log needs")
        return own

    def _told(self, number: int, entry: Entry) -> Entry:
        seat, cards = self.table.viewpoint, list[str]()
        if entry.seat == CHANCE and entry.to == seat:
            for at in self._at[number]:
                dealt = self._cards.pop(at, None)
                if dealt is None:
                    told = f"handover: does not open card {at.k} of {at.deck}"
                    raise RecordError("opening", told)
                self.chance.check_dealt(dealt)
                cards.append(dealt.card)
        elif entry.seat == seat:
            for bracket in range(entry.text.count("[")):
                put = self._hidden.pop(self.handles[number, bracket], None)
                if put is None:
                    told = f"handover: does not open a card of entry {number}"
                    raise RecordError("opening", told)
                self.opened[number, bracket] = put
                cards.append(put.card)
        return _fill(entry, cards) if cards and "[" in entry.text else entry


def _fill(entry: Entry, cards: list[str]) -> Entry:
    first, *rest = entry.text.split("[?]")
    pairs = zip(cards, rest, strict=True)
    return entry._replace(text=first + "".join(f"[{card}]{after}" for card, after in pairs))


# ---- the end of a turn


def awaited(pending: Pending) -> dict[str, tuple[str, ...]]:
    """Return, for each seat that is asked something, the kinds of its open decisions."""
    found: dict[str, list[str]] = {}
    for _, decision in pending:
        found.setdefault(decision.seat, []).append(decision.kind)
    return {seat: tuple(dict.fromkeys(kinds)) for seat, kinds in found.items()}


def check_end(
    turn: Turn, table: Table[Any], standing: Standing, absence: Absence, before: int
) -> None:
    """Check the end of a turn against the public table after its log (protocol §3, c, e, g). Raises
    RecordError `rule`.

    `standing` and `absence` include what the turn lists; `before` is the deadline of the turn
    before.
    """
    if {asked.seat: asked.kinds for asked in turn.awaited} != awaited(table.pending):
        raise RecordError("rule", "awaited: must list all open questions, and nothing else")
    if turn.over != table.over:
        told = f"over: wrong, because the game is {'' if table.over else 'not '}over"
        raise RecordError("rule", told)
    asked = [
        (key, one)
        for key, one in table.pending
        if not (one.seat == CHANCE or one.fact or forced(one))
    ]
    if not table.over and not asked:
        raise RecordError("rule", "log: the turn stops, although nobody has to be asked")
    if not table.over and all(absence.unasked(key, one) for key, one in asked):
        who = ", ".join(sorted(awaited(table.pending).keys() & absence.missed.keys()))
        raise RecordError("rule", f"log: the turn is waiting for seat {who}, which is away")
    if turn.table != board_lines(table.game.ruleset.scene(table.state)):
        raise RecordError("rule", "table: must match what is on the table after this turn")
    check_deadline(turn, table, standing, before)
    check_cards(table)


def check_deadline(turn: Turn, table: Table[Any], standing: Standing, before: int) -> None:
    """Check that a turn's deadline follows from the rules and from the delays that it lists; it
    stays if nothing happened. Raises RecordError `rule`."""
    off = standing.calendar.seconds_put_off(turn.turn)
    named = turn.deadline - off if turn.deadline else 0
    if 0 < turn.deadline <= off:
        raise RecordError("rule", "deadline: is too early for the delays that the turn lists")
    if not turn.log and not standing.calendar.renews(turn.turn):
        if named != before:
            told = "deadline: a turn that only lists notices must keep the deadline"
            raise RecordError("rule", told)
    elif not standing.policies.rule(phase_of(table.pending)).may_give(named, turn.time):
        raise RecordError("rule", "deadline: must be the deadline that follows from the charter")


class Unheard(NamedTuple):
    """The seats that were not asked, but whose orders the game waited for until the deadline."""

    seats: Collection[str] = ()
    round: int = 0
    deadline: int = 0

    def check(self, turn: Turn, table: Table[Any], silences: Collection[tuple[str, int]]) -> None:
        """Check that, of these seats, the turn names as silent those it asks. Raises RecordError
        `rule`.

        `silences` has the seat and the round of each question that its default settled because
        the seat was silent.
        """
        open_ = {d.seat for key, d in table.pending if round_of(key) == self.round and d.default}
        settled = {seat for seat, round_ in silences if round_ == self.round}
        named = {*turn.silent} & {*self.seats}
        if more := named - open_ - settled:
            raise RecordError("rule", f"silent: names seat {min(more)}, which was not asked")
        late = turn.log and 0 < self.deadline <= turn.time
        if late and (quiet := open_ & {*self.seats} - named):
            told = (
                f"log: the turn asks seat {min(quiet)}, although its orders for this round "
                "are overdue"
            )
            raise RecordError("rule", told)


def check_agreed_end(turn: Turn, table: Table[Any]) -> None:
    """Check that a turn that ends the game by agreement does nothing else. Raises RecordError
    `rule`."""
    if turn.log or turn.orders or turn.silent or turn.awaited or turn.own:
        raise RecordError("rule", "log: the players have ended the game, but the turn goes on")
    if not turn.over or turn.deadline:
        told = "over: the players have ended the game, but the turn does not say so"
        raise RecordError("rule", told)
    if turn.table != board_lines(table.game.ruleset.scene(table.state)):
        raise RecordError("rule", "table: must match what is on the table after this turn")


def check_silence(turn: Turn, asked: Collection[str], deadline: int, away: Collection[str]) -> None:
    """Check that silent seats were asked, not away, and had their time. Raises RecordError
    `rule`."""
    if not set(turn.silent) <= set(asked):
        raise RecordError("rule", "silent: names a seat that was not asked")
    if turn.silent and turn.turn > 1 and not turn.log:
        raise RecordError("rule", "silent: names a seat although nothing happens in this turn")
    if turn.silent and not 0 < deadline <= turn.time:
        raise RecordError("rule", "silent: names a seat before the deadline")
    if seats := set(turn.silent) & set(away):
        told = f"silent: seat {min(seats)} was away already: nobody waited for it"
        raise RecordError("rule", told)


def check_cards(table: Table[Any]) -> None:
    """Check that no card is in play more often than it was printed. Raises RecordError `chain`."""
    ruleset = table.game.ruleset
    printed = Counter(card for deck in ruleset.decks.values() for card in deck)
    known = Counter(card for card in table.state.cards() if card != UNKNOWN)
    if more := known - printed:
        card = min(more)
        copies = f"but the game has only {printed[card]}"
        raise RecordError("chain", f"{card} appears {known[card]} times, {copies}")


# ---- without any key


class TableReader:
    """The game as everybody knows it, up to the last turn that was absorbed (protocol §7).

    It replays the public log, and checks against it all that a turn publishes: signed orders,
    openings, decks, dice, handles.
    """

    unheard = Unheard()
    """The seats that were not asked, but waited for, when the last turn was read."""

    def __init__(self, charter: Record[Charter]) -> None:
        self.chain = Chain(charter)
        """What the turns so far publish; see there."""
        self.charter, self.game = self.chain.charter, self.chain.game
        self.in_force: dict[str, OrdersInForce] = {}
        self.absence = self.chain.absence
        """Who is away, with what the turn that is being read says."""
        self.opened: dict[bytes, dict[int, OpenLine]] = {}
        """Lines opened so far, by order and slot."""
        self.handle_origins: dict[Tag, HandleOrigin] = {}
        self.own: dict[str, bytes] = {}
        """For each seat in `plays`: the id of the orders that answer the last turn."""
        self.used_handles: set[bytes] = set()
        self.line_handles: set[bytes] = set()
        """The handles in the lines opened so far."""
        self.spent_lines: set[tuple[bytes, int]] = set()
        """Lines of scripts that were carried out; each is used only once."""
        self.chance = ChanceChecker(self.game)
        self.log: list[Entry] = []
        self.table: Table[Any] | None = None

    @property
    def public(self) -> Table[Any]:
        """The table as everybody knows it. Raises RecordError `state` before turn 1."""
        if self.table is None:
            raise RecordError("state", "the game has not begun: there is no turn 1 yet")
        return self.table

    def absorb(self, turn: Record[Turn], find: Finder) -> TurnDeals:
        """Check the next turn against all earlier ones, absorb it and return what it dealt.

        Raises RecordError; do not use the reader after that.
        """
        content, chain = turn.content, self.chain
        self._place(content)
        if content.turn == 1:
            self._begin(content, find.joins())
        else:
            before = chain.list_notices(content, find)
            for seat in chain.standing.lapsed(before):
                self.in_force.pop(seat, None)
            check_needed(turn, chain.standing)
            check_handovers(content, chain.standing.new_keys(content.turn), self.log)
        if content.time < chain.standing.calendar.earliest_date(content.turn, chain.time):
            told = f"time: turn {content.turn} is dated before turn {chain.turn}"
            raise RecordError("field", told)
        self._list_orders(content, find)
        self._note_silence(content)
        deals = TurnDeals(content, len(self.log))
        openings = Openings(content)
        silences = set[tuple[str, int]]()
        for logged in content.log:
            decision = self._entry(logged, openings, deals)
            if logged.by == "default" and not decision.unasked:
                silences.add((decision.seat, round_of(logged.key)))
        openings.all_used()
        if chain.standing.ended:
            check_agreed_end(content, self.public)
        else:
            self.unheard.check(content, self.public, silences)
            check_end(content, self.public, chain.standing, self.absence, chain.deadline)
        if content.packets.keys() != chain.standing.roster.keys():
            raise RecordError("field", "packets: there must be one for each seat")
        size = packet_size(deals.opened(self.line_handles).values(), content.orders) + TAG
        if any(len(box) != size for box in content.packets.values()):  # it could reveal a secret
            told = f"packets: what this turn opens needs boxes of {size} bytes"
            raise RecordError("padding", f"{told}; these are a different size")
        acts = acts_of(content.orders, find.orders) if chain.standing.waits else ()
        chain.add(turn, round_asked(self.public.pending), acts)
        for seat in chain.standing.removed:
            self.in_force.pop(seat, None)
        self._own(content, find)
        return deals

    def _place(self, turn: Turn) -> None:
        if turn.game != self.game:
            raise RecordError("place", "this turn belongs to another game")
        if turn.turn != self.chain.turn + 1:
            told = f"this is turn {turn.turn}, where turn {self.chain.turn + 1} should be"
            raise RecordError("place", told)
        if turn.prev != self.chain.head:
            told = f"a different version of turn {self.chain.turn} from the one here"
            raise RecordError("place", f"turn {turn.turn} builds on {told}")
        if self.chain.over:
            raise RecordError("state", f"the game ended with turn {self.chain.turn}")

    def _begin(self, turn: Turn, joins: Mapping[bytes, Record[Join]]) -> None:
        if bool(turn.deputy) != bool(self.charter.deputy_key):
            raise RecordError("field", "deputy: turn 1 must have a box for the charter's deputy")
        self.take_joins(turn.joins or {}, joins)
        doors = self.charter.doors
        for seat, join in self.chain.standing.roster.items():
            ident = self.chain.join_ids[seat]
            if is_let_in(join, doors[seat]) == (ident in turn.by_word):
                was = "was" if ident in turn.by_word else "was not"
                told = f"the join {ident.hex()[:6]} of seat {seat} {was} made with its invite"
                raise RecordError("rule", f"joins: {told}, and by_word does not fit that")
        self.chance.link = turn.link0
        seats = "".join(sorted(self.chain.standing.roster))
        self.table = Table(game_of(self.charter, seats), PUBLIC)

    def take_joins(self, named: Mapping[str, bytes], joins: Mapping[bytes, Record[Join]]) -> None:
        """Seat the players, from the joins with these ids. Raises RecordError for a wrong join."""
        planned = {plan.seat for plan in self.charter.seats}
        for seat, wanted in named.items():
            if wanted not in joins:
                told = f"the join {wanted.hex()[:6]} of seat {seat} is not here"
                raise RecordError("parent", told)
            join = joins[wanted].content
            if (join.seat, join.game) != (seat, self.game) or seat not in planned:
                raise RecordError("place", f"the join {wanted.hex()[:6]} is not for seat {seat}")
            check_share(self.charter, join)
        self.chain.seat_players(named, joins)
        check_keys(self.charter, self.chain.standing.roster)

    # -------------------------------------------------------------- orders
    def _list_orders(self, turn: Turn, find: Finder) -> None:
        good: dict[str, list[Record[Orders]]] = {}
        passed: dict[str, list[Record[Orders]]] = {}
        for listed in turn.orders:
            record = self._listed(listed, find)
            if listed.status != "refused":
                chosen = good if listed.status == "accepted" else passed
                chosen.setdefault(listed.seat, []).append(record)
        for seat in sorted(good.keys() | passed.keys()):
            force = self.in_force.get(seat)
            accepted = good.get(seat, [])
            check_choice(seat, accepted, passed.get(seat, []), force.record if force else None)
            if accepted:
                self.in_force[seat] = OrdersInForce(accepted[0], self.public.state.round)
        standing, chain = self.chain.standing, self.chain
        for seat, wanted in () if standing.ended else self.own.items():
            force = self.in_force.get(seat)
            if seat not in standing.out and (force is None or force.record.id != wanted):
                told = f"turn {chain.turn} names orders of seat {seat} that do not count here"
                raise RecordError("opening", told)

    def _listed(self, listed: Listed, find: Finder) -> Record[Orders]:
        record, chain = self.signed(listed.id, find), self.chain
        orders = record.content
        if orders.seat != listed.seat or listed.id in chain.listed_orders:
            told = f"orders {listed.id.hex()[:6]}: listed twice, or for another seat"
            raise RecordError("opening", told)
        held, named = orders.seat in self.charter.plays, self.own.get(orders.seat) == record.id
        check_status(listed, why_misplaced(orders, chain.heads, held, named, chain.asked_by))
        return record

    def signed(self, wanted: bytes, find: Finder) -> Record[Orders]:
        """Find orders of this game, signed with the key of the seat that they name."""
        record, standing = find.orders(wanted), self.chain.standing
        join = standing.roster.get(record.content.seat)
        if record.content.seat in standing.out:
            why = "was removed" if record.content.seat in standing.removed else "conceded"
            told = f"orders {wanted.hex()[:6]} are from seat {record.content.seat}, which {why}"
            raise RecordError("rule", told)
        if join is None or join.key != record.signed.key or record.content.game != self.game:
            told = f"orders {wanted.hex()[:6]} are not signed by seat {record.content.seat}"
            raise RecordError("key", told)
        return record

    def _note_silence(self, turn: Turn) -> None:
        chain, pending, round_ = self.chain, self.public.pending, self.chain.round
        accepted = {one.seat for one in turn.orders if one.status == "accepted"}
        away = chain.absence_with(accepted, ()).now(pending)
        spoke = accepted | chain.standing.seats_shown(turn.turn)
        spoke |= {s for s, force in self.in_force.items() if force.round == round_}
        seats = chain.standing.roster
        quiet = waited_for(self.charter, seats, round_, {*spoke, *chain.awaited})
        self.unheard = Unheard(quiet - away.keys(), round_, chain.deadline)
        check_silence(turn, {*chain.awaited, *self.unheard.seats}, chain.deadline, away)
        self.absence = chain.absence_with(accepted, turn.silent)

    def _own(self, turn: Turn, find: Finder) -> None:
        self.own = {}
        for wanted in turn.own:
            orders = self.signed(wanted, find).content
            if orders.seat not in self.charter.plays or orders.seat in self.own:
                told = f"orders {wanted.hex()[:6]} are not signed by the referee, or the seat has "
                told += "other orders as well"
                raise RecordError("opening", told)
            if (orders.turn, orders.prev) != (turn.turn, turn.prev):
                raise RecordError("opening", f"orders {wanted.hex()[:6]} do not answer this turn")
            self.own[orders.seat] = wanted

    # -------------------------------------------------------------- the log
    def _entry(self, logged: LogEntry, openings: Openings, deals: TurnDeals) -> Decision:
        """Check one log entry, and apply it; return the decision that it settles."""
        table, deals.entry = self.public, len(self.log)
        if not table.pending:
            raise RecordError("rule", f"{logged.key}: the game was already over")
        key, decision = table.pending[0]
        entry = Entry(logged.key, decision.seat, logged.text, logged.by, decision.to)
        if logged.key != key:
            raise RecordError("rule", f"{logged.key}: the next question is {key}")
        check_entry(table, decision, entry)
        if decision.seat == CHANCE:
            self.chance.check(key, decision, logged.text, openings, deals)
        elif not decision.fact:
            self._choice(key, decision, logged, openings)
            deals.handles += [(decision.seat, handle) for handle in logged.hidden]
        ruleset = table.game.ruleset
        for tag, card in ruleset.turned_up(table.state, logged.text, len(self.log)):
            self._turned_up(tag, card, openings)
        if decision.seat != CHANCE:
            for card in ruleset.shows(table.state, logged.text):
                self.chance.show(decision.seat, card, openings)
        table.send(logged.text)
        self.log.append(entry)
        return decision

    def _choice(self, key: str, decision: Decision, logged: LogEntry, openings: Openings) -> None:
        if len(cards_in(logged.text)) != len(logged.hidden):
            raise RecordError("opening", f"{key}: must have one handle for each card put down")
        fresh = set(logged.hidden) - self.used_handles
        if len(fresh) != len(logged.hidden):
            raise RecordError("opening", f"{key}: a handle that is used here was already used")
        for bracket, handle in enumerate(logged.hidden):
            self.handle_origins[len(self.log), bracket] = HandleOrigin(handle)
        if logged.by.startswith("line"):
            self._by_line(key, decision, logged, openings)
        elif logged.by.startswith("always") and decision.seat not in self.in_force:
            raise RecordError("rule", f"{key}: seat {decision.seat} has no orders in force")
        elif logged.by in ("default", "bot"):
            check_unasked(self.absence, key, decision, logged.by)
        self.used_handles.update(logged.hidden)

    def _by_line(self, key: str, decision: Decision, logged: LogEntry, openings: Openings) -> None:
        """Check an entry settled by a plain line, which must count, be opened, and say the same."""
        force = self.in_force.get(decision.seat)
        if force is None or force.round != self.public.state.round:
            told = f"{key}: seat {decision.seat} has no orders in force for this round"
            raise RecordError("rule", told)
        opened = self.opened.setdefault(force.record.id, {})
        for opening in openings.lines_of(force.record.id):
            if opening.slot not in opened:
                self.line_handles.update(check_line_opening(force.record.content, opening))
                opened[opening.slot] = opening
        scripted = decision.script or self.public.game.ruleset.kinds[decision.kind].script
        lines = LinesOfKind(self.public, decision, opened.values())
        handles = list(logged.hidden)
        for step in logged.text.split("; ") if decision.script else [logged.text]:
            says = [x for x in lines.saying(step) if (x.order, x.slot) not in self.spent_lines]
            exact = [o for o in says if handles_in(o.text) == handles[: len(cards_in(step))]]
            # a line's handle is used only once; the referee makes a new one for the card after that
            used = [o for o in says if self.used_handles.intersection(handles_in(o.text))]
            found = exact or used
            if not found:
                raise RecordError("opening", f"{key}: no opened line says {step!r}")
            self._trace(found[0], force.record.content, logged)
            for line in (*found, *lines.holding(found)):  # if two lines say the same,
                openings.use_line(line)  # either may have settled the entry
            if scripted:
                self.spent_lines.add((found[0].order, found[0].slot))
            del handles[: len(cards_in(step))]

    def _trace(self, opening: OpenLine, orders: Orders, logged: LogEntry) -> None:
        handles = handles_in(opening.text)
        for bracket, handle in enumerate(logged.hidden):
            if handle in handles:
                place = OrderPlace.of(orders)
                at = handles.index(handle)
                self.handle_origins[len(self.log), bracket] = HandleOrigin(
                    handle, place, opening.slot, at
                )

    def _turned_up(self, tag: Tag, card: str, openings: Openings) -> None:
        put = self.handle_origins.get(tag)
        if put is None:
            raise RecordError("opening", f"{card} turns up where no card was put down")
        shown = openings.card(put.handle)
        if shown.card != card:
            raise RecordError("opening", f"{card} turns up, but the turn opens {shown.card}")
        self._check_card(tag, put, shown)

    def _check_card(self, tag: Tag, put: HandleOrigin, shown: OpenCard) -> None:
        if put.place is None:
            check_hidden_ref(self.game, *tag, shown)
        else:
            check_hidden(put.place, put.slot, put.bracket, shown)


# ---- with the key of a seat


class SeatReader(TableReader):
    """A TableReader that also replays the seat's own log on the seat's own table (protocol §7).

    So its owner learns at once whether the dealt cards match the commitments, whether the owner's
    lines were followed in order, and whether the cards put down are those in the lines.
    """

    def __init__(self, charter: Record[Charter], seat: str, seed: bytes, since: int = 1) -> None:
        """`seed` is the seat's signing key, 32 bytes, which counts from turn `since` on."""
        super().__init__(charter)
        self.seat, self.since = seat, since
        self._past: list[TurnDeals] = []
        """The deals of the turns before `since`; the handover opens them."""
        self.secrets = Secrets(seed)
        secret = self.secrets.box(self.game, seat)
        self.box_public = public_of(secret)
        self.key = box_key(secret, self.charter.audit, self.game)
        self.mine: Table[Any] | None = None
        self.lent = False
        """Whether a view has borrowed the table of the seat."""
        self.own_log: list[Entry] = []
        self.sealed: Sealed | None = None
        self.orders: OrderSet | None = None
        self.orders_since = 0
        """How many log entries there were when the orders in force were accepted."""
        self.refused: tuple[Refusal, ...] = ()
        """Which of the seat's orders its last packet refused."""
        self.preview = False
        """Whether its last turn is not published yet: it waits for this seat of the referee's."""

    @property
    def own_table(self) -> Table[Any]:
        """The table as the seat knows it. Raises RecordError `state` before turn 1."""
        if self.mine is None:
            raise RecordError("state", "the game has not begun: there is no turn 1 yet")
        return self.mine

    def lend_table(self) -> Table[Any]:
        """Lend the seat's table to a view, which need not replay the log.

        It will not change: the reader makes a new one for itself before it absorbs another turn.
        """
        self.lent = True
        return self.own_table

    def absorb(self, turn: Record[Turn], find: Finder) -> TurnDeals:
        """Check a turn as TableReader does; then check what only this seat can check."""
        if self.lent:
            self.mine, self.lent = Table(self.public.game, self.seat, self.own_log), False
        before = self.in_force.get(self.seat)
        deals = super().absorb(turn, find)
        if turn.content.turn < self.since:
            self._past.append(deals)
            return deals
        if self.mine is None:
            self.new_table()
            self._take_over(turn.content)
        self._check_keys()
        self._check_refusals(turn.content, find)
        if self.in_force.get(self.seat) is not before:
            self.take_orders(len(self.own_log))
        packet = open_packet(turn.content.turn, self.seat, self._packet(turn.content), self.key)
        self.refused = packet.refused
        _SeatTurn(self, deals, packet).play()
        self._check_asked()
        return deals

    def _check_asked(self) -> None:
        """Check that no line of the seat answers what it is asked, unless the turn asks others too:
        then it may have stopped for their answers."""
        pending = self.own_table.pending
        if self.orders is None or any(decision.seat != self.seat for _, decision in pending):
            return
        for key, decision in pending:
            if (found := self.orders.answer(key, decision, self.own_table.state)) is not None:
                told = f"{key}: the turn asks you, but your line says {found[0]!r}"
                raise RecordError("rule", told)

    def _check_refusals(self, turn: Turn, find: Finder) -> None:
        for listed in turn.orders:
            if listed.seat == self.seat and listed.reason not in ("late", "forked"):
                reason, _ = why_unusable(find.orders(listed.id), self._unseal, self.own_table)
                if reason != listed.reason:
                    told = listed.reason or listed.status
                    told = f"the turn lists your orders {listed.id.hex()[:6]} as {told}, "
                    told += f"but they are {reason or 'right'}"
                    raise RecordError("rule", told)

    def _unseal(self, orders: Orders) -> Sealed:
        return unseal_orders(orders, self.key)

    def _packet(self, turn: Turn) -> bytes:
        if self.seat not in turn.packets:
            raise RecordError("box", f"turn {turn.turn} has no packet for seat {self.seat}")
        return turn.packets[self.seat]

    def new_table(self, log: Iterable[Entry] = ()) -> None:
        """Replay the seat's log on a new table of the seat. Raises RecordError `state`, `key`."""
        if self.seat not in self.chain.standing.roster:
            raise RecordError("state", f"the game began without seat {self.seat}")
        self._check_keys()
        self.mine = Table(self.public.game, self.seat, log)

    def _check_keys(self) -> None:
        standing = self.chain.standing
        if standing.roster[self.seat].x25519 == self.box_public:
            return
        turn = standing.since.get(self.seat)
        told = f"the join that counts for seat {self.seat} has"
        if turn:
            told = f"since turn {turn}, seat {self.seat} has"
        raise RecordError("key", f"{told} a different key from yours")

    def _take_over(self, turn: Turn) -> None:
        """Replay what the seat's earlier keys could open, if this key counts only from this turn
        on."""
        box = (turn.handover or {}).get(self.seat)
        if turn.turn == 1 or box is None:
            return
        packet = open_handover(turn.turn, self.seat, box, self.key)
        handles = {tag: put.handle for tag, put in self.handle_origins.items()}
        replay = HandoverReplay(self.own_table, packet, self._past, handles, self.chance)
        self.own_log = replay.play(self.log[: self.chain.ends[-2]])
        for tag, opening in replay.opened.items():
            self._check_card(tag, self.handle_origins[tag], opening)
        self._past.clear()

    def take_orders(self, since: int) -> None:
        """Open the seat's orders in force, accepted when the log had `since` entries."""
        self.orders_since = since
        force = self.in_force.get(self.seat)
        if force is None:  # the orders have lapsed
            self.orders = self.sealed = None
            return
        self.sealed = self._unseal(force.record.content)
        table, lines = self.own_table, read_lines(self.sealed.texts)
        self.orders = resumed_orders(table, self.seat, force.round, lines, self.own_log, since)


class _SeatTurn:
    """Replays one turn's entries with the cards that the seat knows."""

    def __init__(self, reader: SeatReader, deals: TurnDeals, packet: Packet) -> None:
        self.reader, self.deals, self.packet = reader, deals, packet
        self.table = reader.own_table
        self._dealt = {Position(o.deck, o.epoch, o.k): o for o in packet.dealt}
        self._hidden = {o.handle: o for o in packet.hidden}
        self._under = {Position(o.deck, o.epoch, o.k): o for o in packet.under}
        self._buried = {some.entry: some.positions for some in deals.under}
        self._cards: dict[int, DealtPositions] = {d.entry: d for d in deals.dealt}

    def play(self) -> None:
        for number, logged in enumerate(self.deals.turn.log, start=self.deals.first):
            self._entry(number, logged)
        if self._dealt or self._hidden or self._under:
            raise RecordError("opening", "your packet opens cards that the log does not need")

    def _entry(self, number: int, logged: LogEntry) -> None:
        key, decision = self.table.pending[0]
        entry = Entry(key, decision.seat, logged.text, logged.by, decision.to)
        if decision.seat == CHANCE:
            entry = self._chance(number, decision, entry)
        elif decision.seat == self.reader.seat and not decision.fact:
            entry = self._own(key, decision, entry)
            self._put_down(number, entry, logged)
        check_entry(self.table, decision, entry)
        self.table.send(entry.text)
        self.reader.own_log.append(entry)
        if self.reader.orders:
            self.reader.orders.entered(entry, self.table.state)

    def _chance(self, number: int, decision: Decision, entry: Entry) -> Entry:
        if decision.kind == "under" and decision.to == self.reader.seat:
            self._check_under(decision, self._buried[number])
        dealt = self._cards.get(number)
        if dealt is None or dealt.seat != self.reader.seat:
            return entry
        cards = []
        for at in dealt.positions:
            if at not in self._dealt:
                raise RecordError("opening", f"your packet does not open card {at.k} of {at.deck}")
            opening = self._dealt.pop(at)
            self.reader.chance.check_dealt(opening)
            cards.append(opening.card)
        return _fill(entry, cards)

    def _check_under(self, decision: Decision, positions: tuple[Position, ...]) -> None:
        for at, card in zip(positions, decision.cards, strict=True):
            opening = self._under.pop(at, None)
            if opening is None or opening.card != card:
                raise RecordError("opening", f"your packet does not open {card} under {at.deck}")
            self.reader.chance.check_dealt(opening)

    def _own(self, key: str, decision: Decision, entry: Entry) -> Entry:
        text, by = self._said(key, decision, entry.by)
        if mask(text) != mask(entry.text):
            whose = "the bot for your seat chooses" if by == "bot" else "you ordered"
            raise RecordError("rule", f"{key}: {whose} {text!r}, but the turn says {entry.text!r}")
        if mask(by) != mask(entry.by):
            told = f"your {by} settles {text!r}, but the turn says that {entry.by} does"
            raise RecordError("rule", f"{key}: {told}")
        return entry._replace(text=text, by=by)

    def _said(self, key: str, decision: Decision, by: str) -> tuple[str, str]:
        if by == "forced":
            return next(iter(decision.options(*decision.args))), by
        orders = self.reader.orders
        found = orders.answer(key, decision, self.table.state) if orders else None
        if by in ("default", "bot"):
            if found is not None:
                told = f"{key}: the turn treats you as silent, but your line says {found[0]!r}"
                raise RecordError("rule", told)
            if by == "bot":
                return bot_answer(self.table, decision), by
            assert decision.default is not None
            return decision.default(), by
        if found is None:
            told = f"{key}: the turn says your line settled it, but none of your lines fits"
            raise RecordError("rule", told)
        return found

    def _put_down(self, number: int, entry: Entry, logged: LogEntry) -> None:
        sealed = self.reader.sealed
        ranks = range(len(sealed.texts)) if sealed and logged.hidden else ()
        own = {c.handle: c.card for rank in ranks if sealed for c in sealed.cards(rank)}
        for bracket, card in enumerate(cards_in(entry.text)):
            handle = logged.hidden[bracket]
            if handle in self._hidden:
                opening = self._hidden.pop(handle)
                check_hidden_ref(self.reader.game, number, bracket, opening)
                known = opening.card
            else:
                known = own.get(handle, "")
            if known != card:
                raise RecordError("commitment", f"{entry.key}: the handle is not that of {card}")
