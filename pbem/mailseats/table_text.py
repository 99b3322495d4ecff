"""Write the table as text for an email, without columns, so that any font and phone shows it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from engine import UNKNOWN, Place
from pbem.play.view import View
from pbem.screen.draw_table import facts
from pbem.screen.tell_entries import spaced
from pbem.screen.terminal import clean

WIDTH = 72


def fill(text: str) -> list[str]:
    """Break a text into lines of at most 72 columns.

    All lines have the indent of the first one; if the first is indented, the others get two more
    spaces.
    """
    indent = text[: len(text) - len(text.lstrip())]
    return textwrap.wrap(
        text.strip(), WIDTH, initial_indent=indent, break_on_hyphens=False,
        subsequent_indent=f"{indent}  " if indent else "",
    ) or [""]  # fmt: skip


def table_lines(view: View) -> list[str]:
    """Write the table as the view's seat sees it, with the seat's own place at the end."""
    scene = view.play.ruleset.scene(view.table.state)
    lines = [_joined(facts(scene.facts, view.names))]
    seats = [place.seat for place in scene.places]
    begin = seats.index(view.seat) + 1 if view.seat in seats else 0
    for place in (*scene.places[begin:], *scene.places[:begin]):
        lines += ["", *_place(view, place)]
    return lines


def _joined(parts: Iterable[str]) -> str:
    return " · ".join(spaced(part) for part in parts)


def _place(view: View, place: Place) -> list[str]:
    name = clean(view.names.get(place.seat, ""))
    head = f"{name} (you, seat {place.seat})" if place.seat == view.seat else name
    head += "" if place.seat == view.seat else f" (seat {place.seat})"
    known = [spaced(card) for card in place.hand if card != UNKNOWN]
    said = [*facts(place.facts, {}), *([] if known else [f"{len(place.hand)} cards in hand"])]
    lines = [f"{head}: {_joined(said)}" if said else head]
    for piece in place.pieces:
        cards = [spaced(card) for card in piece.cards]
        told = f"{piece.name}: {_joined(f'{label} {value}' for label, value in piece.facts)}"
        lines.append(f"  {told}" + (f"; {', '.join(cards)}" if cards else ""))
    if known and place.seat == view.seat:
        lines.append(f"  your hand: {', '.join(known)}")
    return lines
