"""A line of orders as it is sealed: a kind and a sentence (protocol §8)."""

from __future__ import annotations

import re
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
        raise RecordError("rule", f"not a line of orders: {line[:60]!r}")
    if "[" in _BRACKET.sub("", line) or "]" in _BRACKET.sub("", line):
        raise RecordError("rule", f"each [ in a line of orders must have its ]: {line[:60]!r}")
    return Line(number, match[2], match[3], bool(match[1]))
