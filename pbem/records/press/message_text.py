"""The text of a message: its lines and their limits, and the bytes of a private one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pbem.format.errors import RecordError
from pbem.records.fields.schema import Codec, Wrong, many, text

MOST_LINES: Final = 40
MOST_TEXT: Final = 1000
"""The most characters of all lines together."""
PRESS: Final = 4096
"""Padded size of every private message. The longest text fits, even with four bytes a character."""

lines: Final[Codec[tuple[str, ...]]] = many(text(0, MOST_TEXT), 1, MOST_LINES)


def check_text(said: Sequence[str]) -> None:
    """Raise Wrong unless these lines can be a message.

    Together they have 1 to 1000 characters, and neither the first nor the last line is blank.
    """
    size = sum(map(len, said))
    if not 1 <= size <= MOST_TEXT:
        raise Wrong(f"text: {size} characters; a message has 1 to {MOST_TEXT}")
    if not said[0].strip() or not said[-1].strip():
        raise Wrong("text: the first and the last line must not be blank")


def text_bytes(said: Sequence[str]) -> bytes:
    """Return the lines as they are sealed in a box: UTF-8, with LF between them."""
    return "\n".join(said).encode()


def read_text(plain: bytes) -> tuple[str, ...]:
    """Return the lines in an opened box. Raises RecordError `field` unless they are a message.

    The check is needed because the person who sealed the box is not trusted.
    """
    try:
        said = lines.read(plain.decode().split("\n"))
        check_text(said)
    except (UnicodeDecodeError, Wrong):
        raise RecordError("field", "the box does not hold the text of a message") from None
    return said
