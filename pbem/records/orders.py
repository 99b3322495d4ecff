"""The record `orders`: the sealed orders of one seat that answer one turn; their lines, and the
sheets with room for them (protocol §5, §8).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar, Final

from engine import Line
from pbem.format.encrypted_box import (
    TAG,
)
from pbem.format.record_error import RecordError
from pbem.records.record_field_codecs import FieldError, array, boxed, hash32, number, wire
from pbem.records.record_header import Header, RecordKind

MAX_LINE_BYTES: Final = 200
"""The most bytes of a line, including its kind."""
BRACKET_PATTERN: Final = r"\[([^\[\]]*)\]"
"""The regular expression for a card or handle in brackets."""
_BRACKET = re.compile(BRACKET_PATTERN)
_LINE = re.compile(r"(always )?([a-z][a-z0-9_-]{0,31}): ([ -~]+)")


def parse_line(line: str, number: int = 0) -> Line:
    """Parse `<kind>: <sentence>` or `always <kind>: <sentence>`, at most 200 printable ASCII bytes.
    Raises RecordError `rule`, as the seat's own `check` does."""
    match = _LINE.fullmatch(line)
    if not match or len(line) > MAX_LINE_BYTES:
        raise RecordError("rule", f"this is not a line of orders: {line[:60]!r}")
    if "[" in _BRACKET.sub("", line) or "]" in _BRACKET.sub("", line):
        raise RecordError("rule", f"a bracket has no partner in this line of orders: {line[:60]!r}")
    return Line(number, match[2], match[3], bool(match[1]))


SLOTS_PER_SHEET: Final = 64
"""The number of slots in a sheet of orders."""
SHEET_BYTES: Final = 2048
"""The padded size of the text in a box of orders, for each sheet."""
SHEET_COUNTS: Final = (1, 2, 4, 8)
"""The possible numbers of sheets: only four, so that the size of orders tells very little."""
MAX_LINES: Final = SLOTS_PER_SHEET * SHEET_COUNTS[-1]
"""The most lines, and slots, in a set of orders."""
_BOX_OVERHEAD_BYTES: Final = 8 + 32
"""Bytes in a box of orders besides the texts: their length and the secret."""
MAX_TEXT_BYTES: Final = SHEET_BYTES * SHEET_COUNTS[-1] - _BOX_OVERHEAD_BYTES
"""The most bytes of all lines together, each with its LF."""


def sheets_for(texts: Sequence[str]) -> int:
    """Return the smallest number of sheets with room for the lines; 0 if there is none."""
    size = _BOX_OVERHEAD_BYTES + sum(len(line) + 1 for line in texts)
    return next(
        (n for n in SHEET_COUNTS if len(texts) <= SLOTS_PER_SHEET * n and size <= SHEET_BYTES * n),
        0,
    )


def why_orders_too_long(texts: Sequence[str]) -> str:
    """Say why these lines do not fit into orders; empty if they fit."""
    if sheets_for(texts):
        return ""
    if len(texts) > MAX_LINES:
        return f"there are {len(texts)} lines of orders; the maximum is {MAX_LINES}"
    size = sum(len(line) + 1 for line in texts)
    return f"the lines of orders have {size} bytes together; the maximum is {MAX_TEXT_BYTES}"


_orders_box = boxed(
    lambda n: n in [TAG + SHEET_BYTES * sheets for sheets in SHEET_COUNTS],
    f"base64 of a box of {TAG} bytes, plus {SHEET_BYTES} bytes for every {SLOTS_PER_SHEET} slots",
)


class Orders(Header, kw_only=True):
    """The sealed orders of one seat that answer one turn; a file in `orders/`."""

    kind: ClassVar[RecordKind] = "orders"
    revision: int = wire(number(1, 99))
    """The highest revision that the referee has when the next turn is made counts."""
    lines: tuple[bytes, ...] = wire(array(hash32, SLOTS_PER_SHEET, MAX_LINES))
    """One commitment per slot: 64, 128, 256 or 512 of them."""
    box: bytes = wire(_orders_box)
    """Box to `audit`: the secret s and the texts."""

    def check(self) -> None:
        """Raise FieldError if the fields contradict each other (see Header)."""
        super().check()
        if (len(self.box) - TAG) // SHEET_BYTES * SLOTS_PER_SHEET != len(self.lines):
            raise FieldError(
                f"the box (field box) must have {TAG} bytes, plus "
                f"{SHEET_BYTES} bytes for every {SLOTS_PER_SHEET} slots (field lines)"
            )


def orders_rank(turn: int, revision: int, id_digits: str) -> tuple[int, int, str]:
    """Return a sort key for a seat's orders: the orders that count come first (protocol §8).

    The latest turn counts, then the highest revision, then the smallest id. `id_digits`: the id in
    hex, or its first digits.

    >>> sorted([orders_rank(3, 1, "9f"), orders_rank(3, 2, "ab"), orders_rank(3, 2, "07")])
    [(-3, -2, '07'), (-3, -2, 'ab'), (-3, -1, '9f')]
    """
    return -turn, -revision, id_digits
