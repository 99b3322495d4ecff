"""One line of orders as it is sealed (protocol §3, orders): all that a plain `check` needs."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from pbem.format.errors import RecordError

MAX_LINE: Final = 200
"""Bytes of a line, its kind included."""
BRACKET: Final = r"\[([^\[\]]*)\]"
"""The expression for a bracketed card or handle."""
_BRACKET = re.compile(BRACKET)
_LINE = re.compile(r"(always )?([a-z][a-z0-9_-]{0,31}): ([ -~]+)")


class TextLine(NamedTuple):
    """A line of orders taken apart."""

    kind: str
    sentence: str
    always: bool


def parse_line(line: str) -> TextLine:
    """`<kind>: <sentence>` or `always <kind>: <sentence>`, at most 200 bytes of printable ASCII.

    Raises RecordError `rule` for anything else: the seat's own `check` says the same.
    """
    match = _LINE.fullmatch(line)
    if not match or len(line) > MAX_LINE:
        raise RecordError("rule", f"not a line of orders: {line[:60]!r}")
    if "[" in _BRACKET.sub("", line) or "]" in _BRACKET.sub("", line):
        raise RecordError("rule", f"brackets that do not pair: {line[:60]!r}")
    return TextLine(match[2], match[3], bool(match[1]))
