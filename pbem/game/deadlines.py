"""Deadlines: the charter's rules about time and silence, and when a turn is due (protocol §5)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Any, Final

from engine import Pending
from engine.values import Value
from pbem.format.canonical import RecordError
from pbem.text.dates import utc_date

# ---- a rule in words

DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
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
            if word not in _NAMES[word[:3]]:
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


_FULL: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NAMES: Final = {
    name[:3]: {name[:3], name, f"{name}s", *({name[:4]} if name[0] == "t" else ())}
    for name in _FULL
}


def days_of(rule: DeadlineRule) -> Sequence[int]:
    """Return the rule's days of the week as numbers; 0 = Monday."""
    return [DAYS.index(day) for day in rule.days]


# ---- the moments that a rule gives

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


def _zone(name: str) -> tzinfo | None:
    if name == "UTC":
        return UTC
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (LookupError, ValueError, OSError):  # no such zone, or its name is a folder
        return None


def next_deadline(rule: DeadlineRule, time: int) -> int:
    """Return when silence begins to count after a turn made at `time`, with the grace, in seconds
    since 1970 UTC; 0 = never. Raises ValueError if this machine cannot work it out."""
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
    """Yield the rule's moments, from a day before `time` plus the shortest time to answer.

    A moment that clocks skip moves forward; of one that occurs twice, the first counts (PEP 495,
    fold 0).
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


# ---- policies

Policies = Mapping[str, Any]
"""What a charter says about time and silence; without `deadline`, it has no deadlines.

    deadline = "48h"                     the rule of every phase that does not have one
    deadline_feed = "every day 20:00 Europe/Berlin, at least 12h, grace 2h"
    change_of_mind = "2h"                `advance` waits this long after the last orders came
    idle_after = 3                       this many deadlines missed in a row make a seat idle
    delays = "3 days"                    the total time by which each seat may put off deadlines
    deputy_after = "5 days"              after this time without a turn the deputy may take over
    open_after = 2                       this many whole rounds later, the idle seat is open
    silent_seat = "bot"                  what becomes of a seat that was silent so long
"""
DEADLINE: Final = "deadline"
CHANGE_OF_MIND: Final = "change_of_mind"
LONGEST_DELAY: Final = 7 * DAY
"""The longest time, in seconds, that a charter may give for `change_of_mind`."""
IDLE_AFTER: Final = "idle_after"
USUAL_IDLE_AFTER: Final = 2
"""The `idle_after` of a charter that does not set it: one missed deadline can happen to anybody."""
MOST_IDLE_AFTER: Final = 99
DELAYS: Final = "delays"
DEPUTY_AFTER: Final = "deputy_after"
USUAL_DEPUTY_AFTER: Final = "7 days"
"""The `deputy_after` of a charter that does not set it."""
OPEN_AFTER: Final = "open_after"
USUAL_OPEN_AFTER: Final = 1
"""The `open_after` of a charter that does not set it: by mail, a whole round is a long time."""
SILENT_SEAT: Final = "silent_seat"
DEFAULTS: Final = "defaults"
"""The `silent_seat` of a charter that does not set it: an open seat's choices are the defaults."""
BOT: Final = "bot"
"""The `silent_seat` with which a bot answers for an open seat."""
REMOVE: Final = "remove"
"""The `silent_seat` with which a silent seat is removed from the game instead of being open."""
SILENT_SEATS: Final = (DEFAULTS, BOT, REMOVE)
"""The values that `silent_seat` can have."""


def phase_of(pending: Pending) -> str:
    """Return the phase that asks the open questions, as the ruleset names it; empty if none."""
    return pending[0][0].split(".")[1] if pending else ""


def rule_of(policies: Policies, phase: str) -> DeadlineRule:
    """Return the deadline rule of a phase. Raises RecordError `field` if it cannot be read."""
    name = f"{DEADLINE}_{phase}"
    return _rule(policies, name if name in policies else DEADLINE)


def _rule(policies: Policies, name: str) -> DeadlineRule:
    said = policies.get(name, "never")
    try:
        if not isinstance(said, str):
            raise ValueError("must be text, such as 48h")
        return read_rule(said)
    except ValueError as error:
        raise RecordError("field", f"policies.{name}: {error}") from None


def idle_after(policies: Policies) -> int:
    """Return how many missed deadlines in a row make a seat idle; 0 = never. Raises RecordError
    `field`."""
    return _number(policies, IDLE_AFTER, USUAL_IDLE_AFTER)


def open_after(policies: Policies) -> int:
    """Return after how many further whole rounds an idle seat is open; 0 = never. Raises
    RecordError `field`."""
    return _number(policies, OPEN_AFTER, USUAL_OPEN_AFTER)


def silent_seat(policies: Policies) -> str:
    """Return what becomes of a seat that was silent long enough to be open: one of SILENT_SEATS.
    Raises RecordError `field`."""
    said = policies.get(SILENT_SEAT, DEFAULTS)
    if said not in SILENT_SEATS:
        told = f"must be one of {', '.join(SILENT_SEATS)}"
        raise RecordError("field", f"policies.{SILENT_SEAT}: {told}")
    if said != DEFAULTS and not (idle_after(policies) and open_after(policies)):
        told = f"{IDLE_AFTER} and {OPEN_AFTER} cannot be 0, or no silent seat would ever be open"
        raise RecordError("field", f"policies.{SILENT_SEAT}: {told}")
    return str(said)


def change_of_mind(policies: Policies) -> int:
    """Return for how many seconds `advance` waits after the last orders. Raises RecordError
    `field`."""
    return _span(policies, CHANGE_OF_MIND, longest=LONGEST_DELAY)


def delay_budget(policies: Policies) -> int:
    """Return by how many seconds, in whole hours, each seat may put off deadlines in the whole
    game. Raises RecordError `field`."""
    return _span(policies, DELAYS, unit=HOUR)


def deputy_after(policies: Policies) -> int:
    """Return after how many seconds without a turn the deputy may take over. Raises RecordError
    `field`."""
    return _span(policies, DEPUTY_AFTER, USUAL_DEPUTY_AFTER)


def _span(
    policies: Policies, name: str, usual: str = "", longest: int = LONGEST, unit: int = 1
) -> int:
    said = policies.get(name, usual)
    try:
        seconds = read_span(said) if said or usual else 0
        if seconds > longest:
            raise ValueError(f"the maximum is {longest // DAY} days")
        if seconds % unit:
            raise ValueError("must be whole hours")
    except (ValueError, AttributeError) as error:
        raise RecordError("field", f"policies.{name}: {error}") from None
    return seconds


def _number(policies: Policies, name: str, usual: int) -> int:
    said = policies.get(name, usual)
    if type(said) is not int or not 0 <= said <= MOST_IDLE_AFTER:
        told = f"must be a number from 0 to {MOST_IDLE_AFTER}"
        raise RecordError("field", f"policies.{name}: {told}")
    return said


def check_policies(policies: Policies, phases: Collection[str]) -> None:
    """Raise RecordError `field` for a deadline that cannot be read or is for an unknown phase."""
    for name in sorted(policies):
        if name.startswith(f"{DEADLINE}_") and name.removeprefix(f"{DEADLINE}_") not in phases:
            told = f"no phase has this name; the phases are {', '.join(phases)}"
            raise RecordError("field", f"policies.{name}: {told}")
        if name.startswith(DEADLINE):
            _rule(policies, name)
    change_of_mind(policies)
    delay_budget(policies)
    idle_after(policies)
    open_after(policies)
    silent_seat(policies)
    deputy_after(policies)


def deadline_of(policies: Policies, pending: Pending, time: int) -> int:
    """Return the deadline, with its grace, of a turn made at `time` that asks these questions; 0 =
    never. Raises RecordError `field`."""
    if not pending:
        return 0
    try:
        return next_deadline(rule_of(policies, phase_of(pending)), time)
    except ValueError as error:
        raise RecordError("field", f"deadline: {error}") from None


def deadline_fits(policies: Policies, pending: Pending, time: int, named: int) -> bool:
    """Return whether a turn made at `time` may name this deadline. Raises RecordError `field`."""
    if not pending:
        return named == 0
    return may_be_deadline(rule_of(policies, phase_of(pending)), time, named)


def other_zone_data(policies: Policies, pending: Pending, time: int, named: int) -> list[str]:
    """Return a sentence, in a list, if this machine's time zone data gives a different deadline
    from a correct turn's."""
    if not pending or rule_of(policies, phase_of(pending)).exact:
        return []
    try:
        here = deadline_of(policies, pending, time)
    except RecordError as error:
        return [error.sentence]
    if here == named:
        return []
    told = f"the deadline is {utc_date(named)}, as the referee signed it; this machine computes"
    if deadline_fits(policies, pending, time, named):
        return [f"{told} {utc_date(here)}: the time zone data differs (update tzdata)"]
    wrong = "time zone data cannot differ by so much, so pbem audit calls this turn broken"
    return [f"{told} {utc_date(here)}: {wrong} (update tzdata, and check again)"]


# ---- what players declared


class Declared(Value):
    """The absences, delays and proposals that listed notices declare; each notice makes a new
    one."""

    absences: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """For each seat that announced one: when its absence begins and ends, seconds since 1970."""
    announced: Mapping[str, int] = field(default_factory=dict)
    """For each seat that ever announced an absence: when the last one that it announced begins."""
    taken: Mapping[str, int] = field(default_factory=dict)
    """For each seat: how many hours of delay it has used."""
    put_off: tuple[int, int] = (0, 0)
    """The last turn that listed delays, and by how many seconds they put its deadline off."""
    wanted: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """For each seat that proposes a deadline: the phase (empty for all) and the rule."""
    proposed: Mapping[str, int] = field(default_factory=dict)
    """For each of these seats: the turn that lists the proposal."""
    rules: Mapping[str, str] = field(default_factory=dict)
    """The deadline policies that all players have agreed on, by name."""
    changed: int = 0
    """The last turn that changed one of these policies."""

    clocks: Mapping[str, int] = field(default_factory=dict)
    """For each seat that says that the last turn's date is wrong: the time on its clock."""
    set_back: int = 0
    """The last turn whose date went back to the right time."""
    earliest: int = 0
    """The earliest date that this turn may have."""

    def renews(self, turn: int) -> bool:
        """Return whether the deadline after this turn follows from its date even if nothing happens
        in it."""
        return turn in (self.changed, self.set_back)

    def away(self, people: Collection[str], time: int) -> frozenset[str]:
        """Return the seats whose announced absence covers this time; none if all `people` are
        absent."""
        found = {s for s, (begins, ends) in self.absences.items() if begins <= time < ends}
        found &= {*people}
        return frozenset(found if {*people} - found else ())

    def policies(self, charter: Policies) -> dict[str, str | int | bool]:
        """Return the charter's policies, changed by the rules that were agreed on later."""
        return {**charter, **self.rules}

    def seconds_put_off(self, turn: int) -> int:
        """Return by how many seconds the delays in this turn's notices put off its deadline."""
        at, seconds = self.put_off
        return seconds if at == turn else 0

    def hours_left(self, charter: Policies, seat: str) -> int:
        """Return how many hours of delay the seat may still take."""
        return delay_budget(charter) // HOUR - self.taken.get(seat, 0)

    def with_absence(self, seat: str, begins: int, ends: int) -> Declared:
        """Return the calendar after a seat announced an absence, or took it back (`ends` = 0)."""
        others = {s: span for s, span in self.absences.items() if s != seat}
        announced = {**self.announced, seat: begins} if ends else self.announced
        mine = {seat: (begins, ends)} if ends else {}
        return replace(self, absences=others | mine, announced=announced)

    def begun(self, seat: str, answered: int, time: int) -> bool:
        """Return whether the seat's last absence has begun and its last answer, at `answered`, was
        before."""
        begins = self.announced.get(seat, time + 1)
        return answered < begins <= time

    def with_delay(self, seat: str, hours: int, turn: int) -> Declared:
        """Return the calendar after a turn has listed a delay of this seat."""
        taken = {**self.taken, seat: self.taken.get(seat, 0) + hours}
        put_off = (turn, self.seconds_put_off(turn) + hours * HOUR)
        return replace(self, taken=taken, put_off=put_off)

    def with_wish(self, seat: str, phase: str, rule: str, turn: int = 0) -> Declared:
        """Return the calendar after a turn listed a seat's proposal; an empty rule takes it
        back."""
        others = {s: wish for s, wish in self.wanted.items() if s != seat}
        wanted = others | ({seat: (phase, rule)} if rule else {})
        return replace(self, wanted=wanted, proposed={**self.proposed, seat: turn})

    def lapse(self, turn: int) -> Declared:
        """Return the calendar with only those proposals that this turn lists; 0 = none."""
        kept = {s: w for s, w in self.wanted.items() if turn and self.proposed.get(s) == turn}
        return replace(self, wanted=kept, clocks={})

    def without_absence(self, seat: str) -> Declared:
        """Return the calendar without the absences of a seat that somebody new has taken over."""
        begun = {s: begins for s, begins in self.announced.items() if s != seat}
        return replace(self.with_absence(seat, 0, 0), announced=begun)

    def without_word_of(self, seat: str) -> Declared:
        """Return the calendar without what a seat proposed and said about the date."""
        clocks = {who: time for who, time in self.clocks.items() if who != seat}
        return replace(self.with_wish(seat, "", ""), clocks=clocks)

    def with_rule(self, phase: str, rule: str, turn: int) -> Declared:
        """Return the calendar after all have agreed on a rule, in this turn."""
        name = f"{DEADLINE}_{phase}" if phase else DEADLINE
        return replace(self, wanted={}, rules={**self.rules, name: rule}, changed=turn)
