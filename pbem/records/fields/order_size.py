"""Choose the size of a set of orders, in slots and bytes, from four sizes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

SLOTS: Final = 64
"""How many slots a sheet of orders has."""
SHEET: Final = 2048
"""The padded size of the text in a box of orders, for each sheet."""
SHEETS: Final = (1, 2, 4, 8)
"""How many sheets orders may have: only four sizes, so that the size tells very little."""
MAX_LINES: Final = SLOTS * SHEETS[-1]
"""The most lines, and slots, in a set of orders."""
_BESIDES: Final = 8 + 32
"""Bytes in a box of orders besides the texts: their length and the secret."""
MAX_TEXT: Final = SHEET * SHEETS[-1] - _BESIDES
"""The most bytes of all lines together, each with its LF."""


def sheets_for(texts: Sequence[str]) -> int:
    """Return the smallest number of sheets with room for the lines; 0 if even the largest has too
    little room."""
    size = _BESIDES + sum(len(line) + 1 for line in texts)
    return next((n for n in SHEETS if len(texts) <= SLOTS * n and size <= SHEET * n), 0)


def why_too_long(texts: Sequence[str]) -> str:
    """Say why these lines do not fit into orders (too many, or too long together); empty if they
    fit."""
    if sheets_for(texts):
        return ""
    if len(texts) > MAX_LINES:
        return f"{len(texts)} lines; orders may have at most {MAX_LINES}"
    size = sum(len(line) + 1 for line in texts)
    return f"the lines are {size} bytes long in total; orders may have at most {MAX_TEXT}"
