"""The seats that the next turn waits for, and those that it names as silent."""

from __future__ import annotations

from pbem.judge.absent_seats import Absence, waited_for
from pbem.judge.turn_inputs_and_outcome import SortedOrders, TurnInputs
from pbem.judge.turn_maker import TurnMaker, has_answer


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
        if not absence.unasked(key, decision) and not has_answer(maker, key, decision, accepted)
    )
    heard_seats = {*accepted, *chain.standing.seats_shown(chain.turn + 1)}
    heard_seats |= {seat for seat in maker.in_force if _has_orders_for(maker, seat, chain.round)}
    heard_seats |= maker.awaited.keys()
    unheard_seats = waited_for(maker.charter, maker.joins, chain.round, heard_seats)
    return TurnInputs(sorted_orders, own_order_ids, time, silent, unheard_seats)
