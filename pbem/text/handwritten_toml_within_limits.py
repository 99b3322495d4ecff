"""Read TOML that people write: order drafts, card files, rule cases, settings.

The standard library parses the text, but a name of ten thousand parts, or deeply nested lists,
would take it minutes and gigabytes. So this module checks the limits first.
"""

from __future__ import annotations

import re
from typing import Any, Final

from pbem.text.encodings_and_unusual_characters import as_utf8

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
    """A text that exceeds the limits: the reason, and line and column if there is one place."""

    def __init__(self, reason: str, position: tuple[int, int] | None = None) -> None:
        super().__init__(f"line {position[0]}: {reason}" if position else reason)
        self.reason, self.position = reason, position


def loads(text: str, max_characters: int = MAX_TEXT) -> dict[str, Any]:
    """Parse a text, in limited time. Raises Overlong, or ValueError as `tomllib` does."""
    import tomllib

    text = text.replace("\r\n", "\n")
    check(text, max_characters)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise Overlong("the brackets are nested too deeply") from None


def decoded(data: bytes, max_characters: int = MAX_TEXT) -> dict[str, Any]:
    """Parse the bytes of a file as `loads` does. Also raises UnicodeDecodeError, a ValueError."""
    if len(data) > 4 * max_characters:
        raise Overlong(f"longer than {max_characters >> 10} kB")
    return loads(as_utf8(data).decode(), max_characters)


def check(text: str, max_characters: int = MAX_TEXT) -> None:
    """Raise Overlong for a text that takes too long to parse or contains control characters."""
    if len(text) > max_characters:
        raise Overlong(f"longer than {max_characters >> 10} kB")
    max_lines = MAX_LINES * max(1, max_characters // MAX_TEXT)
    if text.count("\n") > max_lines:
        raise Overlong(f"more than {max_lines} lines")
    if match := _CONTROL.search(text):
        reason = f"a control character (U+{ord(match[0]):04X})"
        raise Overlong(reason, _position(text, match.start()))
    if text.count(".") >= MAX_PARTS and (match := re.search(_LONG_NAME, text)):
        raise Overlong(f"a name of more than {MAX_PARTS} parts", _position(text, match.start()))
    for number, line in enumerate(text.split("\n"), 1):
        if len(_OPEN.findall(line)) > MAX_NESTED and _depth(line) > MAX_NESTED:
            raise Overlong(f"more than {MAX_NESTED} nested brackets", (number, 1))


def _depth(line: str) -> int:
    """Return the largest number of brackets open at one time, including those in strings and
    comments."""
    depth = max_depth = 0
    for sign in line:
        depth += (sign in "[{") - (sign in "]}")
        max_depth = max(max_depth, depth)
    return max_depth


def _position(text: str, offset: int) -> tuple[int, int]:
    """Return line and column, both from 1."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
