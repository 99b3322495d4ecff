"""The referee: from the folder, a key and the time to the next turn (protocol §5)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Any, Final

from engine import (
    CHANCE,
    DONE,
    PUBLIC,
    Bot,
    Decision,
    Entry,
    Game,
    OrderSet,
    Pending,
    Referee,
    Table,
    Tag,
    cards_in,
    mask,
)
from engine.bots import answer
from engine.values import Mutable, Value
from pbem.files.disk import FileError, Mark
from pbem.files.folder import Listing, Name, found_by_id, turn_path
from pbem.format.canonical import RecordError
from pbem.format.encrypted_box import box_key
from pbem.format.keys import SigningKey
from pbem.game.absence import Absence, phase_of, round_asked, waited_for
from pbem.game.archive import Archive, NewNotices, file_name, files_of, not_yours
from pbem.game.chain import Chain, Finder
from pbem.game.deputy import RefereeSecrets, referee_secrets
from pbem.game.joins import Seating, claim_of, seat_players
from pbem.game.lines import Settler, by_rank, read_lines, round_lines, why_misplaced, why_unusable
from pbem.game.notices import SignedNotice, is_pressing, row_of
from pbem.game.rules import board_lines, game_of, ruleset_of
from pbem.game.sealed_openings import moved
from pbem.game.seat_reader import SeatReader
from pbem.game.standing import Acts, Standing
from pbem.game.turn_ends import awaited
from pbem.records.charter import Charter, FinalRecord, Join, Orders, open_r
from pbem.records.deck import Dealing, DiceChain, Pile, Position, die, make_seed, place_of
from pbem.records.notice import Notice
from pbem.records.policies import Policies
from pbem.records.read_record import Record, make
from pbem.records.sealed_orders import Sealed, unseal_orders
from pbem.records.turn import (
    MOST_REFUSALS,
    Awaited,
    Listed,
    LogEntry,
    NewCards,
    OpenCard,
    OpenLine,
    OpenPosition,
    Packet,
    Refusal,
    Turn,
    in_order,
    seal_handover,
    seal_packets,
    seal_secrets,
)

# ---- what `advance` is given, and what it found


class Wishes(Value):
    """The options that the referee gives to `advance`."""

    start: bool = False
    accept: Collection[str] = ()
    """The first hex digits of the ids of joins to accept: before turn 1 even if they were not
    made with the invite; of several people who took over one open seat, the right one."""
    refuse: Collection[str] = ()
    go_on: bool = False
    no_wait: bool = False
    """Whether to go on without seats that are asked later in the round."""
    take_over: bool = False
    """Whether to take over as the deputy."""
    time_is_right: bool = False
    """Whether to date the turn now, although that is long after everything else in the folder."""
    all_here: bool = False
    """Whether this machine made the last turn that is here; not an option of the command."""
    arrived: Mapping[str, int] = field(default_factory=dict)
    """When this machine first saw that these orders would count, by path; for the turn that asked,
    when all orders were here for the first time. Not an option of the command either."""


JOIN: Final = ("join",)
"""What the game waits for from an empty seat, in `Outcome.waiting`."""


class Outcome(Mutable):
    """What `advance` found: the records to write, in order, or the players it is waiting for."""

    write: list[tuple[Name, Record[Turn] | Record[FinalRecord]]] = field(default_factory=list)
    notices: list[tuple[Name, Record[Notice]]] = field(default_factory=list)
    """The new notices that these records or `preview` list; they are written with the records."""
    waiting: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """For each seat that is asked, the kinds of its decisions; before turn 1, the empty seats."""
    answered: tuple[str, ...] = ()
    """The seats in `waiting` whose answers are already here."""
    left_open: tuple[str, ...] = ()
    """The seats in `waiting` whose newest orders do not answer every question."""
    first: tuple[str, ...] = ()
    """The seats in `plays` that must answer before the others see the turn."""
    preview: Record[Turn] | None = None
    """The turn so far, if only the seats in `first` have not answered.

    If it asks a seat in `plays`, it is the turn as it would be written; until then, that seat may
    change its answer.
    """
    held: tuple[str, ...] = ()
    """The seats that are not asked yet, but whose orders for the round the game is waiting for."""
    over: bool = False
    turn: Turn | None = None
    """The turn that the waiting seats answer; None before turn 1."""
    phase: str = ""
    """The phase that asks these seats."""
    policies: Policies = field(default_factory=Policies)
    """The deadlines that apply in that phase, and the other policies of the game."""
    held_until: int = 0
    """When the turn will be made, if all have answered but may still change their minds."""
    thought_over: tuple[str, ...] = ()
    """The paths of the orders that may be changed until then, and of the turn that asked."""
    doubtful: list[tuple[Record[Join], str]] = field(default_factory=list)
    """Before turn 1: the joins that do not count unless the referee acts, and why."""
    contested: dict[str, list[Record[Join]]] = field(default_factory=dict)
    """The seats that several people joined with the right code: before turn 1, or to take over an
    open seat."""

    @property
    def joining(self) -> bool:
        """Whether the game waits for players to join."""
        return JOIN in self.waiting.values()


# ---- cards and dice


class Hands:
    """The cards that were dealt to each hand and are still in it."""

    def __init__(self, rank: Callable[[Position], bytes]) -> None:
        self._rank = rank
        self._held: dict[str, list[OpenPosition]] = {}

    def take(self, seat: str, cards: Iterable[OpenPosition]) -> None:
        """Add cards to the seat's hand."""
        self._held.setdefault(seat, []).extend(cards)

    def leave(self, seat: str, card: str) -> OpenPosition:
        """Remove a card from the hand: of equal cards, the one with the smallest rank. Raises
        RecordError `rule` if it is not there.

        The rank is secret and independent of the deal. So the card that leaves does not reveal when
        equal cards came, or whether there are any. (The published salt cannot be used: a large salt
        would reveal that there was no equal card.)
        """
        held = self._held.get(seat, [])
        equal = [opening for opening in held if opening.card == card]
        if not equal:
            told = f"{card} leaves the hand of seat {seat}, but it has no such card"
            raise RecordError("rule", told)
        opening = min(equal, key=lambda o: self._rank(place_of(o)))
        held.remove(opening)
        return opening


class ChanceResults(Mutable):
    """The results of chance in one turn, some published and some sealed for one seat."""

    decks: list[NewCards] = field(default_factory=list)
    dealt: list[OpenPosition] = field(default_factory=list)
    """Cards dealt openly."""
    hands: dict[str, list[OpenPosition]] = field(default_factory=dict)
    shown: list[OpenPosition] = field(default_factory=list)
    """Cards that left a hand and became known to all."""
    under: dict[str, list[OpenPosition]] = field(default_factory=dict)
    """For each seat, the cards that it put under a deck, unseen by others."""
    links: list[bytes] = field(default_factory=list)
    """One link for each die."""


class SealedDealer:
    """A dealer that knows the cards of every deck, and follows their public order."""

    def __init__(self, seed: bytes, game: bytes) -> None:
        self.dealing, self.dice = Dealing(seed, game), DiceChain(seed)
        self.results = ChanceResults()
        self.hands = Hands(self.dealing.rank)
        self.history: dict[str, list[OpenPosition]] = {}
        """For each seat, all cards ever dealt to its hand."""
        self.buried: dict[str, list[OpenPosition]] = {}
        """For each seat, all cards that it ever put under a deck, unseen by others."""
        self._game = game
        self._dice = 0
        """How many dice have fallen."""
        self._piles: dict[str, Pile] = {}
        self._cards: dict[Position, str] = {}

    def next_turn(self) -> None:
        """Begin a new turn: from now on collect new results."""
        self.results = ChanceResults()

    def answer(self, key: str, decision: Decision) -> str:
        """Return the sentence that settles a decision left to chance (see engine.Dealer)."""
        options = decision.listed()
        if decision.kind == "die":
            link = self.dice.link(self._dice + 1)
            return options[die(self._game, link, key, len(options))]
        if decision.kind != "deal":
            return options[0]
        pile = self._pile(decision)
        cards = iter([self._cards[at] for at in pile.top(options[0].count("?"))])
        return re.sub(r"\?", lambda _: next(cards), options[0])

    def saw(self, decision: Decision, text: str) -> None:
        """Note how chance settled a decision (see engine.Dealer)."""
        pile = self._pile(decision)
        if decision.kind == "die":
            self._dice += 1
            self.results.links.append(self.dice.link(self._dice))
            return
        cards = list(decision.cards)
        if decision.kind == "shuffle":
            cards = self.dealing.shuffled(decision.deck, pile.epoch + 1, cards)
        positions = moved(pile, decision, text)
        if decision.kind in ("shuffle", "under"):
            self._enter(positions, cards)
        if decision.kind == "shuffle":
            return
        openings = [self._opening(at) for at in positions]
        if decision.to == PUBLIC:
            self.results.dealt += openings
        elif decision.kind == "under":
            self.results.under.setdefault(decision.to, []).extend(openings)
            self.buried.setdefault(decision.to, []).extend(openings)
        else:
            self.results.hands.setdefault(decision.to, []).extend(openings)
            self.hands.take(decision.to, openings)
            self.history.setdefault(decision.to, []).extend(openings)

    def leave(self, seat: str, hidden: Iterable[str], shown: Iterable[str]) -> None:
        """Remove the cards of one sentence from a hand, put down or shown. Raises RecordError
        `rule`."""
        for card in hidden:
            self.hands.leave(seat, card)
        self.results.shown += [self.hands.leave(seat, card) for card in shown]

    def _enter(self, positions: list[Position], cards: list[str]) -> None:
        self._cards.update(zip(positions, cards, strict=True))
        if positions:
            first = positions[0]
            made = self.dealing.commitments(first, cards)
            self.results.decks.append(NewCards(first.deck, first.epoch, first.k, made))

    def _opening(self, at: Position) -> OpenPosition:
        return self.dealing.opening(at, self._cards[at])

    def _pile(self, decision: Decision) -> Pile:
        return self._piles.setdefault(decision.deck, Pile(decision.deck))


# ---- the next turn, from its inputs


class SortedOrders(Mutable):
    """The orders that no earlier turn lists, sorted for the next turn."""

    accepted: dict[str, Record[Orders]] = field(default_factory=dict)
    listed: list[Listed] = field(default_factory=list)
    refused: dict[str, list[Refusal]] = field(default_factory=dict)
    ahead: dict[str, list[Record[Orders]]] = field(default_factory=dict)
    """Orders of seats in `plays` for a turn that is not made yet."""
    strange: list[Record[Orders]] = field(default_factory=list)
    """Orders that are signed, but build on a head that is not known here."""
    acts: list[tuple[str, int]] = field(default_factory=list)
    """For each set of orders of this chain that is listed: its seat, and the turn that it answers.
    They show that somebody with the seat's key was there."""


class TurnInputs(Value):
    """Everything from which a new turn is made, except the earlier turns."""

    orders: SortedOrders
    own: tuple[bytes, ...]
    """The ids of the orders with which seats in `plays` answer the new turn."""
    time: int
    silent: frozenset[str] = frozenset()
    unheard: frozenset[str] = frozenset()
    """Seats that were not asked but waited for; if a question reaches them now, they are silent."""
    by_word: tuple[bytes, ...] = ()
    """Turn 1 only: the ids of the joins about which the referee decided."""
    deadline: int | None = None
    """The deadline that the turn names, if it is made again; it counts if it fits the rules."""


class OpenedOrders(Mutable):
    """A seat's orders that count now, decrypted."""

    record: Record[Orders]
    sealed: Sealed
    lines: OrderSet
    since: int
    """How many log entries there were when the orders were accepted."""


class TurnMaker:
    """The game with all its secrets, up to the last turn made; it makes the next turn.

    The same orders and the same time make the same bytes: with the secrets that `final` opens,
    anybody can make every turn again, as the audit does with this code.
    """

    def __init__(
        self,
        charter: Record[Charter],
        joins: Mapping[str, Record[Join]],
        secrets: RefereeSecrets,
    ) -> None:
        """Begin before turn 1. Raises RecordError for a wrong box or commitment in a join."""
        self.chain = Chain(charter)
        """The turns made so far, and the notices of the turn being made."""
        self.charter, self.game = self.chain.charter, self.chain.game
        ids = {seat: join.id for seat, join in joins.items()}
        self.chain.seat_players(ids, {join.id: join for join in joins.values()})
        self.joins = joins
        self.secrets = secrets
        self.keys = {
            seat: box_key(secrets.audit, join.content.x25519, self.game)
            for seat, join in joins.items()
        }
        self.dealer = self._dealer()
        self.table = Recorder(game_of(self.charter, "".join(sorted(joins))), self.dealer)
        self.in_force: dict[str, OpenedOrders] = {}
        self._sealed: dict[Orders, Sealed] = {}
        """The orders opened since the last turn."""
        self.opened_lines: set[tuple[bytes, int]] = set()
        self.used_handles: set[bytes] = set()
        self.placed: dict[Tag, OpenCard] = {}
        self.absence_now = self.chain.absence
        """Who is away, with the inputs of the turn being made."""
        self.notices: list[SignedNotice] = []
        """The notices of the turn being made."""
        self._handover: dict[str, Packet] = {}
        """For each seat that gets new keys in the turn being made: everything that it may know."""
        self.pressing = False
        """Whether the notices are reason enough for a turn in which nothing else happens."""
        self._acts: Acts = ()
        """What the inputs of the turn being made say about acts."""

    def _dealer(self) -> SealedDealer:
        return SealedDealer(self._seed(), self.game)

    def _seed(self) -> bytes:
        opened = {
            seat: open_r(self.keys[seat], self.game, join.content)
            for seat, join in self.joins.items()
            if seat not in self.charter.held
        }
        return make_seed(self.secrets.r_ref, opened, self.game)

    @property
    def pending(self) -> Pending:
        """The open questions, as the referee sees them."""
        return self.table.full.pending

    def answered(self) -> tuple[str, ...]:
        """The seats whose orders answer everything that they are asked now."""
        left = {one.seat for key, one in self.pending if not answers(self, key, one)}
        return tuple(sorted({one.seat for _, one in self.pending} - left))

    def open(self, orders: Orders) -> Sealed:
        """Open orders. Raises RecordError if they do not open or match their commitments."""
        if orders not in self._sealed:  # the sorter and the table both ask for these orders
            self._sealed[orders] = unseal_orders(orders, self.keys[orders.seat])
        return self._sealed[orders]

    def lines_now(self, record: Record[Orders]) -> OrderSet:
        """Return the lines of these orders as they would count now. Raises what `open` raises."""
        lines = read_lines(self.open(record.content).texts)
        state, ruleset = self.table.full.state, self.table.game.ruleset
        return ruleset.orders(record.content.seat, state.round, lines, state)

    def take_notices(
        self, before: Standing, records: Iterable[SignedNotice], after: Standing
    ) -> None:
        """Take these notices for the next turn, before orders are opened: they lead from one
        standing to the other."""
        self.notices, self.chain.standing = list(records), after
        self.pressing = is_pressing(before, after)
        for seat in after.lapsed(before):
            self.in_force.pop(seat, None)
        self.take_keys(before)
        new = after.new_keys(self.chain.turn + 1)
        self._handover = {seat: self._all_known(seat) for seat in new}

    def take_keys(self, before: Standing | None = None) -> None:
        """Compute the keys of all seats' boxes again if a seat has new keys since `before`."""
        standing = self.chain.standing
        if before is None or before.since != standing.since:
            for seat, join in standing.roster.items():
                self.keys[seat] = box_key(self.secrets.audit, join.x25519, self.game)

    def _all_known(self, seat: str) -> Packet:
        mine = [number for number, entry in enumerate(self.table.log) if entry.seat == seat]
        tags = [tag for tag in self.placed if tag[0] in set(mine)]
        return Packet(
            dealt=tuple(self.dealer.history.get(seat, ())),
            hidden=tuple(self.placed[tag] for tag in sorted(tags)),
            under=tuple(self.dealer.buried.get(seat, ())),
        )

    # -------------------------------------------------------------- making
    def make(self, inputs: TurnInputs) -> Turn | None:
        """Make the next turn; None if nothing new can be settled (only orders changed)."""
        first = len(self.table.log)
        accepted, self._acts = inputs.orders.accepted, inputs.orders.acts
        self.absence_now = self.chain.absence_with(accepted, inputs.silent)
        self.dealer.next_turn()
        self.table.turned = []
        if self.chain.standing.ended:
            return self._turn(first, replace(inputs, silent=frozenset()))
        for record in accepted.values():
            self._accept(record)
        settler = Settler(
            self.in_force, self.table.full, self.absence_now, inputs.unheard,
            round_asked(self.pending),
        )  # fmt: skip
        self.table.advance(settler)
        self.absence_now = settler.absence
        inputs = replace(inputs, silent=inputs.silent | settler.silent)
        if len(self.table.log) == first and self.chain.turn:
            if not self.notices:
                return None
            inputs = replace(inputs, silent=frozenset())  # no silence if nothing happens
            self.absence_now = self.chain.absence_with(accepted, ())
        return self._turn(first, inputs)

    def made(self, turn: Record[Turn]) -> None:
        """Continue from the turn just made, once it is signed (or was found in the folder)."""
        self.chain.add(turn, round_asked(self.pending), self._acts)
        self.absence_now = self.chain.absence
        for seat in self.chain.standing.removed:
            self.in_force.pop(seat, None)
        self._sealed.clear()
        self.notices, self.pressing, self._handover = [], False, {}

    def final(self) -> FinalRecord:
        """Return the record that opens all secrets."""
        secrets = self.secrets
        return FinalRecord(
            game=self.game, turn=self.chain.turn + 1, prev=self.chain.head, seat="",
            r_ref=secrets.r_ref, audit=secrets.audit,
        )  # fmt: skip

    def _accept(self, record: Record[Orders]) -> None:
        sealed = self.open(record.content)
        opened = OpenedOrders(record, sealed, self.lines_now(record), len(self.table.log))
        self.in_force[record.content.seat] = opened

    def _turn(self, first: int, inputs: TurnInputs) -> Turn:
        log, lines, secret = self._log(first)
        full, results, charter = self.table.full, self.dealer.results, self.charter
        number, listed = self.chain.turn + 1, tuple(inputs.orders.listed)
        packets = {
            seat: Packet(
                dealt=tuple(results.hands.get(seat, ())),
                hidden=tuple(secret.get(seat, ())),
                under=tuple(results.under.get(seat, ())),
                refused=tuple(inputs.orders.refused.get(seat, ())),
            )
            for seat in self.joins
        }
        handover = {
            seat: seal_handover(number, seat, packet, self.keys[seat])
            for seat, packet in self._handover.items()
        }
        begins, over = number == 1, full.over or bool(self.chain.standing.ended)
        deputy = b""
        if begins and charter.deputy_key:
            key = box_key(self.secrets.audit, charter.deputy_x25519, self.game)
            deputy = seal_secrets(key, self.secrets.r_ref + self.secrets.audit)
        asked = [] if over else self.pending
        public = self.table.public.state
        return in_order(
            Turn(
                game=self.game, turn=self.chain.turn + 1, prev=self.chain.head, seat="",
                time=inputs.time,
                deadline=0 if over else self._deadline(inputs, keeps=not log),
                over=over,
                table=board_lines(full.game.ruleset.scene(public)),
                packets=seal_packets(number, packets, self.keys, listed),
                handover=handover or None,
                log=tuple(log),
                lines=tuple(lines),
                cards=tuple({self.placed[tag] for tag in self.table.turned}),
                dealt=tuple(results.dealt),
                shown=tuple(results.shown),
                decks=tuple(results.decks),
                orders=listed,
                notices=tuple(map(row_of, self.notices)),
                awaited=tuple(Awaited(s, kinds) for s, kinds in awaited(asked).items()),
                own=inputs.own,
                silent=tuple(inputs.silent),
                links=tuple(results.links),
                deputy=deputy,
                link0=self.dealer.dice.link(0) if begins else b"",
                joins={s: join.id for s, join in self.joins.items()} if begins else None,
                by_word=inputs.by_word,
            )
        )  # fmt: skip

    def _deadline(self, inputs: TurnInputs, *, keeps: bool) -> int:
        """Return the deadline, put off by this turn's delays; with `keeps`, that of the turn
        before."""
        standing, number = self.chain.standing, self.chain.turn + 1
        calendar, rule = standing.calendar, standing.policies.rule(phase_of(self.pending))
        off, named = calendar.seconds_put_off(number), inputs.deadline
        if keeps and not calendar.renews(number):
            due = self.chain.deadline
        elif named and rule.may_give(named - off, inputs.time):
            return named  # the turn was made with different time zone data
        else:
            due = rule.deadline(inputs.time)
        return due + off if due else 0

    # -------------------------------------------------------------- the log
    def _log(self, first: int) -> tuple[list[LogEntry], list[OpenLine], dict[str, list[OpenCard]]]:
        log: list[LogEntry] = []
        lines: list[OpenLine] = []
        secret: dict[str, list[OpenCard]] = {}
        for number, entry in enumerate(self.table.log[first:], start=first):
            held = self.in_force.get(entry.seat)
            ranks = held.lines.ranks(entry, entry.key in self.table.scripts) if held else []
            lines += self._open_lines(entry.seat, ranks)
            hidden = self._hide(number, entry, ranks, secret)
            log.append(LogEntry(entry.key, mask(entry.text), mask(entry.by), hidden))
        return log, lines, secret

    def _open_lines(self, seat: str, ranks: list[int]) -> list[OpenLine]:
        found = []
        for rank in ranks:
            held = self.in_force[seat]
            opening = held.sealed.opening(rank, held.record.id)
            if (opening.order, opening.slot) not in self.opened_lines:
                self.opened_lines.add((opening.order, opening.slot))
                found.append(opening)
        return found

    def _hide(
        self, number: int, entry: Entry, ranks: list[int], secret: dict[str, list[OpenCard]]
    ) -> tuple[bytes, ...]:
        if entry.seat == CHANCE:
            return ()
        named = [card for rank in ranks for card in self.in_force[entry.seat].sealed.cards(rank)]
        handles = []
        for bracket, card in enumerate(cards_in(entry.text)):
            opening = named[bracket] if bracket < len(named) else None
            if opening is None or opening.handle in self.used_handles:
                opening = self.dealer.dealing.hidden(number, bracket, card)
                secret.setdefault(entry.seat, []).append(opening)
            self.used_handles.add(opening.handle)
            self.placed[number, bracket] = opening
            handles.append(opening.handle)
        return tuple(handles)


class Recorder(Referee[Any]):
    """The referee's tables; they also note which cards turn up and which leave a hand."""

    def __init__(self, game: Game[Any], dealer: SealedDealer) -> None:
        super().__init__(game, dealer, check=False)
        self._hands = dealer
        self.turned: list[Tag] = []
        self.scripts: set[str] = set()
        """The keys of decisions that a script answered."""

    def push(self, entry: Entry) -> None:
        """Add an entry, and note the cards that it shows. Raises Misfit or Illegal."""
        state, ruleset = self.full.state, self.game.ruleset
        number = len(self.log)
        self.turned += [tag for tag, _ in ruleset.turned_up(state, entry.text, number)]
        if entry.seat != CHANCE:
            self._hands.leave(entry.seat, cards_in(entry.text), ruleset.shows(state, entry.text))
        if self.full.pending[0][1].script:
            self.scripts.add(entry.key)
        super().push(entry)


# ---- the turns made so far


class Progress(Mutable):
    """The turn maker after its last turn, and the files that it used: this only saves time.

    A run that makes no turn throws it away, because it contains orders that may still be replaced.
    `pbem.game.checkpoints` keeps the same data from one process to the next.
    """

    maker: TurnMaker
    files: dict[str, Mark] = field(default_factory=dict)
    """The files from which the turns were made, as they were when they were read."""

    def note_files(self, listing: Listing) -> None:
        """Note the files in this listing, from which the game was made."""
        self.files = files_of(self.maker.chain, listing)

    def holds(self, listing: Listing) -> bool:
        """Return whether all noted files are unchanged since they were read."""
        marks = listing.marks
        return all(marks.get(path) == mark for path, mark in self.files.items())


# ---- which orders count


class OrderSorter:
    """Sorts orders by the state of the game before the next turn."""

    def __init__(self, maker: TurnMaker, go_on: bool = False, all_here: bool = False) -> None:
        """Orders that build on an unknown head are `strange`: no turn is made while they are here.
        With `go_on` they are listed as forked. `all_here` does the same, except for orders that
        answer a later turn: the referee's other machine may have made it."""
        self.maker, self.go_on, self.all_here = maker, go_on, all_here
        self.done = SortedOrders()

    def sort(self, records: Sequence[Record[Orders]]) -> SortedOrders:
        """Sort all these records; their order does not matter."""
        good: dict[str, list[Record[Orders]]] = {}
        chain = self.maker.chain
        for record in sorted(records, key=lambda r: r.id):
            orders = record.content
            held, named = orders.seat in self.maker.charter.plays, record.id in chain.own
            reason = why_misplaced(orders, chain.heads, held, named, chain.asked_by)
            go_on = self.go_on or (self.all_here and orders.turn <= chain.turn)
            if reason == "forked" and orders.prev not in chain.heads and not go_on:
                self.done.strange.append(record)
                continue
            if not reason:
                reason, details = why_unusable(record, self.maker.open, self.maker.table.full)
                mine = self.done.refused.setdefault(orders.seat, []) if details else []
                mine += details[: MOST_REFUSALS - len(mine)]
            if reason == "ahead":
                self.done.ahead.setdefault(record.content.seat, []).append(record)
            elif reason:
                self._list(record, "refused", reason)
            else:
                good.setdefault(record.content.seat, []).append(record)
        for seat, in_time in good.items():
            # a turn that only lists notices may have accepted orders for the same questions
            in_force = self.maker.in_force.get(seat)
            counts = by_rank([*in_time, *([in_force.record] if in_force else [])])[0]
            for record in in_time:
                self._list(record, "accepted" if record is counts else "replaced")
                if record is counts:
                    self.done.accepted[seat] = record
        return self.done

    def _list(self, record: Record[Orders], status: str, reason: str = "") -> None:
        seat = record.content.seat
        self.done.listed.append(Listed(record.id, seat, status, reason))
        self.done.acts += [(seat, record.content.turn)] if reason != "forked" else []


# ---- who is waited for


def answers(
    maker: TurnMaker, key: str, decision: Decision, new: Mapping[str, Record[Orders]] | None = None
) -> bool:
    """Return whether orders answer a question: those of its seat in `new`, else those in force."""
    held, record = maker.in_force.get(decision.seat), (new or {}).get(decision.seat)
    lines = maker.lines_now(record) if record else held.lines if held else None
    return lines is not None and lines.answer(key, decision, maker.table.full.state) is not None


def waiting(maker: TurnMaker, absence: Absence | None = None) -> dict[str, tuple[str, ...]]:
    """Return the seats that are asked and not away, with what they are asked."""
    away = (absence or maker.absence_now).now(maker.pending)
    return {s: kinds for s, kinds in awaited(maker.pending).items() if s not in away}


def not_heard(maker: TurnMaker, before: int, time: int) -> tuple[str, ...]:
    """Return the seats that the turn just made should wait for; empty if it need not wait.

    With `wait = "round"`, the referee holds back a turn that would only ask players who have sent
    nothing for the round yet: their orders can arrive meanwhile, so that eight players need one
    exchange of mail instead of eight. The deadline ends the wait. A player who wants to see
    more before they decide can send orders that say less, even an empty set.

    `before` is the round in which the turn began. If it asks a seat for the first time in that
    round, and no orders of that seat count for it, the turn also waits for all seats without any
    orders, which will be asked next. It never waits for seats that are away, or whose keys the
    referee has.
    """
    chain = maker.chain
    if not chain.turn or 0 < chain.deadline <= time or maker.table.full.state.round != before:
        return ()
    others = chain.awaited.keys() | maker.absence_now.now(maker.pending).keys()
    seats = waited_for(maker.charter, maker.joins, before, others)
    quiet = [seat for seat in sorted(seats) if not _heard(maker, seat, before)]
    asked = {decision.seat for _, decision in maker.pending}
    if not asked.intersection(quiet):
        return ()
    return tuple(seat for seat in quiet if seat in asked or seat not in maker.in_force)


def _heard(maker: TurnMaker, seat: str, number: int) -> bool:
    held = maker.in_force.get(seat)
    return held is not None and held.lines.round == number


# ---- a turn made again


def inputs_of(
    maker: TurnMaker, found: SortedOrders, own: tuple[bytes, ...], time: int
) -> TurnInputs:
    """Collect the inputs of the next turn, made at `time`, from the sorted orders.

    After the deadline, silence counts: of seats that were asked, did not answer and are not away
    already; and of those that were not asked, but whose orders for the round are not here, if a
    question reaches them now.
    """
    chain = maker.chain
    if not 0 < chain.deadline <= time:
        return TurnInputs(found, own, time)
    here = chain.absence_with(found.accepted, ())
    silent = frozenset(
        decision.seat
        for key, decision in maker.pending
        if not here.unasked(key, decision) and not answers(maker, key, decision, found.accepted)
    )
    spoke = {*found.accepted, *chain.standing.seats_shown(chain.turn + 1)}
    spoke |= {seat for seat in maker.in_force if _heard(maker, seat, chain.round)}
    spoke |= awaited(maker.pending).keys()
    unheard = waited_for(maker.charter, maker.joins, chain.round, spoke)
    return TurnInputs(found, own, time, silent, unheard)


def remake(maker: TurnMaker, turn: Turn, find: Finder) -> Turn | None:
    """Make the next turn again from what it lists; the result is the same if it was correct.

    Raises RecordError `parent` if something listed is missing, `rule` for a notice that cannot
    count.
    """
    before = maker.chain.list_notices(turn, find)
    notices = [find.notice(listed.id) for listed in turn.notices]
    maker.take_notices(before, notices, maker.chain.standing)
    records = [find.orders(listed.id) for listed in turn.orders]
    found = OrderSorter(maker, go_on=True).sort(records)
    made = inputs_of(maker, found, turn.own, turn.time)
    return maker.make(replace(made, by_word=turn.by_word, deadline=turn.deadline))


# ---- the next records of a folder

_GET_BACK: Final = (
    "let the folder sync, or get the file back: from the drive's history; from a player who got it "
    "by mail (ask them to run pbem send --all); or, if you play the seat, by running pbem advance "
    "on the computer that sealed it"
)
_MOVE_AWAY: Final = "move the file away; pbem advance will then write the right one"
MOST_ORDERS: Final = 16
"""How many order files of one seat a turn may list; opening each one takes a while."""


def secrets_of(game_folder: Archive, key: SigningKey) -> RefereeSecrets:
    """Return the referee's secrets for a folder's game. Raises what `referee_secrets` raises."""
    charter = game_folder.charter.content
    first = next(game_folder.turns(), None) if key.public != charter.key else None
    return referee_secrets(charter, game_folder.game, first.content if first else None, key)


def seating_of(game_folder: Archive, audit: bytes, wishes: Wishes) -> Seating:
    """Return who takes which seat with the joins in a folder, and what the referee must decide;
    `audit` is the X25519 secret that `final` opens."""
    charter, joins = game_folder.charter, game_folder.joins().values()
    claims = [claim_of(charter, record, audit) for record in joins]
    return seat_players(charter.content, claims, wishes.accept, wishes.refuse)


class Advance:
    """One run of `advance`: from a folder, a key and the time to the next records; call `run` once.

    Nothing is written. Two runs on the same folder with the same time make the same bytes.
    """

    def __init__(
        self,
        game_folder: Archive,
        key: SigningKey,
        now: int,
        wishes: Wishes | None = None,
        progress: Progress | None = None,
        keep: Callable[[Progress], None] | None = None,
        only_notices: bool = False,
    ) -> None:
        """`progress` is what an earlier run left; `keep` is called once the earlier turns are made
        again. With `only_notices`, the next turn takes no orders except those that it must take."""
        self.game_folder, self.key, self.now = game_folder, key, now
        self._before, self._keep, self._only_notices = progress, keep, only_notices
        self.progress: Progress | None = None
        """What this run leaves for the next one; None if it made no turn."""
        self.wishes = wishes or Wishes()
        self.secrets = secrets_of(game_folder, key)
        self.chain = Chain(game_folder.charter)
        """The turns in the folder, and the one that was just made."""
        self._by_word: tuple[bytes, ...] = ()
        self._taken_in: list[SignedNotice] = []
        """The notices with which this run gives open seats to new players."""
        self._contested: dict[str, list[Record[Join]]] = {}

    def run(self) -> Outcome:
        """Work out what can be made. Raises RecordError or FileError for a wrong file."""
        if self.game_folder.listing.gaps:
            gap = self.game_folder.listing.gaps[0]
            raise FileError("parent", turn_path(gap), f"is missing: {_GET_BACK}")
        self._wait_for_half()
        if self._before and self._before.holds(self.game_folder.listing):
            maker = self._before.maker
        else:
            first = next(self.game_folder.turns(), None)
            joins = self.game_folder.joins_of(first.content) if first else self._gather()
            if isinstance(joins, Outcome):
                return joins
            maker = TurnMaker(self.game_folder.charter, joins, self.secrets)
        self.chain, known = maker.chain, maker.chain.turn
        self._redo(maker)
        if self._keep and self.chain.turn > known:
            self._keep(Progress(maker))
        if self.chain.over:
            return self._finish(maker)
        outcome = self._next(maker)
        asked = {
            *outcome.first
        } - maker.charter.bots.keys()  # bots answer at once, but the referee may take days
        waits = bool(outcome.held or outcome.held_until or asked)
        if waits and maker.pressing and not self._only_notices:
            # the notices cannot wait until everybody has sent orders for the round
            again = Advance(self.game_folder, self.key, self.now, self.wishes, only_notices=True)
            outcome = again.run()
            self.chain, self.progress = again.chain, again.progress
            return outcome
        outcome.policies, outcome.contested = maker.chain.standing.policies, self._contested
        return outcome

    def _wait_for_half(self) -> None:
        """Raise FileError if part of the next turn may be here, from the referee's other machine:
        another turn in its place would look like cheating."""
        game_folder, wishes = self.game_folder, self.wishes
        for found in game_folder.strays[:1]:
            if found.name.turn > len(game_folder.listing.turns) + 1 or wishes.go_on:
                return
            state = game_folder.state_of(found)
            if state == "junk" or (state == "damaged" and wishes.all_here):
                return
            told = "is empty or only part of a turn: let the folder sync; if that does not help,"
            if state == "damaged":
                told = "is a turn of this game whose signature does not match: get it again if "
                told += "you made it on another machine; if you did not,"
            told += " --go-on sets it aside and makes the turn"
            raise FileError("parent", found.path, told)

    # -------------------------------------------------------------- who plays

    def _gather(self) -> dict[str, Record[Join]] | Outcome:
        charter, wishes = self.game_folder.charter, self.wishes
        plans = charter.content.seats
        found = seating_of(self.game_folder, self.secrets.audit, wishes)
        empty = [plan.seat for plan in plans if plan.seat not in found.taken]
        enough = len(found.taken) in ruleset_of(charter.content).players
        if found.contested or (empty and not (wishes.start and enough)):
            waiting: dict[str, tuple[str, ...]] = dict.fromkeys(empty, JOIN)
            return Outcome(waiting=waiting, doubtful=found.doubtful, contested=found.contested)
        self._by_word = tuple(found.by_word)
        return found.taken

    # -------------------------------------------------------------- the turns so far
    def _redo(self, maker: TurnMaker) -> None:
        for record in self.game_folder.turns(self.chain.turn):
            turn = record.content
            if remake(maker, turn, self._find) != turn:
                where = turn_path(turn.turn)
                told = "is not the turn that these orders and your key produce: run pbem audit"
                raise FileError("fork", where, told)
            maker.made(record)

    @cached_property
    def _find(self) -> Finder:
        told = f"is missing, although a turn lists these orders: {_GET_BACK}"
        return self.game_folder.finder(self.chain.may_sign_orders, told)

    # -------------------------------------------------------------- the next turn
    def _next(self, maker: TurnMaker) -> Outcome:
        time = self._take_notices(maker)
        sorted_ = self._sort(maker)
        if sorted_.strange:
            first = min(sorted_.strange, key=lambda r: (r.content.turn, r.id))
            told = "answers a turn that is not here; if you made that turn on another machine, let "
            told += "the folder sync first; if you did not, --go-on lists these orders as forked"
            raise FileError("fork", file_name(first).path, told)
        own = {seat: by_rank(records)[0] for seat, records in sorted_.ahead.items()}
        ids = tuple(record.id for record in own.values())
        inputs = replace(inputs_of(maker, sorted_, ids, time), by_word=self._by_word)
        phase, last = phase_of(maker.pending), self.chain.last
        before = waiting(maker, self.chain.absence_with(sorted_.accepted, inputs.silent))
        round_ = maker.table.full.state.round
        turn = maker.make(inputs)
        outcome = Outcome(waiting=before, turn=last, phase=phase)
        if turn is None or not (turn.log or maker.pressing):
            here = maker.answered()
            open_ = tuple(s for s in sorted(sorted_.accepted) if s in before and s not in here)
            outcome.answered, outcome.left_open = here, open_
            return outcome
        if turn.log and (until := self._held_until(maker, sorted_, time)):
            outcome.answered, outcome.held_until = tuple(before), until
            outcome.thought_over = _thought_over(maker, sorted_)
            return outcome
        wait = turn.log and not self.wishes.no_wait and not self._only_notices
        if wait and (held := not_heard(maker, round_, time)):
            return Outcome(held=held, turn=last, phase=phase)
        record = make(turn, self.key)
        if not turn.over and (unanswered := still_to_answer(maker, own, again=not turn.log)):
            found = Outcome(first=unanswered, preview=record, waiting=waiting(maker))
            found.notices = [(file_name(one), one) for one in self._taken_in]
            return found
        return self._made(maker, record)

    def _made(self, maker: TurnMaker, record: Record[Turn]) -> Outcome:
        turn = record.content
        maker.made(record)
        self.progress = Progress(maker)
        self.progress.note_files(self.game_folder.listing)
        asked = {} if turn.over else waiting(maker)
        made = Outcome([(Name("turn", turn.turn), record)], waiting=asked, over=turn.over)
        made.notices = [(file_name(one), one) for one in self._taken_in]
        made.turn, made.phase = turn, phase_of(maker.pending)
        made.answered = tuple(seat for seat in maker.answered() if seat in asked)
        if set(made.waiting) & {*maker.charter.plays}:
            made.preview = record
        if turn.over:
            made.write += self._finish(maker).write
        return made

    def _take_notices(self, maker: TurnMaker) -> int:
        """Apply the new notices that count now, and return the date of the next turn."""
        if not self.chain.turn:
            return self.now
        time = max(self.now, self.chain.time)
        if self.now < time:  # all may have agreed that the last date is wrong
            _, after = self._notices(self.now).counted()
            time = max(self.now, after.calendar.earliest_date(self.chain.turn + 1, time))
        new = self._notices(time)
        self._taken_in = new.take_over(self.key) if self.wishes.take_over else []
        self._taken_in += new.take_in(self.key)
        self._contested = new.contested
        maker.take_notices(new.before, *new.counted())
        if self.chain.standing.referee_key != self.key.public:
            raise not_yours(self.chain.standing, time)
        return time

    def _notices(self, time: int) -> NewNotices:
        chain, wishes = self.chain, self.wishes
        before = chain.standing_at(time, self.game_folder.joins())
        seats = _who_can_cancel(before)
        orders = [one.content for one in self._unlisted(seats)] if seats else []
        places = set(enumerate(chain.heads))
        acts = [(one.seat, one.turn) for one in orders if (one.turn, one.prev) in places]
        return NewNotices(self.game_folder, chain, before, wishes.accept, wishes.refuse, acts)

    def _held_until(self, maker: TurnMaker, found: SortedOrders, time: int) -> int:
        """Return until when players may change their orders; 0 if they no longer may.

        The delay begins when this machine first saw the last orders. It begins again when somebody
        changes theirs, but ends at the latest after twice that time, and at the deadline: so nobody
        can hold up the game.
        """
        delay = maker.charter.policies.change_of_mind
        asked, *new = _thought_over(maker, found)
        if not self.chain.turn or not new:
            return 0
        seen = min(max(self.wishes.arrived.get(path, time) for path in new), time)
        first = min(self.wishes.arrived.get(asked, time), time)
        until = min(seen + delay, first + 2 * delay)
        if self.chain.deadline:
            until = min(until, self.chain.deadline)
        return until if time < until else 0

    def _sort(self, maker: TurnMaker) -> SortedOrders:
        if not self.chain.turn:
            return SortedOrders(ahead=self._first_orders())
        standing = self.chain.standing
        if standing.ended:
            return SortedOrders()
        seats = {*standing.roster} - standing.out
        if self._only_notices:
            seats &= _who_can_cancel(standing)
        latest = self._unlisted(seats)
        latest += self._named({one.id for one in latest})
        return OrderSorter(maker, self.wishes.go_on, self.wishes.all_here).sort(latest)

    def _unlisted(self, seats: Collection[str]) -> list[Record[Orders]]:
        keys = {s: join.key for s, join in self.chain.standing.roster.items() if s in seats}
        listed = found_by_id(self.game_folder.listing.orders, self.chain.listed_orders)
        besides = {found.path for found in listed}
        return self.game_folder.newest_orders(keys, besides, MOST_ORDERS)

    def _named(self, here: Collection[bytes]) -> list[Record[Orders]]:
        """Return the orders that the last turn names as `own`, except those in `here`: the next
        turn must accept them, unless their seat concedes in it. Raises FileError."""
        found = []
        out, turn = self.chain.standing.out, self.chain.turn
        for wanted in self.chain.own:
            try:
                record = [] if wanted in here else [self._find.orders(wanted)]
                found += [one for one in record if one.content.seat not in out]
            except FileError as error:
                if error.reason != "parent":
                    raise
                told = f"is missing, and turn {turn} names these orders as your own. "
                told += f"You need them to make the next turn: {_GET_BACK}"
                where = f"orders/{turn:04}-*-{wanted.hex()[:6]}.toml"
                raise FileError("parent", where, told) from None
        return found

    def _first_orders(self) -> dict[str, list[Record[Orders]]]:
        found: dict[str, list[Record[Orders]]] = {}
        for record in self.game_folder.all_orders(self.chain.may_sign_orders):
            orders = record.content
            right = (orders.turn, orders.prev) == (1, self.chain.head)
            signed = self.chain.standing.signer(orders.seat) == record.signed.key
            if right and orders.seat in self.chain.charter.plays and signed:
                found.setdefault(orders.seat, []).append(record)
        return found

    def _finish(self, maker: TurnMaker) -> Outcome:
        right = maker.final()
        try:
            there = self.game_folder.final()
        except FileError:
            there = None  # it is no final record of this game: the right one takes its place
        if there is None:
            return Outcome([(Name("final"), make(right, self.key))], over=True)
        if there.content != right:
            raise FileError("fork", "final.toml", f"does not match this game; {_MOVE_AWAY}")
        return Outcome(over=True)


def _thought_over(maker: TurnMaker, found: SortedOrders) -> tuple[str, ...]:
    """Return the path of the turn that asked, then those of the players' orders that count."""
    new = [one for seat, one in found.accepted.items() if seat not in maker.charter.plays]
    asked = Name("turn", maker.chain.asked_by).path
    return asked, *(file_name(one).path for one in new)


def _who_can_cancel(standing: Standing) -> set[str]:
    return {seat for wait in standing.due for seat in wait.cancels}


def still_to_answer(
    maker: TurnMaker, own: Mapping[str, Record[Orders]], *, again: bool = False
) -> tuple[str, ...]:
    """Return the seats in `plays` that sent nothing, or wrong orders, for the turn just made. (If
    it named wrong orders, the next turn would have to refuse them.)

    With `again`, it only repeats the previous questions, so answers that already count are enough.
    """
    full = maker.table.full
    wrong = {seat for seat, orders in own.items() if why_unusable(orders, maker.open, full)[0]}
    for key, decision in maker.pending:
        seat = decision.seat
        if seat not in maker.charter.plays or seat in wrong:
            continue
        there = (seat in own or again) and answers(maker, key, decision, own)
        if not there and not maker.absence_now.unasked(key, decision):
            wrong.add(seat)
    return tuple(sorted(wrong))


# ---- the orders of bots

MOST_AHEAD = 60
"""The most lines that a bot writes for one set of orders."""


def bot_lines(reader: SeatReader, bot: Bot) -> list[str]:
    """Write lines that answer all that the seat is asked now, by playing ahead on its own table,
    until a script ends or chance or another seat decides something."""
    table = Table(reader.own_table.game, reader.seat, reader.own_log)
    lines: list[str] = []
    while len(lines) < MOST_AHEAD:
        mine = next((one for _, one in table.pending if one.seat == reader.seat), None)
        if mine is None:
            break
        text = answer(bot, table.state, mine)
        if mine.script:
            lines += [f"{mine.kind}: {step}" for step in text.split("; ")]
            break
        lines.append(f"{mine.kind}: {text}")
        scripted = reader.public.game.ruleset.kinds[mine.kind].script
        if len(table.pending) > 1 or not scripted or text == DONE:
            break
        table.send(text)
    return lines


def whole_round(reader: SeatReader, bot: Bot) -> list[str]:
    """Write lines for everything that this seat may be asked in this round."""
    table = reader.own_table
    mine = [decision for _, decision in table.pending if decision.seat == reader.seat]
    return round_lines(table.game.ruleset, table.state, reader.seat, bot, mine)
