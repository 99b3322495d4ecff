"""Parse one line of orders as it is sealed (protocol §3, orders)."""

import re
from typing import Final, NamedTuple

from pbem.format.errors import RecordError

MAX_LINE: Final = 200
"""The most bytes of a line, including its kind."""
BRACKET: Final = r"\[([^\[\]]*)\]"
"""The regular expression for a card or handle in brackets."""
_BRACKET = re.compile(BRACKET)
_LINE = re.compile(r"(always )?([a-z][a-z0-9_-]{0,31}): ([ -~]+)")


class TextLine(NamedTuple):
    """The parts of a line of orders."""

    kind: str
    sentence: str
    always: bool


def parse_line(line: str) -> TextLine:
    """Parse `<kind>: <sentence>` or `always <kind>: <sentence>`, at most 200 printable ASCII bytes.

    Raises RecordError `rule` for anything else, as the seat's own `check` does.
    """
    match = _LINE.fullmatch(line)
    if not match or len(line) > MAX_LINE:
        raise RecordError("rule", f"not a line of orders: {line[:60]!r}")
    if "[" in _BRACKET.sub("", line) or "]" in _BRACKET.sub("", line):
        raise RecordError("rule", f"the brackets do not match: {line[:60]!r}")
    return TextLine(match[2], match[3], bool(match[1]))
