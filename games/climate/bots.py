"""The greedy bot for Climate, which also knows what the new traits are worth."""

from __future__ import annotations

from typing import ClassVar

from games.evolution import bots
from games.evolution.table import Species

WORTH = {
    "cooling_frills": 0.6,
    "heavy_fur": 0.6,
    "hibernation": 1.2,
    "migratory": 0.7,
    "mud_wallowing": 1.2,
    "nocturnal": 0.8,
}
"""The value in points, for each round, of each new trait on a species."""


class Turn(bots.Turn):
    """Estimates what cards are worth in the Play Cards phase."""

    def _trait(self, trait: str, species: Species) -> float:
        return super()._trait(trait, species) + WORTH.get(trait, 0.0) * self.look.left


class Greedy(bots.Greedy):
    """Evolution's greedy bot, which here feeds a second time whenever possible and cycles no
    cards."""

    judges: ClassVar = {**bots.JUDGES, "play": Turn, "again": bots.Feeding}
