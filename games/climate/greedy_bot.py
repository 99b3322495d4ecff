"""The greedy bot for Climate, which also knows the values of the new traits."""

from __future__ import annotations

from typing import ClassVar

from games.evolution import greedy_bot
from games.evolution.table import Species

NEW_TRAIT_WORTH = {
    "cooling_frills": 0.6,
    "heavy_fur": 0.6,
    "hibernation": 1.2,
    "migratory": 0.7,
    "mud_wallowing": 1.2,
    "nocturnal": 0.8,
}
"""The value in points, for each round, of each new trait on a species."""


class PlayJudge(greedy_bot.PlayJudge):
    """Estimates the values of cards in the Play Cards phase."""

    def _trait_worth(self, trait: str, species: Species) -> float:
        new_worth = NEW_TRAIT_WORTH.get(trait, 0.0) * self.outlook.rounds_left
        return super()._trait_worth(trait, species) + new_worth


class Greedy(greedy_bot.Greedy):
    """Evolution's greedy bot, which here feeds a second time whenever possible and cycles no
    cards."""

    judges: ClassVar = {**greedy_bot.JUDGES, "play": PlayJudge, "again": greedy_bot.FeedingJudge}
