"""The table as text for an email, without columns, so that any font and phone shows it."""

from __future__ import annotations

from collections.abc import Iterable

from engine import UNKNOWN
from pbem.judge.game_view import View
from pbem.terminal.clean_text import clean
from pbem.terminal.game_prose import spaced
from pbem.terminal.table import facts, for_people


def table_lines(view: View) -> list[str]:
    """Write the table as the view's seat sees it, with the seat's own place at the end."""
    ruleset = view.play.ruleset
    scene = for_people(ruleset.scene(view.table.state), ruleset)
    lines = [join_facts(facts(scene.facts, view.names))]
    other_indexes, own_indexes = scene.around(view.seat)
    for place in (scene.places[index] for index in (*other_indexes, *own_indexes)):
        is_own_place = place.seat == view.seat
        seat_label = f"you, seat {place.seat}" if is_own_place else f"seat {place.seat}"
        head = f"{clean(view.names.get(place.seat, ''))} ({seat_label})"
        visible_cards = [spaced(card) for card in place.hand if card != UNKNOWN]
        fact_texts = facts(place.facts, {})
        if not visible_cards:
            fact_texts = [*fact_texts, f"{len(place.hand)} cards in hand"]
        lines += ["", f"{head}: {join_facts(fact_texts)}" if fact_texts else head]
        for piece in place.pieces:
            cards = ", ".join(map(spaced, piece.cards))
            piece_facts = join_facts(f"{label} {value}" for label, value in piece.facts)
            row = f"{piece.name}: {piece_facts}"
            lines.append(f"  {row}; {cards}" if cards else f"  {row}")
        if visible_cards and is_own_place:
            lines.append(f"  your hand: {', '.join(visible_cards)}")
    return lines


def join_facts(parts: Iterable[str]) -> str:
    """Return facts in one row, such as `food 3 · population 2`."""
    return " · ".join(spaced(part) for part in parts)
