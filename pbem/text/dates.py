"""Dates and spans of time in words, and what a machine's clock says against a turn's date."""

from __future__ import annotations

from datetime import UTC, datetime


def date(seconds: int) -> str:
    """`2026-11-21 20:00 UTC`; a time that no calendar has is given in seconds."""
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")
    except (ValueError, OverflowError, OSError):
        return f"{seconds} seconds after 1970"


def span(seconds: int) -> str:
    """`5 minutes`, `47 hours`, `12 days`: the largest unit that leaves two or more."""
    for unit, size in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}s"
    return "an hour" if seconds >= 3600 else "a minute"


def odd_time(turn: int, seconds: int, seen: int, referee: str) -> str:
    """What this machine's clock says against a turn's date.

    ``seconds`` is how long before it came here the turn is dated, negative if it is dated ahead;
    ``seen`` is when this machine last looked before that, in seconds since 1970.
    """
    if seconds < 0:
        told = f"turn {turn} is dated {span(-seconds)} ahead of this machine's clock"
        return f"{told} (it was here at {date(seen)}): ask {referee}, if your clock is right"
    told = f"turn {turn} is dated {span(seconds)} before it came here"
    here = f"it was not here at {date(seen)}"
    return f"{told} ({here}): a slow mail or folder does that; if yours is quick, ask {referee}"
