"""The icons of the traits, and how the facts of an animal are counted in pictures."""

from __future__ import annotations

from engine import Drawings, Look
from games.icon_files import icons
from games.origin.cards import ONE_SET

FACTS = ("food", "fat", "red", "blue", "now", "turn", "first_player")
LOOKS = {
    "food": Look("leaves"),
    "fat": Look("dots"),
    "red": Look("dots"),
    "blue": Look("bars"),
    "food bank": Look("pool"),
    "deck": Look("pile"),
    "discard pile": Look("pile"),
}


def drawings() -> Drawings:
    """Return the icons of all traits and facts of an animal, and how the facts are drawn."""
    traits = [trait for card in ONE_SET for trait in card.split("/")]
    return Drawings(icons([*traits, *FACTS]), LOOKS)
