"""Put blocks of lines side by side, in order, in as few rows as the width allows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Final

GAP: Final = "   "
"""The gap between two blocks."""
NARROWEST: Final = 36
"""The fewest columns of a block that shares its lines with others."""
MOST: Final = 4
"""The most blocks side by side."""

Block = Sequence[tuple[str, int]]
"""Lines, each with its width on the screen; colour codes have no width."""
Draw = Callable[[int, int], Block]
"""A function that draws the block with this number within this width."""


def shelved(number: int, draw: Draw, width: int) -> list[str]:
    """Arrange the blocks in rows ("shelves") of `number` blocks, with an empty line before each
    row."""
    best: list[tuple[int, list[str]]] = [(0, [])]
    for end in range(1, number + 1):
        found: list[tuple[int, list[str]]] = []
        for begin in range(max(0, end - MOST), end):
            if shelf := _shelf(range(begin, end), draw, width):
                cost, before = best[begin]
                found.append((cost + len(shelf) + 1, [*before, "", *shelf]))
        best.append(min(found, key=lambda one: one[0]))
    return best[number][1]


def _shelf(numbers: range, draw: Draw, width: int) -> list[str]:
    """Draw these blocks side by side; empty if they do not fit into the width."""
    if len(numbers) == 1:
        return [text for text, _ in draw(numbers[0], width)]
    room = width - len(GAP) * (len(numbers) - 1)
    blocks = [draw(number, width) for number in numbers]
    if sum(map(_wide, blocks)) > room:
        each = room // len(numbers)
        if each < NARROWEST:
            return []
        blocks = [draw(number, each) for number in numbers]
        if sum(map(_wide, blocks)) > room:
            return []
    return [_beside(row, blocks) for row in zip_longest(*blocks, fillvalue=("", 0))]


def _wide(block: Block) -> int:
    return max(width for _, width in block)


def _beside(row: Sequence[tuple[str, int]], blocks: Sequence[Block]) -> str:
    parts = [
        text + " " * (_wide(block) - width)
        for (text, width), block in zip(row, blocks, strict=True)
    ]
    return GAP.join(parts).rstrip()
