"""Spans of time as people type them: `48hrs`, `a week`, `2 days and 12 hours`, `2h30m`."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final, NamedTuple

# The patterns here are compiled only when they are used, because `list` and `status` need none.

MAX_CHARACTERS: Final = 200
"""The most characters of a text that are read, because strangers write to players by email."""
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
# "one and a half weeks" has `more`, "a week and a half" has `half`
_PART: Final = (
    rf"(?P<number>[0-9]{{1,5}}(?:[.,][0-9]{{1,2}})?|(?:{'|'.join(_NUMBERS)})(?= ))"
    r"(?P<more> and a half(?= ))? ?-?"
    rf"(?P<unit>{'|'.join(unit for unit, _ in _UNITS)})(?![a-z])(?P<half> and a half\b)?"
)
_JOINED: Final = r" ?(?:and |\+ ?|, ?)?"


class SpanPart(NamedTuple):
    """A number with its unit, as a part of a span."""

    seconds: Decimal
    end: int
    """The position in the text at which the part ends."""


def span_at(span_text: str) -> tuple[int, int]:
    """Return seconds and length of the span with which a text in lower case begins.

    Both are 0 if the text does not begin with a span of whole minutes.

    >>> span_at("2 days and 12 hours late")
    (216000, 19)
    """
    parts = span_parts_at(span_text)
    seconds = sum(part.seconds for part in parts)
    return (int(seconds), parts[-1].end) if parts and not seconds % 60 else (0, 0)


def span_parts_at(span_text: str) -> list[SpanPart]:
    """Return the parts of the span with which a text in lower case begins.

    >>> span_parts_at("2 days and 12 hours late")[1]
    SpanPart(seconds=Decimal('43200'), end=19)
    """
    start = span_text[:MAX_CHARACTERS]
    parts, position = list[SpanPart](), 0
    while match := re.compile(_PART).match(start, position):
        number = Decimal(_NUMBERS.get(match["number"], match["number"]).replace(",", "."))
        number += Decimal("0.5") if match["half"] or match["more"] else 0
        unit_seconds = next(
            seconds for unit, seconds in _UNITS if re.fullmatch(unit, match["unit"])
        )
        parts.append(SpanPart(number * unit_seconds, match.end()))
        separator = re.compile(_JOINED).match(start, match.end())
        position = separator.end() if separator else match.end()
    return parts


def whole_span(span_text: str) -> int | None:
    """Return the seconds of a span that somebody typed; None if the text is anything else."""
    normalized_text = " ".join(span_text.lower().split())
    seconds, length = span_at(normalized_text)
    return seconds if length and length == len(normalized_text) else None
