"""Dates and spans of time: write them in words, and read them as people type them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from typing import Final

DateWriter = Callable[[int], str]
"""A function that writes a date, which it gets in seconds since 1970."""

WEEKDAYS: Final = {
    "mon": "Monday", "tue": "Tuesday", "wed": "Wednesday", "thu": "Thursday", "fri": "Friday",
    "sat": "Saturday", "sun": "Sunday",
}  # fmt: skip
DAYS: Final = tuple(WEEKDAYS)
"""The short names of the days of the week."""
LATEST: Final = 253_402_300_799
"""The last second that a date may have: the end of the year 9999, in seconds since 1970 UTC."""


def utc_time(seconds: int) -> str:
    """Write a date as `2026-11-21 20:00 UTC`, or in seconds if no calendar covers it."""
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")
    except (ValueError, OverflowError, OSError):
        return f"{seconds} seconds after 1970"


def span(seconds: int) -> str:
    """Write a span as `5 minutes`, `47 hours` or `12 days`: in the largest unit of at least two."""
    for unit, size in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}s"
    return "an hour" if seconds >= 3600 else "a minute"


def utc_date(seconds: int) -> str:
    """Write a date as `Wed 2026-11-25 20:00 UTC`, for people in any time zone."""
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%a %Y-%m-%d %H:%M UTC")
    except (ValueError, OverflowError, OSError):
        return utc_time(seconds)


def local_date(seconds: int) -> str:
    """Write a date as `Wed 2026-11-25 21:00 CET (20:00 UTC)`: in this machine's zone and in UTC."""
    try:
        local_time = datetime.fromtimestamp(seconds, UTC).astimezone()
    except (ValueError, OverflowError, OSError):
        return utc_time(seconds)
    if not local_time.utcoffset():
        return utc_date(seconds)
    name = local_time.tzname() or ""
    is_short_word = name.isascii() and name.isalpha() and len(name) <= 5
    zone = name if is_short_word else local_time.strftime("%z")
    time_in_utc = local_time.astimezone(UTC)
    is_same_day = time_in_utc.date() == local_time.date()
    utc_text = time_in_utc.strftime("%H:%M UTC" if is_same_day else "%a %Y-%m-%d %H:%M UTC")
    return f"{local_time:%a %Y-%m-%d %H:%M} {zone} ({utc_text})"


def moment(seconds: int, now: int, date_writer: DateWriter = local_date) -> str:
    """Write a moment as `Wed 2026-11-25 21:00 CET (20:00 UTC), in 5 hours`; UTC appears only
    once. `date_writer` writes the date."""
    distance = f"in {span(seconds - now)}" if seconds > now else f"{span(now - seconds)} ago"
    distance = "now" if 0 <= now - seconds < 60 else distance
    return f"{date_writer(seconds)}, {distance}"


def date_in(zone: tzinfo | None, seconds: int) -> str:
    """Write a date as `Wed 25 Nov 2026, 21:00 CET`: in this zone, or in this machine's if it is
    None."""
    try:
        local_time = datetime.fromtimestamp(seconds, UTC).astimezone(zone)
    except (ValueError, OverflowError, OSError):
        return utc_time(seconds)
    zone_name = local_time.tzname() or local_time.strftime("%z")
    return f"{local_time:%a} {local_time.day} {local_time:%b %Y, %H:%M} {zone_name}"


def read_time(text: str) -> int:
    """Read seconds since 1970, or an ISO time (UTC if it names no offset). Raises ValueError."""
    if text.isascii() and text.isdecimal():
        seconds = int(text)
    else:
        time = datetime.fromisoformat(text)
        seconds = int((time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp())
    if not 0 <= seconds <= LATEST:
        raise ValueError(f"{text!r} is not between the years 1970 and 9999")
    return seconds


MINUTE, HOUR, DAY, WEEK = 60, 3600, 86400, 604800
