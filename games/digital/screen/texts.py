"""The texts of ``explain`` about the app's rules, besides the cards."""

from __future__ import annotations

from collections.abc import Mapping

from engine import Text
from games.evolution.screen.texts import texts as printed
from games.texts import terms


def texts() -> Mapping[str, Text]:
    """Return the texts of the printed game, and the rules in which the app differs."""
    return {**printed(), **terms("games.digital", "Evolution, the app's rules")}
