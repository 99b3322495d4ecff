"""Deadline rules in words, such as `3 days`, and the dates that follow from them (protocol §5)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Final

from engine.value_classes import Value
from pbem.format.record_error import RecordError
from pbem.text.dates import DAY, DAYS, HOUR, MINUTE, WEEK, WEEKDAYS, utc_date
from pbem.text.time_zones import (
    EASTERNMOST,
    UNKNOWN_ZONE_SLACK_SECONDS,
    UTC_NAME,
    WESTERNMOST,
    ZONE_SLACK_SECONDS,
    zone_of,
)

MAX_SPAN_SECONDS: Final = 400 * DAY
"""The longest span that a rule may name, in seconds."""
MAX_RULE_CHARACTERS: Final = 200
"""The most characters of a rule."""

_UNITS: Final = {"m": MINUTE, "h": HOUR, "d": DAY, "w": WEEK}
_SPAN: Final = re.compile(
    r"([0-9]{1,5}) ?(m|min|minutes?|h|hours?|d|days?|w|weeks?)(?![a-z0-9])", re.IGNORECASE
)
_TIME: Final = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])")
_ZONE: Final = re.compile(r"(?!(?:posix|right)/)[A-Za-z]+(?:/[A-Za-z][A-Za-z0-9_+-]*){1,2}")
FORMS: Final = (
    "write '48h', '3 days', 'every day 20:00 Europe/Berlin except sat sun', 'mon wed fri "
    "18:00 UTC' or 'never'; you may add 'at least 12h' (the shortest time to answer) and 'grace "
    "2h' (orders count for 2 more hours)"
)


class DeadlineRule(Value):
    """A deadline rule: never, some time after the turn, or at certain times on certain days."""

    span: int = 0
    """Seconds after the turn; 0 = never, or on certain days."""
    days: tuple[str, ...] = ()
    """The days of the week that have a deadline, from `mon`; empty = not on certain days."""
    hour: int = 0
    minute: int = 0
    zone: str = UTC_NAME
    """The name of the time zone, such as `Europe/Berlin`."""
    least: int = 0
    """For certain days: the shortest time to answer, in seconds."""
    grace: int = 0
    """For how many seconds after the deadline orders still count."""

    @property
    def is_never(self) -> bool:
        """Whether the rule gives no deadline."""
        return not self.span and not self.days

    @property
    def is_exact(self) -> bool:
        """Whether the deadline is the same on every machine, even if time zone data differs."""
        return not self.days or self.zone == UTC_NAME

    @property
    def words(self) -> str:
        """The rule in standard form, as charters contain it."""
        if self.is_never:
            return "never"
        least_words = [f"at least {span_words(self.least)}"] if self.least else []
        grace_words = [f"grace {span_words(self.grace)}"] if self.grace else []
        excluded_days = [day for day in DAYS if day not in self.days]
        moment_words = f"{' '.join(self.days)} {self.hour:02}:{self.minute:02} {self.zone}"
        if self.span:
            moment_words = span_words(self.span)
        elif len(excluded_days) <= 3:
            moment_words = f"every day {self.hour:02}:{self.minute:02} {self.zone}"
            moment_words += f" except {' '.join(excluded_days)}" if excluded_days else ""
        return ", ".join([moment_words, *least_words, *grace_words])

    # -------------------------------------------------------------- the moments that it gives
    def deadline(self, time: int) -> int:
        """Return when silence begins to count after a turn made at `time`, with the grace, in
        seconds since 1970 UTC; 0 = never. Raises RecordError `field` if this machine cannot work it
        out."""
        if self.is_never:
            return 0
        if self.span:
            return time + self.span + self.grace
        zone, reason = zone_of(self.zone), "this deadline would be after the end of the calendar"
        if zone is None:
            reason = f"this computer does not know the time zone {self.zone}: update tzdata"
        for moment in self._moments(time, zone) if zone else ():
            if moment > time and moment >= time + self.least:
                return moment + self.grace
        raise RecordError("field", f"deadline: {reason}")

    def certain_deadline(self, time: int) -> int:
        """Return a time at which the first deadline after `time` has passed, the same on every
        machine; 0 = never. It is that deadline itself, unless time zone data decides. Raises
        RecordError `field`."""
        if self.is_exact:
            return self.deadline(time)
        # the deadline in UTC, put off by more than any time zone can move it
        return replace(self, zone=UTC_NAME).deadline(time + EASTERNMOST) + WESTERNMOST

    def may_give(self, named_deadline: int, time: int) -> bool:
        """Return whether other time zone data could give `named_deadline`, which a turn made at
        `time` names, for that turn. A rule in UTC allows only the exact deadline."""
        if self.is_exact:
            try:
                return named_deadline == self.deadline(time)
            except RecordError:
                return False
        zone = zone_of(self.zone)
        slack_seconds = ZONE_SLACK_SECONDS if zone else UNKNOWN_ZONE_SLACK_SECONDS
        first_moment = max(time + 1, time + self.least)
        moment = named_deadline - self.grace
        if moment < first_moment:
            return False
        for local_moment in self._moments(time, zone or UTC):
            if abs(moment - local_moment) <= slack_seconds:
                return True
            if local_moment - slack_seconds >= first_moment:
                return False  # no machine can have skipped this moment
        return False

    def _moments(self, time: int, zone: tzinfo) -> Iterator[int]:
        """Yield the rule's moments, from a day before `time` plus the shortest time to answer.

        A moment that clocks skip moves forward; of one that occurs twice, the first counts (PEP
        495, fold 0).
        """
        try:
            day = datetime.fromtimestamp(time + self.least, zone).date() - timedelta(days=1)
            while True:
                if DAYS[day.weekday()] in self.days:
                    wall_time = datetime(
                        day.year, day.month, day.day, self.hour, self.minute, tzinfo=zone
                    )
                    yield int(wall_time.timestamp())
                day += timedelta(days=1)
        except (OverflowError, ValueError, OSError):
            return  # the calendar ends at the year 10000

    def zone_data_warnings(self, named_deadline: int, time: int) -> list[str]:
        """Return a sentence, in a list, if this machine's time zone data gives a different deadline
        from the one that a correct turn names."""
        if self.is_exact:
            return []
        try:
            local_deadline = self.deadline(time)
        except RecordError as error:
            return [error.sentence]
        if local_deadline == named_deadline:
            return []
        clause = f"the turn has the deadline {utc_date(named_deadline)}, but this computer "
        clause += f"computes {utc_date(local_deadline)}"
        if self.may_give(named_deadline, time):
            return [f"{clause}: its time zone data differs (update tzdata)"]
        verdict = "old time zone data does not explain this, so the audit calls this turn broken"
        return [f"{clause}: {verdict}"]


def span_words(seconds: int) -> str:
    """Write a span as rules write it: `48h`, `3 days`, `90 minutes`."""
    if seconds % DAY == 0 and seconds > 2 * DAY:
        return f"{seconds // DAY} days"
    if seconds % HOUR == 0:
        return f"{seconds // HOUR}h"
    minutes = seconds // MINUTE
    return f"{minutes} minute{'s' * (minutes != 1)}"


class RuleError(ValueError):
    """A rule that cannot be read: the `problem`, and what to write instead, if that is known."""

    def __init__(self, problem: str, remedy: str = "") -> None:
        super().__init__(f"{problem}: {remedy}" if remedy else problem)
        self.problem = problem


@lru_cache(64)
def read_rule(text: str) -> DeadlineRule:
    """Read a rule; the time zone may be unknown here. Raises RuleError."""
    if len(text) > MAX_RULE_CHARACTERS:
        raise RuleError(f"a deadline has at most {MAX_RULE_CHARACTERS} characters")
    return _Reader(text).rule()


def read_span(text: str) -> int:
    """Read a span such as `2h` or `3 days`; return it in seconds. Raises ValueError."""
    match = _SPAN.fullmatch(text.strip())
    if not match:
        raise ValueError(f"{text!r} is not a span of time: write 2h, 90 minutes or 3 days")
    return _seconds(match)


def _seconds(match: re.Match[str]) -> int:
    span = int(match[1]) * _UNITS[match[2][0].lower()]
    if span > MAX_SPAN_SECONDS:
        maximum = f"the maximum is {MAX_SPAN_SECONDS // DAY} days"
        raise RuleError(f"{match[0]} is too long", maximum)
    return span


class _Reader:
    """Reads the words of one rule from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.remaining_text = " ".join(text.replace(",", " ").split())

    def rule(self) -> DeadlineRule:
        """Read the whole rule. Raises ValueError, with the place where it cannot be read."""
        if self._word("never"):
            rule = DeadlineRule()
        elif _SPAN.match(self.remaining_text):
            rule = DeadlineRule(span=self._span())
        else:
            rule = self._on_days()
        while self.remaining_text:
            if rule.days and not rule.least and self._word("at least"):
                rule = replace(rule, least=self._span())
            elif not rule.is_never and not rule.grace and self._word("grace"):
                rule = replace(rule, grace=self._span())
            else:
                raise self._error()
        return rule

    def _on_days(self) -> DeadlineRule:
        """Read days, time and zone: `mon wed 18:00 UTC`, `every day 20:00 Europe/Berlin except
        sat`. Raises ValueError."""
        days = DAYS if self._word("every day") else self._days()
        if not days:
            raise self._error()
        time = self._match(_TIME)
        zone = UTC_NAME if self._word("utc") else self._match(_ZONE)[0]
        if self._word("except"):
            excluded_days = self._days()
            days = tuple(day for day in days if day not in excluded_days)
            if not excluded_days or not days:
                raise self._error()
        return DeadlineRule(days=days, hour=int(time[1]), minute=int(time[2]), zone=zone)

    def _days(self) -> tuple[str, ...]:
        """Read names of days, short or long, as far as they go; return their short names in the
        order of the week."""
        days = set[str]()
        while (word := self.remaining_text.partition(" ")[0].lower()) and word[:3] in DAYS:
            name = WEEKDAYS[word[:3]].lower()
            # "tues" and "thur" are common, "mond" is not
            if word not in {name[:3], name, f"{name}s", *({name[:4]} if name[0] == "t" else ())}:
                break
            days.add(word[:3])
            self.remaining_text = self.remaining_text[len(word) :].lstrip()
        return tuple(day for day in DAYS if day in days)

    def _span(self) -> int:
        span = _seconds(self._match(_SPAN))
        if not span:
            raise self._error()
        return span

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str]:
        match = pattern.match(self.remaining_text)
        if not match or self.remaining_text[match.end() :][:1] not in ("", " "):
            raise self._error()
        self.remaining_text = self.remaining_text[match.end() :].lstrip()
        return match

    def _word(self, expected_words: str) -> bool:
        if f"{self.remaining_text} ".lower().startswith(f"{expected_words} "):
            self.remaining_text = self.remaining_text[len(expected_words) :].lstrip()
            return True
        return False

    def _error(self) -> RuleError:
        remaining = self.remaining_text
        location = f" (at {remaining!r})" if remaining and remaining != self.text else ""
        hint = f"write {self.text}h" if self.text.isdecimal() else FORMS
        return RuleError(f"{self.text!r} is not a deadline{location}", hint)
