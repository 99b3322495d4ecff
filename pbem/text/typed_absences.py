"""Absences as people type them: `away 24 December to 2 January`."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Final, NamedTuple

from pbem.text.dates import DAYS
from pbem.text.typed_time_spans import whole_span

# The patterns here are compiled only when they are used, because `list` and `status` need none.

DAY: Final = 86400
MAX_DAYS: Final = 400
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
_DAY_WORD: Final = (
    r"today|tomorrow|mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
)
_DAY: Final = rf"(?:{_DATE}|(?:{_DAY_WORD})\b)"
_GREETING: Final = r"(?:(?:hi|hello|hey|sorry|ps)\W{1,3})?(?:but )?"
_UNTIL_WORDS: Final = "to|until|till|through|and"
_ABSENCE: Final = (
    rf"{_GREETING}(?:i am |i'm |i will be |i'll be )?(?:going )?away:? (?:"
    rf"(?:from |between )?(?P<first>{_DAY}) ?(?:{_UNTIL_WORDS}|-|–|\.\.) ?(?P<last>{_DAY})"
    rf"|(?:{_UNTIL_WORDS}|\.\.) ?(?P<until>{_DAY})|(?:on |only )?(?P<only>{_DAY})"
    r"|(?P<weekend>(?:(?:this|over the|on the|at the) )?weekend)|(?P<week>next week)"
    r"|(?:for )?(?P<span>[a-z0-9., ]+))"
)
_DAYS_OF_ONE_MONTH: Final = (
    r"\b(\d{1,2})(st|nd|rd|th|\.)? ?(?:to|until|-|–) ?(\d{1,2})(st|nd|rd|th|\.)? ([a-z]{3,9})\b"
    r"|\b([a-z]{3,9}) (\d{1,2}) ?(?:to|until|-|–) ?(\d{1,2})\b(?! ?[a-z])"
)
"""`24-27 December`, `Dec 24-27`."""
_BACK_LINES: Final = frozenset(["back", "i am back", "i'm back", "not away", "i am not away"])


class Day(NamedTuple):
    """A day as somebody wrote it: a date, or a day near today."""

    year: int = 0
    """0 if the writer named no year."""
    month: int = 0
    """0 if they wrote a day near today."""
    day: int = 0
    day_word: str = ""
    """The word instead of a date: `mon` to `sun`, `today`, `tomorrow`, `weekend` or `week`. For a
    last day also the number of days after the first day, such as `7`."""


class DaysAway(NamedTuple):
    """The days of an absence as somebody wrote them; both belong to it."""

    first_day: Day | None
    """None if the absence has begun."""
    last_day: Day | None
    """None if the writer is back, or was not away after all."""


def read_absence(line: str) -> DaysAway | None:
    """Return the absence that a line in lower case announces; None if the line is not clear.

    >>> read_absence("away until friday").last_day.day_word
    'fri'
    """
    if line in _BACK_LINES:
        return DaysAway(None, None)
    match = re.fullmatch(_ABSENCE, re.sub(_DAYS_OF_ONE_MONTH, _with_both_months, line))
    if match is None:
        return None
    if match["weekend"] or match["week"]:  # a week ends 6 days after its first day
        word, last_word = ("weekend", "weekend") if match["weekend"] else ("week", "6")
        return DaysAway(Day(day_word=word), Day(day_word=last_word))
    if match["span"]:
        seconds = whole_span(match["span"]) or 0
        days = -(-seconds // DAY)
        is_clear = seconds >= DAY and days <= MAX_DAYS
        return DaysAway(None, Day(day_word=f"{days}")) if is_clear else None
    if match["only"]:
        only_day = _read_day(match["only"])
        return DaysAway(only_day, Day(day_word="0")) if only_day else None
    first_day = _read_day(match["first"] or "")
    last_day = _read_day(match["last"] or match["until"])
    return DaysAway(first_day, last_day) if last_day and (first_day or not match["first"]) else None


def _with_both_months(match: re.Match[str]) -> str:
    """Write the month beside both days of `24-27 December`; other words stay as they are."""
    month = match[5] or match[6]
    if not _month_number(month):
        return match[0]
    return f"{match[1] or match[7]} {month} to {match[3] or match[8]} {month}"


def days_of(absence: DaysAway, today: date) -> tuple[date | None, date]:
    """Return the first and the last day of an absence; the first is None if it has begun.

    A day without a year is the next such day: the first day may be a month ago, the last day comes
    after the first. Raises ValueError for a day that no calendar has.
    """
    if absence.last_day is None:
        raise ValueError("this absence has no last day")
    last_day = absence.last_day
    first_date = absence.first_day and _first_date(absence.first_day, today, days_back=31)
    if last_day.day_word == "weekend" and first_date:
        return first_date, first_date + timedelta(days=6 - first_date.weekday())
    if last_day.day_word.isdecimal():
        return first_date, (first_date or today) + timedelta(days=int(last_day.day_word))
    if last_day.day_word in DAYS:  # `until friday`, written on a Friday, is a week later
        return first_date, _first_date(last_day, (first_date or today) + timedelta(days=1))
    return first_date, _first_date(last_day, today if last_day.day_word else first_date or today)


def _first_date(day: Day, earliest: date, days_back: int = 0) -> date:
    """Return the first date that a day can mean: for a word, from `earliest` on; for a day without
    a year, from `days_back` days before it. Raises ValueError for a day that no month has."""
    if day.day_word in DAYS:
        return earliest + timedelta(days=(DAYS.index(day.day_word) - earliest.weekday()) % 7)
    if day.day_word == "weekend":
        return earliest + timedelta(days=max(0, 5 - earliest.weekday()))
    if day.day_word == "week":
        return earliest + timedelta(days=7 - earliest.weekday())
    if day.day_word:
        return earliest + timedelta(days=int(day.day_word == "tomorrow"))
    if day.year:
        return date(day.year, day.month, day.day)
    for year in range(earliest.year - 1, earliest.year + 5):
        try:
            candidate = date(year, day.month, day.day)
        except ValueError:  # 29 February in most years, or no day of any
            continue
        if (earliest - candidate).days <= days_back:
            return candidate
    raise ValueError(f"month {day.month} has no day {day.day}")


def _read_day(text: str) -> Day | None:
    """Read a day, `24 december 2026`, `24.12.` or `friday`; None if its month is no month."""
    if re.fullmatch(_DAY_WORD, text):
        return Day(day_word=text if text in ("today", "tomorrow") else text[:3])
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    if re.fullmatch(r"\d{4}-\d\d?-\d\d?", text):
        return Day(numbers[0], numbers[1], numbers[2])
    if re.fullmatch(r"\d{1,2}\.\d{1,2}\.?(?:\d{4})?", text):
        return Day(numbers[2] if len(numbers) > 2 else 0, numbers[1], numbers[0])
    month = next(filter(None, map(_month_number, re.findall(r"[a-z]{3,}", text))), 0)
    year = numbers[1] if len(numbers) > 1 else 0
    return Day(year, month, numbers[0]) if month else None


def _month_number(word: str) -> int:
    names = [(name, name[:3], "sept" * (name == "september")) for name in _MONTHS]
    return next((number for number, spellings in enumerate(names, 1) if word in spellings), 0)
