"""Time zones, by their names in the time zone data."""

from __future__ import annotations

from datetime import UTC, tzinfo
from typing import Final

from pbem.text.dates import HOUR

UTC_NAME: Final = "UTC"

EASTERNMOST: Final = 14 * HOUR
"""By how many seconds the clocks of any time zone are ahead of UTC at most."""
WESTERNMOST: Final = 12 * HOUR
"""By how many seconds the clocks of any time zone are behind UTC at most."""

ZONE_SLACK_SECONDS: Final = 3 * HOUR
"""By how many seconds two versions of time zone data may differ for one place and moment:
governments change clocks, sometimes a few days ahead. Deadlines in UTC are checked exactly."""
UNKNOWN_ZONE_SLACK_SECONDS: Final = 15 * HOUR
"""The slack if this machine does not know the zone and computes in UTC."""


def zone_named(name: str) -> bool:
    """Return whether a time zone has exactly this name, with its capital letters."""
    from zoneinfo import available_timezones

    return name == "UTC" or name in available_timezones()


def zones_like(name: str) -> list[str]:
    """Return up to three names of time zones that are similar to this one."""
    import difflib
    from zoneinfo import available_timezones

    zone_by_lower_name = {zone.lower(): zone for zone in available_timezones() if "/" in zone}
    city = name.lower().rpartition("/")[2]
    city_names = sorted(n for n in zone_by_lower_name if n.endswith(f"/{city}"))
    names = city_names or difflib.get_close_matches(name.lower(), zone_by_lower_name)
    return [zone_by_lower_name[n] for n in names[:3]]


def zone_of(name: str) -> tzinfo | None:
    """Return the time zone of this name; None if this machine does not know it."""
    if name == "UTC":
        return UTC
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (LookupError, ValueError, OSError):  # no such zone, or its name is a folder
        return None
