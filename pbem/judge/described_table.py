"""The table in words, as the field `table` of a turn has it."""

from __future__ import annotations

from engine import Scene

_MAX_LINE_CHARACTERS = 400


def board_lines(scene: Scene) -> tuple[str, ...]:
    """Return the lines of a turn's `table`: first the common facts, then each place with its
    pieces. Longer lines are cut."""
    lines = [_facts(scene.facts)]
    for place in scene.places:
        facts = (*place.facts, ("hand", f"{len(place.hand)} cards"))
        lines.append(f"{place.seat}: {_facts(facts)}")
        for piece in place.pieces:
            cards = f" | {', '.join(piece.cards)}" if piece.cards else ""
            lines.append(f"  {piece.name}: {_facts(piece.facts)}{cards}")
    return tuple(line[:_MAX_LINE_CHARACTERS] for line in lines)


def _facts(facts: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(f"{label} {value}" for label, value in facts)
