"""The icons of the course's cards, and how its facts are counted in pictures."""

from __future__ import annotations

from engine import Drawings, Look
from games.cards import printed, trait_of
from games.icon_files import icons

FACTS = ("body", "population", "food", "fat", "bag", "turn", "starting_player")
LOOKS = {
    "body": Look("bars", most=7),
    "population": Look("dots", most=7),
    "food": Look("leaves", out_of="population"),
    "fat": Look("leaves", out_of="body"),
    "watering hole": Look("pool"),
    "deck": Look("pile"),
    "discards": Look("pile"),
}


def drawings() -> Drawings:
    """Return the icons of all traits and facts of a species, and how the facts are drawn."""
    return Drawings(icons([*map(trait_of, printed("games.classroom")), *FACTS]), LOOKS)
