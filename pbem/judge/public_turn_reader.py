"""Check a game turn by turn without any key, as everybody can (protocol §1)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from engine import CHANCE, PUBLIC, Decision, Entry, Table
from pbem.format.encrypted_box import TAG
from pbem.format.record_error import RecordError
from pbem.judge.absent_seats import check_unasked, round_asked, round_of, waited_for
from pbem.judge.dealing_modes import mode_of
from pbem.judge.game_ruleset import check_entry, game_of
from pbem.judge.order_settler import LapsedOrders
from pbem.judge.orders_in_force import OrdersInForce, check_choice, check_status, why_misplaced
from pbem.judge.record_chain import Chain, Finder, acts_of, other_version_in_words
from pbem.judge.seat_curve_points import check_seat_point
from pbem.judge.turn_end_checks import (
    UnheardSeats,
    awaited_kinds_by_seat,
    check_agreed_end,
    check_end,
    check_silence,
    check_stop,
)
from pbem.judge.which_notices_count import check_signer_and_contents
from pbem.records.charter import Charter
from pbem.records.join import Join, check_keys, check_share, is_let_in
from pbem.records.orders import Orders
from pbem.records.read_and_sign_record import Record
from pbem.records.turn import ListedOrders, LogEntry, SaidAnswer, Turn


class PublicReader:
    """The game as everybody knows it, up to the last turn that was absorbed (protocol §7).

    It replays the public log, and checks every field of a turn against the log: signed orders,
    awaited and silent seats, and with `PublicCards` all cards and dice. `plays` are the seats that
    the referee plays: their orders answer a turn before it is published.
    """

    unheard_seats = UnheardSeats()
    """The seats that were not asked, but waited for, before the last turn."""

    def __init__(self, charter: Record[Charter]) -> None:
        """Begin to read the game of a charter; `absorb` takes its turns."""
        self.chain = Chain(charter)
        """The chain of the turns so far."""
        self.charter, self.game = self.chain.charter, self.chain.game
        self.in_force: dict[str, OrdersInForce] = {}
        """For each seat with orders in force: their record, and the round in which their plain
        lines count."""
        self.lapsed_orders = LapsedOrders()
        """The seats whose orders are only in force for the wave that waits for names."""
        self.absence = self.chain.absence
        """The absence of seats, with the silences of the turn being read."""
        self.own_order_ids: dict[str, bytes] = {}
        """For each seat in `plays`: the id of the orders that answer the last turn."""
        self.mode = mode_of(self.charter)
        self.cards = self.mode.public(self.chain)
        """The cards and dice, as far as everybody can check them."""
        self.new_answers: Sequence[tuple[str, Decision, SaidAnswer]] = ()
        """The answers that the last turn has said without names, for the first time."""
        self.log: list[Entry] = []
        """The public log: hidden cards are `?`."""
        self.table: Table[Any] | None = None
        """The public table after the log; None before turn 1."""

    @property
    def public(self) -> Table[Any]:
        """The table as everybody knows it. Raises RecordError `state` before turn 1."""
        if self.table is None:
            raise RecordError("state", "the game has not begun: there is no turn 1 yet")
        return self.table

    @property
    def awaited(self) -> dict[str, tuple[str, ...]]:
        """For each seat that the game waits for after the last turn: the kinds awaited. Empty while
        dealers owe something. Raises RecordError `state` before turn 1."""
        pending = self.public.pending
        return (
            {}
            if self.cards.is_stopped
            else awaited_kinds_by_seat(pending, self.cards.awaited_kinds())
        )

    def absorb(self, turn: Record[Turn], find: Finder) -> None:
        """Check the next turn against all earlier ones, and absorb it. `find` finds the orders,
        joins and notices that it names. Raises RecordError; do not use the reader after that."""
        content, chain = turn.content, self.chain
        self._check_place(content)
        if content.turn == 1:
            self._begin(content, find.joins())
        else:
            previous_standing = chain.list_notices(content, find)
            self._let_lapse(chain.standing.lapsed(previous_standing))
            check_signer_and_contents(turn, chain.standing)
            self._check_handovers(content)
        if content.time < chain.standing.calendar.earliest_date(content.turn, chain.time):
            sentence = f"turn {content.turn} has an earlier date than turn {chain.turn}"
            raise RecordError("field", sentence)
        self._list_orders(content, find)
        self._note_silence(content)
        self.cards.begin(content, len(self.log), self.public, find)
        silences = set[tuple[str, int]]()
        for logged in content.log:
            decision = self._absorb_entry(logged)
            if logged.by == "default" and not decision.unasked:
                silences.add((decision.seat, round_of(logged.key)))
        self.new_answers = self.cards.new_answers()
        for key, decision, answer in self.new_answers:
            orders = self._check_source(key, decision, answer.by)
            self.cards.check_answer(decision, answer, orders)
        self.cards.end()
        self._check_end(content, silences)
        if content.packets.keys() != chain.standing.roster.keys():
            raise RecordError(
                "field",
                "the turn does not have a secret part (a packet) for each seat",
            )
        size = self.cards.packet_size(content) + TAG
        if any(len(box) != size for box in content.packets.values()):
            # all packets have the same size, or the size would tell what a seat gets
            sentence = (
                f"the secret parts for the seats (packets) must have {size} bytes each, so that "
                "their size tells nothing about cards"
            )
            raise RecordError("padding", sentence)
        acts = acts_of(content.orders, find.orders) if chain.standing.announced_acts else ()
        chain.add(turn, round_asked(self.public.pending), acts)
        self._let_lapse(chain.standing.removal_turns)
        self._take_own_orders(content, find)

    def _let_lapse(self, seats: Iterable[str]) -> None:
        """Let the orders of these seats lapse, now or once the wave that waits for names is in the
        log."""
        is_frozen = self.cards.is_frozen
        self.lapsed_orders.add(seats, self.in_force, self.public.pending, is_frozen=is_frozen)

    def _check_end(self, turn: Turn, silences: Collection[tuple[str, int]]) -> None:
        """Check the end of a turn: its questions, deadline and silent seats, whose defaults in the
        log are `silences`, each with its round. Raises RecordError `rule`, `chain`."""
        if self.public.is_inside_wave:
            sentence = "the turn settles only some of the questions that are asked at the same time"
            raise RecordError("rule", sentence)
        if self.chain.standing.ended:
            check_agreed_end(turn, self.public)
        elif self.cards.is_stopped or turn.spoiled:
            check_stop(turn, self.public)
        else:
            self.unheard_seats.check(turn, self.public, silences)
            card_kinds = self.cards.awaited_kinds()
            check_end(
                turn,
                self.public,
                self.chain.standing,
                self.absence,
                self.chain.deadline,
                card_kinds,
            )

    def _check_place(self, turn: Turn) -> None:
        """Check that a turn is the next one of this game. Raises RecordError `place`, or `state` if
        the game is over."""
        if turn.game != self.game:
            raise RecordError("place", "this turn belongs to another game")
        if turn.turn != self.chain.turn + 1:
            next_number = self.chain.turn + 1
            sentence = f"this file contains turn {turn.turn}, but the next turn is {next_number}"
            raise RecordError("place", sentence)
        if turn.prev != self.chain.head:
            sentence = f"turn {turn.turn} follows {other_version_in_words(self.chain.turn)}"
            raise RecordError("place", sentence)
        if self.chain.is_over:
            sentence = f"this turn comes after turn {self.chain.turn}, which ended the game"
            raise RecordError("state", sentence)

    def _begin(self, turn: Turn, joins: Mapping[bytes, Record[Join]]) -> None:
        """Seat the players of turn 1, and set up the table. Check that `by_word` names exactly
        those of their joins that were made without the invite; it may name other joins too. Raises
        RecordError."""
        if bool(turn.deputy) != bool(self.charter.deputy_key):
            raise RecordError(
                "field",
                "turn 1 has a box for a deputy (field deputy), but this game has no deputy"
                if turn.deputy
                else "turn 1 lacks the box with the referee's secrets for the deputy (field "
                "deputy)",
            )
        self.take_joins(turn.joins or {}, joins)
        doors = self.charter.doors
        for seat, join in self.chain.standing.roster.items():
            join_id = self.chain.join_ids[seat]
            if is_let_in(join, doors[seat]) == (join_id in turn.by_word):
                short_id = join_id.hex()[:6]
                sentence = (
                    f"seat {seat} joined without the invite (join {short_id}), but the turn "
                    "does not say "
                    "that the referee allowed this"
                )
                if join_id in turn.by_word:
                    sentence = (
                        f"the turn says that seat {seat} joined without the invite, but the join "
                        f"{short_id} was made with the invite"
                    )
                raise RecordError("rule", sentence)
        seats = "".join(sorted(self.chain.standing.roster))
        self.table = Table(game_of(self.charter, seats), PUBLIC)

    def take_joins(
        self, join_ids: Mapping[str, bytes], joins: Mapping[bytes, Record[Join]]
    ) -> None:
        """Seat the players with the joins that `join_ids` has by seat; `joins` has the joins that
        are here, by id. Raises RecordError for a wrong or missing join."""
        planned_seats = {plan.seat for plan in self.charter.seats}
        for seat, join_id in join_ids.items():
            subject = f"the join {join_id.hex()[:6]}"
            if join_id not in joins:
                raise RecordError("parent", f"{subject} of seat {seat} is missing from this folder")
            join = joins[join_id].content
            if (join.seat, join.game) != (seat, self.game) or seat not in planned_seats:
                raise RecordError("place", f"{subject} is not for seat {seat} of this game")
            check_share(self.charter, join)
            check_seat_point(self.charter, self.game, seat, join.seat_point, join.point_proof)
        self.chain.seat_players(join_ids, joins)
        check_keys(self.charter, self.chain.standing.roster)

    def _check_handovers(self, turn: Turn) -> None:
        """Check that a turn hands over exactly the seats that get new keys, in boxes of the right
        size. Raises RecordError `field`, `padding`."""
        boxes = turn.handover or {}
        seats_with_new_keys = set(self.chain.standing.new_keys(turn.turn))
        if lacking_seats := seats_with_new_keys - set(boxes):
            raise RecordError(
                "field",
                f"seat {min(lacking_seats)} gets new keys, but the turn does not give the seat's "
                "cards to these keys (field handover)",
            )
        if surplus_seats := set(boxes) - seats_with_new_keys:
            raise RecordError(
                "field",
                f"the turn gives the cards of seat {min(surplus_seats)} to new keys (field "
                "handover), but the seat gets no new keys",
            )
        for seat, box in boxes.items():
            size = self.cards.handover_size(seat, self.log) + TAG
            if len(box) != size:
                sentence = (
                    f"the part with the cards of seat {seat} (field handover) has {len(box)} "
                    f"bytes; it must have {size}"
                )
                raise RecordError("padding", sentence)

    # -------------------------------------------------------------- orders
    def _list_orders(self, turn: Turn, find: Finder) -> None:
        """Check the orders that a turn lists, and bring the accepted ones into force. The orders
        that the last turn named as its `own` must be in force then, unless their seat conceded.
        Raises RecordError."""
        accepted_records: dict[str, list[Record[Orders]]] = {}
        replaced_records: dict[str, list[Record[Orders]]] = {}
        for row in turn.orders:
            record = self._check_listed(row, find)
            if row.status == "accepted":
                accepted_records.setdefault(row.seat, []).append(record)
            elif row.status != "refused":
                replaced_records.setdefault(row.seat, []).append(record)
        for seat in sorted(accepted_records.keys() | replaced_records.keys()):
            orders, accepted = self.in_force.get(seat), accepted_records.get(seat, [])
            replaced = replaced_records.get(seat, [])
            check_choice(seat, accepted, replaced, orders.record if orders else None)
            if accepted:
                self.in_force[seat] = OrdersInForce(accepted[0], self.public.state.round)
        standing, chain = self.chain.standing, self.chain
        for seat, order_id in () if standing.ended else self.own_order_ids.items():
            orders = self.in_force.get(seat)
            if seat not in standing.seats_out and (orders is None or orders.record.id != order_id):
                sentence = (
                    f"turn {chain.turn} said that orders of seat {seat} count, but this turn "
                    "does not use them"
                )
                raise RecordError("opening", sentence)

    def _check_listed(self, row: ListedOrders, find: Finder) -> Record[Orders]:
        """Check a row of `[[orders]]`, and return its record. Raises RecordError `opening` if the
        row is wrong, and what `orders_with_current_key` raises."""
        record, chain = self.orders_with_current_key(row.id, find), self.chain
        orders, seat = record.content, record.content.seat
        short_id = row.id.hex()[:6]
        if seat != row.seat:
            sentence = (
                f"the turn lists orders {short_id} of seat {seat} as orders of seat {row.seat}"
            )
            raise RecordError("opening", sentence)
        if row.id in chain.listed_orders:
            sentence = f"the turn lists orders {short_id}, which an earlier turn has listed already"
            raise RecordError("opening", sentence)
        is_referee_seat, is_named = (
            seat in self.charter.plays,
            self.own_order_ids.get(seat) == record.id,
        )
        check_status(
            row, why_misplaced(orders, chain.heads, is_referee_seat, is_named, chain.asking_turn)
        )
        return record

    def orders_with_current_key(self, order_id: bytes, find: Finder) -> Record[Orders]:
        """Return the orders with this id; they must be of this game, and signed with the present
        key of their seat. `find` has verified the signature itself.

        Raises RecordError: `parent` for a missing file, `rule` if the seat has conceded or was
        removed, `key` for another game or key.
        """
        record, standing = find.orders(order_id), self.chain.standing
        short_id, seat = order_id.hex()[:6], record.content.seat
        join = standing.roster.get(seat)
        if seat in standing.seats_out:
            sentence = f"the turn lists orders {short_id} of seat {seat}, which has conceded"
            if seat in standing.removal_turns:
                sentence = (
                    f"the turn lists orders {short_id} of seat {seat}, which was removed "
                    "from the game"
                )
            raise RecordError("rule", sentence)
        if record.content.game != self.game:
            raise RecordError("key", f"orders {short_id} are not orders of this game")
        if join is None or join.key != record.signed.key:
            raise RecordError(
                "key", f"orders {short_id} are not signed with the key of seat {seat}"
            )
        return record

    def _note_silence(self, turn: Turn) -> None:
        """Check the silent seats that a turn names, and note who is absent (`absence`) and unheard
        (`unheard_seats`). Raises RecordError `rule`."""
        chain, pending, round_ = self.chain, self.public.pending, self.chain.round
        accepted = {row.seat for row in turn.orders if row.status == "accepted"}
        absence_reasons = chain.absence_with(accepted, ()).absence_reasons(pending)
        heard_seats = accepted | chain.standing.seats_shown(turn.turn)
        heard_seats |= {seat for seat, orders in self.in_force.items() if orders.round == round_}
        heard_seats |= chain.awaited.keys()
        awaited_seats = waited_for(self.charter, chain.standing.roster, round_, heard_seats)
        seats = awaited_seats - absence_reasons.keys()
        self.unheard_seats = UnheardSeats(seats, round_, chain.deadline)
        check_silence(turn, {*chain.awaited, *seats}, chain.deadline, absence_reasons)
        self.absence = chain.absence_with(accepted, turn.silent)

    def _take_own_orders(self, turn: Turn, find: Finder) -> None:
        """Check and note the orders in `own`, with which seats in `plays` answer this turn. Raises
        RecordError."""
        self.own_order_ids = {}
        for order_id in turn.own:
            short_id = order_id.hex()[:6]
            orders = self.orders_with_current_key(order_id, find).content
            subject = (
                f"the turn says that seat {orders.seat} answers it with {short_id} (field own)"
            )
            if orders.seat not in self.charter.plays:
                sentence = f"{subject}, but the referee does not play this seat"
                raise RecordError("opening", sentence)
            if orders.seat in self.own_order_ids:
                raise RecordError("opening", f"{subject}, and with other orders too")
            if (orders.turn, orders.prev) != (turn.turn, turn.prev):
                raise RecordError("opening", f"{subject}, but these orders answer a different turn")
            self.own_order_ids[orders.seat] = order_id

    # -------------------------------------------------------------- the log
    def _absorb_entry(self, logged: LogEntry) -> Decision:
        """Check one log entry, and apply it; return the decision that it settles. Raises
        RecordError. All checks come first: they need the table as it was before the entry."""
        table, number = self.public, len(self.log)  # cards that the entry puts down get its number
        if not table.pending:
            raise RecordError("rule", f"entry {logged.key} comes after the end of the game")
        key, decision = table.pending[0]
        entry = Entry(logged.key, decision.seat, logged.text, logged.by, decision.to)
        if logged.key != key:
            raise RecordError(
                "rule",
                f"the next question is {key}, but the next entry answers question {logged.key}",
            )
        check_entry(table, decision, entry)
        if decision.seat == CHANCE:
            self.cards.check_chance(number, key, decision, logged.text)
        elif decision.fact:
            self.cards.check_fact(logged)
        else:
            orders = self._check_source(key, decision, logged.by)
            self.cards.check_choice(number, decision, logged, orders)
        ruleset = table.game.ruleset
        for tag, card in ruleset.turned_up(table.state, logged.text, number):
            self.cards.check_turned_up(tag, card)
        if decision.seat != CHANCE:
            for card in ruleset.shows(table.state, logged.text):
                self.cards.check_shown(decision.seat, card)
        table.take_answer(logged.text)
        self.log.append(entry)
        return decision

    def _check_source(self, key: str, decision: Decision, source: str) -> OrdersInForce | None:
        """Check that `source` may settle an entry: `line [?]`, `always [?]`, `default`, `bot`,
        `forced`. If it is a plain line, return the orders in force with this line, else None.
        Raises RecordError `rule`."""
        may_answer = self.lapsed_orders.may_answer(decision.seat, key)
        orders = self.in_force.get(decision.seat) if may_answer else None
        if source.startswith("line"):
            if orders is None or orders.round != self.public.state.round:
                sentence = (
                    f"question {key}: the turn says that orders answered it, but seat "
                    f"{decision.seat} has no orders for this round"
                )
                raise RecordError("rule", sentence)
            return orders
        if source.startswith("always") and orders is None:
            raise RecordError(
                "rule",
                f"question {key}: the turn says that a standing order answered it, but seat "
                f"{decision.seat} has no standing orders",
            )
        if source.startswith("always") and self.cards.opens_always_lines:
            return orders
        if source in ("default", "bot") and key not in self.cards.replaced_keys:
            check_unasked(self.absence, key, decision, source)
        return None
