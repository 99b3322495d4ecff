"""Make turns from sorted orders, on tables that know all cards (protocol §5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import Any

from engine import CHANCE, Decision, OrderSet, Pending, Table, mask
from engine.value_classes import Mutable
from pbem.files.disk import Mark
from pbem.files.game_folder import Listing
from pbem.format.encrypted_box import box_key
from pbem.judge.absent_seats import phase_of, round_asked
from pbem.judge.dealing_mode_interfaces import CardMode, MakerCards
from pbem.judge.dealing_modes import mode_of
from pbem.judge.game_ruleset import game_of
from pbem.judge.order_line_checks import read_lines
from pbem.judge.order_settler import LapsedOrders, OrderSettler
from pbem.judge.record_chain import Chain
from pbem.judge.records_of_game_folder import are_unchanged, files_of
from pbem.judge.referee_secrets import RefereeSecrets, seal_secrets
from pbem.judge.seat_holders_keys_and_agreements import Acts, Standing
from pbem.judge.turn_end_checks import awaited_kinds_by_seat, turn_table_lines
from pbem.judge.turn_inputs_and_outcome import OpenedOrders, TurnInputs
from pbem.judge.which_notices_count import SignedNotice, is_pressing, row_of
from pbem.records.charter import Charter
from pbem.records.final_record import FinalRecord
from pbem.records.join import Join
from pbem.records.orders import Orders
from pbem.records.packet import Packet, seal_handover, seal_packets
from pbem.records.read_and_sign_record import Record
from pbem.records.sealed_orders import UnsealedOrders, unseal_orders
from pbem.records.turn import Awaited, LogEntry, Turn, sort_sets


class TurnMaker:
    """The game with all its secrets, up to the last turn made; it makes the next turn.

    The same orders and the same time make the same bytes. So with the secrets that `final` opens,
    anybody can make every turn again, as the audit does with this code.
    """

    def __init__(
        self,
        charter: Record[Charter],
        joins: Mapping[str, Record[Join]],
        secrets: RefereeSecrets,
    ) -> None:
        """Begin before turn 1 with the join of each seat that plays. Raises RecordError for a wrong
        box or commitment in a join."""
        self.chain = Chain(charter)
        """The chain of the turns made so far, with the notices of the turn being made."""
        self.charter, self.game = self.chain.charter, self.chain.game
        join_ids = {seat: join.id for seat, join in joins.items()}
        self.chain.seat_players(join_ids, {join.id: join for join in joins.values()})
        self.joins = joins
        self.secrets = secrets
        self.keys = {
            seat: box_key(secrets.audit, join.content.x25519, self.game)
            for seat, join in joins.items()
        }
        """For each seat: the key of the boxes between it and the game's `audit` key."""
        self.cards = self._new_cards()
        """The cards and dice, as far as the maker knows them."""
        self.table = self.cards.make_tables(game_of(self.charter, "".join(sorted(joins))))
        """The tables of all viewpoints, with the whole log."""
        self.in_force: dict[str, OpenedOrders] = {}
        """The orders in force, by seat."""
        self.lapsed_orders = LapsedOrders()
        """The seats whose orders are only in force for the wave that waits for names."""
        self._unsealed: dict[Orders, UnsealedOrders] = {}
        """The contents of orders opened since the last turn."""
        self.absence_now = self.chain.absence
        """The absence of seats, with the inputs of the turn being made."""
        self.notices: list[SignedNotice] = []
        """The notices of the turn being made."""
        self._handover: dict[str, Packet] = {}
        """For each seat that gets new keys in the turn being made: all cards that it may know."""
        self.is_stopped = False
        """Whether the last turn asks nobody, because the game waits for a dealer."""
        self.pressing = False
        """Whether the notices alone are reason enough for a turn."""
        self._acts: Acts = ()
        """The `acts` of the orders for the turn being made."""

    @property
    def mode(self) -> CardMode:
        """The way in which the cards are dealt."""
        return mode_of(self.charter)

    def _new_cards(self) -> MakerCards:
        """Make the cards and dice of the charter's mode; a test that cheats makes others."""
        return self.mode.maker(self.chain, self.joins, self.secrets, self.keys)

    @property
    def pending(self) -> Pending:
        """The open questions, as everybody sees them."""
        return self.table.public_table.pending

    @property
    def awaited(self) -> dict[str, tuple[str, ...]]:
        """For each seat that the game waits for: the kinds awaited."""
        return (
            {}
            if self.is_stopped
            else awaited_kinds_by_seat(self.pending, self.cards.awaited_kinds())
        )

    @property
    def orders_table(self) -> Table[Any]:
        """The table that decides which options orders may name."""
        return self.table.tables[self.cards.viewpoint]

    @property
    def questions(self) -> Pending:
        """The open questions to seats, with the options that orders may name."""
        if self.is_stopped:
            return []
        return [(key, d) for key, d in self.orders_table.pending if d.seat != CHANCE]

    def answered_seats(self) -> tuple[str, ...]:
        """Return the seats whose orders in force answer all their open questions."""
        unanswered_seats = {d.seat for key, d in self.questions if not has_answer(self, key, d)}
        return tuple(sorted({d.seat for _, d in self.questions} - unanswered_seats))

    def open(self, orders: Orders) -> UnsealedOrders:
        """Decrypt orders. Raises RecordError if this fails, or if a commitment does not match."""
        if orders not in self._unsealed:  # the sorter and the table both ask for these orders
            key = self.keys[orders.seat]
            self._unsealed[orders] = unseal_orders(orders, key, self.mode.has_handles)
        return self._unsealed[orders]

    def lines_now(self, record: Record[Orders]) -> OrderSet:
        """Return the lines of orders, as if the orders came into force now. Raises what `open`
        raises."""
        lines = read_lines(self.open(record.content).texts)
        state, ruleset = self.table.public_table.state, self.table.game.ruleset
        orders = ruleset.orders(record.content.seat, state.round, lines, state)
        return self.cards.order_set(orders)

    def take_notices(
        self, previous_standing: Standing, records: Iterable[SignedNotice], standing: Standing
    ) -> None:
        """Take these notices for the next turn: they lead from one standing to the other. Orders of
        seats with new keys, and of seats that left, are no longer in force. Call this before any
        orders are opened, because the notices may change keys."""
        self.notices, self.chain.standing = list(records), standing
        self.pressing = is_pressing(previous_standing, standing)
        self._let_lapse(standing.lapsed(previous_standing))
        self.take_keys(previous_standing)
        seats = standing.new_keys(self.chain.turn + 1)
        self._handover = {seat: self.cards.handover(seat, self.table.log) for seat in seats}

    def _let_lapse(self, seats: Iterable[str]) -> None:
        """Let the orders of these seats lapse, now or once the wave that waits for names is in the
        log."""
        is_frozen = self.cards.is_frozen
        self.lapsed_orders.add(seats, self.in_force, self.pending, is_frozen=is_frozen)

    def take_keys(self, previous_standing: Standing | None = None) -> None:
        """Compute the keys of all seats' boxes again, unless no seat has new keys since
        `previous_standing`."""
        standing = self.chain.standing
        if (
            previous_standing is None
            or previous_standing.keys_valid_from != standing.keys_valid_from
        ):
            for seat, join in standing.roster.items():
                self.keys[seat] = box_key(self.secrets.audit, join.x25519, self.game)

    # -------------------------------------------------------------- making
    def make(self, inputs: TurnInputs) -> Turn | None:
        """Make the next turn, not yet signed; None if no decision can be settled and there are no
        notices. Turn 1 is made in any case. The tables and the orders in force change; `add_turn`
        completes this."""
        first_number = len(self.table.log)
        accepted, self._acts = inputs.orders.accepted, inputs.orders.acts
        self.absence_now = self.chain.absence_with(accepted, inputs.silent)
        self.cards.begin(self.chain.turn + 1, inputs)
        if self.chain.standing.ended:
            return self._build_turn(first_number, replace(inputs, silent=frozenset()))
        for record in accepted.values():
            self._accept(record)
        settler = OrderSettler(
            self.in_force, self.orders_table, self.absence_now, inputs.unheard_seats,
            round_asked(self.pending), self.lapsed_orders,
        )  # fmt: skip
        self.table.advance(settler)
        self.absence_now = settler.absence
        inputs = replace(inputs, silent=inputs.silent | settler.silent)
        if len(self.table.log) == first_number and self.chain.turn and not self.cards.goes_on:
            if not self.notices:
                return None
            inputs = replace(inputs, silent=frozenset())  # no silence if nothing happens
            self.absence_now = self.chain.absence_with(accepted, ())
        return self._build_turn(first_number, inputs)

    def add_turn(self, turn: Record[Turn]) -> None:
        """Add the turn just made to the chain, once it is signed, or read from the folder. Call
        this once after each turn that `make` made."""
        self.chain.add(turn, round_asked(self.pending), self._acts)
        self.absence_now = self.chain.absence
        self._let_lapse(self.chain.standing.removal_turns)
        self._unsealed.clear()
        self.notices, self.pressing, self._handover = [], False, {}

    def final(self) -> FinalRecord:
        """Return the record that opens all secrets."""
        secrets = self.secrets
        return FinalRecord(
            game=self.game, turn=self.chain.turn + 1, prev=self.chain.head, seat="",
            r_ref=secrets.r_ref, audit=secrets.audit, card_secret=secrets.card_secret,
        )  # fmt: skip

    def _accept(self, record: Record[Orders]) -> None:
        """Bring orders into force. Raises RecordError if they cannot be opened."""
        unsealed, lines = self.open(record.content), self.lines_now(record)
        orders = OpenedOrders(record, unsealed, lines, len(self.table.log))
        self.in_force[record.content.seat] = orders

    def _build_turn(self, first_number: int, inputs: TurnInputs) -> Turn:
        """Put together the turn, not yet signed, from the table as it now is.

        The turn's log begins with entry `first_number`. Its `own` names the orders with which seats
        that the referee plays answer this turn. The `by_word` of turn 1 names each join about which
        the referee decided, whether accepted without the invite, refused or passed over.
        """
        log, charter, public = (
            self._log_entries(first_number),
            self.charter,
            self.table.public_table,
        )
        number, listed_orders = self.chain.turn + 1, tuple(inputs.orders.listed_orders)
        packets = {
            seat: replace(
                self.cards.packet(seat), refused=tuple(inputs.orders.rule_refusals.get(seat, ()))
            )
            for seat in self.joins
        }
        handover = {
            seat: seal_handover(number, seat, packet, self.keys[seat])
            for seat, packet in self._handover.items()
        }
        is_turn_1, is_over = (
            number == 1,
            bool(public.over or self.chain.standing.ended or self.cards.spoiled_seat),
        )
        self.is_stopped = self.cards.stop(is_over=is_over)
        for entry, is_script in self.cards.said_entries():
            if orders := self.in_force.get(entry.seat):
                self.cards.open_lines(entry, orders.lines.ranks(entry, is_script), orders)
        has_play = bool(log) or self.cards.goes_on
        deputy = b""  # turn 1 gives the deputy the referee's secrets
        if is_turn_1 and charter.deputy_key:
            key = box_key(self.secrets.audit, charter.deputy_x25519, self.game)
            secrets = self.secrets.r_ref + self.secrets.audit + self.secrets.card_secret
            deputy = seal_secrets(key, secrets)
        awaited_kinds = {} if is_over else self.awaited
        return sort_sets(
            Turn(
                game=self.game, turn=number, prev=self.chain.head, seat="",
                time=inputs.time,
                deadline=(
                    0 if is_over or self.is_stopped else self._deadline(inputs, has_play=has_play)
                ),
                over=is_over,
                table=turn_table_lines(public.game.ruleset.scene(public.state)),
                packets=seal_packets(number, packets, self.keys, listed_orders),
                handover=handover or None,
                log=tuple(log),
                orders=listed_orders,
                notices=tuple(map(row_of, self.notices)),
                awaited=tuple(Awaited(s, kinds) for s, kinds in awaited_kinds.items()),
                own=() if self.is_stopped else inputs.own_order_ids,
                silent=tuple(inputs.silent),
                deputy=deputy,
                joins={s: join.id for s, join in self.joins.items()} if is_turn_1 else None,
                by_word=inputs.by_word,
                **self.cards.fields(),
            )
        )  # fmt: skip

    def _deadline(self, inputs: TurnInputs, *, has_play: bool) -> int:
        """Return the deadline of the turn, put off by the delays that the turn lists; 0 if there is
        none.

        If the turn only lists notices, the previous turn's deadline stays, unless a notice renews
        it. If the turn is made again, `inputs.deadline` is the published one, and counts if the
        rule allows it.
        """
        standing, number = self.chain.standing, self.chain.turn + 1
        calendar, rule = standing.calendar, standing.policies.rule(phase_of(self.pending))
        delay_seconds, named_deadline = calendar.seconds_put_off(number), inputs.deadline
        if not has_play and not calendar.renews(number):
            deadline = self.chain.deadline
        elif named_deadline and rule.may_give(named_deadline - delay_seconds, inputs.time):
            return named_deadline  # made with different time zone data; it includes the delays
        else:
            deadline = rule.deadline(inputs.time)
        return deadline + delay_seconds if deadline else 0

    def _log_entries(self, first_number: int) -> list[LogEntry]:
        """Return the entries of the turn's log, from number `first_number` on: masked, with the
        fields about their cards. (The cards note which lines this opens.)"""
        log = []
        for number, entry in enumerate(self.table.log[first_number:], start=first_number):
            orders, is_script = self.in_force.get(entry.seat), entry.key in self.table.scripts
            # the lines that settled the entry, counted from 0
            ranks = orders.lines.ranks(entry, is_script) if orders else []
            fields = self.cards.entry(number, entry, ranks, orders)
            log.append(LogEntry(entry.key, mask(entry.text), mask(entry.by), **fields))
        return log


class Progress(Mutable):
    """The turn maker after its last turn, with the marks of the game's files. It only saves time.

    A run that makes no turn leaves no progress, because its maker contains orders that may still be
    replaced. `pbem.judge.reader_and_maker_checkpoints` keeps the same data from one process to the
    next.
    """

    maker: TurnMaker
    files: dict[str, Mark] = field(default_factory=dict)
    """The marks of the files from which the turns were made, by path."""

    def note_files(self, listing: Listing) -> None:
        """Note the marks of the game's files in this listing."""
        self.files = files_of(self.maker.chain, listing)

    def is_current(self, listing: Listing) -> bool:
        """Return whether all noted files are unchanged in this listing."""
        return are_unchanged(self.files, listing)


def has_answer(
    maker: TurnMaker,
    key: str,
    decision: Decision,
    new_orders: Mapping[str, Record[Orders]] | None = None,
) -> bool:
    """Return whether orders answer a question: the seat's orders in `new_orders`, else its orders
    in force. `key` is the decision's key in the log. Raises what `TurnMaker.open` raises."""
    orders, record = maker.in_force.get(decision.seat), (new_orders or {}).get(decision.seat)
    lines = maker.lines_now(record) if record else orders.lines if orders else None
    return lines is not None and lines.answer(key, decision, maker.orders_table.state) is not None
