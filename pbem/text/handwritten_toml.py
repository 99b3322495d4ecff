"""Read TOML that people write: order drafts, card files, rule cases, settings.

The standard library parses the text, but a name of ten thousand parts, or deeply nested lists,
would take it minutes and gigabytes. So this module checks the limits first.
"""

from __future__ import annotations

import re
from typing import Any, Final

from pbem.text.encodings import as_utf8

MAX_TEXT: Final = 1 << 17
"""The most characters of a file."""
MAX_LINES: Final = 4_000
"""The most lines of a file; a caller that allows more characters also allows more lines."""
MAX_PARTS: Final = 16
"""The most parts of one name; `a.b.c` has three."""
MAX_NESTED: Final = 16
"""The most brackets that are open together in one line."""

_PART: Final = r"""(?:[A-Za-z0-9_-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+\."""
_LONG_NAME: Final = rf"(?<![A-Za-z0-9_-])(?:{_PART}[ \t]*+){{{MAX_PARTS},}}"
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
_OPEN = re.compile(r"[\[{]")


class Overlong(ValueError):
    """A text that exceeds the limits; says what is too much or not allowed, and where."""

    def __init__(self, what: str, place: tuple[int, int] | None = None) -> None:
        super().__init__(f"line {place[0]}: {what}" if place else what)
        self.what, self.place = what, place


def loads(text: str, most: int = MAX_TEXT) -> dict[str, Any]:
    """Parse a text, in limited time. Raises Overlong, or ValueError as `tomllib` does."""
    import tomllib

    text = text.replace("\r\n", "\n")
    check(text, most)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise Overlong("the brackets are nested too deeply") from None


def decoded(data: bytes, most: int = MAX_TEXT) -> dict[str, Any]:
    """Parse the bytes of a file as `loads` does. Also raises UnicodeDecodeError, a ValueError."""
    if len(data) > 4 * most:
        raise Overlong(f"longer than {most >> 10} kB")
    return loads(as_utf8(data).decode(), most)


def check(text: str, most: int = MAX_TEXT) -> None:
    """Raise Overlong for a text that takes too long to parse or contains control characters."""
    if len(text) > most:
        raise Overlong(f"longer than {most >> 10} kB")
    lines = MAX_LINES * max(1, most // MAX_TEXT)
    if text.count("\n") > lines:
        raise Overlong(f"more than {lines} lines")
    if found := _CONTROL.search(text):
        raise Overlong(f"a control character (U+{ord(found[0]):04X})", _place(text, found.start()))
    if text.count(".") >= MAX_PARTS and (found := re.search(_LONG_NAME, text)):
        raise Overlong(f"a name of more than {MAX_PARTS} parts", _place(text, found.start()))
    for number, line in enumerate(text.split("\n"), 1):
        if len(_OPEN.findall(line)) > MAX_NESTED and _depth(line) > MAX_NESTED:
            raise Overlong(f"more than {MAX_NESTED} nested brackets", (number, 1))


def _depth(line: str) -> int:
    """Return the largest number of brackets open at one time, including those in strings and
    comments."""
    depth = most = 0
    for sign in line:
        depth += (sign in "[{") - (sign in "]}")
        most = max(most, depth)
    return most


def _place(text: str, at: int) -> tuple[int, int]:
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
