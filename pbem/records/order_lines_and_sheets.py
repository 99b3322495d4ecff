"""The sealed lines of orders, and the sheets with room for them (protocol §8)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from engine import Line
from pbem.format.record_error import RecordError

MAX_LINE: Final = 200
"""The most bytes of a line, including its kind."""
BRACKET: Final = r"\[([^\[\]]*)\]"
"""The regular expression for a card or handle in brackets."""
_BRACKET = re.compile(BRACKET)
_LINE = re.compile(r"(always )?([a-z][a-z0-9_-]{0,31}): ([ -~]+)")


def parse_line(line: str, number: int = 0) -> Line:
    """Parse `<kind>: <sentence>` or `always <kind>: <sentence>`, at most 200 printable ASCII bytes.
    Raises RecordError `rule`, as the seat's own `check` does."""
    match = _LINE.fullmatch(line)
    if not match or len(line) > MAX_LINE:
        raise RecordError("rule", f"this is not a line of orders: {line[:60]!r}")
    if "[" in _BRACKET.sub("", line) or "]" in _BRACKET.sub("", line):
        raise RecordError("rule", f"a bracket has no partner in this line of orders: {line[:60]!r}")
    return Line(number, match[2], match[3], bool(match[1]))


SLOTS: Final = 64
"""The number of slots in a sheet of orders."""
SHEET: Final = 2048
"""The padded size of the text in a box of orders, for each sheet."""
SHEETS: Final = (1, 2, 4, 8)
"""The possible numbers of sheets: only four, so that the size of orders tells very little."""
MAX_LINES: Final = SLOTS * SHEETS[-1]
"""The most lines, and slots, in a set of orders."""
_BOX_OVERHEAD_BYTES: Final = 8 + 32
"""Bytes in a box of orders besides the texts: their length and the secret."""
MAX_TEXT: Final = SHEET * SHEETS[-1] - _BOX_OVERHEAD_BYTES
"""The most bytes of all lines together, each with its LF."""


def sheets_for(texts: Sequence[str]) -> int:
    """Return the smallest number of sheets with room for the lines; 0 if there is none."""
    size = _BOX_OVERHEAD_BYTES + sum(len(line) + 1 for line in texts)
    return next((n for n in SHEETS if len(texts) <= SLOTS * n and size <= SHEET * n), 0)


def why_orders_too_long(texts: Sequence[str]) -> str:
    """Say why these lines do not fit into orders; empty if they fit."""
    if sheets_for(texts):
        return ""
    if len(texts) > MAX_LINES:
        return f"there are {len(texts)} lines of orders; the maximum is {MAX_LINES}"
    size = sum(len(line) + 1 for line in texts)
    return f"the lines of orders have {size} bytes together; the maximum is {MAX_TEXT}"
