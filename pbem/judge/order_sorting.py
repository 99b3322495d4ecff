"""Sort orders for the next turn, and find the seats that it waits for or names as silent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.judge.absence import Absence, waited_for
from pbem.judge.orders_in_force import by_rank, why_misplaced, why_unusable
from pbem.judge.record_chain import Finder
from pbem.judge.turn_inputs_and_outcome import SortedOrders, TurnInputs
from pbem.judge.turn_maker import TurnMaker, answers
from pbem.records.orders import Orders
from pbem.records.packet import MAX_PACKET_REFUSALS
from pbem.records.read_and_sign_record import Record
from pbem.records.turn import ListedOrders, Turn


class OrderSorter:
    """Sorts orders by the state of the game before the next turn."""

    def __init__(self, maker: TurnMaker, go_on: bool = False, made_last_turn: bool = False) -> None:
        """Unplaced orders build on a turn that this chain does not have. With `go_on`, they are
        listed as forked; without it, they are set apart, so that no turn is made while there are
        any. `made_last_turn`: this machine made the last turn; then only unplaced orders for a
        later turn are set apart, because the referee's other machine may have made that turn."""
        self.maker, self.go_on, self.made_last_turn = maker, go_on, made_last_turn
        self.sorted_orders = SortedOrders()

    def sort(self, records: Sequence[Record[Orders]]) -> SortedOrders:
        """Sort these records by the reasons that `why_misplaced` and `why_unusable` give; the order
        of the records does not matter. Of a seat's usable orders, the first by rank are accepted,
        unless orders in force rank before them; the others are replaced."""
        usable_records: dict[str, list[Record[Orders]]] = {}
        chain, referee_seats = self.maker.chain, self.maker.charter.plays
        for record in sorted(records, key=lambda r: r.id):
            orders, is_named = record.content, record.id in chain.own_order_ids
            seat, is_referee_seat = orders.seat, orders.seat in referee_seats
            reason = why_misplaced(
                orders, chain.heads, is_referee_seat, is_named, chain.asking_turn
            )
            go_on = self.go_on or (self.made_last_turn and orders.turn <= chain.turn)
            if reason == "forked" and orders.prev not in chain.heads and not go_on:
                self.sorted_orders.unplaced_orders.append(record)
                continue
            if not reason:
                reason, details = why_unusable(
                    record, self.maker.open, self.maker.orders_table, self.maker.mode.has_handles
                )
                if details:
                    refusals = self.sorted_orders.rule_refusals.setdefault(seat, [])
                    refusals += details[: MAX_PACKET_REFUSALS - len(refusals)]
            if reason == "ahead":
                self.sorted_orders.early_orders.setdefault(seat, []).append(record)
            elif reason:
                self._list(record, "refused", reason)
            else:
                usable_records.setdefault(seat, []).append(record)
        for seat, seat_records in usable_records.items():
            # a turn that only lists notices may have accepted orders for the same questions
            in_force = self.maker.in_force.get(seat)
            first_record = by_rank([*seat_records, *([in_force.record] if in_force else [])])[0]
            for record in seat_records:
                self._list(record, "accepted" if record is first_record else "replaced")
                if record is first_record:
                    self.sorted_orders.accepted[seat] = record
        return self.sorted_orders

    def _list(self, record: Record[Orders], status: str, reason: str = "") -> None:
        """Add a row about these orders to `listed_orders` of the result."""
        seat = record.content.seat
        self.sorted_orders.listed_orders.append(ListedOrders(record.id, seat, status, reason))
        self.sorted_orders.acts += [(seat, record.content.turn)] if reason != "forked" else []


def awaited_kinds_of(
    maker: TurnMaker, absence: Absence | None = None
) -> dict[str, tuple[str, ...]]:
    """Return, for each seat that is asked and not away, the kinds of its questions."""
    absence_reasons = (absence or maker.absence_now).absence_reasons(maker.pending)
    return {seat: kinds for seat, kinds in maker.awaited.items() if seat not in absence_reasons}


def find_unheard_seats(maker: TurnMaker, round_number: int, time: int) -> tuple[str, ...]:
    """Return the seats whose orders the turn just made should wait for; empty if it need not wait.

    With `wait = "round"`, the referee holds back a turn that would only ask players without any
    orders for the round yet. Their orders can arrive meanwhile, so that eight players need one
    exchange of mail instead of eight. The deadline ends the wait. A player who wants to see more
    before they decide can send shorter orders, even an empty set.

    `round_number` is the round in which the turn began. If the turn asks a seat for the first time
    in that round, and the seat has no orders for the round, the turn also waits for all seats
    without any orders, because they will be asked next. It never waits for seats that are away, or
    that the referee plays.
    """
    chain = maker.chain
    if (
        not chain.turn
        or 0 < chain.deadline <= time
        or maker.table.public_table.state.round != round_number
    ):
        return ()
    excused_seats = chain.awaited.keys() | maker.absence_now.absence_reasons(maker.pending).keys()
    seats = waited_for(maker.charter, maker.joins, round_number, excused_seats)
    unheard_seats = [s for s in sorted(seats) if not _has_orders_for(maker, s, round_number)]
    asked_seats = {*maker.awaited}
    if not asked_seats.intersection(unheard_seats):
        return ()
    return tuple(s for s in unheard_seats if s in asked_seats or s not in maker.in_force)


def _has_orders_for(maker: TurnMaker, seat: str, round_number: int) -> bool:
    orders = maker.in_force.get(seat)
    return orders is not None and orders.lines.round == round_number


def inputs_of(
    maker: TurnMaker, sorted_orders: SortedOrders, own_order_ids: tuple[bytes, ...], time: int
) -> TurnInputs:
    """Collect the inputs of the next turn, made at `time`, from the sorted orders.

    After the deadline, seats that were asked are silent if they did not answer and are not away
    already. Seats that were not asked, but have no orders for the round, are unheard: a question
    that reaches them now makes them silent too. `own_order_ids` are the orders with which seats in
    `plays` answer the new turn. Raises RecordError if accepted orders cannot be opened.
    """
    chain = maker.chain
    if not 0 < chain.deadline <= time:
        return TurnInputs(sorted_orders, own_order_ids, time)
    accepted = sorted_orders.accepted
    absence = chain.absence_with(accepted, ())
    silent = frozenset(
        decision.seat
        for key, decision in maker.questions
        if not absence.unasked(key, decision) and not answers(maker, key, decision, accepted)
    )
    heard_seats = {*accepted, *chain.standing.seats_shown(chain.turn + 1)}
    heard_seats |= {seat for seat in maker.in_force if _has_orders_for(maker, seat, chain.round)}
    heard_seats |= maker.awaited.keys()
    unheard_seats = waited_for(maker.charter, maker.joins, chain.round, heard_seats)
    return TurnInputs(sorted_orders, own_order_ids, time, silent, unheard_seats)


def remake(maker: TurnMaker, turn: Turn, find: Finder) -> Turn | None:
    """Make a turn again from the orders and notices that it lists; the result is equal to `turn` if
    that is right. None if the orders settle nothing.

    `maker` has made the turns before it; call `maker.add_turn` before the next one. The result gets
    from the turn only its time, its `own`, its `by_word`, and its deadline if the rules allow it.
    Raises RecordError `parent` if a listed record is missing, `rule` for a notice that cannot
    count.
    """
    previous_standing = maker.chain.list_notices(turn, find)
    notices = [find.notice(row.id) for row in turn.notices]
    maker.take_notices(previous_standing, notices, maker.chain.standing)
    records = [find.orders(row.id) for row in turn.orders]
    # a turn lists no orders that wait, so what it lists must get a status
    sorted_orders = OrderSorter(maker, go_on=True).sort(records)
    inputs = inputs_of(maker, sorted_orders, turn.own, turn.time)
    deals = tuple(find.deal(deal_id) for deal_id in turn.deals)
    inputs = replace(inputs, by_word=turn.by_word, deadline=turn.deadline, deals=deals)
    return maker.make(inputs)
