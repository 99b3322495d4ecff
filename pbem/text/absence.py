"""Spans of time, absences and concessions as people type them: `2 days`, `away until friday`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Final, NamedTuple

from pbem.text.dates import DAYS

# The patterns here are compiled only when they are used, because `list` and `status` need none.

# ---- Read a span of time as people type it: `48hrs`, `a week`, `2 days and 12 hours`, `2h30m`

LONGEST: Final = 200
"""How many characters of a text are read; strangers write to players by plain email."""
_UNITS: Final = (
    (r"m|mins?|minutes?", 60),
    (r"h|hrs?|hours?", 3600),
    (r"d|days?", 86400),
    (r"w|wks?|weeks?", 604800),
    (r"fortnights?", 2 * 604800),
)
_NUMBERS: Final = {
    "half an": "0.5", "half a": "0.5", "half": "0.5", "an": "1", "a": "1",
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
}  # fmt: skip
_PART: Final = (
    rf"(?P<number>[0-9]{{1,5}}(?:[.,][0-9]{{1,2}})?|(?:{'|'.join(_NUMBERS)})(?= ))"
    r"(?P<more> and a half(?= ))? ?-?"
    rf"(?P<unit>{'|'.join(unit for unit, _ in _UNITS)})(?![a-z])(?P<half> and a half\b)?"
)
_JOINED: Final = r" ?(?:and |\+ ?|, ?)?"


def span_at(text: str) -> tuple[int, int]:
    """Return the seconds of the span with which a text in lower case begins, and its length.

    Both are 0 if the text does not begin with a span of whole minutes.
    """
    text = text[:LONGEST]
    seconds, length, at = Decimal(0), 0, 0
    while part := re.compile(_PART).match(text, at):
        number = Decimal(_NUMBERS.get(part["number"], part["number"]).replace(",", "."))
        number += Decimal("0.5") if part["half"] or part["more"] else 0
        seconds += number * next(s for unit, s in _UNITS if re.fullmatch(unit, part["unit"]))
        length = part.end()
        joined = re.compile(_JOINED).match(text, length)
        at = joined.end() if joined else length
    return (0, 0) if seconds % 60 else (int(seconds), length)


def whole_span(text: str) -> int | None:
    """Return the seconds of a span that somebody typed; None if the text is anything else."""
    plain = " ".join(text.lower().split())
    seconds, length = span_at(plain)
    return seconds if length and length == len(plain) else None


# ---- Read how a player without `pbem` announces an absence: `away 24 December to 2 January`

DAY: Final = 86400
MOST_DAYS: Final = 400
"""The longest absence in words that is read; a notice takes at most 100 days."""

_MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
_DATE: Final = (
    r"\d{4}-\d\d?-\d\d?|\d{1,2}\.\d{1,2}\.?(?:\d{4})?"
    r"|\d{1,2}(?:st|nd|rd|th|\.)? (?:of )?[a-z]{3,9}\.?(?:,? \d{4})?"
    r"|[a-z]{3,9}\.? \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?"
)
_NEAR: Final = (
    r"today|tomorrow|mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
)
_DAY: Final = rf"(?:{_DATE}|(?:{_NEAR})\b)"
_GREETING: Final = r"(?:(?:hi|hello|hey|sorry|ps)\W{1,3})?(?:but )?"
_TO: Final = "to|until|till|through|and"
_ABSENCE: Final = (
    rf"{_GREETING}(?:i am |i'm |i will be |i'll be )?(?:going )?away:? (?:"
    rf"(?:from |between )?(?P<first>{_DAY}) ?(?:{_TO}|-|–|\.\.) ?(?P<last>{_DAY})"
    rf"|(?:{_TO}|\.\.) ?(?P<until>{_DAY})|(?:on |only )?(?P<only>{_DAY})"
    r"|(?P<weekend>(?:(?:this|over the|on the|at the) )?weekend)|(?P<week>next week)"
    r"|(?:for )?(?P<span>[a-z0-9., ]+))"
)
_DAYS_OF_ONE_MONTH: Final = (
    r"\b(\d{1,2})(st|nd|rd|th|\.)? ?(?:to|until|-|–) ?(\d{1,2})(st|nd|rd|th|\.)? ([a-z]{3,9})\b"
    r"|\b([a-z]{3,9}) (\d{1,2}) ?(?:to|until|-|–) ?(\d{1,2})\b(?! ?[a-z])"
)
"""`24-27 December`, `Dec 24-27`."""
_BACK: Final = frozenset(["back", "i am back", "i'm back", "not away", "i am not away"])


class Day(NamedTuple):
    """A day as somebody wrote it: a date, or a day near today."""

    year: int = 0
    """0 if they named no year."""
    month: int = 0
    day: int = 0
    near: str = ""
    """What they wrote instead of a date: `mon` to `sun`, `today`, `tomorrow`, `weekend` or `week`.
    For a last day also how many days after the first it is, such as `7`."""


class DaysAway(NamedTuple):
    """The days of an absence as somebody wrote them; both belong to it."""

    first: Day | None
    """None means that it has begun."""
    last: Day | None
    """None means that the writer is back, or was not away after all."""


def read_absence(said: str) -> DaysAway | None:
    """Return what a line in lower case says about an absence; None if it says nothing clear."""
    if said in _BACK:
        return DaysAway(None, None)
    match = re.fullmatch(_ABSENCE, re.sub(_DAYS_OF_ONE_MONTH, _both, said))
    if match is None:
        return None
    if match["weekend"] or match["week"]:
        word, last = ("weekend", "weekend") if match["weekend"] else ("week", "6")
        return DaysAway(Day(near=word), Day(near=last))
    if match["span"]:
        seconds = whole_span(match["span"]) or 0
        days = -(-seconds // DAY)
        clear = seconds >= DAY and days <= MOST_DAYS
        return DaysAway(None, Day(near=f"{days}")) if clear else None
    if match["only"]:
        only = _day(match["only"])
        return DaysAway(only, Day(near="0")) if only else None
    first, last_day = _day(match["first"] or ""), _day(match["last"] or match["until"])
    return DaysAway(first, last_day) if last_day and (first or not match["first"]) else None


def _both(match: re.Match[str]) -> str:
    """Write the month beside both days of `24-27 December`; other words stay as they are."""
    month = match[5] or match[6]
    if not _month(month):
        return match[0]
    return f"{match[1] or match[7]} {month} to {match[3] or match[8]} {month}"


def days_of(absence: DaysAway, today: date) -> tuple[date | None, date]:
    """Return the first and the last day of an absence; the first is None if it has begun.

    A day without a year is the next such day: the first day may be a month ago, the last day comes
    after the first. Raises ValueError for a day that no calendar has.
    """
    if absence.last is None:
        raise ValueError("this absence has no last day")
    first, last = absence.first and _after(absence.first, today, back=31), absence.last
    if last.near == "weekend" and first:
        return first, first + timedelta(days=6 - first.weekday())
    if last.near.isdecimal():
        return first, (first or today) + timedelta(days=int(last.near))
    if last.near in DAYS:  # `until friday`, written on a Friday, is a week later
        return first, _after(last, (first or today) + timedelta(days=1))
    return first, _after(last, today if last.near else first or today)


def _after(day: Day, earliest: date, back: int = 0) -> date:
    """Return the day; if it has no year, the first one that is not before the earliest."""
    if day.near in DAYS:
        return earliest + timedelta(days=(DAYS.index(day.near) - earliest.weekday()) % 7)
    if day.near == "weekend":
        return earliest + timedelta(days=max(0, 5 - earliest.weekday()))
    if day.near == "week":
        return earliest + timedelta(days=7 - earliest.weekday())
    if day.near:
        return earliest + timedelta(days=int(day.near == "tomorrow"))
    if day.year:
        return date(day.year, day.month, day.day)
    for year in range(earliest.year - 1, earliest.year + 5):
        try:
            found = date(year, day.month, day.day)
        except ValueError:  # 29 February
            continue
        if (earliest - found).days <= back:
            return found
    raise ValueError(f"month {day.month} never has a day {day.day}")


def _day(text: str) -> Day | None:
    if re.fullmatch(_NEAR, text):
        return Day(near=text if text in ("today", "tomorrow") else text[:3])
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    if re.fullmatch(r"\d{4}-\d\d?-\d\d?", text):
        return Day(numbers[0], numbers[1], numbers[2])
    if re.fullmatch(r"\d{1,2}\.\d{1,2}\.?(?:\d{4})?", text):
        return Day(numbers[2] if len(numbers) > 2 else 0, numbers[1], numbers[0])
    month = next(filter(None, map(_month, re.findall(r"[a-z]{3,}", text))), 0)
    year = numbers[1] if len(numbers) > 1 else 0
    return Day(year, month, numbers[0]) if month else None


def _month(word: str) -> int:
    names = [(name, name[:3], "sept" * (name == "september")) for name in _MONTHS]
    return next((number for number, some in enumerate(names, 1) if word in some), 0)


# ---- Read how a player without `pbem` concedes: a reply that begins with `I concede the game`
#
# A player cannot take a concession back, so nothing is guessed: only one sentence is accepted

SENTENCE: Final = "I concede the game"
"""The line with which a reply that concedes must begin."""
_SALUTATION: Final = (
    r"(?i)(?:hi|hey|hello|hallo|dear|good (?:morning|day|afternoon|evening))(?:\W+\w+){0,3}\W*|\w+,"
)
_WISH: Final = (
    r"(?i)(?:i think )?(?:i |we )?"
    r"(?:hereby |will |must |should |have to |want to |would like to |wish to )?"
    r"(?:concede|resign|surrender|capitulate|forfeit|give up)(?: the game| this game| now)*"
)
_MENTION: Final = r"(?i)\bconced(?:e|es|ed|ing)\b"
_LONGEST: Final = 160
"""Longer lines, in characters, are not read."""


def concedes(lines: Sequence[str]) -> bool:
    """Return whether a reply with these lines, without quotes and empty lines, concedes the game:
    the sentence comes first, after a greeting at most."""
    begun = [line.rstrip(".! ").casefold() == SENTENCE.casefold() for line in lines[:2]]
    return bool(begun) and (begun[0] or (begun[-1] and bool(re.fullmatch(_SALUTATION, lines[0]))))


def mentions_conceding(line: str) -> bool:
    """Return whether a line mentions conceding, or says in other words that its writer gives up."""
    wishes = re.fullmatch(_WISH, line.rstrip("?!. "))
    return bool(wishes or (len(line) <= _LONGEST and re.search(_MENTION, line)))
