"""The texts of ``explain`` about the cards, phases and terms of Evolution, in our own words."""

from __future__ import annotations

from collections.abc import Mapping

from engine import Text
from games.evolution.traits import TRAITS
from games.texts import terms, trait_texts

PACKAGE = "games.evolution"
BOOK = "Evolution (North Star, 2nd edition)"


def texts() -> Mapping[str, Text]:
    """Return a text for each trait, phase and term."""
    return {**trait_texts(PACKAGE, TRAITS, f"{BOOK}, Trait Cards"), **terms(PACKAGE, BOOK)}
