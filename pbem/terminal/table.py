"""Draw the table for a terminal."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import zip_longest
from typing import Any, Final

from engine import UNKNOWN, Piece, Ruleset, Scene
from pbem.terminal.clean_text import clean
from pbem.terminal.game_prose import spaced
from pbem.terminal.printing import Style

# ---- Blocks of lines side by side

GAP: Final = "   "
"""The gap between two blocks."""
MIN_BLOCK_WIDTH: Final = 36
"""The fewest columns of a block that shares its lines with others."""
MAX_BLOCKS: Final = 4
"""The most blocks side by side."""

Block = Sequence[tuple[str, int]]
"""Lines, each with its width on the screen; colour codes have no width."""
Draw = Callable[[int, int], Block]
"""A function that draws the block with this number within this width."""


def shelved(number: int, draw: Draw, width: int) -> list[str]:
    """Arrange the blocks in rows ("shelves"), with an empty line before each row."""
    best_by_end: list[tuple[int, list[str]]] = [(0, [])]
    for end in range(1, number + 1):
        candidates: list[tuple[int, list[str]]] = []
        for begin in range(max(0, end - MAX_BLOCKS), end):
            if shelf := _shelf(range(begin, end), draw, width):
                cost, previous_lines = best_by_end[begin]
                candidates.append((cost + len(shelf) + 1, [*previous_lines, "", *shelf]))
        best_by_end.append(min(candidates, key=lambda candidate: candidate[0]))
    return best_by_end[number][1]


def _shelf(numbers: range, draw: Draw, width: int) -> list[str]:
    """Draw these blocks side by side; empty if they do not fit. Only if their natural widths do not
    fit, all get the same width."""
    if len(numbers) == 1:
        return [text for text, _ in draw(numbers[0], width)]
    room = width - len(GAP) * (len(numbers) - 1)
    blocks = [draw(number, width) for number in numbers]
    if sum(map(_block_width, blocks)) > room:
        column_width = room // len(numbers)
        if column_width < MIN_BLOCK_WIDTH:
            return []
        blocks = [draw(number, column_width) for number in numbers]
        if sum(map(_block_width, blocks)) > room:
            return []
    block_widths, rows = (
        [_block_width(block) for block in blocks],
        zip_longest(*blocks, fillvalue=("", 0)),
    )
    parts = [
        [text + " " * (n - w) for (text, w), n in zip(row, block_widths, strict=True)]
        for row in rows
    ]
    return [GAP.join(row).rstrip() for row in parts]


def _block_width(block: Block) -> int:
    return max(width for _, width in block)


# ---- The table: each seat's pieces are boxes from left to right

LINES_AROUND_TABLE = 4
"""The number of lines that `show` prints around the table: title, empty line, two for questions."""
COLUMN_GAP = 1
MAX_BOX_WIDTH = 26
"""The most columns inside a box; longer text is wrapped."""
_FACE_DOWN = re.compile(r" ?\(face down\)$")


def with_player_facts_renamed(scene: Scene, ruleset: Ruleset[Any]) -> Scene:
    """Return the scene with facts of players under their names in prose: what a player has eaten is
    not called like the food of a species."""
    player_fact_names = ruleset.prose().seat_facts
    places = (
        place._replace(
            facts=tuple(
                (player_fact_names.get(label, label), value) for label, value in place.facts
            )
        )
        for place in scene.places
    )
    return scene._replace(places=tuple(places))


def draw_scene(scene: Scene, names: Mapping[str, str], seat: str, style: Style) -> list[str]:
    """Draw the scene as lines: the other seats clockwise, side by side if they fit, then `seat`.

    Pieces are drawn as boxes if everything fits on the screen; if not, each takes one line.
    """
    other_indexes, own_indexes = scene.around(seat)
    draw = _Drawing(scene, names, seat, style)
    head = [
        style.encodable(line) for line in wrapped(format_facts(scene.facts, names), style.width)
    ]
    room = style.height - LINES_AROUND_TABLE - len(head)

    def other_lines(uses_boxes: bool) -> list[str]:
        return shelved(
            len(other_indexes),
            lambda n, width: draw.place(other_indexes[n], width, uses_boxes),
            style.width,
        )

    def own_lines(uses_boxes: bool) -> list[str]:
        block = draw.place(own_indexes[0], style.width, uses_boxes) if own_indexes else ()
        return ["", *(text for text, _ in block)] if block else []

    boxed_lines, listed_lines = (
        [*other_lines(True), *own_lines(True)],
        [*other_lines(False), *own_lines(False)],
    )
    return [
        *head,
        *(boxed_lines if len(boxed_lines) <= max(room, len(listed_lines)) else listed_lines),
    ]


def format_facts(labelled_values: Sequence[tuple[str, str]], names: Mapping[str, str]) -> list[str]:
    """Return labels with their values; if a value is a seat's letter, the player's name follows."""
    return [
        f"{label} {value}" + (f" ({clean(names[value])})" if value in names else "")
        for label, value in labelled_values
    ]


class _Drawing:
    """Draws the places of a scene for one reader."""

    def __init__(self, scene: Scene, names: Mapping[str, str], seat: str, style: Style) -> None:
        self.scene, self.names, self.seat, self.style = scene, names, seat, style
        self.place = cache(self._place)

    def _place(self, seat_index: int, width: int, uses_boxes: bool) -> Block:
        """Draw one seat's place: a title in the seat's colour, facts, pieces (as boxes if it
        ``uses_boxes``), and the hand if it is known."""
        place, style = self.scene.places[seat_index], self.style
        head = f"{place.seat} {clean(self.names.get(place.seat, ''))}"
        head += " (you)" if place.seat == self.seat else ""
        fact_texts = [spaced(fact) for fact in format_facts(place.facts, {})]
        known_cards = [spaced(card) for card in place.hand if card != UNKNOWN]
        if not known_cards:
            fact_texts.append(f"hand {len(place.hand)}")
        first_line, *other_lines = wrapped([head, *fact_texts], width, gaps=("  ", " · "))
        rows = [*other_lines, *(_rows if uses_boxes else _piece_lines)(place.pieces, width)]
        if known_cards:
            rows += wrapped([spaced(card) for card in place.hand], width, "  hand: ")
        plain_rows = [style.encodable(row) for row in rows]
        title_end = style.encodable(first_line[len(head) :])
        head = style.encodable(head)
        title = style.bold(style.tint(head, seat_index)) + title_end
        return [(title, len(head + title_end)), *((row, len(row)) for row in plain_rows)]


def _piece_lines(pieces: Sequence[Piece], width: int) -> list[str]:
    """Draw each piece as a line, or several if it is too long; equal facts stand below each
    other."""
    labels = list(dict.fromkeys(label for piece in pieces for label, _ in piece.facts))
    text_rows = [{label: spaced(f"{label} {value}") for label, value in p.facts} for p in pieces]
    width_by_label = {label: max(len(row.get(label, "")) for row in text_rows) for label in labels}
    name_width = max((len(piece.name) for piece in pieces), default=0)
    lines: list[str] = []
    for piece, row in zip(pieces, text_rows, strict=True):
        indent = f"  {piece.name.ljust(name_width)}  "
        cards = [_card(card) for card in piece.cards]
        line = "  ".join(row.get(label, "").ljust(width_by_label[label]) for label in labels)
        fits = len(indent) + len(line) <= width
        parts = [line if cards else line.rstrip()] if fits else list(row.values())
        lines += wrapped([*parts, *cards] if any(parts) else cards, width, indent)
    return lines


def _rows(pieces: Sequence[Piece], width: int) -> list[str]:
    """Draw the pieces as boxes, in rows that fit the width."""
    max_width = min(MAX_BOX_WIDTH, width - 6)
    lines: list[str] = []
    row: list[list[str]] = []
    for box in (_box(piece, max_width) for piece in pieces):
        used_width = sum(len(b[0]) + COLUMN_GAP for b in row)
        if row and 2 + used_width + len(box[0]) > width:
            lines += _side_by_side(row)
            row = []
        row.append(box)
    return lines + (_side_by_side(row) if row else [])


def _side_by_side(row: Sequence[list[str]]) -> list[str]:
    height = max(len(box) for box in row)
    padded = []
    for top, *body, bottom in row:
        blank = "│" + " " * (len(top) - 2) + "│"
        padded.append([top, *body, *[blank] * (height - len(body) - 2), bottom])
    return ["  " + (" " * COLUMN_GAP).join(line).rstrip() for line in zip(*padded, strict=True)]


def _box(piece: Piece, max_width: int) -> list[str]:
    texts = [spaced(f"{label} {value}") for label, value in piece.facts]
    texts += [f"· {_card(card)}" for card in piece.cards]
    rows = [row for text in texts for row in _fold(text, max_width, "  ")]
    width = max(len(piece.name) + 1, *map(len, rows)) if rows else len(piece.name) + 1
    top = f"┌ {piece.name} " + "─" * (width - len(piece.name)) + "┐"
    body = [f"│ {row.ljust(width)} │" for row in rows]
    return [top, *body, "└" + "─" * (width + 2) + "┘"]


def _card(card: str) -> str:
    """A face-down card ends with `(face down)`, after its name if known."""
    bare = _FACE_DOWN.sub("", card)
    return spaced(card) if bare == card else f"{spaced(bare)} (face down)".strip()


def _fold(text: str, max_width: int, indent: str) -> list[str]:
    return textwrap.wrap(text, max_width, subsequent_indent=indent, break_on_hyphens=False)


def wrapped(
    parts: Sequence[str], width: int, indent: str = "", gaps: tuple[str, str] = (" · ", " · ")
) -> list[str]:
    """Join parts with dots and break the lines between parts, so that they fit the width.

    `gaps` has the gap before the second part, and the gap before all later parts.
    """
    room = width - (len(indent) or 2)
    short_parts = [
        x for part in parts for x in ([part] if len(part) <= room else _fold(part, room, ""))
    ]
    lines = [indent]
    for number, part in enumerate(short_parts):
        gap = "" if number == 0 else gaps[0] if number == 1 else gaps[1]
        if number and len(lines[-1] + gap + part) > width:
            lines.append(" " * (len(indent) or 2) + part)
        else:
            lines[-1] += gap + part
    return lines
