"""Read a deadline rule in plain words, such as `every day 20:00 Europe/Berlin, grace 2h`.

    never
    48h                3 days             90 minutes
    every day 20:00 Europe/Berlin         every day 20:00 Europe/Berlin except sat sun
    mon wed fri 18:00 UTC, at least 12h, grace 2h

`at least`: moments that come sooner than this after a turn are skipped. `grace`: silence counts
only when this time has also passed. Case, commas and full names of days make no difference.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from pbem.frozen import frozen

DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
MINUTE, HOUR, DAY, WEEK = 60, 3600, 86400, 604800
LONGEST: Final = 400 * DAY
"""The longest span that a rule may name, in seconds."""
LONGEST_TEXT: Final = 200
"""The most characters of a rule."""
UTC: Final = "UTC"

_UNITS: Final = {"m": MINUTE, "h": HOUR, "d": DAY, "w": WEEK}
_SPAN: Final = re.compile(
    r"([0-9]{1,5}) ?(m|min|minutes?|h|hours?|d|days?|w|weeks?)(?![a-z0-9])", re.IGNORECASE
)
_TIME: Final = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])")
_ZONE: Final = re.compile(r"(?!(?:posix|right)/)[A-Za-z]+(?:/[A-Za-z][A-Za-z0-9_+-]*){1,2}")
FORMS: Final = (
    "write '48h', '3 days', 'every day 20:00 Europe/Berlin except sat sun', 'mon wed fri "
    "18:00 UTC' or 'never'; you may add 'at least 12h' and 'grace 2h'"
)


@frozen
class DeadlineRule:
    """A deadline rule: never, some time after the turn, or at certain times on certain days."""

    span: int = 0
    """Seconds after the turn; 0 = never, or on certain days."""
    days: tuple[str, ...] = ()
    """The days of the week that have a deadline, from `mon`; empty = not on certain days."""
    hour: int = 0
    minute: int = 0
    zone: str = UTC
    """The name of the time zone, such as `Europe/Berlin`."""
    least: int = 0
    """For certain days: the shortest time to answer, in seconds."""
    grace: int = 0
    """For how many seconds after the deadline orders still count."""

    @property
    def never(self) -> bool:
        """Whether the rule gives no deadline."""
        return not self.span and not self.days

    @property
    def exact(self) -> bool:
        """Whether the deadline is the same on every machine, even if time zone data differs."""
        return not self.days or self.zone == UTC

    @property
    def words(self) -> str:
        """The rule in its standard form, as charters contain it."""
        if self.never:
            return "never"
        least = [f"at least {span_words(self.least)}"] if self.least else []
        grace = [f"grace {span_words(self.grace)}"] if self.grace else []
        return ", ".join([self._moment(), *least, *grace])

    def _moment(self) -> str:
        if self.span:
            return span_words(self.span)
        at = f"{self.hour:02}:{self.minute:02} {self.zone}"
        missing = [day for day in DAYS if day not in self.days]
        if len(missing) > 3:
            return f"{' '.join(self.days)} {at}"
        return f"every day {at}" + (f" except {' '.join(missing)}" if missing else "")


def span_words(seconds: int) -> str:
    """Write a span as rules write it: `48h`, `3 days`, `90 minutes`."""
    if seconds % DAY == 0 and seconds > 2 * DAY:
        return f"{seconds // DAY} days"
    if seconds % HOUR == 0:
        return f"{seconds // HOUR}h"
    minutes = seconds // MINUTE
    return f"{minutes} minute{'s' * (minutes != 1)}"


@lru_cache(64)
def read_rule(text: str) -> DeadlineRule:
    """Read a rule. Raises ValueError with a sentence that says what is wrong.

    It does not check whether this machine knows the time zone; `next_deadline` does.
    """
    if len(text) > LONGEST_TEXT:
        raise ValueError(f"a deadline has at most {LONGEST_TEXT} characters")
    return _Reader(text).rule()


def read_span(text: str) -> int:
    """Read a span such as `2h` or `3 days`; return it in seconds. Raises ValueError."""
    found = _SPAN.fullmatch(text.strip())
    if not found:
        raise ValueError(f"{text!r} is not a span of time: write 2h, 90 minutes or 3 days")
    return _seconds(found)


def _seconds(found: re.Match[str]) -> int:
    span = int(found[1]) * _UNITS[found[2][0].lower()]
    if span > LONGEST:
        raise ValueError(f"{found[0]} is too long: the maximum is {LONGEST // DAY} days")
    return span


class _Reader:
    """Reads the words of one rule from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.rest = " ".join(text.replace(",", " ").split())

    def rule(self) -> DeadlineRule:
        rule = self._base()
        while self.rest:
            if self._word("at least") and not rule.least and rule.days:
                rule = replace(rule, least=self._span())
            elif self._word("grace") and not rule.grace and not rule.never:
                rule = replace(rule, grace=self._span())
            else:
                raise self._wrong()
        return rule

    def _base(self) -> DeadlineRule:
        if self._word("never"):
            return DeadlineRule()
        if _SPAN.match(self.rest):
            return DeadlineRule(span=self._span())
        days = DAYS if self._word("every day") else self._days()
        if not days:
            raise self._wrong()
        at = self._match(_TIME)
        zone = self._zone()
        if self._word("except"):
            off = self._days()
            days = tuple(day for day in days if day not in off)
            if not off or not days:
                raise self._wrong()
        return DeadlineRule(days=days, hour=int(at[1]), minute=int(at[2]), zone=zone)

    def _days(self) -> tuple[str, ...]:
        """Read days of the week, if they come next; returns them in the order of the week."""
        found = set[str]()
        while (word := self.rest.partition(" ")[0].lower()) and word[:3] in DAYS:
            if word not in _NAMES[word[:3]]:
                break
            found.add(word[:3])
            self.rest = self.rest[len(word) :].lstrip()
        return tuple(day for day in DAYS if day in found)

    def _zone(self) -> str:
        return UTC if self._word("utc") else self._match(_ZONE)[0]

    def _span(self) -> int:
        span = _seconds(self._match(_SPAN))
        if not span:
            raise self._wrong()
        return span

    def _match(self, form: re.Pattern[str]) -> re.Match[str]:
        """Read the next words, which must have this form. Raises ValueError."""
        found = form.match(self.rest)
        if not found or self.rest[found.end() :][:1] not in ("", " "):
            raise self._wrong()
        self.rest = self.rest[found.end() :].lstrip()
        return found

    def _word(self, wanted: str) -> bool:
        """Read this word if it comes next, and return whether it did."""
        if f"{self.rest} ".lower().startswith(f"{wanted} "):
            self.rest = self.rest[len(wanted) :].lstrip()
            return True
        return False

    def _wrong(self) -> ValueError:
        where = f" (at {self.rest!r})" if self.rest and self.rest != self.text else ""
        hint = f"write {self.text}h" if self.text.isdecimal() else FORMS
        return ValueError(f"{self.text!r} is not a deadline{where}: {hint}")


_FULL: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NAMES: Final = {
    name[:3]: {name[:3], name, f"{name}s", *({name[:4]} if name[0] == "t" else ())}
    for name in _FULL
}


def days_of(rule: DeadlineRule) -> Sequence[int]:
    """Return the rule's days of the week as numbers; 0 = Monday."""
    return [DAYS.index(day) for day in rule.days]
