"""Draw the table for a terminal; say which rules a game was made with."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import zip_longest
from typing import Any, Final

from engine import UNKNOWN, Piece, Ruleset, Scene
from pbem.terminal.tell import spaced
from pbem.terminal.terminal import Style, clean

# ---- Blocks of lines side by side

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
    """Arrange the blocks in rows ("shelves"), with an empty line before each row."""
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
    wide, rows = [_wide(block) for block in blocks], zip_longest(*blocks, fillvalue=("", 0))
    parts = [[text + " " * (n - w) for (text, w), n in zip(row, wide, strict=True)] for row in rows]
    return [GAP.join(row).rstrip() for row in parts]


def _wide(block: Block) -> int:
    return max(width for _, width in block)


# ---- The table: each seat's pieces are boxes from left to right

AROUND = 4
"""The number of lines that `show` prints around the table: title, empty line, two for questions."""
COLUMN_GAP = 1
MOST_BOX = 26
"""The most columns inside a box; longer text is wrapped."""
_BIDDEN = re.compile(r" ?\(face down\)$")


def for_people(scene: Scene, ruleset: Ruleset[Any]) -> Scene:
    """Return the scene with facts of players under their names in prose: what a player has eaten is
    not called like the food of a species."""
    own = ruleset.prose().seat_facts
    places = (
        one._replace(facts=tuple((own.get(label, label), value) for label, value in one.facts))
        for one in scene.places
    )
    return scene._replace(places=tuple(places))


def picture(scene: Scene, names: Mapping[str, str], seat: str, style: Style) -> list[str]:
    """Draw the scene as lines: the other seats clockwise, side by side if they fit, then `seat`.

    Pieces are drawn as boxes if everything fits on the screen; if not, each takes one line.
    """
    order, mine = scene.around(seat)
    draw = _Drawing(scene, names, seat, style)
    head = [style.plain(line) for line in wrapped(facts(scene.facts, names), style.width)]
    room = style.height - AROUND - len(head)

    def others(boxes: bool) -> list[str]:
        return shelved(len(order), lambda n, width: draw.place(order[n], width, boxes), style.width)

    def own(boxes: bool) -> list[str]:
        block = draw.place(mine[0], style.width, boxes) if mine else ()
        return ["", *(text for text, _ in block)] if block else []

    boxed, listed = [*others(True), *own(True)], [*others(False), *own(False)]
    return [*head, *(boxed if len(boxed) <= max(room, len(listed)) else listed)]


def facts(found: Sequence[tuple[str, str]], names: Mapping[str, str]) -> list[str]:
    """Return labels with their values; if a value is a seat's letter, the player's name follows."""
    return [
        f"{label} {value}" + (f" ({clean(names[value])})" if value in names else "")
        for label, value in found
    ]


class _Drawing:
    def __init__(self, scene: Scene, names: Mapping[str, str], seat: str, style: Style) -> None:
        self.scene, self.names, self.seat, self.style = scene, names, seat, style
        self.place = cache(self._place)

    def _place(self, at: int, width: int, boxes: bool) -> Block:
        place, style = self.scene.places[at], self.style
        head = f"{place.seat} {clean(self.names.get(place.seat, ''))}"
        head += " (you)" if place.seat == self.seat else ""
        said = [spaced(fact) for fact in facts(place.facts, {})]
        known = [spaced(card) for card in place.hand if card != UNKNOWN]
        if not known:
            said.append(f"hand {len(place.hand)}")
        first, *rest = wrapped([head, *said], width, between=("  ", " · "))
        rows = [*rest, *(_rows if boxes else _listed)(place.pieces, width)]
        if known:
            rows += wrapped([spaced(card) for card in place.hand], width, "  hand: ")
        plain = [style.plain(row) for row in rows]
        after = style.plain(first[len(head) :])
        head = style.plain(head)
        title = style.bold(style.tint(head, at)) + after
        return [(title, len(head + after)), *((row, len(row)) for row in plain)]


def _listed(pieces: Sequence[Piece], width: int) -> list[str]:
    labels = list(dict.fromkeys(label for piece in pieces for label, _ in piece.facts))
    table = [{label: spaced(f"{label} {value}") for label, value in p.facts} for p in pieces]
    wide = {label: max(len(row.get(label, "")) for row in table) for label in labels}
    named = max((len(piece.name) for piece in pieces), default=0)
    lines: list[str] = []
    for piece, row in zip(pieces, table, strict=True):
        indent = f"  {piece.name.ljust(named)}  "
        cards = [_card(card) for card in piece.cards]
        line = "  ".join(row.get(label, "").ljust(wide[label]) for label in labels)
        fits = len(indent) + len(line) <= width
        parts = [line if cards else line.rstrip()] if fits else list(row.values())
        lines += wrapped([*parts, *cards] if any(parts) else cards, width, indent)
    return lines


def _rows(pieces: Sequence[Piece], width: int) -> list[str]:
    most = min(MOST_BOX, width - 6)
    lines: list[str] = []
    row: list[list[str]] = []
    for box in (_box(piece, most) for piece in pieces):
        used = sum(len(b[0]) + COLUMN_GAP for b in row)
        if row and 2 + used + len(box[0]) > width:
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


def _box(piece: Piece, most: int) -> list[str]:
    texts = [spaced(f"{label} {value}") for label, value in piece.facts]
    texts += [f"· {_card(card)}" for card in piece.cards]
    rows = [row for text in texts for row in _fold(text, most, "  ")]
    width = max(len(piece.name) + 1, *map(len, rows)) if rows else len(piece.name) + 1
    top = f"┌ {piece.name} " + "─" * (width - len(piece.name)) + "┐"
    body = [f"│ {row.ljust(width)} │" for row in rows]
    return [top, *body, "└" + "─" * (width + 2) + "┘"]


def _card(card: str) -> str:
    """A face-down card ends with `(face down)`, after its name if known."""
    bare = _BIDDEN.sub("", card)
    return spaced(card) if bare == card else f"{spaced(bare)} (face down)".strip()


def _fold(text: str, most: int, indent: str) -> list[str]:
    return textwrap.wrap(text, most, subsequent_indent=indent, break_on_hyphens=False)


def wrapped(
    parts: Sequence[str], width: int, indent: str = "", between: tuple[str, str] = (" · ", " · ")
) -> list[str]:
    """Join parts with dots and break the lines between parts, so that they fit the width.

    `between` has the gap before the second part, and the gap before all later parts.
    """
    room = width - (len(indent) or 2)
    short = [x for part in parts for x in ([part] if len(part) <= room else _fold(part, room, ""))]
    lines = [indent]
    for number, part in enumerate(short):
        gap = "" if number == 0 else between[0] if number == 1 else between[1]
        if number and len(lines[-1] + gap + part) > width:
            lines.append(" " * (len(indent) or 2) + part)
        else:
            lines[-1] += gap + part
    return lines


def rules_chosen(ruleset: Ruleset[Any], options: Mapping[str, object]) -> list[str]:
    """Return a line that says which rules are not played as printed; empty if all are."""
    said = [
        option.doc if option.values == ("no", "yes") else f"{option.name}: {options[option.name]}"
        for option in ruleset.options
        if str(options.get(option.name, option.default)) != option.default
    ]
    return [f"rules of this game: {'; '.join(said)}"] if said else []
