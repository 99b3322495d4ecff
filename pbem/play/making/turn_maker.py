"""Make turns with the referee's full knowledge, from the seed and the orders (protocol §3).

The same orders and the same time make the same bytes. So anybody who has the secrets that `final`
opens can make every turn again and compare; the audit does exactly that, with this code.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine import CHANCE, Entry, Game, OrderSet, Pending, Referee, Tag, cards_in, mask
from pbem.format.encrypted_box import box_key
from pbem.frozen import frozen
from pbem.play.calendar.charter_deadlines import deadline_fits, deadline_of
from pbem.play.checking.charter_rules import game_of
from pbem.play.checking.public_table import board_lines
from pbem.play.checking.turn_end import awaited
from pbem.play.deputy.referee_secrets import RefereeSecrets
from pbem.play.making.sealed_dealer import SealedDealer
from pbem.play.orders.absence import Absence, absence_of, round_asked
from pbem.play.orders.check_lines import read_lines
from pbem.play.orders.settling import Settler
from pbem.play.seats.listed_notices import SignedNotice, all_counted, is_pressing, row_of
from pbem.play.seats.standing import Acts, Standing
from pbem.records.chain import first_head, game_id, next_head
from pbem.records.charter_join_orders import Charter, FinalRecord, Join, Orders
from pbem.records.deck import make_seed
from pbem.records.joining import open_r
from pbem.records.packet import Packet, Refusal, seal_handover, seal_packets, seal_secrets
from pbem.records.read_record import Record
from pbem.records.sealed_orders import Sealed, unseal_orders
from pbem.records.turn import Awaited, Listed, LogEntry, OpenCard, OpenLine, Turn, in_order


@frozen
class TurnInputs:
    """Everything from which a new turn is made, except the earlier turns."""

    accepted: Mapping[str, Record[Orders]]
    listed: tuple[Listed, ...]
    refused: Mapping[str, tuple[Refusal, ...]]
    own: tuple[bytes, ...]
    time: int
    silent: frozenset[str] = frozenset()
    by_word: tuple[bytes, ...] = ()
    """Turn 1 only: the ids of the joins about which the referee decided."""
    deadline: int | None = None
    """The deadline that the turn names, if it is made again; it counts if it fits the rules."""
    unheard: frozenset[str] = frozenset()
    """Seats that were not asked but waited for; if a question reaches them now, they are silent."""
    kept: int = 0
    """The deadline of the turn before, which stays if this turn only lists notices."""
    acts: tuple[tuple[str, int], ...] = ()
    """For each set of orders in `listed` that belongs to this chain: its seat, and the turn that it
    answers."""


@dataclass
class OpenedOrders:
    """A seat's orders that count now, decrypted."""

    record: Record[Orders]
    sealed: Sealed
    lines: OrderSet
    since: int
    """How many log entries there were when the orders were accepted."""


class TurnMaker:
    """The game with all its secrets, up to the last turn made; it makes the next turn."""

    def __init__(
        self,
        charter: Record[Charter],
        joins: Mapping[str, Record[Join]],
        secrets: RefereeSecrets,
    ) -> None:
        """Begin before turn 1. Raises RecordError for a wrong box or commitment in a join."""
        self.charter = charter.content
        self.game = game_id(charter.signed.body)
        self.joins = joins
        self.secrets = secrets
        self.keys = {
            seat: box_key(secrets.audit, join.content.x25519, self.game)
            for seat, join in joins.items()
        }
        self.dealer = self._dealer()
        self.table = Recorder(game_of(self.charter, "".join(sorted(joins))), self.dealer)
        self.head = first_head(self.game)
        self.turn = 0
        self.in_force: dict[str, OpenedOrders] = {}
        self._sealed: dict[Orders, Sealed] = {}
        """The orders opened since the last turn."""
        self.opened_lines: set[tuple[bytes, int]] = set()
        self.used_handles: set[bytes] = set()
        self.placed: dict[Tag, OpenCard] = {}
        self.absence = absence_of(self.charter, joins)
        """Who is away after the last turn."""
        self.absence_now = self.absence
        """Who is away, with the inputs of the turn being made."""
        self.standing = Standing(self.charter, {s: join.content for s, join in joins.items()})
        """The standing after all listed notices and those of the turn being made."""
        self.notices: list[SignedNotice] = []
        """The notices of the turn being made."""
        self._handover: dict[str, Packet] = {}
        """For each seat that gets new keys in the turn being made: everything that it may know."""
        self.pressing = False
        """Whether the notices are reason enough for a turn in which nothing else happens."""
        self._acts: tuple[tuple[str, int], ...] = ()
        """What the inputs of the turn being made say about acts."""
        self.asked_by = 0
        """The turn that asked the open questions: the last one in which something happened."""

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
        found: dict[str, bool] = {}
        state = self.table.full.state
        for key, decision in self.pending:
            held = self.in_force.get(decision.seat)
            there = held is not None and held.lines.answer(key, decision, state) is not None
            found[decision.seat] = found.get(decision.seat, True) and there
        return tuple(sorted(seat for seat, there in found.items() if there))

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

    def absence_with(self, accepted: Collection[str], silent: Collection[str]) -> Absence:
        """Return who is away after a turn that names these seats as accepted and silent."""
        signs = {*self.standing.seats_shown(self.turn + 1), *accepted}
        here = self.absence.after(signs, silent, round_asked(self.pending))
        return replace(here, gone=self.standing.away)

    def standing_with(
        self, joins: Mapping[bytes, Record[Join]], now: int, last: Turn | None
    ) -> Standing:
        """Return the standing that decides which notices the next turn can list, if it is made now.

        `joins` are those that are here; `last` is the last turn.
        """
        before = (last.time, last.deadline) if last else (0, 0)
        seen = self.standing.seeing(
            self.absence, round_asked(self.pending), now, before, self.asked_by
        )
        return replace(seen, joins=joins)

    def take_notices(
        self, before: Standing, records: Iterable[SignedNotice], acts: Acts = ()
    ) -> None:
        """Apply these notices for the next turn; call this before orders are opened.

        `before`: see `standing_with`; `acts`: see `acts_of`.
        """
        self.notices = list(records)
        self.standing = all_counted(before, self.notices, self.turn + 1, acts)
        self.pressing = is_pressing(before, self.standing)
        for seat in self.standing.lapsed(before):
            self.in_force.pop(seat, None)
        self.take_keys(before)
        new = self.standing.new_keys(self.turn + 1)
        self._handover = {seat: self._all_known(seat) for seat in new}

    def take_keys(self, before: Standing | None = None) -> None:
        """Compute the keys of all seats' boxes again if a seat has new keys since `before`."""
        if before is None or before.since != self.standing.since:
            for seat, join in self.standing.roster.items():
                self.keys[seat] = box_key(self.secrets.audit, join.x25519, self.game)

    def _all_known(self, seat: str) -> Packet:
        """Collect everything that a seat could know so far but others could not."""
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
        self.absence_now = self.absence_with(inputs.accepted, inputs.silent)
        self._acts = inputs.acts
        self.dealer.next_turn()
        self.table.turned = []
        if self.standing.ended:
            return self._turn(first, replace(inputs, silent=frozenset()))
        for record in inputs.accepted.values():
            self._accept(record)
        settler = Settler(
            self.in_force, self.table.full, self.absence_now, inputs.unheard,
            round_asked(self.pending),
        )  # fmt: skip
        self.table.advance(settler)
        self.absence_now = settler.absence
        inputs = replace(inputs, silent=inputs.silent | settler.silent)
        if len(self.table.log) == first and self.turn:
            if not self.notices:
                return None
            inputs = replace(inputs, silent=frozenset())  # no silence if nothing happens
            self.absence_now = self.absence_with(inputs.accepted, ())
        return self._turn(first, inputs)

    def made(self, turn: Record[Turn]) -> None:
        """Continue from the turn just made, once it is signed (or was found in the folder)."""
        self.head = next_head(self.head, turn.id)
        self.turn, self.absence = turn.content.turn, self.absence_now
        self.asked_by = self.turn if turn.content.log else self.asked_by
        self.remove(self.standing.at_end(turn.content, self.absence, self.pending, self._acts))
        self._sealed.clear()
        self.notices, self.pressing, self._handover = [], False, {}

    def remove(self, standing: Standing) -> None:
        """Use the standing after seats were removed; their orders no longer count."""
        self.standing = standing
        if standing.removed:
            self.absence = self.absence_now = replace(self.absence, gone=standing.away)
        for seat in standing.removed:
            self.in_force.pop(seat, None)

    def final(self) -> FinalRecord:
        """Return the record that opens all secrets."""
        secrets = self.secrets
        return FinalRecord(
            game=self.game, turn=self.turn + 1, prev=self.head, seat="",
            r_ref=secrets.r_ref, audit=secrets.audit,
        )  # fmt: skip

    def _accept(self, record: Record[Orders]) -> None:
        sealed = self.open(record.content)
        opened = OpenedOrders(record, sealed, self.lines_now(record), len(self.table.log))
        self.in_force[record.content.seat] = opened

    def _turn(self, first: int, inputs: TurnInputs) -> Turn:
        log, lines, secret = self._log(first)
        full, results = self.table.full, self.dealer.results
        packets = {seat: self._packet(seat, secret.get(seat, []), inputs) for seat in self.joins}
        begins, over = self.turn == 0, full.over or bool(self.standing.ended)
        asked = [] if over else self.pending
        public = self.table.public.state
        return in_order(
            Turn(
                game=self.game, turn=self.turn + 1, prev=self.head, seat="",
                time=inputs.time,
                deadline=0 if over else self._deadline(inputs, keeps=not log),
                over=over,
                table=board_lines(full.game.ruleset.scene(public)),
                packets=seal_packets(self.turn + 1, packets, self.keys, inputs.listed),
                handover=self._seal_handovers(),
                log=tuple(log),
                lines=tuple(lines),
                cards=tuple({o.handle: o for o in self._turned_up()}.values()),
                dealt=tuple(results.dealt),
                shown=tuple(results.shown),
                decks=tuple(results.decks),
                orders=inputs.listed,
                notices=tuple(map(row_of, self.notices)),
                awaited=tuple(Awaited(s, kinds) for s, kinds in awaited(asked).items()),
                own=inputs.own,
                silent=tuple(inputs.silent),
                links=tuple(results.links),
                deputy=self._deputy_box() if begins else b"",
                link0=self.dealer.dice.link(0) if begins else b"",
                joins={s: join.id for s, join in self.joins.items()} if begins else None,
                by_word=inputs.by_word,
            )
        )  # fmt: skip

    def _deputy_box(self) -> bytes:
        """Seal what the charter's deputy needs to make turns; empty if there is no deputy."""
        if not self.charter.deputy_key:
            return b""
        key = box_key(self.secrets.audit, self.charter.deputy_x25519, self.game)
        return seal_secrets(key, self.secrets.r_ref + self.secrets.audit)

    def _seal_handovers(self) -> dict[str, bytes] | None:
        turn = self.turn + 1
        return {
            seat: seal_handover(turn, seat, packet, self.keys[seat])
            for seat, packet in self._handover.items()
        } or None

    def _deadline(self, inputs: TurnInputs, *, keeps: bool) -> int:
        """Return the deadline that the rules give, put off by this turn's delays.

        If nothing happened in the turn (`keeps`), the previous deadline is used instead.
        """
        calendar, policies = self.standing.calendar, self.standing.policies
        off, named = calendar.seconds_put_off(self.turn + 1), inputs.deadline
        if keeps and not calendar.renews(self.turn + 1):
            due = inputs.kept
        elif named and deadline_fits(policies, self.pending, inputs.time, named - off):
            return named  # the turn was made with different time zone data
        else:
            due = deadline_of(policies, self.pending, inputs.time)
        return due + off if due else 0

    def _turned_up(self) -> list[OpenCard]:
        return [self.placed[tag] for tag in self.table.turned]

    # -------------------------------------------------------------- the log
    def _log(self, first: int) -> tuple[list[LogEntry], list[OpenLine], dict[str, list[OpenCard]]]:
        """Return the new entries in their public form, the lines to open, and the openings by
        seat."""
        log: list[LogEntry] = []
        lines: list[OpenLine] = []
        secret: dict[str, list[OpenCard]] = {}
        for number, entry in enumerate(self.table.log[first:], start=first):
            ranks = self._ranks(entry)
            lines += self._open_lines(entry.seat, ranks)
            hidden = self._hide(number, entry, ranks, secret)
            log.append(LogEntry(entry.key, mask(entry.text), mask(entry.by), hidden))
        return log, lines, secret

    def _ranks(self, entry: Entry) -> list[int]:
        """Return the ranks of the plain lines that settled an entry."""
        held = self.in_force.get(entry.seat)
        return held.lines.ranks(entry, entry.key in self.table.scripts) if held else []

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
        """Return a handle for each card that an entry puts down: its line's handle, or a new
        one."""
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

    def _packet(self, seat: str, hidden: list[OpenCard], inputs: TurnInputs) -> Packet:
        results = self.dealer.results
        return Packet(
            dealt=tuple(results.hands.get(seat, ())),
            hidden=tuple(hidden),
            under=tuple(results.under.get(seat, ())),
            refused=inputs.refused.get(seat, ()),
        )


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
