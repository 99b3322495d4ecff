"""Sentences to the owner of a machine about records signed there, and the person to ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.files.home import Sighting
from pbem.judge.order_fates import OrderFate
from pbem.text.dates import span, utc_time

if TYPE_CHECKING:
    from pbem.judge.witness import DroppedNotice, Unseated


def explain_fate(fate: OrderFate) -> str:
    """Explain the fate of an uncounted set of orders, and name the person to ask."""
    sealed_at, short_id, turn = fate.sealed_at, fate.orders.id[:6], fate.orders.turn
    settling_turn, maker = fate.settling_turn, fate.maker
    omission = f"turn {settling_turn} does not list them"
    omission = f"the file is gone, and {omission}" if fate.is_gone else omission
    if sealed_at is None:
        sentence = f"your orders {short_id} answer turn {turn}, but {omission}"
        return f"{sentence}: if you sent them in time, ask {maker} why"
    if sealed_at >= fate.settled_at:
        sentence = f"your orders {short_id} for turn {turn} came too late"
        return f"{sentence}: {maker} had made turn {settling_turn} without them"
    earliness = f"{span(fate.settled_at - sealed_at)} before the date of turn {settling_turn}"
    if not fate.should_ask:
        sentence = f"your orders {short_id} for turn {turn} came too late, or clocks differ"
        return f"{sentence}: sealed {earliness}, but {omission}"
    sentence = f"as far as this machine can tell, your orders {short_id} answered turn {turn} in"
    sentence += f" time (sealed {utc_time(sealed_at)}, {earliness}), but {omission}"
    return f"{sentence}: if you sent them by then, ask {maker} why"


def explain_dropped_notice(notice: DroppedNotice, maker: str) -> str:
    """Say that no turn lists a notice; `maker` made the turn that should have listed it."""
    sentence = (
        f"your notice ({notice.kind}) was signed here {span(notice.seconds_early)} before the"
    )
    sentence += f" date of turn {notice.turn}, but no turn lists it"
    return f"{sentence}. If you sent it by then, ask {maker} why"


def explain_unseated(unseated: Unseated, referee: str) -> str:
    """Say that turn 1 does not name a join."""
    sentence = (
        f"you joined {span(unseated.seconds_early)} before the date of turn 1, but turn 1 does not"
    )
    return f"{sentence} name your join: ask {referee} why"


def explain_implausible_date(sighting: Sighting, maker: str) -> str:
    """Say how a turn's date differs from this machine's clock; `maker` made the turn."""
    turn, seen_at = sighting.turn, utc_time(sighting.seen_at)
    if sighting.seconds < 0:
        sentence = f"turn {turn} is dated {span(-sighting.seconds)} ahead of this machine's clock"
        return f"{sentence} (it was here at {seen_at}): if your clock is right, ask {maker} why"
    sentence = f"turn {turn} is dated {span(sighting.seconds)} before it came here"
    sentence += f" (it was not here at {seen_at}): slow mail or sync can cause that"
    return f"{sentence}; if yours is quick, ask {maker} why"
