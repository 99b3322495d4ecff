"""The memory of one machine in words for its owner: what happened, and whom to ask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.text.dates import span, utc_time
from pbem.text.terminal_and_page_wording import TerminalText

if TYPE_CHECKING:
    from pbem.files.signed_and_seen import Sighting
    from pbem.judge.evidence_from_own_machine import DroppedNotice, Unseated
    from pbem.judge.order_fates import OrderFate

_UNSEALED_ORDERS: Final = TerminalText(
    "your orders[[ {digits}]] answer turn {turn}, but turn {settled_in} does not list "
    "them. If you sent the orders in time, ask {maker} why"
)
_LATE_ORDERS: Final = TerminalText(
    "your orders[[ {digits}]] for turn {turn} came too late: {maker} had made turn "
    "{settled_in} without them"
)
_PERHAPS_LATE_ORDERS: Final = TerminalText(
    "turn {settled_in} does not list your orders[[ {digits}]] for turn {turn}. You sealed them "
    "{early} before the date of turn {settled_in}, so they came too late, or clocks differ"
)
_PERHAPS_LATE_GONE_ORDERS: Final = TerminalText(
    "turn {settled_in} does not list your orders[[ {digits}]] for turn {turn}, and their file is "
    "gone. You sealed them {early} before the date of turn {settled_in}, so they came too late, or "
    "clocks differ"
)
_PROMPT_ORDERS: Final = TerminalText(
    "as far as this computer can tell, your orders[[ {digits}]] for turn {turn} were in "
    "time: you sealed them at {sealed_at}, {early} before the date of turn {settled_in}. "
    "But turn {settled_in} does not list them. If you sent them before that date, ask "
    "{maker} why"
)
_PROMPT_GONE_ORDERS: Final = TerminalText(
    "as far as this computer can tell, your orders[[ {digits}]] for turn {turn} were in "
    "time: you sealed them at {sealed_at}, {early} before the date of turn {settled_in}. "
    "But their file is gone, and turn {settled_in} does not list them. If you sent them "
    "before that date, ask {maker} why"
)


def explain_fate(fate: OrderFate) -> str:
    """Say what happened to an uncounted set of orders, and whom to ask."""
    orders, sealed_at = fate.orders, fate.sealed_at
    fields: dict[str, object] = {"digits": orders.id[:6], "turn": orders.turn}
    fields |= {"settled_in": fate.settling_turn, "maker": fate.maker}
    if sealed_at is None:
        return _UNSEALED_ORDERS.format(**fields)
    if sealed_at >= fate.settled_at:
        return _LATE_ORDERS.format(**fields)
    if fate.should_ask:
        template = _PROMPT_GONE_ORDERS if fate.is_gone else _PROMPT_ORDERS
    else:
        template = _PERHAPS_LATE_GONE_ORDERS if fate.is_gone else _PERHAPS_LATE_ORDERS
    fields |= {"sealed_at": utc_time(sealed_at), "early": span(fate.settled_at - sealed_at)}
    return template.format(**fields)


_DROPPED_NOTICE: Final = (
    "you signed a notice ({about}) {early} before the date of turn {turn}, but no turn lists the "
    "notice. If you sent the notice before that date, ask {maker} why"
)
_UNSEATED: Final = (
    "you joined {early} before the date of turn 1, but turn 1 does not name your join: ask "
    "{referee} why"
)
_DATED_AHEAD: Final = (
    "turn {turn} was in this folder at {seen_at}, but its date is {ahead} later. If your clock "
    "is right, ask {maker} why"
)
_DATED_BEFORE_ARRIVAL: Final = (
    "turn {turn} was not in this folder at {seen_at}, but its date is {early} earlier. Slow mail "
    "or sync can be the cause; if your mail and sync are quick, ask {maker} why"
)


def explain_dropped_notice(notice: DroppedNotice, maker: str) -> str:
    """Say that no turn lists a notice; `maker` made the turn that should have listed it."""
    return _DROPPED_NOTICE.format(
        about=notice.kind, early=span(notice.seconds_early), turn=notice.turn, maker=maker
    )


def explain_unseated(unseated: Unseated, referee: str) -> str:
    """Say that turn 1 does not name a join."""
    return _UNSEATED.format(early=span(unseated.seconds_early), referee=referee)


def explain_implausible_date(sighting: Sighting, maker: str) -> str:
    """Say how a turn's date differs from this machine's clock; `maker` made the turn."""
    turn, seen_at, seconds = sighting.turn, utc_time(sighting.seen_at), sighting.seconds
    if seconds < 0:
        return _DATED_AHEAD.format(turn=turn, ahead=span(-seconds), seen_at=seen_at, maker=maker)
    return _DATED_BEFORE_ARRIVAL.format(
        turn=turn, early=span(seconds), seen_at=seen_at, maker=maker
    )
