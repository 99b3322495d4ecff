"""What ``explain`` says about the cards and phases of Evolution."""

from __future__ import annotations

from collections.abc import Mapping

from engine import Text, described
from games.evolution.traits import TRAITS

SOURCE = "Evolution (North Star, 2nd edition), Trait Cards"


def texts() -> Mapping[str, Text]:
    """A text for each trait, from its class."""
    return {
        name: Text(name.replace("_", " "), described(trait), SOURCE)
        for name, trait in TRAITS.items()
    }
