"""Find out who the game is waiting for, and whose silence counts in the next turn.

With `wait = "round"` in the policies, the referee holds back a turn that would only ask players who
have sent nothing for the round yet. Meanwhile their orders can arrive, so that eight players need
one exchange of mail instead of eight. The deadline ends the wait. Players who want to see more
before they decide send orders that say less, even an empty set, and are asked later in the round.
"""

from __future__ import annotations

from pbem.play.checking.turn_end import awaited
from pbem.play.making.sort_orders import SortedOrders
from pbem.play.making.turn_maker import TurnMaker
from pbem.play.orders.absence import Absence, round_asked, unheard_in, waited_for
from pbem.records.turn import Turn


def waiting(maker: TurnMaker, absence: Absence | None = None) -> dict[str, tuple[str, ...]]:
    """Return the seats that are asked and not away, with what they are asked."""
    away = (absence or maker.absence_now).now(maker.pending)
    return {s: kinds for s, kinds in awaited(maker.pending).items() if s not in away}


def silent_seats(
    maker: TurnMaker, found: SortedOrders, last: Turn | None, time: int
) -> frozenset[str]:
    """Return the seats whose silence counts in the next turn.

    These seats were asked, did not answer before the deadline, and are not already away.
    """
    if not last or not 0 < last.deadline <= time:
        return frozenset()
    quiet = set()
    here = maker.absence_with(found.accepted, ())
    for key, decision in maker.pending:
        if here.settles(key, decision):
            continue
        held = maker.in_force.get(decision.seat)
        lines = held.lines if held else None
        if decision.seat in found.accepted:
            lines = maker.lines_now(found.accepted[decision.seat])
        if lines is None or lines.answer(key, decision, maker.table.full.state) is None:
            quiet.add(decision.seat)
    return frozenset(quiet)


def unheard_seats(
    maker: TurnMaker, found: SortedOrders, last: Turn | None, time: int
) -> frozenset[str]:
    """Return the seats that were not asked, but whose orders for the round missed the deadline.

    The game waited for these orders. If such a seat is asked in this round now, it counts as
    silent.
    """
    if not last or not 0 < last.deadline <= time:
        return frozenset()
    number = round_asked(maker.pending)
    spoke = {*found.accepted, *maker.standing.seats_shown(maker.turn + 1)}
    spoke |= {seat for seat in maker.in_force if _heard(maker, seat, number)}
    return frozenset(unheard_in(maker.charter, maker.joins, number, spoke, awaited(maker.pending)))


def not_heard(maker: TurnMaker, last: Turn | None, before: int, time: int) -> tuple[str, ...]:
    """Return the seats that the turn just made should wait for; empty if it need not wait.

    `before` is the round in which the turn began. The turn waits if it would ask a seat for the
    first time in that round, and no orders of that seat for the round count. Then it also waits for
    all seats that have no orders at all, because they will be asked next. The turn never waits for
    seats that are away, or for seats whose keys the referee has, which answer in a different way.
    """
    if last is None or 0 < last.deadline <= time or maker.table.full.state.round != before:
        return ()
    seats = waited_for(maker.charter, maker.joins, before)
    seats -= {*(one.seat for one in last.awaited), *maker.absence_now.now(maker.pending)}
    quiet = [seat for seat in sorted(seats) if not _heard(maker, seat, before)]
    asked = {decision.seat for _, decision in maker.pending}
    if not asked.intersection(quiet):
        return ()
    return tuple(seat for seat in quiet if seat in asked or seat not in maker.in_force)


def _heard(maker: TurnMaker, seat: str, number: int) -> bool:
    held = maker.in_force.get(seat)
    return held is not None and held.lines.round == number
