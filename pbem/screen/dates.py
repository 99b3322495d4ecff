"""Dates and spans of time in words, and what a machine's clock says against a turn's date."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.storage.machine_memory import Sighting


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


def odd_time(one: Sighting, referee: str) -> str:
    """What this machine saw of a turn whose date does not fit."""
    if one.seconds < 0:
        told = f"turn {one.turn} is dated {span(-one.seconds)} ahead of this machine's clock"
        return f"{told} (it was here at {date(one.when)}): ask {referee}, if your clock is right"
    told = f"turn {one.turn} is dated {span(one.seconds)} before it came here"
    seen = f"it was not here at {date(one.when)}"
    return f"{told} ({seen}): a slow mail or folder does that; if yours is quick, ask {referee}"
