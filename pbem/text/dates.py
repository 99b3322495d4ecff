"""Dates and spans of time in words, and how a turn's date compares with a machine's clock."""

from __future__ import annotations

from datetime import UTC, datetime


def date(seconds: int) -> str:
    """A date as `2026-11-21 20:00 UTC`; a time beyond every calendar is given in seconds."""
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")
    except (ValueError, OverflowError, OSError):
        return f"{seconds} seconds after 1970"


def span(seconds: int) -> str:
    """A span as `5 minutes`, `47 hours`, `12 days`: in the largest unit of at least two."""
    for unit, size in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}s"
    return "an hour" if seconds >= 3600 else "a minute"


def odd_time(turn: int, seconds: int, seen: int, referee: str) -> str:
    """Compare a turn's date with this machine's clock, in words.

    ``seconds`` is how long before its arrival the turn is dated, negative if it is dated ahead of
    the clock; ``seen`` is when this machine last looked before that, in seconds since 1970.
    """
    if seconds < 0:
        told = f"turn {turn} is dated {span(-seconds)} ahead of this machine's clock"
        return f"{told} (it was here at {date(seen)}): if your clock is right, ask {referee} why"
    told = f"turn {turn} is dated {span(seconds)} before it came here"
    here = f"it was not here at {date(seen)}"
    return (
        f"{told} ({here}): slow mail or sync can cause that; if yours is quick, ask {referee} why"
    )
