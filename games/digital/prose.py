"""How the app's own sentences are told to people."""

from __future__ import annotations

from engine import Prose
from games.evolution.prose import FACTS, ORDERS, TOLD


def prose() -> Prose:
    """As in the printed game; a trait is replaced."""
    return Prose(
        {**TOLD, "replace": "{name} plays {card} face down on {sp} in the place of {card2}"},
        {**ORDERS, "replace": "{card} on {sp} in the place of {card2}"},
        FACTS,
    )
