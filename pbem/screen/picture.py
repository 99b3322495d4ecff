"""The table drawn for a terminal: each seat's pieces from left to right, as cards side by side."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence

from engine import UNKNOWN, Piece, Place, Scene
from pbem.screen.style import Style, clean
from pbem.screen.telling import spaced

GAP = 1
MOST_BOX = 26
"""Columns inside a box; what is longer is wrapped."""
_BIDDEN = re.compile(r" ?\(face down\)$")


def picture(scene: Scene, names: Mapping[str, str], seat: str, style: Style) -> list[str]:
    """The scene as lines: the seat's own place first, the others clockwise after it."""
    seats = [place.seat for place in scene.places]
    begin = seats.index(seat) if seat in seats else 0
    lines = wrapped(facts(scene.facts, names), style.width)
    for number in range(len(seats)):
        at = (begin + number) % len(seats)
        place = scene.places[at]
        lines += ["", *_place(place, names.get(place.seat, ""), place.seat == seat, at, style)]
    return [style.plain(line) for line in lines]


def facts(found: Sequence[tuple[str, str]], names: Mapping[str, str]) -> list[str]:
    """Labels with values; a seat's letter with the player's name."""
    return [
        f"{label} {value}" + (f" ({clean(names[value])})" if value in names else "")
        for label, value in found
    ]


def _place(place: Place, name: str, mine: bool, number: int, style: Style) -> list[str]:
    head = f"{place.seat} {clean(name)}" + (" (you)" if mine else "")
    said = [spaced(fact) for fact in facts(place.facts, {})]
    known = [card for card in place.hand if card != UNKNOWN]
    if not known:
        said.append(f"hand {len(place.hand)}")
    title = style.bold(style.tint(head, number))
    first, *rest = wrapped([head, *said], style.width, between=("  ", " · "))
    lines = [title + first[len(head) :], *rest, *_rows(place.pieces, style)]
    if known:
        hand = [spaced(card) for card in place.hand]
        lines += wrapped(hand, style.width, "  hand: ")
    return lines


def _rows(pieces: Sequence[Piece], style: Style) -> list[str]:
    """The boxes of the pieces, left to right, as many rows as the width asks for."""
    most = min(MOST_BOX, style.width - 6)
    lines: list[str] = []
    row: list[list[str]] = []
    for box in (_box(piece, most) for piece in pieces):
        used = sum(len(b[0]) + GAP for b in row)
        if row and 2 + used + len(box[0]) > style.width:
            lines += _beside(row)
            row = []
        row.append(box)
    return lines + (_beside(row) if row else [])


def _beside(row: Sequence[list[str]]) -> list[str]:
    height = max(len(box) for box in row)
    padded = [[*box[:-1], *[_blank(box)] * (height - len(box)), box[-1]] for box in row]
    return ["  " + (" " * GAP).join(line).rstrip() for line in zip(*padded, strict=True)]


def _blank(box: Sequence[str]) -> str:
    return "│" + " " * (len(box[0]) - 2) + "│"


def _box(piece: Piece, most: int) -> list[str]:
    """One piece in a frame: its name, its facts, its cards, one below the other."""
    rows = [
        row for label, value in piece.facts for row in _fold(spaced(f"{label} {value}"), most, "  ")
    ]
    for card in piece.cards:
        rows += _fold(f"· {_card(card)}", most, "  ")
    width = max(len(piece.name) + 1, *(len(row) for row in rows)) if rows else len(piece.name) + 1
    top = f"┌ {piece.name} " + "─" * (width - len(piece.name)) + "┐"
    body = [f"│ {row.ljust(width)} │" for row in rows]
    return [top, *body, "└" + "─" * (width + 2) + "┘"]


def _card(card: str) -> str:
    """`(face down)` for a card that lies so, with its text before it for whoever knows it."""
    bare = _BIDDEN.sub("", card)
    return spaced(card) if bare == card else f"{spaced(bare)} (face down)".strip()


def _fold(text: str, most: int, indent: str) -> list[str]:
    return textwrap.wrap(text, most, subsequent_indent=indent, break_on_hyphens=False)


def wrapped(
    parts: Sequence[str], width: int, indent: str = "", between: tuple[str, str] = (" · ", " · ")
) -> list[str]:
    """Parts joined by dots, broken between them where a line is full; the first gap may differ."""
    return list(_wrapped(parts, width, indent, between))


def _wrapped(
    parts: Sequence[str], width: int, indent: str, between: tuple[str, str]
) -> Iterator[str]:
    line, empty = indent, True
    for number, part in enumerate(parts):
        joined = line + ("" if empty else between[0] if number == 1 else between[1]) + part
        if len(joined) > width and not empty:
            yield line
            joined = " " * (len(indent) or 2) + part
        line, empty = joined, False
    yield line
