"""Read how a player without `pbem` announces an absence: `away 24 December to 2 January`."""

from __future__ import annotations

import re
from datetime import date
from typing import Final, NamedTuple

_MONTHS: Final = (
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
)
_DAY: Final = (
    r"(?:\d{4}-\d\d?-\d\d?|\d{1,2}(?:st|nd|rd|th|\.)? (?:of )?[a-z]{3,9}\.?(?:,? \d{4})?"
    r"|[a-z]{3,9}\.? \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?)"
)
_GREETING: Final = r"(?:(?:hi|hello|hey|sorry|ps)\W{1,3})?(?:but )?"
_TO: Final = "to|until|till|through"
_ABSENCE: Final = re.compile(
    rf"{_GREETING}(?:i am |i'm |i will be |i'll be )?(?:going )?away:? "
    rf"(?:(?:from )?(?P<first>{_DAY}) ?(?:{_TO}|-|\.\.) ?|(?:{_TO}) )(?P<last>{_DAY})"
)
_BACK: Final = frozenset(["back", "i am back", "i'm back", "not away", "i am not away"])


class Day(NamedTuple):
    """A day as somebody wrote it."""

    year: int
    """0 if they named no year."""
    month: int
    day: int


class Absence(NamedTuple):
    """An absence as somebody wrote it; both days belong to it."""

    first: Day | None
    """None means that it has begun."""
    last: Day | None
    """None means that the writer is back, or was not away after all."""


def read_absence(said: str) -> Absence | None:
    """Return what a line in lower case says about an absence; None if it says nothing clear."""
    if said in _BACK:
        return Absence(None, None)
    match = _ABSENCE.fullmatch(said)
    if match is None:
        return None
    first, last = (_day(match[name] or "") for name in ("first", "last"))
    return Absence(first, last) if last and (first or not match["first"]) else None


def days_of(absence: Absence, today: date) -> str:
    """Write an absence as `FROM..TO` with ISO dates; FROM is empty if the absence has begun.

    A day without a year is the next such day: the first day may be a month ago, the last day comes
    after the first. Raises ValueError for a day that no calendar has.
    """
    if absence.last is None:
        raise ValueError("this absence has no last day")
    begins = _after(absence.first, today, back=31) if absence.first else None
    ends = _after(absence.last, begins or today)
    return f"{begins or ''}..{ends}"


def _after(day: Day, earliest: date, back: int = 0) -> date:
    """Return the day; if it has no year, the first one that is not before the earliest."""
    if day.year:
        return date(day.year, day.month, day.day)
    year = earliest.year
    for one in (year - 1, year, year + 1, year + 2, year + 3, year + 4):
        try:
            found = date(one, day.month, day.day)
        except ValueError:  # 29 February
            continue
        if (earliest - found).days <= back:
            return found
    raise ValueError(f"month {day.month} never has a day {day.day}")


def _day(text: str) -> Day | None:
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    if re.fullmatch(r"\d{4}-\d\d?-\d\d?", text):
        return Day(*numbers)
    names = [word for word in re.findall(r"[a-z]{3,}", text) if _is_month(word)]
    if not names:
        return None
    year = numbers[1] if len(numbers) > 1 else 0
    return Day(year, _MONTHS.index(names[0][:3]) + 1, numbers[0])


def _is_month(word: str) -> bool:
    names = ("january", "february", "march", "april", "may", "june", "july", "august")
    whole = (*names, "september", "october", "november", "december", "sept", *_MONTHS)
    return word in whole
