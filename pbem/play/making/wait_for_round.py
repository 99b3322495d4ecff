"""Waiting for seats that are asked later in a round, if the charter says so.

With `wait = "round"` in the policies, the referee holds back a turn that would only ask players
who have sent nothing for the round yet. Meanwhile their orders can arrive, and eight players need
one wave of mail, not eight. The deadline ends the wait. Players who want to see more first send
orders that say less, even empty ones, and are asked later in the round.
"""

from __future__ import annotations

from typing import Final

from pbem.play.making.turn_maker import TurnMaker
from pbem.records.charter_join_orders import Charter
from pbem.records.turn import Turn

POLICY: Final = "wait"
ROUND: Final = "round"


def waits_for_round(charter: Charter) -> bool:
    """Whether the charter waits for everybody's orders for a round."""
    return charter.policies.get(POLICY) == ROUND


def not_heard(maker: TurnMaker, last: Turn | None, before: int, time: int) -> tuple[str, ...]:
    """The seats that the turn just made should wait for; empty if the turn need not wait.

    `before` is the round in which that turn began. It waits if it would ask a seat for the first
    time in
    that round, and no orders of that seat for the round are in force. Named are also those who have
    no orders in force at all, because they will be asked next. Seats that the referee holds answer
    in a different way, and nobody waits for seats that are away.
    """
    if not waits_for_round(maker.charter) or last is None or 0 < last.deadline <= time:
        return ()
    if maker.table.full.state.round != before:
        return ()
    known = {*maker.charter.plays, *(one.seat for one in last.awaited)}
    known |= maker.absence_now.now(maker.pending).keys()
    quiet = [s for s in sorted(maker.joins.keys() - known) if not _heard(maker, s, before)]
    asked = {decision.seat for _, decision in maker.pending}
    if not asked.intersection(quiet):
        return ()
    return tuple(seat for seat in quiet if seat in asked or seat not in maker.in_force)


def _heard(maker: TurnMaker, seat: str, number: int) -> bool:
    held = maker.in_force.get(seat)
    return held is not None and held.lines.round == number
