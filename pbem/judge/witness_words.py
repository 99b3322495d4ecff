"""Sentences to the owner of a machine about what they signed there, and whom they should ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.files.home import Sighting
from pbem.judge.order_fates import OrderFate
from pbem.text.dates import span, utc_time

if TYPE_CHECKING:
    from pbem.judge.witness import DroppedNotice, Unseated


def explain_fate(fate: OrderFate) -> str:
    """Say what happened to an uncounted set of orders, and whom to ask."""
    when, digits, turn = fate.sealed_at, fate.orders.id[:6], fate.orders.turn
    made, maker = fate.settled_in, fate.maker
    missing = f"turn {made} does not list them"
    missing = f"the file is gone, and {missing}" if fate.is_gone else missing
    if when is None:
        sentence = f"your orders {digits} answer turn {turn}, but {missing}"
        return f"{sentence}: if you sent them in time, ask {maker} why"
    if when >= fate.settled_at:
        sentence = f"your orders {digits} for turn {turn} came too late"
        return f"{sentence}: {maker} had made turn {made} without them"
    earlier = f"{span(fate.settled_at - when)} before the date of turn {made}"
    if not fate.should_ask:
        sentence = f"your orders {digits} for turn {turn} came too late, or clocks differ"
        return f"{sentence}: sealed {earlier}, but {missing}"
    sentence = f"as far as this machine can tell, your orders {digits} answered turn {turn} in"
    sentence += f" time (sealed {utc_time(when)}, {earlier}), but {missing}"
    return f"{sentence}: if you sent them by then, ask {maker} why"


def explain_dropped_notice(dropped: DroppedNotice, maker: str) -> str:
    """Say that no turn lists a notice; `maker` made the turn that should have listed it."""
    sentence = f"your notice ({dropped.about}) was signed here {span(dropped.early)} before the"
    sentence += f" date of turn {dropped.turn}, but no turn lists it"
    return f"{sentence}. If you sent it by then, ask {maker} why"


def explain_unseated(unseated: Unseated, referee: str) -> str:
    """Say that turn 1 does not name a join."""
    sentence = f"you joined {span(unseated.early)} before the date of turn 1, but turn 1 does not"
    return f"{sentence} name your join: ask {referee} why"


def explain_implausible_date(sighting: Sighting, maker: str) -> str:
    """Say how a turn's date differs from this machine's clock; `maker` made the turn."""
    turn, seen = sighting.turn, utc_time(sighting.seen_at)
    if sighting.seconds < 0:
        sentence = f"turn {turn} is dated {span(-sighting.seconds)} ahead of this machine's clock"
        return f"{sentence} (it was here at {seen}): if your clock is right, ask {maker} why"
    sentence = f"turn {turn} is dated {span(sighting.seconds)} before it came here"
    sentence += f" (it was not here at {seen}): slow mail or sync can cause that"
    return f"{sentence}; if yours is quick, ask {maker} why"
