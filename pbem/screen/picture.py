"""The table drawn for a terminal: each seat's pieces from left to right, as cards side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine import Piece, Place, Scene
from pbem.screen.style import Style, clean

GAP = 2
MOST_BOX = 24


def picture(scene: Scene, names: Mapping[str, str], seat: str, style: Style) -> list[str]:
    """The scene as lines, the own seat first among the places; `names` are the players'."""
    own = [place for place in scene.places if place.seat == seat]
    others = [place for place in scene.places if place.seat != seat]
    lines = _wrapped([f"{label} {value}" for label, value in scene.facts], style.width, "")
    for number, place in enumerate([*own, *others]):
        lines += ["", *_place(place, names.get(place.seat, ""), place.seat == seat, number, style)]
    return [style.plain(line) for line in lines]


def _place(place: Place, name: str, mine: bool, number: int, style: Style) -> list[str]:
    head = f"{place.seat} {clean(name)}" + (" (you)" if mine else "")
    facts = [f"{label} {value}" for label, value in place.facts]
    if not mine:
        facts.append(f"hand {len(place.hand)}")
    title = style.bold(style.tint(head, number))
    lines = [f"{title}  {' · '.join(facts)}" if facts else title]
    lines += _rows(place.pieces, style)
    if mine:
        lines += _wrapped(list(place.hand) or ["empty"], style.width, "  hand: ")
    return lines


def _rows(pieces: Sequence[Piece], style: Style) -> list[str]:
    """The boxes of the pieces, left to right, as many rows as the width asks for."""
    boxes = [_box(piece) for piece in pieces]
    lines: list[str] = []
    row: list[list[str]] = []
    for box in boxes:
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


def _box(piece: Piece) -> list[str]:
    """One piece in a frame: its name, its facts, its cards, one below the other."""
    rows = [f"{label} {value}" for label, value in piece.facts]
    rows += [f"· {card}" for card in piece.cards]
    width = min(MOST_BOX, max(len(piece.name) + 2, *(len(row) for row in rows)))
    top = f"┌ {piece.name} " + "─" * (width - len(piece.name)) + "┐"
    body = [f"│ {row[:width].ljust(width)} │" for row in rows]
    return [top, *body, "└" + "─" * (width + 2) + "┘"]


def _wrapped(parts: Sequence[str], width: int, indent: str) -> list[str]:
    """Parts joined by dots, broken between them where a line is full."""
    lines, line = [], indent
    for part in parts:
        joined = line + (" · " if line.strip() and line != indent else "") + part
        if len(joined) > width and line != indent:
            lines.append(line)
            joined = " " * len(indent) + part
        line = joined
    return [*lines, line]
