"""Write the field `table` of a turn: the public table in ASCII, identical on every machine."""

from __future__ import annotations

from engine import Piece, Place, Scene

_WIDTH = 400


def board_lines(scene: Scene) -> tuple[str, ...]:
    """Describe the scene in words: first the common facts, then each place with its pieces."""
    lines = [_facts(scene.facts)]
    for place in scene.places:
        lines += _place(place)
    return tuple(line[:_WIDTH] for line in lines)


def _place(place: Place) -> list[str]:
    facts = (*place.facts, ("hand", f"{len(place.hand)} cards"))
    return [f"{place.seat}: {_facts(facts)}", *(f"  {_piece(piece)}" for piece in place.pieces)]


def _piece(piece: Piece) -> str:
    cards = f" | {', '.join(piece.cards)}" if piece.cards else ""
    return f"{piece.name}: {_facts(piece.facts)}{cards}"


def _facts(facts: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(f"{label} {value}" for label, value in facts)
