"""Find the deadline that a rule gives after a turn, and check the deadline that a turn names.

Time zone data differs between machines: governments change clocks, sometimes a few days ahead. So a
deadline in UTC is checked exactly; one in another zone may differ by `SLACK` from what this machine
computes (docs/protocol.md, *Deadlines*).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

from pbem.play.calendar.deadline_rule import HOUR, DeadlineRule, days_of

SLACK: Final = 3 * HOUR
"""By how many seconds two versions of time zone data may differ for one place and moment."""
UNKNOWN_SLACK: Final = 15 * HOUR
"""The slack if this machine does not know the zone and computes in UTC."""


def zone_named(name: str) -> bool:
    """Return whether a time zone has exactly this name, with its capital letters."""
    from zoneinfo import available_timezones

    return name == "UTC" or name in available_timezones()


def zones_like(name: str) -> list[str]:
    """Return up to three names of time zones that are similar to this one."""
    import difflib
    from zoneinfo import available_timezones

    known = {zone.lower(): zone for zone in available_timezones() if "/" in zone}
    city = name.lower().rpartition("/")[2]
    same = sorted(zone for low, zone in known.items() if low.endswith(f"/{city}"))
    return (same or [known[z] for z in difflib.get_close_matches(name.lower(), known)])[:3]


def _zone(name: str) -> tzinfo | None:
    if name == "UTC":
        return UTC
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (LookupError, ValueError, OSError):  # no such zone, or its name is a folder
        return None


def next_deadline(rule: DeadlineRule, time: int) -> int:
    """Return when silence begins to count after a turn made at `time`: the deadline and its grace.

    The result is in seconds since 1970 UTC; 0 = never. Raises ValueError if this machine does not
    know the time zone, or if the calendar ends before there is such a moment.
    """
    if rule.never:
        return 0
    if rule.span:
        return time + rule.span + rule.grace
    zone = _zone(rule.zone)
    if zone is None:
        raise ValueError(f"this machine does not know the time zone {rule.zone}: update tzdata")
    for moment in _moments(rule, time, zone):
        if moment > time and moment >= time + rule.least:
            return moment + rule.grace
    raise ValueError("there is no such moment in the calendar")


def may_be_deadline(rule: DeadlineRule, time: int, named: int) -> bool:
    """Return whether `next_deadline` could give `named` with different time zone data."""
    zone = _zone(rule.zone)
    if rule.exact:
        try:
            return named == next_deadline(rule, time)
        except ValueError:
            return False
    slack, first = SLACK if zone else UNKNOWN_SLACK, max(time + 1, time + rule.least)
    moment = named - rule.grace
    if moment < first:
        return False
    for here in _moments(rule, time, zone or UTC):
        if abs(moment - here) <= slack:
            return True
        if here - slack >= first:  # no machine can have skipped this moment
            return False
    return False


def _moments(rule: DeadlineRule, time: int, zone: tzinfo) -> Iterator[int]:
    """Yield the rule's moments in rising order, until the calendar ends.

    The first is about a day before `time` plus the minimum time to answer.

    If clocks go forward and skip a moment, the moment moves forward too. If clocks go back and a
    moment occurs twice, the first one counts (PEP 495, fold 0).
    """
    on = days_of(rule)
    try:
        day = datetime.fromtimestamp(time + rule.least, zone).date() - timedelta(days=1)
        while True:
            if day.weekday() in on:
                wall = datetime(day.year, day.month, day.day, rule.hour, rule.minute, tzinfo=zone)
                yield int(wall.timestamp())
            day += timedelta(days=1)
    except (OverflowError, ValueError, OSError):
        return  # the calendar ends at the year 10000
