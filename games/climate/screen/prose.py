"""The sentences of Climate in prose."""

from __future__ import annotations

from dataclasses import replace

from engine import Prose
from games.evolution.screen.prose import COMMON, ORDERS, TOLD
from games.evolution.screen.prose import prose as printed


def prose() -> Prose:
    """Return the printed game's prose, with sentences for cards that are put under the deck."""
    return replace(
        printed(),
        told={
            **TOLD,
            "cycle": "{name} puts {card} under the deck",
            "cycle.done": "{name} puts no more cards under the deck",
            "again.done": "{name} does not feed again",
        },
        orders={**ORDERS, "cycle": "{card} under the deck"},
        common={"climate": "the climate is now {after}", **COMMON},
    )
