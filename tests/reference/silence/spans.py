"""Rules for deadlines, in UTC only: `24h`, `3 days`, `every day 20:00 UTC`, `48h, grace 2h`."""

import re
from datetime import UTC, datetime, timedelta

UNITS = {"m": 60, "h": 3600, "d": 86_400, "w": 604_800}
HOUR, DAY = 3600, 86_400
NEVER = 0


def span_seconds(span: str) -> int:
    """Return the seconds of a span such as `24h` or `3 days`."""
    found = re.fullmatch(r"(\d+) ?([mhdw])[a-z]*", span.strip())
    assert found, span
    return int(found[1]) * UNITS[found[2]]


def silence_at(rule: str, time: int) -> int:
    """Return when silence counts after a turn of this time, with the grace."""
    if not rule or rule == "never":
        return NEVER
    rule, _, grace = rule.partition(", grace ")
    late = span_seconds(grace) if grace else 0
    moment = re.fullmatch(r"every day (\d\d):(\d\d) UTC(?:,? at least (.+))?", rule)
    if not moment:
        return time + span_seconds(rule) + late
    least = span_seconds(moment[3]) if moment[3] else 12 * HOUR
    day = datetime.fromtimestamp(time, UTC).replace(
        hour=int(moment[1]), minute=int(moment[2]), second=0
    )
    while day.timestamp() <= time or day.timestamp() - least < time:
        day += timedelta(days=1)
    return int(day.timestamp()) + late


def is_in_form(rule: str) -> bool:
    """Whether a rule of those in these games is written as `pbem` writes it into records."""
    return rule in ("", "never", "12h", "24h", "48h", "30h", "3 days", "every day 20:00 UTC")
