"""Deadlines as people type and read them: rules, days away, reminders, what is due."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine.values import Value
from pbem.desk.base import now
from pbem.errors import CliError
from pbem.game.absence import phase_of
from pbem.game.lines import NAME
from pbem.game.view import View
from pbem.records.policies import (
    BOT,
    DAY,
    DEFAULTS,
    FORMS,
    HOUR,
    IDLE_AFTER,
    LONGEST,
    LONGEST_TEXT,
    MOST,
    OPEN_AFTER,
    SILENT_SEATS,
    DeadlineRule,
    Policies,
    read_rule,
    span_words,
    zone_named,
    zones_like,
)
from pbem.screen.tell import listed
from pbem.screen.terminal import clean
from pbem.text.absence import span_at, whole_span
from pbem.text.dates import DAYS, WEEKDAYS, local_date, moment, utc_date

if TYPE_CHECKING:
    from pbem.game.referee import Outcome

# ---- Read what somebody typed as a deadline, such as `weekdays 8pm Berlin`, or as a span of
# time
#
# A charter has one strict form for each rule (`DeadlineRule`). People write in many ways, so this
# reader takes words in any order. It reads only what has one meaning, and otherwise says what is
# missing. A time of day without a time zone is in the time zone of this computer, and `told` says
# so.

LEAST: Final = 12 * HOUR
"""The shortest time to answer under a calendar rule, in seconds, unless the referee gives one."""
SPAN_FORMS = "write a span of time, such as 24h or '2 days'"
CITY = "a big city in your time zone, such as Berlin or New York, or UTC"

_DAY: Final = (
    r"(?:mon?(?:days?)?|tue?s?(?:days?)?|wed?(?:s|nesdays?)?|thu?(?:r|rs|rsdays?)?|fri?(?:days?)?"
    r"|sat?(?:urdays?)?|sun?(?:days?)?)\b\.?"
)
_EACH: Final = r"(?:(?:every|each|on|all) )?"
_SETS: Final = (
    (rf"{_EACH}(?:week|work|working|business) ?days?\b", DAYS[:5]),
    (rf"{_EACH}week-?ends?\b", DAYS[5:]),
    (r"(?:every|each) ?day\b|daily\b|all days\b", DAYS),
)
_PART_OF_DAY: Final = re.compile(
    r"(?P<each>(?:every|each) )?(?:in the |at )?(?P<part>morning|afternoon|evening|night)s?\b"
)
_EVERY_OTHER: Final = re.compile(r"(?:every|each) (?:other|second|2nd|third|3rd) day\b")
_RANGE: Final = re.compile(rf"{_EACH}(?:from )?({_DAY}) ?(?:-|to|through|till|until) ?({_DAY})")
_LIST: Final = re.compile(rf"{_EACH}({_DAY}(?: ?(?:and|&|/|\+)? ?{_DAY})*)")
_WITHOUT: Final = re.compile(r"(?:except|excluding|without|but not|but|not)\b(?: on)?")
_TIME: Final = re.compile(
    r"(?P<hour>[0-9]{1,2})(?:[:.h](?P<minute>[0-9]{2}))?(?![0-9])"
    r" ?(?P<half>[ap]\.?m\b\.?)?(?P<clock> ?(?:uhr|o'?clock|h)\b)?"
)
_PLAIN_TIME: Final = re.compile(r"(?P<hour>[0-9]{2})(?P<minute>[0-9]{2})h?(?![0-9a-z])")
_OFFSET: Final = re.compile(r"(?:utc|gmt)? ?([+-])([0-9]{1,2})(?::?([0-9]{2}))?(?![0-9a-z])")
_WORD: Final = re.compile(r"[^\W\d_][\w/+'.-]*")
_FILLER: Final = re.compile(
    r"(?:at|on|by|until|till|before|from|the|and|within|after (?:each|every|the) turn|per turn"
    r"|(?:local |my )time(?: zone)?|local|here|o'clock|time|sharp|with|max|only)\b"
)
_NONE: Final = frozenset(["no deadline", "none", "no", "without deadline", "off", "never"])
_ZONES: Final = {
    **dict.fromkeys(("utc", "gmt", "z", "zulu"), "UTC"),
    **dict.fromkeys(("cet", "cest", "mez", "mesz"), "Europe/Berlin"),
    **dict.fromkeys(("bst", "uk"), "Europe/London"),
    **dict.fromkeys(("est", "edt", "et", "eastern"), "America/New_York"),
    **dict.fromkeys(("cdt", "ct", "central"), "America/Chicago"),
    **dict.fromkeys(("mst", "mdt", "mt", "mountain"), "America/Denver"),
    **dict.fromkeys(("pst", "pdt", "pt", "pacific"), "America/Los_Angeles"),
    **dict.fromkeys(("nzst", "nzdt"), "Pacific/Auckland"),
    "wet": "Europe/Lisbon", "west": "Europe/Lisbon", "msk": "Europe/Moscow", "jst": "Asia/Tokyo",
    "kst": "Asia/Seoul", "sgt": "Asia/Singapore", "hkt": "Asia/Hong_Kong",
    "aedt": "Australia/Sydney", "nyc": "America/New_York",
}  # fmt: skip
"""Common names of time zones that mean one place to most people who write them."""
_SEVERAL: Final = {
    "cst": "Chicago or Shanghai",
    "ist": "Kolkata, Dublin or Jerusalem",
    "eet": "Helsinki, Athens or Cairo",
    "eest": "Helsinki, Athens or Beirut",
    "ast": "Halifax or Riyadh",
    "aest": "Sydney or Brisbane",
}


class TypedRule(NamedTuple):
    """A deadline that was typed."""

    rule: str
    """The rule in its standard form."""
    told: str
    """What `pbem` assumed or worked out, as a sentence; empty if it took the words as they are."""


def typed_rule(option: str, said: str) -> TypedRule:
    """Return the rule in its standard form; a calendar rule also gets a shortest time to answer.

    Raises CliError.
    """
    if len(said) > LONGEST_TEXT:
        raise CliError(f"{option}: a deadline has at most {LONGEST_TEXT} characters")
    try:
        rule, told = read_rule(said), ""
        if rule.days and not zone_named(rule.zone):
            zone = _zone_of(rule.zone)
            if not zone:
                raise _no_zone(option, rule.zone)
            rule = replace(rule, zone=zone)
    except ValueError:
        rule, told = _Reader(option, said).rule()
    if rule.days and not rule.least and "at least" not in said.lower():
        rule = replace(rule, least=LEAST)
    return TypedRule(rule.words, told)


def typed_span(option: str, said: str) -> int:
    """Return a span of time that somebody typed, in seconds. Raises CliError."""
    seconds = whole_span(said)
    if not seconds:
        raise CliError(f"{option}: {said!r} is not a span of time", SPAN_FORMS)
    if seconds > LONGEST:
        raise _too_long(option, said)
    return seconds


def _too_long(option: str, said: str) -> CliError:
    return CliError(f"{option}: {said} is too long", f"the maximum is {LONGEST // DAY} days")


class _Reader:
    """Reads the words of one deadline, in any order."""

    def __init__(self, option: str, said: str) -> None:
        self.option, self.said = option, said
        plain = re.sub(r"[()\[\]\"“”„;,@]", " ", re.sub(r"(?<=\d),(?=\d)", ".", said.lower()))
        self.rest = " ".join(re.sub("[–—]", "-", plain).split()).rstrip("!. ")
        self.days: tuple[str, ...] = ()
        self.without: tuple[str, ...] = ()
        self.time = (-1, 0)
        self.typed_time = ""
        self.bare = self.half = False
        """Whether the time is a plain number, and whether it has `am` or `pm`."""
        self.at = False
        """Whether the last word was `at`."""
        self.part = ""
        self.span = self.least = self.grace = 0
        self.repeats = ""
        self.zone = ""
        self.typed_zone = ""
        self.offset = 0
        """By how many minutes the typed time is ahead of UTC, if the zone was typed so."""

    def rule(self) -> tuple[DeadlineRule, str]:
        """Return the rule, and what the reader assumed. Raises CliError."""
        if self.rest in _NONE:
            return DeadlineRule(), ""
        if self.said.strip().isdecimal():
            raise self._wrong(f"write {self.said.strip()}h")
        while self.rest:
            if not self._next():
                raise self._unknown()
        if self.span or (self.repeats and not self.days and self.time[0] < 0):
            return self._after_turn(), ""
        return self._on_days()

    # -------------------------------------------------------------- one word after the other
    def _next(self) -> bool:
        """Read what comes next, and return whether it is known. Raises CliError."""
        if self._limit() or self._repeat() or self._some_days() or self._part_of_day():
            return True
        if self._time():
            return True
        if not self.span and (seconds := self._span_here()):
            self.span = seconds
            return True
        if self._offset():
            return True
        filler = self._take(_FILLER)
        self.at = bool(filler and filler[0] == "at")
        return bool(filler) or self._some_zone()

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Cut the pattern off the start of what is left; None if it is empty or not there."""
        found = pattern.match(self.rest)
        if found and found.end():
            self.rest = self.rest[found.end() :].lstrip(" .")
            return found
        return None

    def _limit(self) -> bool:
        """Read `at least 12h`, `grace 2h`, `2h grace` or `except sat sun`."""
        for words, name in ((r"(?:at least|minimum(?: of)?)\b", "least"), (r"grace\b", "grace")):
            if not getattr(self, name) and self._take(re.compile(words)):
                seconds = self._span_here()
                if not seconds:
                    raise self._wrong()
                setattr(self, name, seconds)
                return True
        seconds, length = span_at(self.rest)
        if seconds and re.match(r" (?:of )?grace\b", self.rest[length:]) and not self.grace:
            self.grace = seconds
            self.rest = self.rest[length:].replace("grace", "", 1).removeprefix(" of").strip()
            return True
        if (self.days or self.time[0] >= 0) and self._take(_WITHOUT):
            days, self.days = self.days, ()
            if not self._some_days():
                raise self._wrong()
            self.days, self.without = days, self.days
            return True
        return False

    def _repeat(self) -> bool:
        """Read `every other day`, `every 48 hours`, `weekly`."""
        if self._take(re.compile(r"(?:weekly|once a week|once per week|every week)\b")):
            self.repeats = "weekly"
        elif self._take(re.compile(r"(?:twice|[2-6] times|three times) (?:a|per|each) week\b")):
            self.repeats = "in the week"
        elif match := self._take(_EVERY_OTHER):
            self.repeats, self.span = "often", (3 if "rd" in match[0] else 2) * DAY
        elif re.match(r"every ", self.rest) and span_at(self.rest[6:])[0]:
            self.rest = self.rest[6:]
            self.repeats, self.span = "often", self._span_here()
        else:
            return False
        return True

    def _some_days(self) -> bool:
        found: tuple[str, ...] = ()
        for form, days in _SETS:
            if self._take(re.compile(form)):
                found = days
                break
        else:
            if match := self._take(_RANGE):
                first, last = (DAYS.index(_short(match[n])) for n in (1, 2))
                found = tuple(DAYS[n % 7] for n in range(first, first + (last - first) % 7 + 1))
            elif match := self._take(_LIST):
                found = tuple(_short(word) for word in re.findall(_DAY, match[1]))
        self.days = tuple(day for day in DAYS if day in {*self.days, *found})
        return bool(found)

    def _part_of_day(self) -> bool:
        match = self._take(_PART_OF_DAY)
        if match:
            self.part = match["part"]
            self.days = DAYS if match["each"] else self.days
        return bool(match)

    def _time(self) -> bool:
        """Read a time of day; a plain number can be one only after days, or after `at`."""
        known = bool(self.days) or self.at
        if match := self._take(re.compile(r"(?:noon|mid-?day)\b")):
            return self._set_time(12, 0, match[0])
        if self._take(re.compile(r"midnight\b")):
            raise self._midnight()
        if known and (match := self._take(_PLAIN_TIME)):
            return self._set_time(int(match["hour"]), int(match["minute"]), match[0])
        match = _TIME.match(self.rest)
        if not match or not (match["minute"] or match["half"] or known):
            return False
        if span_at(self.rest)[1] > len(match[0]):
            return False  # `2 days`, `2h30m`
        if match["clock"] and not known and not match["minute"]:
            return False  # `20h`
        self._take(_TIME)
        hour, minute, half = int(match["hour"]), int(match["minute"] or 0), (match["half"] or "")
        self.bare, self.half = match["minute"] is None, bool(half)
        if half[:1] == "a" and hour > 12:
            raise self._no_time(match[0])
        if half and hour <= 12:
            hour = hour % 12 + (12 if half[0] == "p" else 0)
        return self._set_time(hour, minute, match[0])

    def _set_time(self, hour: int, minute: int, typed: str) -> bool:
        if self.time[0] >= 0:
            told = f"{self.said!r} has more than one time of day"
            raise self._error(told, "a deadline has one time for all days, as in 'wed sun 20:00'")
        if (hour, minute) == (24, 0):
            raise self._midnight()
        if hour > 23 or minute > 59:
            raise self._no_time(typed)
        self.time, self.typed_time = (hour, minute), typed.strip()
        return True

    def _span_here(self) -> int:
        """Read the span that comes next, and return its seconds; 0 if there is none."""
        seconds, length = span_at(self.rest)
        typed, rest = self.rest[:length], self.rest[length:]
        if seconds > LONGEST:
            raise _too_long(self.option, typed)
        if length and not seconds:
            raise self._error(f"{typed} leaves no time", "write never for a game without deadline")
        if seconds:
            self.rest = rest.lstrip()
        return seconds

    def _offset(self) -> bool:
        if self.zone or not (match := self._take(_OFFSET)):
            return False
        minutes = int(match[2]) * 60 + int(match[3] or 0)
        if minutes > 14 * 60:
            raise self._error(f"no time zone is {match[0].strip().upper()}", f"write {CITY}")
        self.zone, self.typed_zone = "UTC", match[0].strip().upper()
        self.offset = minutes if match[1] == "+" else -minutes
        return True

    def _some_zone(self) -> bool:
        """Read the name of a time zone or of a city, which may have up to three words."""
        words = self.rest.split()
        if self.zone or not _WORD.match(self.rest):
            return False
        for count in (3, 2, 1):
            typed = " ".join(words[:count])
            if len(words) < count or not (zone := _zone_of(typed)):
                continue
            self.zone, self.typed_zone = zone, typed
            self.rest = " ".join(words[count:])
            return True
        if words[0] in _SEVERAL:
            told = f"{words[0].upper()} is a time zone in several places"
            raise self._error(told, f"name a city instead: {_SEVERAL[words[0]]}")
        return False

    # -------------------------------------------------------------- what it means
    def _after_turn(self) -> DeadlineRule:
        if self.repeats == "weekly":
            hint = "write 'sunday 20:00', or '7 days' for a week after each turn"
            raise self._error(f"{self.said!r} does not say on which day", hint)
        if self.repeats == "in the week":
            hint = "write 'tue fri 20:00'"
            raise self._error(f"{self.said!r} does not say on which days and at what time", hint)
        after = span_words(self.span)
        if self.repeats and (self.days or self.time[0] >= 0):
            hint = f"write '{after}', or name the days: 'mon wed fri 20:00'"
            told = f"{self.said!r} cannot be kept: a deadline is some time after each turn, or on"
            raise self._error(f"{told} certain days of the week", hint)
        if self.days or self.time[0] >= 0:
            told = "a deadline is either some time after each turn, or on certain days"
            raise self._error(told, f"write '{after}' or 'every day 20:00'")
        if self.zone:
            raise self._error("a span of time has no time zone", f"leave out {self._zone_typed()}")
        if self.least:
            raise self._error("'at least' needs days of the week", "leave it out")
        return DeadlineRule(span=self.span, grace=self.grace)

    def _on_days(self) -> tuple[DeadlineRule, str]:
        hour, minute = self._hour()
        if hour < 0 and not self.days:
            raise self._wrong()
        typed = self.said.strip()
        if hour < 0:
            named = self._typed_days()
            after = ", or '24h' for a day after each turn" if len(self.days) == len(DAYS) else ""
            hint = f"write '{named} 20:00'{after}"
            raise self._error(f"{typed!r} does not say at what time", hint)
        if not self.days:
            if self.repeats:
                hint = f"write 'sunday {self.typed_time}'"
                raise self._error(f"{typed!r} does not say on which day", hint)
            hint = f"write 'every day {typed}' or 'sunday {typed}'"
            raise self._error(f"{typed!r} does not say on which days", hint)
        days = tuple(day for day in self.days if day not in self.without)
        if not days:
            raise self._error("no day is left", "name the days that have a deadline")
        shift, minutes = divmod(hour * 60 + minute - self.offset, 24 * 60)
        days = tuple(d for d in DAYS if DAYS[(DAYS.index(d) - shift) % 7] in days)
        hour, minute = divmod(minutes, 60)
        zone = self.zone or zone_here()
        if not zone:
            told = "this computer does not say in which time zone it is"
            raise self._error(told, f"add to the time {CITY}")
        told = f"you named no time zone, so it is the one of this computer: {zone}"
        if self.zone:
            told = self._told(f"{hour:02}:{minute:02}")
        if len(days) == 1 and not re.search(r"every|each|weekly|days\b", self.said.lower()):
            name = WEEKDAYS[self.days[0]]
            told = "; ".join(filter(None, [told, f"it counts every {name}, not only once"]))
        rule = DeadlineRule(0, days, hour, minute, zone, self.least, self.grace)
        return rule, told

    def _hour(self) -> tuple[int, int]:
        """Return the time of day; the hour is -1 if none was typed. Raises CliError."""
        hour, minute = self.time
        if self.half or not 1 <= hour <= 12:
            return hour, minute
        if self.part == "night" and (hour == 12 or (hour < 6 and len(self.days) < len(DAYS))):
            told = f"the night of {self._typed_days()} can be the one before or the one after"
            raise self._error(told, f"write the day and {hour % 12}:{minute:02}, without 'night'")
        if self.part in ("afternoon", "evening") or (self.part == "night" and hour >= 6):
            hour = hour % 12 + 12
        elif self.bare and not self.part and hour < 12:
            told = f"{self.typed_time} can be morning or evening"
            raise self._error(told, f"write {hour}am or {hour}pm")
        return hour, minute

    def _typed_days(self) -> str:
        if len(self.days) == len(DAYS):
            return "daily" if "daily" in self.said.lower() else "every day"
        if self.days == DAYS[:5]:
            return "weekdays"
        return self.said.strip().lower() if len(self.days) == 1 else " ".join(self.days)

    def _told(self, at: str) -> str:
        """Say how a time zone was read that was not typed as a charter writes it."""
        if self.offset:
            told = f"{self.typed_time} {self.typed_zone} is {at} UTC all year, also when clocks"
            return f"{told} change; for local time, name a city"
        if self.typed_zone in ("utc", self.zone.lower()) or self.zone == "UTC":
            return ""
        short = self.typed_zone.removesuffix(" time") in _ZONES
        also = ", in summer and in winter" if short else ""
        return f"{self._zone_typed()} is the local time of {self.zone}{also}"

    def _zone_typed(self) -> str:
        name = self.typed_zone.removesuffix(" time")
        return name.upper() if name in _ZONES and len(name) <= 4 else name.title()

    # -------------------------------------------------------------- what is wrong
    def _error(self, told: str, hint: str) -> CliError:
        return CliError(f"{self.option}: {told}", hint)

    def _wrong(self, hint: str = "") -> CliError:
        rest = f" (at {self.rest!r})" if self.rest and self.rest != self.said.lower() else ""
        return self._error(f"{self.said!r} is not a deadline{rest}", hint or FORMS)

    def _midnight(self) -> CliError:
        told = "midnight can be the beginning or the end of the day"
        return self._error(told, "write 00:00 or 23:59")

    def _no_time(self, typed: str) -> CliError:
        return self._error(f"{typed.strip()} is not a time of day", "write 20:00 or 8pm")

    def _unknown(self) -> CliError:
        """Return the error for words that are not known; they may be meant as a time zone."""
        if re.match(r"(?:a|one|per|every|1) ?months?\b|monthly\b", self.rest):
            return self._error("a month is not exact", "write 30 days")
        zone_next = self.time[0] >= 0 and self.days and not self.zone
        if zone_next and re.fullmatch(r"[^\W\d_]+(?:[ /_'.+-][^\W\d_]+){0,3}", self.rest):
            at = self.said.lower().find(self.rest)  # with its capital letters, if it is as typed
            typed = self.said[at : at + len(self.rest)] if at >= 0 else self.rest
            return _no_zone(self.option, typed)
        return self._wrong()


def _no_zone(option: str, name: str) -> CliError:
    """Return the error for a time zone that nobody knows."""
    import difflib

    near = [] if "/" in name else difflib.get_close_matches(name.lower(), _cities(), 2, 0.8)
    like = zones_like(name) if "/" in name else [_cities()[city] for city in near]
    hint = f"did you mean {' or '.join(like)}?" if like else f"write {CITY}"
    return CliError(f"{option}: no time zone is called {name}", hint)


def _short(word: str) -> str:
    return next(day for day in DAYS if day.startswith(word[:2]))


# ------------------------------------------------------------------ time zones
def zone_here() -> str:
    """Return the name of this computer's time zone, such as `Europe/Berlin`; empty if unknown."""
    import warnings

    from tzlocal import reload_localzone

    try:
        with warnings.catch_warnings(action="ignore"):
            name = str(reload_localzone())
    except (LookupError, ValueError, OSError):
        return ""
    if name in ("Etc/UTC", "Etc/GMT", "GMT", "Zulu", "UCT", "Etc/UCT", "Universal"):
        return "UTC"
    return _zone_of(name) if "/" not in name or not zone_named(name) else name


def _zone_of(typed: str) -> str:
    """Return the time zone of a name, in any case, or of a city; empty if there is none."""
    name = typed.lower().removesuffix(" time").replace(" ", "_")
    return _ZONES.get(name) or _cities().get(name, "")


@lru_cache(1)
def _cities() -> dict[str, str]:
    """Return all time zones by their names and their cities, in lower case."""
    from zoneinfo import available_timezones

    named = sorted(zone for zone in available_timezones() if "/" in zone)
    regions = ("Europe", "America", "Asia", "Africa", "Australia", "Pacific", "Atlantic", "Indian")
    known = {zone.lower(): zone for zone in named}
    for zone in sorted(named, key=lambda zone: -zone.count("/")):  # the others are old names
        if zone.startswith(regions):
            known.setdefault(zone.rpartition("/")[2].lower(), zone)
    return known


# ---- Turn the deadlines that a referee types for `new` into policies of the charter

DEFAULT: Final = "48h"
"""The default deadline of a new game: two days, because most people read their mail daily."""


def silence_policies(
    silent_seat: str,
    idle_after: int,
    open_after: int,
    deputy_after: str,
    deadlines: Mapping[str, str],
) -> dict[str, str | int]:
    """Return the policies of a new charter about silent seats and a silent referee; none for what
    charters mean without one. `deadlines` are its deadlines. Raises CliError."""
    found: dict[str, str | int] = {}
    numbers = (("idle_after", idle_after, IDLE_AFTER), ("open_after", open_after, OPEN_AFTER))
    for name, number, usual in numbers:
        if not 0 <= number <= MOST:
            told = f"--{name.replace('_', '-')} needs a number from 0 to {MOST}"
            raise CliError(told, "0 = never")
        if number != usual:
            found[name] = number
    if silent_seat not in SILENT_SEATS:
        told = f"--silent-seat cannot be {silent_seat!r}"
        raise CliError(told, f"it is one of: {', '.join(SILENT_SEATS)}")
    if silent_seat != DEFAULTS:
        rules = {rule for name, rule in deadlines.items() if name.startswith("deadline")}
        needs = f"--silent-seat {silent_seat} needs"
        if rules == {"never"}:
            told = f"{needs} a deadline: without one nobody counts as silent"
            raise CliError(told, "--deadline 48h")
        if not (idle_after and open_after):
            told = f"{needs} --idle-after and --open-after above 0"
            raise CliError(told, "if one of them is 0, no silent player ever loses the seat")
        found["silent_seat"] = silent_seat
    if deputy_after:
        found["deputy_after"] = span_words(typed_span("--deputy-after", deputy_after))
    return found


def silent_lines(policies: Policies) -> list[str]:
    """Return a line on what happens to players who stay silent for long; none if it is the
    default."""
    if policies.silent_seat == DEFAULTS:
        return []
    missed, rounds = policies.idle_after, policies.open_after
    long = f"miss {missed} deadlines in a row" if missed > 1 else "miss a deadline"
    long += f" and stay silent for {rounds} more round{'' if rounds == 1 else 's'}"
    bot = f"the bot {NAME} plays for them until they come back"
    then = bot if policies.silent_seat == BOT else "they are removed from the game and ranked last"
    return [f"players who {long}: {then}"]


def typed_policies(
    deadline: str,
    by_phase: Sequence[str],
    change_of_mind: str,
    phases: Sequence[str],
    delays: str = "",
) -> dict[str, str]:
    """Return the policies of a new charter, each rule in its standard form. Raises CliError."""
    found = {"deadline": typed_rule("--deadline", deadline).rule}
    for said in by_phase:
        phase, equals, rule = said.partition("=")
        if not equals or phase not in phases:
            hint = f"write --deadline-for {phases[-1]}=72h; the phases are {', '.join(phases)}"
            raise CliError(f"--deadline-for: {said!r} is not a phase of this game", hint)
        found[f"deadline_{phase}"] = typed_rule("--deadline-for", rule).rule
    for name, said in (("change_of_mind", change_of_mind), ("delays", delays)):
        if said:
            found[name] = span_words(typed_span(f"--{name.replace('_', '-')}", said))
    return found


def how_read(deadline: str, by_phase: Sequence[str]) -> list[str]:
    """Return what `pbem` assumed when it read these deadlines, such as the time zone."""
    rules = [deadline, *(said.partition("=")[2] for said in by_phase)]
    told = [typed_rule("--deadline", rule).told for rule in rules]
    return [*dict.fromkeys(one for one in told if one)]


def deadline_line(policies: Mapping[str, Any]) -> str:
    """Return the line that `new` prints about deadlines: `deadline: 48h after each turn; …`."""
    rules = [f"{policies.get('deadline', 'never')}"]
    rules += [
        f"{name.removeprefix('deadline_')}: {rule}"
        for name, rule in sorted(policies.items())
        if name.startswith("deadline_")
    ]
    if rules == ["never"]:
        return "there is no deadline: if a player stays silent, the game waits for them"
    silent = "after that, the least harmful choice is made for silent players"
    return f"deadline: {'; '.join(rules)}; {silent}"


# ---- Write what `status` says about players who are away, and how they can come back

COME_BACK = "you count as away: to come back, send orders"


def away_lines(view: View, sealed: Collection[str]) -> list[str]:
    """Return a line for each seat that is away.

    `sealed` are the seats whose orders for the next turn are in the folder.
    """
    return [_away_line(view, seat, why, seat in sealed) for seat, why in sorted(view.away.items())]


def calendar_lines(view: View) -> list[str]:
    """Return lines on announced absences, proposed deadlines, and the delays that you may still ask
    for."""
    if view.over or not view.published:
        return []
    lines = []
    for seat, (begins, ends) in sorted(view.absences.items()):
        if ends > now() and seat not in view.away:
            when = f"from {local_date(begins)} to {local_date(ends)}"
            lines.append(f"{clean(view.names[seat])} is away {when}, as announced")
    for seat, (phase, rule) in sorted(view.wanted.items()):
        where = f" --phase {phase}" if phase else ""
        told = f"{clean(view.names[seat])} proposes a new deadline: {rule}"
        lines.append(f'{told} (to agree: pbem notice deadline "{rule}"{where})')
    if view.delay_left and view.deadline > now() and view.seat in view.awaited:
        left = f"by up to {view.delay_left} more hours; to do so: pbem notice delay 24h"
        lines.append(f"you may put deadlines off {left}")
    return lines


def _away_line(view: View, seat: str, why: str, sealed: bool) -> str:
    mine, name, silent = seat == view.seat, clean(view.names[seat]), view.policies.silent_seat
    whom = "you" if mine else "them"
    if why == "conceded":
        told = "you have conceded" if mine else f"{name} has conceded"
        return f"{told}: the least harmful choices are made for {whom}, without waiting"
    if why == "removed":
        told = "you were" if mine else f"{name} was"
        least = f"the least harmful choices are made for {whom}, without waiting"
        return f"{told} silent for too long and removed from the game: {least}"
    if why == "open":
        told = "your seat is open" if mine else f"{name}'s seat is open"
        plays = (
            f"the bot {NAME} plays on" if silent == BOT else "its choices are made without waiting"
        )
        counts = "; your orders still count" if mine else ""
        return f"{told} for somebody else; until then, {plays}{counts}"
    if why == "announced":
        told = "you are away" if mine else f"{name} is away"
        return (
            f"{told}, as announced, so the game does not wait and the least harmful choices are "
            "made"
        )
    if sealed:
        return f"{name} was away but has sent orders, and will be back with the next turn"
    later = ""
    if why == "idle" and silent != DEFAULTS:
        rounds = view.policies.open_after
        long = "one whole round" if rounds == 1 else f"{rounds} whole rounds"
        then = "a bot plays on" if silent == BOT else "the seat is removed from the game"
        later = f"; after {long} without orders, {then}"
    if mine:
        end = " or the end of this round" if why == "absent" else ""
        chosen = "the least harmful choice is made immediately for you"
        return f"{COME_BACK}; until then{end}, {chosen}{later}"
    told = "was silent at the deadline" if why == "absent" else "missed the last few deadlines"
    long = "until the end of this round" if why == "absent" else "in every round"
    least = f"{long}, the least harmful choice is made immediately"
    ends = "nobody waits for them until they send orders"
    return f"{name} {told} and is {why}: {least}, and {ends}{later}"


# ---- The deadline of a turn in words


class Due(Value):
    """The deadline of a turn. All times are seconds since 1970 UTC."""

    made: int
    """When the turn that asks the questions was made."""
    counts: int
    """The moment from which a seat that stays silent counts as absent, as the turn says; 0 =
    never."""
    grace: int = 0
    """Seconds between the deadline and the moment `counts`."""

    def __bool__(self) -> bool:
        return bool(self.counts)

    @property
    def deadline(self) -> int:
        """The deadline that players are told; orders still count in the grace after it."""
        return self.counts - self.grace

    @property
    def over(self) -> bool:
        """Whether the deadline and its grace have passed."""
        return 0 < self.counts <= now()

    @property
    def left(self) -> float:
        """The remaining share of the time until the deadline: 1 at first, 0 at the deadline, then
        negative."""
        return (self.deadline - now()) / max(self.deadline - self.made, 1)

    @property
    def words(self) -> str:
        """The deadline as words for a sentence, with its grace if any; empty if there is no
        deadline."""
        if not self.counts:
            return ""
        told = moment(self.deadline, now())
        if self.grace and not self.over:
            still = "still " if self.deadline <= now() else ""
            told += f" (orders {still}count until {moment(self.counts, now())})"
        return told

    @property
    def for_others(self) -> str:
        """The deadline in UTC, for people in other time zones."""
        later = f" (orders count until {utc_date(self.counts)})" if self.grace else ""
        return f"{utc_date(self.deadline)}{later}"


def due_of(asked: View | Outcome) -> Due:
    """Return the deadline of a view's last turn, or of the turn that `advance` waits for."""
    if isinstance(asked, View):
        phase, made, counts = phase_of(asked.table.pending), asked.times[-1], asked.deadline
    else:
        turn, phase = asked.turn, asked.phase
        made, counts = (turn.time, turn.deadline) if turn else (0, 0)
    return Due(made, counts, asked.policies.rule(phase).grace if counts else 0)


# ---- Reminders: at half and at a quarter of the time, and after the deadline


def reminder(
    due: Due, title: str, turn: int, late: Mapping[str, Sequence[str]], names: Mapping[str, str]
) -> list[str]:
    """Return lines that say who to remind, and a text to send them; empty if it is too early.

    `late` gives, for each seat that the game waits for, the kinds of decision it must make.
    """
    stage = stage_of(due)
    if not stage or not late:
        return []
    who = listed(clean(names[seat]) for seat in sorted(late))
    kinds = dict.fromkeys(kind for asked in late.values() for kind in asked)
    text = f"{clean(title)}, turn {turn} is waiting for {who} ({', '.join(kinds)})."
    text += f" Deadline: {due.for_others}; after that, the least harmful choice is made."
    return [f"remind {who}: {stage}. You can send this text:", f"  {text}"]


def stage_of(due: Due) -> str:
    """Return how much time is left, in words; empty if it is too early for a reminder."""
    if not due or due.left > 0.5:
        return ""
    if due.left <= 0:
        return "the deadline has passed"
    part = "a quarter" if due.left <= 0.25 else "half"
    return f"less than {part} of the time is left"
