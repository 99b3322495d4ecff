"""Read a span of time as people type it: `48hrs`, `a week`, `2 days and 12 hours`, `2h30m`."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

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
_PART: Final = re.compile(
    rf"(?P<number>[0-9]{{1,5}}(?:[.,][0-9]{{1,2}})?|(?:{'|'.join(_NUMBERS)})(?= ))"
    r"(?P<more> and a half(?= ))? ?-?"
    rf"(?P<unit>{'|'.join(unit for unit, _ in _UNITS)})(?![a-z])(?P<half> and a half\b)?"
)
_JOINED: Final = re.compile(r" ?(?:and |\+ ?|, ?)?")


def span_at(text: str) -> tuple[int, int]:
    """Return the seconds of the span with which a text in lower case begins, and its length.

    Both are 0 if the text does not begin with a span of whole minutes.
    """
    text = text[:LONGEST]
    seconds, length, at = Decimal(0), 0, 0
    while part := _PART.match(text, at):
        number = Decimal(_NUMBERS.get(part["number"], part["number"]).replace(",", "."))
        number += Decimal("0.5") if part["half"] or part["more"] else 0
        seconds += number * next(s for unit, s in _UNITS if re.fullmatch(unit, part["unit"]))
        length = part.end()
        joined = _JOINED.match(text, length)
        at = joined.end() if joined else length
    return (0, 0) if seconds % 60 else (int(seconds), length)


def whole_span(text: str) -> int | None:
    """Return the seconds of a span that somebody typed; None if the text is anything else."""
    plain = " ".join(text.lower().split())
    seconds, length = span_at(plain)
    return seconds if length and length == len(plain) else None
