"""The icons of Evolution's cards, and how its facts are counted in pictures."""

from __future__ import annotations

from engine import Drawings, Look
from games.cards import trait_of
from games.evolution.cards import CARDS
from games.icon_files import icons

FACTS = ("body", "population", "food", "fat", "round", "first_player")
LOOKS = {
    "body": Look("bars", most=6),
    "population": Look("dots", most=6),
    "food": Look("leaves", out_of="population"),
    "fat": Look("leaves", out_of="body"),
    "watering hole": Look("pool"),
    "food cards down": Look("pile"),
    "deck": Look("pile"),
    "discards": Look("pile"),
}


def drawings() -> Drawings:
    """Return the icons of all traits and facts of a species, and how the facts are drawn."""
    return Drawings(icons([*map(trait_of, CARDS), *FACTS]), LOOKS)
