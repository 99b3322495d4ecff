"""Deadlines as people type them, such as `weekdays 8pm Berlin`, and spans of time."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from typing import Final, NamedTuple

from pbem.errors import CliError
from pbem.records.deadline_rules import (
    FORMS,
    MAX_RULE_CHARACTERS,
    MAX_SPAN_SECONDS,
    DeadlineRule,
    read_rule,
    span_words,
)
from pbem.text.dates import DAY, DAYS, HOUR, WEEKDAYS
from pbem.text.terminal_and_page_wording import TerminalText
from pbem.text.time_zones import zone_named, zones_like
from pbem.text.typed_time_spans import span_at, span_parts_at, whole_span
from pbem.wording.deadlines_and_absences import (
    computer_zone_note,
    every_week_note,
    fixed_offset_note,
    local_time_note,
)

# ---- Read what somebody typed as a deadline, such as `weekdays 8pm Berlin`, or as a span of
# time
#
# A charter has one strict form for each rule (`DeadlineRule`). People write in many ways, so this
# reader takes words in any order. It reads only what has one meaning, and otherwise says what is
# missing. A time of day without a time zone is in the time zone of this computer, and `told` says
# so.

MIN_ANSWER_SECONDS: Final = 12 * HOUR
"""The shortest time to answer under a calendar rule, in seconds, unless the referee gives one."""
SPAN_FORMS = "write a span of time, such as 24h or '2 days'"
CITY_HINT = "a big city in your time zone, such as Berlin or New York, or UTC"

_DAY_PATTERN: Final = (
    r"(?:mon?(?:days?)?|tue?s?(?:days?)?|wed?(?:s|nesdays?)?|thu?(?:r|rs|rsdays?)?|fri?(?:days?)?"
    r"|sat?(?:urdays?)?|sun?(?:days?)?)\b\.?"
)
_EACH_PATTERN: Final = r"(?:(?:every|each|on|all) )?"
_DAY_SETS: Final = (
    (rf"{_EACH_PATTERN}(?:week|work|working|business) ?days?\b", DAYS[:5]),
    (rf"{_EACH_PATTERN}week-?ends?\b", DAYS[5:]),
    (r"(?:every|each) ?day\b|daily\b|all days\b", DAYS),
)
_PART_OF_DAY_PATTERN: Final = (
    r"(?P<each>(?:every|each) )?(?:in the |at )?(?P<part>morning|afternoon|evening|night)s?\b"
)
_EVERY_OTHER_PATTERN: Final = r"(?:every|each) (?:other|second|2nd|third|3rd) day\b"
_RANGE_PATTERN: Final = (
    rf"{_EACH_PATTERN}(?:from )?({_DAY_PATTERN}) ?(?:-|to|through|till|until) ?({_DAY_PATTERN})"
)
_LIST_PATTERN: Final = rf"{_EACH_PATTERN}({_DAY_PATTERN}(?: ?(?:and|&|/|\+)? ?{_DAY_PATTERN})*)"
_EXCEPT_PATTERN: Final = r"(?:except|excluding|without|but not|but|not)\b(?: on)?"
_TIME_PATTERN: Final = (
    r"(?P<hour>[0-9]{1,2})(?:[:.h](?P<minute>[0-9]{2}))?(?![0-9])"
    r" ?(?P<half>[ap]\.?m\b\.?)?(?P<clock> ?(?:uhr|o'?clock|h)\b)?"
)
_PLAIN_TIME_PATTERN: Final = r"(?P<hour>[0-9]{2})(?P<minute>[0-9]{2})h?(?![0-9a-z])"
_OFFSET_PATTERN: Final = r"(?:utc|gmt)? ?([+-])([0-9]{1,2})(?::?([0-9]{2}))?(?![0-9a-z])"
_WORD_PATTERN: Final = r"[^\W\d_][\w/+'.-]*"
_FILLER_PATTERN: Final = (
    r"(?:at|in|on|by|until|till|before|from|the|and|within|after (?:each|every|the) turn|per turn"
    r"|(?:local |my )time(?: zone)?|local|here|o'clock|time|sharp|with|max|only)\b"
)
_NO_DEADLINE_WORDS: Final = frozenset(
    ["no deadline", "none", "no", "without deadline", "off", "never"]
)
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
_AMBIGUOUS_ZONES: Final = {
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
    assumption: str
    """A sentence on the assumptions of `pbem`; empty if it took the words as they are."""


def typed_rule(option: str, typed_text: str) -> TypedRule:
    """Return the rule in its standard form; a calendar rule also gets a shortest time to answer.

    Raises CliError.
    """
    if len(typed_text) > MAX_RULE_CHARACTERS:
        raise _error(option, f"a deadline has at most {MAX_RULE_CHARACTERS} characters")
    try:
        rule, assumption = read_rule(typed_text), ""
        if rule.days and not zone_named(rule.zone):
            zone = _zone_of(rule.zone)
            if not zone:
                raise _no_zone(option, rule.zone)
            rule = replace(rule, zone=zone)
    except ValueError:
        rule, assumption = _Reader(option, typed_text).rule()
    if rule.days and not rule.least and "at least" not in typed_text.lower():
        rule = replace(rule, least=MIN_ANSWER_SECONDS)
    return TypedRule(rule.words, assumption)


def typed_span(option: str, typed_text: str) -> int:
    """Return a span of time that somebody typed, in seconds. Raises CliError."""
    seconds = whole_span(typed_text)
    if not seconds:
        raise _error(option, f"{typed_text!r} is not a span of time", SPAN_FORMS)
    if seconds > MAX_SPAN_SECONDS:
        raise _too_long(option, typed_text)
    return seconds


def _too_long(option: str, typed_text: str) -> CliError:
    return _error(
        option, f"{typed_text} is too long", f"the maximum is {MAX_SPAN_SECONDS // DAY} days"
    )


def _error(option: str, problem: str, hint: str = "") -> CliError:
    """Return an error whose sentence names the option, but for a page, which has a field for it."""
    template = TerminalText("[[{option}: ]]{problem}")
    return CliError(template.format(option=option, problem=problem), hint)


class _Reader:
    """Reads the words of one deadline, in any order."""

    def __init__(self, option: str, typed_text: str) -> None:
        """Begin to read a deadline. Signs that change nothing are taken out of the text; the words
        that follow fill the fields below, whose first values mean that nothing was typed."""
        self.option, self.typed_text = option, typed_text
        plain_text = re.sub(
            r"[()\[\]\"“”„;,@]", " ", re.sub(r"(?<=\d),(?=\d)", ".", typed_text.lower())
        )
        self.remaining_words = " ".join(re.sub("[–—]", "-", plain_text).split()).rstrip("!. ")
        self.days: tuple[str, ...] = ()
        """The days of the week that were typed, and (below) those after `except`."""
        self.excluded_days: tuple[str, ...] = ()
        self.time = (-1, 0)
        """Hour and minute; the hour is -1 if no time of day was typed."""
        self.typed_time = ""
        self.is_bare_number = self.has_half_day = False
        """Whether the time is a plain number, and whether it has `am` or `pm`."""
        self.is_after_at = False
        """Whether the last word was `at`."""
        self.part_of_day = ""
        """A word such as `evening`, which says which half of the day a time is in."""
        self.span = self.min_seconds = self.grace = 0
        """Seconds after each turn, seconds that players have at least, and seconds of grace."""
        self.repeats = ""
        """How often the deadline comes: `weekly`, `within week` (several times in a week), `often`
        (each `span`); empty if the text does not say it so."""
        self.zone = ""
        """The time zone by its full name; `typed_zone` is as it was typed."""
        self.typed_zone = ""
        self.offset = 0
        """By how many minutes the typed time is ahead of UTC, if the zone was typed so."""

    def rule(self) -> tuple[DeadlineRule, str]:
        """Return the rule, and what the reader assumed. Raises CliError."""
        if self.remaining_words in _NO_DEADLINE_WORDS:
            return DeadlineRule(), ""
        if self.typed_text.strip().isdecimal():
            raise self._not_a_deadline(f"write {self.typed_text.strip()}h")
        while self.remaining_words:
            if not self._next():
                raise self._unknown()
        if self.span or (self.repeats and not self.days and self.time[0] < 0):
            return self._after_turn(), ""
        return self._on_days()

    # -------------------------------------------------------------- one word after the other
    def _next(self) -> bool:
        """Take the next part of the deadline from the remaining words; return whether there was
        one. The order of the attempts matters, because a number may begin a limit, a time or a
        span."""
        if self._limit() or self._repeat() or self._some_days() or self._part_of_day():
            return True
        if self._time():
            return True
        if not self.span and (seconds := self._span_here()):
            self.span = seconds
            return True
        if self._offset():
            return True
        filler = self._take(_FILLER_PATTERN)
        self.is_after_at = bool(filler and filler[0] == "at")
        return bool(filler) or self._some_zone()

    def _take(self, pattern: str) -> re.Match[str] | None:
        match = re.match(pattern, self.remaining_words)
        if match and match.end():
            self.remaining_words = self.remaining_words[match.end() :].lstrip(" .")
            return match
        return None

    def _limit(self) -> bool:
        """Read `at least 12h`, `grace 2h`, `2h grace` or `except sat sun`."""
        limits = ((r"(?:at least|minimum(?: of)?)\b", "min_seconds"), (r"grace\b", "grace"))
        for pattern, name in limits:
            if not getattr(self, name) and self._take(pattern):
                seconds = self._span_here()
                if not seconds:
                    raise self._not_a_deadline()
                setattr(self, name, seconds)
                return True
        if not self.grace and self._grace_here():
            return True
        if (self.days or self.time[0] >= 0) and self._take(_EXCEPT_PATTERN):
            days, self.days = self.days, ()
            if not self._some_days():
                raise self._not_a_deadline()
            self.days, self.excluded_days = days, (*self.excluded_days, *self.days)
            return True
        return False

    def _grace_here(self) -> bool:
        """Take `2h grace` from the remaining words; return whether they begin so. If the text has
        no other deadline, `24h, 2h grace` is one: 24 hours after each turn. Raises CliError."""
        parts = span_parts_at(self.remaining_words)
        length = parts[-1].end if parts else 0
        match = re.compile(r" (?:of )?grace\b *").match(self.remaining_words, length)
        if not match or any(part.seconds % 60 for part in parts):
            return False
        has_deadline = bool(self.days or self.span or self.time[0] >= 0)
        is_last = match.end() == len(self.remaining_words)
        if len(parts) == 2 and is_last and not has_deadline:
            span, grace = parts[0], parts[1].seconds
            self.span = self._checked_span(int(span.seconds), self.remaining_words[: span.end])
        else:
            grace = sum((part.seconds for part in parts), start=Decimal(0))
        self.grace = self._checked_span(int(grace), self.remaining_words[:length])
        self.remaining_words = self.remaining_words[match.end() :]
        return True

    def _repeat(self) -> bool:
        """Read `every other day`, `every 48 hours`, `weekly`."""
        if self._take(r"(?:weekly|once a week|once per week|every week)\b"):
            self.repeats = "weekly"
        elif self._take(r"(?:twice|[2-6] times|three times) (?:a|per|each) week\b"):
            self.repeats = "within week"
        elif match := self._take(_EVERY_OTHER_PATTERN):
            self.repeats, self.span = "often", (3 if "rd" in match[0] else 2) * DAY
        elif re.match(r"every ", self.remaining_words) and span_at(self.remaining_words[6:])[0]:
            self.remaining_words = self.remaining_words[6:]
            self.repeats, self.span = "often", self._span_here()
        else:
            return False
        return True

    def _some_days(self) -> bool:
        """Take days of the week (`weekdays`, `mon-fri`, `wed and sun`) from the remaining words and
        add them to `days`; return whether there were any."""
        found_days: tuple[str, ...] = ()
        for form, days in _DAY_SETS:
            if self._take(form):
                found_days = days
                break
        else:
            if match := self._take(_RANGE_PATTERN):
                first_index, last_index = (DAYS.index(_day_name(match[n])) for n in (1, 2))
                found_days = tuple(
                    DAYS[n % 7]
                    for n in range(first_index, first_index + (last_index - first_index) % 7 + 1)
                )
            elif match := self._take(_LIST_PATTERN):
                found_days = tuple(_day_name(word) for word in re.findall(_DAY_PATTERN, match[1]))
        self.days = tuple(day for day in DAYS if day in {*self.days, *found_days})
        return bool(found_days)

    def _part_of_day(self) -> bool:
        match = self._take(_PART_OF_DAY_PATTERN)
        if match:
            self.part_of_day = match["part"]
            self.days = DAYS if match["each"] else self.days
        return bool(match)

    def _time(self) -> bool:
        """Read a time of day; a plain number can be one only after days, or after `at`."""
        expects_time = bool(self.days) or self.is_after_at
        if match := self._take(r"(?:noon|mid-?day)\b"):
            return self._set_time(12, 0, match[0])
        if self._take(r"midnight\b"):
            raise self._midnight()
        if expects_time and (match := self._take(_PLAIN_TIME_PATTERN)):
            return self._set_time(int(match["hour"]), int(match["minute"]), match[0])
        match = re.match(_TIME_PATTERN, self.remaining_words)
        if not match or not (match["minute"] or match["half"] or expects_time):
            return False
        if span_at(self.remaining_words)[1] > len(match[0]):
            return False  # `2 days`, `2h30m`
        if match["clock"] and not expects_time and not match["minute"]:
            return False  # `20h`
        self._take(_TIME_PATTERN)
        hour, minute, half_day = (
            int(match["hour"]),
            int(match["minute"] or 0),
            (match["half"] or ""),
        )
        self.is_bare_number, self.has_half_day = match["minute"] is None, bool(half_day)
        if half_day[:1] == "a" and hour > 12:
            raise self._no_time(match[0])
        if half_day and hour <= 12:
            hour = hour % 12 + (12 if half_day[0] == "p" else 0)
        return self._set_time(hour, minute, match[0])

    def _set_time(self, hour: int, minute: int, time_text: str) -> bool:
        """Set the time of day, and return True. Raises CliError for a second time, and for a time
        that no day has."""
        if self.time[0] >= 0:
            problem = f"{self.typed_text!r} has more than one time of day"
            raise self._error(
                problem, "a deadline has one time for all days, as in 'wed sun 20:00'"
            )
        if (hour, minute) == (24, 0):
            raise self._midnight()
        if hour > 23 or minute > 59:
            raise self._no_time(time_text)
        self.time, self.typed_time = (hour, minute), time_text.strip()
        return True

    def _span_here(self) -> int:
        """Take a span of time, such as `2 days`, from the remaining words; return its seconds, 0 if
        there is none. Raises CliError for a span that is too long or empty."""
        seconds, length = span_at(self.remaining_words)
        if length:
            self._checked_span(seconds, self.remaining_words[:length])
            self.remaining_words = self.remaining_words[length:].lstrip()
        return seconds

    def _checked_span(self, seconds: int, span_text: str) -> int:
        """Return the seconds of a span. Raises CliError for a span that is too long or empty."""
        if seconds > MAX_SPAN_SECONDS:
            raise _too_long(self.option, span_text)
        if not seconds:
            raise self._error(
                f"{span_text} leaves no time to answer", "write never for no deadline"
            )
        return seconds

    def _offset(self) -> bool:
        """Take a zone typed as hours from UTC, such as `utc+2`, from the remaining words; return
        whether there was one. Raises CliError for more than 14 hours."""
        if self.zone or not (match := self._take(_OFFSET_PATTERN)):
            return False
        minutes = int(match[2]) * 60 + int(match[3] or 0)
        if minutes > 14 * 60:
            raise self._error(f"no time zone is {match[0].strip().upper()}", f"write {CITY_HINT}")
        self.zone, self.typed_zone = "UTC", match[0].strip().upper()
        self.offset = minutes if match[1] == "+" else -minutes
        return True

    def _some_zone(self) -> bool:
        """Take the name of a time zone or of a city, of three words at most, from the remaining
        words; return whether there was one. Raises CliError for letters that several zones
        share."""
        words = self.remaining_words.split()
        if self.zone or not re.match(_WORD_PATTERN, self.remaining_words):
            return False
        for count in (3, 2, 1):
            zone_text = " ".join(words[:count])
            if len(words) < count or not (zone := _zone_of(zone_text)):
                continue
            self.zone, self.typed_zone = zone, zone_text
            self.remaining_words = " ".join(words[count:])
            return True
        if words[0] in _AMBIGUOUS_ZONES:
            typed_zone = words[0].upper()
            problem = f"{typed_zone} is the name of several time zones"
            raise self._error(problem, f"name a city instead: {_AMBIGUOUS_ZONES[words[0]]}")
        return False

    # -------------------------------------------------------------- what it means
    def _after_turn(self) -> DeadlineRule:
        """Return the rule for a deadline that is some time after each turn. Raises CliError if the
        text also has parts that fit only certain days."""
        if self.repeats == "weekly":
            hint = "write 'sunday 20:00', or '7 days' for a week after each turn"
            raise self._error(f"{self.typed_text!r} does not say on which day", hint)
        if self.repeats == "within week":
            hint = "write 'tue fri 20:00'"
            raise self._error(
                f"{self.typed_text!r} does not say on which days and at what time", hint
            )
        span_text = span_words(self.span)
        if self.repeats and (self.days or self.time[0] >= 0):
            hint = f"write '{span_text}', or name the days: 'mon wed fri 20:00'"
            problem = (
                f"{self.typed_text!r} is not a deadline: a deadline is some time after each turn"
            )
            raise self._error(f"{problem}, or on certain days of the week", hint)
        if self.days or self.time[0] >= 0:
            problem = "a deadline is either some time after each turn, or on certain days"
            raise self._error(problem, f"write '{span_text}' or 'every day 20:00'")
        if self.zone:
            raise self._error(
                "a span of time cannot have a time zone", f"leave out {self._zone_typed()}"
            )
        if self.min_seconds:
            problem = "'at least' can be used only with days of the week"
            raise self._error(problem, "leave 'at least' out")
        return DeadlineRule(span=self.span, grace=self.grace)

    def _on_days(self) -> tuple[DeadlineRule, str]:
        """Return the rule for a deadline at a time on certain days, and sentences on what was
        assumed: the zone, and that a single day means every week. Raises CliError if day, time or
        zone is missing."""
        hour, minute = self._hour()
        if hour < 0 and not self.days:
            raise self._not_a_deadline()
        stripped_text = self.typed_text.strip()
        if hour < 0:
            days_text = self._typed_days()
            span_hint = (
                ", or '24h' for a day after each turn" if len(self.days) == len(DAYS) else ""
            )
            hint = f"write '{days_text} 20:00'{span_hint}"
            raise self._error(f"{stripped_text!r} does not say at what time", hint)
        if not self.days:
            if self.repeats:
                hint = f"write 'sunday {self.typed_time}'"
                raise self._error(f"{stripped_text!r} does not say on which day", hint)
            hint = f"write 'every day {stripped_text}' or 'sunday {stripped_text}'"
            raise self._error(f"{stripped_text!r} does not say on which days", hint)
        days = tuple(day for day in self.days if day not in self.excluded_days)
        if not days:
            raise self._error("every day is left out", "name the days that have a deadline")
        shift, minutes = divmod(hour * 60 + minute - self.offset, 24 * 60)
        days = tuple(d for d in DAYS if DAYS[(DAYS.index(d) - shift) % 7] in days)
        hour, minute = divmod(minutes, 60)
        zone = self.zone or zone_here()
        if not zone:
            sentence = "pbem cannot find out the time zone of this computer"
            raise self._error(sentence, f"after the time, write {CITY_HINT}")
        time_of_day = f"{hour:02}:{minute:02}"
        notes = [self._zone_note(time_of_day) if self.zone else computer_zone_note(zone)]
        if len(days) == 1 and not re.search(r"every|each|weekly|days\b", self.typed_text.lower()):
            notes.append(every_week_note(WEEKDAYS[self.days[0]]))
        rule = DeadlineRule(0, days, hour, minute, zone, self.min_seconds, self.grace)
        return rule, "; ".join(filter(None, notes))

    def _hour(self) -> tuple[int, int]:
        """Return the time of day; the hour is -1 if none was typed. Raises CliError."""
        hour, minute = self.time
        if self.has_half_day or not 1 <= hour <= 12:
            return hour, minute
        if self.part_of_day == "night" and (
            hour == 12 or (hour < 6 and len(self.days) < len(DAYS))
        ):
            problem = (
                f"“night” is not clear: it can be the night before {self._typed_days()} or the "
                "night after"
            )
            raise self._error(
                problem, f"write the day and {hour % 12}:{minute:02}, without 'night'"
            )
        if self.part_of_day in ("afternoon", "evening") or (
            self.part_of_day == "night" and hour >= 6
        ):
            hour = hour % 12 + 12
        elif self.is_bare_number and not self.part_of_day and hour < 12:
            problem = f"{self.typed_time} can be in the morning or in the evening"
            raise self._error(problem, f"write {hour}am or {hour}pm")
        return hour, minute

    def _typed_days(self) -> str:
        if len(self.days) == len(DAYS):
            return "daily" if "daily" in self.typed_text.lower() else "every day"
        if self.days == DAYS[:5]:
            return "weekdays"
        return self.typed_text.strip().lower() if len(self.days) == 1 else " ".join(self.days)

    def _zone_note(self, time_of_day: str) -> str:
        if self.offset:
            return fixed_offset_note(f"{self.typed_time} {self.typed_zone}", time_of_day)
        if self.typed_zone in ("utc", self.zone.lower()) or self.zone == "UTC":
            return ""
        is_short = self.typed_zone.removesuffix(" time") in _ZONES
        return local_time_note(self._zone_typed(), self.zone, is_short_name=is_short)

    def _zone_typed(self) -> str:
        name = self.typed_zone.removesuffix(" time")
        return name.upper() if name in _ZONES and len(name) <= 4 else name.title()

    # -------------------------------------------------------------- what is wrong
    def _error(self, problem: str, hint: str) -> CliError:
        return _error(self.option, problem, hint)

    def _not_a_deadline(self, hint: str = "") -> CliError:
        rest_clause = (
            f" (at {self.remaining_words!r})"
            if self.remaining_words and self.remaining_words != self.typed_text.lower()
            else ""
        )
        return self._error(f"{self.typed_text!r} is not a deadline{rest_clause}", hint or FORMS)

    def _midnight(self) -> CliError:
        problem = "midnight can be the beginning or the end of the day"
        return self._error(problem, "write 00:00 or 23:59")

    def _no_time(self, time_text: str) -> CliError:
        return self._error(f"{time_text.strip()} is not a time of day", "write 20:00 or 8pm")

    def _unknown(self) -> CliError:
        """Return the error for remaining words that are no part of a deadline; after a day and a
        time, they may be meant as a zone."""
        if re.match(r"(?:a|one|per|every|1) ?months?\b|monthly\b", self.remaining_words):
            return self._error("months differ in length", "write 30 days")
        zone_next = self.time[0] >= 0 and self.days and not self.zone
        if zone_next and re.fullmatch(
            r"[^\W\d_]+(?:[ /_'.+-][^\W\d_]+){0,3}", self.remaining_words
        ):
            position = self.typed_text.lower().find(
                self.remaining_words
            )  # with its capital letters, if it is as typed
            zone_text = (
                self.typed_text[position : position + len(self.remaining_words)]
                if position >= 0
                else self.remaining_words
            )
            return _no_zone(self.option, zone_text)
        return self._not_a_deadline()


def _no_zone(option: str, name: str) -> CliError:
    """Return the error for an unknown time zone, with names that are similar."""
    import difflib

    close_matches = (
        [] if "/" in name else difflib.get_close_matches(name.lower(), _cities(), 2, 0.8)
    )
    zones = zones_like(name) if "/" in name else [_cities()[city] for city in close_matches]
    hint = f"did you mean {' or '.join(zones)}?" if zones else f"write {CITY_HINT}"
    return _error(option, f"no time zone is called {name}", hint)


def _day_name(word: str) -> str:
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


def _zone_of(typed_name: str) -> str:
    name = typed_name.lower().removesuffix(" time").replace(" ", "_")
    return _ZONES.get(name) or _cities().get(name, "")


@lru_cache(1)
def _cities() -> dict[str, str]:
    """Return the time zone of each city, by the city's name in lower case; also each zone by its
    full name."""
    from zoneinfo import available_timezones

    zone_names = sorted(zone for zone in available_timezones() if "/" in zone)
    regions = ("Europe", "America", "Asia", "Africa", "Australia", "Pacific", "Atlantic", "Indian")
    zones_by_city = {zone.lower(): zone for zone in zone_names}
    for zone in sorted(zone_names, key=lambda zone: -zone.count("/")):  # the others are old names
        if zone.startswith(regions):
            zones_by_city.setdefault(zone.rpartition("/")[2].lower(), zone)
    return zones_by_city
