"""How the sentences of Climate are told to people."""

from __future__ import annotations

from engine import Prose
from games.evolution.prose import FACTS, ORDERS, TOLD


def prose() -> Prose:
    """As in the printed game; cards are put under the deck."""
    return Prose(
        {
            **TOLD,
            "cycle": "{name} puts {card} under the deck",
            "cycle.done": "{name} puts no more cards under the deck",
            "again.done": "{name} leaves it at one feeding",
        },
        {**ORDERS, "cycle": "{card} under the deck"},
        FACTS,
    )
