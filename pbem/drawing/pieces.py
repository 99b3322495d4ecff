"""Draw a piece in front of a player, such as a species: its name, its facts, the cards on it."""

from __future__ import annotations

from engine import Piece
from pbem.drawing.card_words import read_card
from pbem.drawing.cards import strip
from pbem.drawing.fact_rows import fact_row
from pbem.drawing.icons import Icons
from pbem.drawing.svg import Part, label, tag, words
from pbem.drawing.text_lines import text_width

WIDTH = 192.0
"""The width of a piece, in units, unless the picture is too narrow for it."""
_EDGE = 10.0
_HEAD = 30.0


def piece(found: Piece, icons: Icons, at: int = 0, width: float = WIDTH) -> Part:
    """Draw one piece; `at` is the number of its player at the table, which gives its colour."""
    inner = width - 2 * _EDGE
    facts = dict(found.facts)
    rows = [
        fact_row(name, value, facts, icons, inner, f"piece:{found.name}:{name}")
        for name, value in found.facts
    ]
    cards = [
        strip(card, icons, inner, f"piece:{found.name}:card:{n}")
        for n, card in enumerate(found.cards)
    ]
    y, drawn = _HEAD + 4, ""
    for part in rows:
        drawn += part.at(_EDGE, y)
        y += part.height
    y += 4 if cards else 0
    for part in cards:
        drawn += part.at(_EDGE, y)
        y += part.height + 3
    height = y + 6
    inside = tag("title", words(piece_words(found, icons))) + _board(width, height, at)
    inside += _tab(found.name) + drawn
    group = tag(
        "g", inside, class_=f"pb-piece pb-seat-{at % 8}", data_piece=found.name,
        data_key=f"piece:{found.name}",
    )  # fmt: skip
    return Part(group, width, height)


def piece_words(found: Piece, icons: Icons) -> str:
    """Describe the piece for people who use a screen reader: `a2: body 3, population 2; horns
    4`."""
    facts = ", ".join(f"{name} {value}" for name, value in found.facts)
    cards = ", ".join(read_card(card, icons).said for card in found.cards)
    return f"{found.name}: {'; '.join(filter(None, (facts, cards)))}".replace("_", " ")


def _board(width: float, height: float, at: int) -> str:
    frame = tag("rect", x=1.0, y=1.0, width=width - 2, height=height - 2, rx=11, class_="pb-board")
    right = width - 1
    head = f"M1 {_HEAD:g}V12q0 -11 11 -11H{right - 11:g}q11 0 11 11V{_HEAD:g}z"
    return frame + tag("path", d=head, class_="pb-head")


def _tab(name: str) -> str:
    wide = text_width(name, 15, bold=True) + 16
    back = tag("rect", x=8.0, y=6.0, width=wide, height=20.0, rx=10, class_="pb-tab")
    return back + label(name, 8 + wide / 2, 21, "pb-name pb-mid")
