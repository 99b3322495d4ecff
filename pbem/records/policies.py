"""The charter's policies: rules about time and silence, and when a turn is due (protocol §5)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cached_property, lru_cache
from typing import Any, Final

from engine.values import Value
from pbem.format.canonical import RecordError
from pbem.text.dates import DAYS, WEEKDAYS, utc_date

# ---- a rule in words

MINUTE, HOUR, DAY, WEEK = 60, 3600, 86400, 604800
LONGEST: Final = 400 * DAY
"""The longest span that a rule may name, in seconds."""
LONGEST_TEXT: Final = 200
"""The most characters of a rule."""
UTC_NAME: Final = "UTC"

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
    def never(self) -> bool:
        """Whether the rule gives no deadline."""
        return not self.span and not self.days

    @property
    def exact(self) -> bool:
        """Whether the deadline is the same on every machine, even if time zone data differs."""
        return not self.days or self.zone == UTC_NAME

    @property
    def words(self) -> str:
        """The rule in its standard form, as charters contain it."""
        if self.never:
            return "never"
        least = [f"at least {span_words(self.least)}"] if self.least else []
        grace = [f"grace {span_words(self.grace)}"] if self.grace else []
        missing = [day for day in DAYS if day not in self.days]
        when = f"{' '.join(self.days)} {self.hour:02}:{self.minute:02} {self.zone}"
        if self.span:
            when = span_words(self.span)
        elif len(missing) <= 3:
            when = f"every day {self.hour:02}:{self.minute:02} {self.zone}"
            when += f" except {' '.join(missing)}" if missing else ""
        return ", ".join([when, *least, *grace])

    # -------------------------------------------------------------- the moments that it gives
    def deadline(self, time: int) -> int:
        """Return when silence begins to count after a turn made at `time`, with the grace, in
        seconds since 1970 UTC; 0 = never. Raises RecordError `field` if this machine cannot work it
        out."""
        if self.never:
            return 0
        if self.span:
            return time + self.span + self.grace
        zone, told = zone_of(self.zone), "there is no such moment in the calendar"
        if zone is None:
            told = f"this machine does not know the time zone {self.zone}: update tzdata"
        for moment in self._moments(time, zone) if zone else ():
            if moment > time and moment >= time + self.least:
                return moment + self.grace
        raise RecordError("field", f"deadline: {told}")

    def certain_deadline(self, time: int) -> int:
        """Return a time at which the first deadline after `time` has passed, the same on every
        machine; 0 = never. It is that deadline itself, unless time zone data decides. Raises
        RecordError `field`."""
        if self.exact:
            return self.deadline(time)
        return replace(self, zone=UTC_NAME).deadline(time + EASTERNMOST) + WESTERNMOST

    def may_give(self, named: int, time: int) -> bool:
        """Return whether `deadline` could be `named` with different time zone data."""
        if self.exact:
            try:
                return named == self.deadline(time)
            except RecordError:
                return False
        zone = zone_of(self.zone)
        slack, first = SLACK if zone else UNKNOWN_SLACK, max(time + 1, time + self.least)
        moment = named - self.grace
        if moment < first:
            return False
        for here in self._moments(time, zone or UTC):
            if abs(moment - here) <= slack:
                return True
            if here - slack >= first:  # no machine can have skipped this moment
                return False
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
                    wall = datetime(
                        day.year, day.month, day.day, self.hour, self.minute, tzinfo=zone
                    )
                    yield int(wall.timestamp())
                day += timedelta(days=1)
        except (OverflowError, ValueError, OSError):
            return  # the calendar ends at the year 10000

    def other_zone_data(self, named: int, time: int) -> list[str]:
        """Return a sentence, in a list, if this machine's time zone data gives a different deadline
        from the one that a correct turn names."""
        if self.exact:
            return []
        try:
            here = self.deadline(time)
        except RecordError as error:
            return [error.sentence]
        if here == named:
            return []
        told = f"the deadline is {utc_date(named)}, as the referee signed it; this machine computes"
        if self.may_give(named, time):
            return [f"{told} {utc_date(here)}: the time zone data differs (update tzdata)"]
        wrong = "time zone data cannot differ by so much, so pbem audit calls this turn broken"
        return [f"{told} {utc_date(here)}: {wrong} (update tzdata, and check again)"]


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
    """Read a rule; the time zone may be unknown here. Raises ValueError with a sentence."""
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
        if self._word("never"):
            rule = DeadlineRule()
        elif _SPAN.match(self.rest):
            rule = DeadlineRule(span=self._span())
        else:
            rule = self._on_days()
        while self.rest:
            if self._word("at least") and not rule.least and rule.days:
                rule = replace(rule, least=self._span())
            elif self._word("grace") and not rule.grace and not rule.never:
                rule = replace(rule, grace=self._span())
            else:
                raise self._wrong()
        return rule

    def _on_days(self) -> DeadlineRule:
        days = DAYS if self._word("every day") else self._days()
        if not days:
            raise self._wrong()
        at = self._match(_TIME)
        zone = UTC_NAME if self._word("utc") else self._match(_ZONE)[0]
        if self._word("except"):
            off = self._days()
            days = tuple(day for day in days if day not in off)
            if not off or not days:
                raise self._wrong()
        return DeadlineRule(days=days, hour=int(at[1]), minute=int(at[2]), zone=zone)

    def _days(self) -> tuple[str, ...]:
        found = set[str]()
        while (word := self.rest.partition(" ")[0].lower()) and word[:3] in DAYS:
            full = WEEKDAYS[word[:3]].lower()
            if word not in {full[:3], full, f"{full}s", *({full[:4]} if full[0] == "t" else ())}:
                break
            found.add(word[:3])
            self.rest = self.rest[len(word) :].lstrip()
        return tuple(day for day in DAYS if day in found)

    def _span(self) -> int:
        span = _seconds(self._match(_SPAN))
        if not span:
            raise self._wrong()
        return span

    def _match(self, form: re.Pattern[str]) -> re.Match[str]:
        found = form.match(self.rest)
        if not found or self.rest[found.end() :][:1] not in ("", " "):
            raise self._wrong()
        self.rest = self.rest[found.end() :].lstrip()
        return found

    def _word(self, wanted: str) -> bool:
        if f"{self.rest} ".lower().startswith(f"{wanted} "):
            self.rest = self.rest[len(wanted) :].lstrip()
            return True
        return False

    def _wrong(self) -> ValueError:
        where = f" (at {self.rest!r})" if self.rest and self.rest != self.text else ""
        hint = f"write {self.text}h" if self.text.isdecimal() else FORMS
        return ValueError(f"{self.text!r} is not a deadline{where}: {hint}")


# ---- time zones

EASTERNMOST: Final = 14 * HOUR
"""By how many seconds the clocks of any time zone are ahead of UTC at most."""
WESTERNMOST: Final = 12 * HOUR
"""By how many seconds the clocks of any time zone are behind UTC at most."""

SLACK: Final = 3 * HOUR
"""By how many seconds two versions of time zone data may differ for one place and moment:
governments change clocks, sometimes a few days ahead. Deadlines in UTC are checked exactly."""
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


def zone_of(name: str) -> tzinfo | None:
    """Return the time zone of this name; None if this machine does not know it."""
    if name == "UTC":
        return UTC
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (LookupError, ValueError, OSError):  # no such zone, or its name is a folder
        return None


# ---- policies

LONGEST_DELAY: Final = 7 * DAY
"""The longest time, in seconds, that a charter may give for `change_of_mind`."""
MOST: Final = 99
"""The most that `idle_after` and `open_after` can be."""
DEFAULTS: Final = "defaults"
"""The `silent_seat` with which an open seat's choices are the defaults."""
BOT: Final = "bot"
"""The `silent_seat` with which a bot answers for an open seat."""
REMOVE: Final = "remove"
"""The `silent_seat` with which a silent seat is removed from the game instead of being open."""
SILENT_SEATS: Final = (DEFAULTS, BOT, REMOVE)
"""The values that `silent_seat` can have."""
IDLE_AFTER: Final = 2
"""The `idle_after` of a charter that does not set it: one missed deadline can happen to anybody."""
OPEN_AFTER: Final = 1
"""The `open_after` of a charter that does not set it: by mail, a whole round is a long time."""
DEPUTY_AFTER: Final = "7 days"
"""The `deputy_after` of a charter that does not set it."""


class Policies(dict[str, Any]):
    """What a charter says about time and silence; without `deadline`, it has no deadlines.

        deadline = "48h"                     the rule of every phase that does not have one
        deadline_feed = "every day 20:00 Europe/Berlin, at least 12h, grace 2h"
        change_of_mind = "2h"                `advance` waits this long after the last orders came
        idle_after = 3                       this many deadlines missed in a row make a seat idle
        delays = "3 days"                    the total time by which each seat may put off deadlines
        deputy_after = "5 days"              after this time without a turn the deputy may take over
        open_after = 2                       this many whole rounds later, the idle seat is open
        silent_seat = "bot"                  what becomes of a seat that was silent so long
        wait = "round"                       the game waits for everybody's orders for a round

    Each is read once, when it is first asked for, which raises RecordError `field` if it cannot be.
    """

    @cached_property
    def change_of_mind(self) -> int:
        """For how many seconds `advance` waits after the last orders."""
        return self._span("change_of_mind", longest=LONGEST_DELAY)

    @cached_property
    def delays(self) -> int:
        """By how many seconds, in whole hours, each seat may put off deadlines in the whole
        game."""
        return self._span("delays", unit=HOUR)

    @cached_property
    def deputy_after(self) -> int:
        """After how many seconds without a turn the deputy may take over."""
        return self._span("deputy_after", DEPUTY_AFTER)

    @cached_property
    def idle_after(self) -> int:
        """How many missed deadlines in a row make a seat idle; 0 = never."""
        return self._number("idle_after", IDLE_AFTER)

    @cached_property
    def open_after(self) -> int:
        """After how many further whole rounds an idle seat is open; 0 = never."""
        return self._number("open_after", OPEN_AFTER)

    @cached_property
    def silent_seat(self) -> str:
        """What becomes of a seat that was silent long enough to be open: one of SILENT_SEATS."""
        said = self.get("silent_seat", DEFAULTS)
        if said not in SILENT_SEATS:
            raise _wrong("silent_seat", f"must be one of {', '.join(SILENT_SEATS)}")
        if said != DEFAULTS and not (self.idle_after and self.open_after):
            told = "idle_after and open_after cannot be 0, or no silent seat would ever be open"
            raise _wrong("silent_seat", told)
        return str(said)

    @property
    def waits_for_round(self) -> bool:
        """Whether the game waits for everybody's orders for a round.

        It does so only if the referee asks for it: by the printed rules, later players see what
        earlier ones played.
        """
        return bool(self.get("wait") == "round")

    def rule(self, phase: str) -> DeadlineRule:
        """Return the deadline rule of a phase; never, if no phase asks anything. Raises RecordError
        `field`."""
        name = f"deadline_{phase}"
        return self._rule(name if name in self else "deadline") if phase else DeadlineRule()

    def latest_deadline(self, time: int) -> int:
        """Return the latest of the first deadlines that the rules, of all phases, give after
        `time`, as every machine computes them; 0 = never."""
        names = {"deadline", *(name for name in self if name.startswith("deadline_"))}
        try:
            return max(self._rule(name).certain_deadline(time) for name in names)
        except RecordError:  # the calendar ends at the year 10000
            return 0

    def check(self, phases: Collection[str]) -> None:
        """Raise RecordError `field` for a policy that cannot be read or is for an unknown phase."""
        for name in sorted(self):
            if name.startswith("deadline_") and name.removeprefix("deadline_") not in phases:
                raise _wrong(name, f"no phase has this name; the phases are {', '.join(phases)}")
            if name.startswith("deadline"):
                self._rule(name)
        spans, numbers = ("change_of_mind", "delays"), ("idle_after", "open_after")
        for name in (*spans, *numbers, "silent_seat", "deputy_after"):
            getattr(self, name)

    def _rule(self, name: str) -> DeadlineRule:
        said = self.get(name, "never")
        try:
            if not isinstance(said, str):
                raise ValueError("must be text, such as 48h")
            return read_rule(said)
        except ValueError as error:
            raise _wrong(name, f"{error}") from None

    def _span(self, name: str, usual: str = "", longest: int = LONGEST, unit: int = 1) -> int:
        said = self.get(name, usual)
        try:
            seconds = read_span(said) if said or usual else 0
            if seconds > longest:
                raise ValueError(f"the maximum is {longest // DAY} days")
            if seconds % unit:
                raise ValueError("must be whole hours")
        except (ValueError, AttributeError) as error:
            raise _wrong(name, f"{error}") from None
        return seconds

    def _number(self, name: str, usual: int) -> int:
        said = self.get(name, usual)
        if type(said) is not int or not 0 <= said <= MOST:
            raise _wrong(name, f"must be a number from 0 to {MOST}")
        return said


def _wrong(name: str, told: str) -> RecordError:
    return RecordError("field", f"policies.{name}: {told}")
