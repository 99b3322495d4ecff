"""Find out who the next turn waits for and whose silence counts."""

from __future__ import annotations

from pbem.play.checking.turn_end import awaited
from pbem.play.making.sort_orders import SortedOrders
from pbem.play.making.turn_maker import TurnMaker
from pbem.play.orders.absence import Absence
from pbem.records.turn import Turn


def waiting(maker: TurnMaker, absence: Absence | None = None) -> dict[str, tuple[str, ...]]:
    """The seats that the game waits for, with what they are asked; seats that are away are left
    out."""
    away = (absence or maker.absence_now).now(maker.pending)
    return {s: kinds for s, kinds in awaited(maker.pending).items() if s not in away}


def silent_seats(
    maker: TurnMaker, found: SortedOrders, last: Turn | None, time: int
) -> frozenset[str]:
    """The seats whose silence counts: asked, past the deadline, without a line that answers, and
    not away already."""
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
