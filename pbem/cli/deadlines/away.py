"""Write what `status` says about players who are away, and how they can come back."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from pbem.play.view import View

COME_BACK = "you count as away: to come back, send orders"


def away_lines(view: View, sealed: Collection[str]) -> list[str]:
    """Return a line for each seat that is away.

    `sealed` are the seats whose orders for the next turn are in the folder.
    """
    return [_line(view, seat, why, seat in sealed) for seat, why in sorted(view.away.items())]


def calendar_lines(view: View) -> list[str]:
    """Return lines on announced absences, proposed deadlines, and the delays that you may still ask
    for."""
    from pbem.cli.clock import now
    from pbem.text.dates import local_date

    if view.over or not view.published:
        return []
    lines = []
    for seat, (begins, ends) in sorted(view.absences.items()):
        if ends > now() and seat not in view.away:
            when = f"from {local_date(begins)} to {local_date(ends)}"
            lines.append(f"{clean(view.names[seat])} is away {when}, as announced")
    for seat, (phase, rule) in sorted(view.wanted.items()):
        where = f" --phase {phase}" if phase else ""
        told = f"{clean(view.names[seat])} proposes another deadline: {rule}"
        lines.append(f'{told} (to agree: pbem notice deadline "{rule}"{where})')
    if view.delay_left and view.deadline > now() and view.seat in view.awaited:
        left = f"by up to {view.delay_left} more hours; to do so: pbem notice delay 24h"
        lines.append(f"you may put deadlines off {left}")
    return lines


def _line(view: View, seat: str, why: str, sealed: bool) -> str:
    name = clean(view.names[seat])
    if why == "conceded":
        told = "you have conceded: your" if seat == view.seat else f"{name} has conceded: their"
        return f"{told} choices are made without waiting, and they are the least harmful ones"
    if why == "removed":
        told = "you were" if seat == view.seat else f"{name} was"
        whom = "you" if seat == view.seat else "them"
        least = f"the least harmful choices are made for {whom}, without waiting"
        return f"{told} silent for too long and removed from the game: {least}"
    if why == "open":
        told = "your seat is open" if seat == view.seat else f"{name}'s seat is open"
        return f"{told} for somebody else; until then, {_meanwhile(view, seat)}"
    if why == "announced":
        told = "you are away" if seat == view.seat else f"{name} is away"
        return (
            f"{told}, as announced, so the game does not wait and the least harmful choices are "
            "made"
        )
    if sealed:
        return f"{name} was away but has sent orders, and will be back with the next turn"
    long = "until the end of this round" if why == "absent" else "in every round"
    least = f"{long}, the least harmful choice is made immediately"
    later = _later(view) if why == "idle" else ""
    if seat == view.seat:
        end = " or the end of this round" if why == "absent" else ""
        chosen = "the least harmful choice is made immediately for you"
        return f"{COME_BACK}; until then{end}, {chosen}{later}"
    told = "was silent at the deadline" if why == "absent" else "missed the last few deadlines"
    ends = "nobody waits for them until they send orders"
    return f"{name} {told} and is {why}: {least}, and {ends}{later}"


def _meanwhile(view: View, seat: str) -> str:
    """Say who makes the choices of an open seat until somebody takes it over."""
    from pbem.play.calendar.charter_deadlines import BOT, silent_seat
    from pbem.play.orders.open_seat_bot import NAME

    bot = silent_seat(view.policies) == BOT
    chooses = f"the bot {NAME} plays on" if bot else "its choices are made without waiting"
    return f"{chooses}; your orders still count" if seat == view.seat else chooses


def _later(view: View) -> str:
    """Return what happens to an idle seat that stays silent; empty if its choices are simply the
    defaults."""
    from pbem.play.calendar.charter_deadlines import BOT, DEFAULTS, open_after, silent_seat

    policy, rounds = silent_seat(view.policies), open_after(view.policies)
    if policy == DEFAULTS:
        return ""
    long = "one whole round" if rounds == 1 else f"{rounds} whole rounds"
    then = "a bot plays on" if policy == BOT else "the seat is removed from the game"
    return f"; after {long} without orders, {then}"
