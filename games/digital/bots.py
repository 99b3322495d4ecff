"""The greedy bot, which replaces traits instead of discarding them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from games.cards import trait_of
from games.digital.replacing import FORMS
from games.evolution import bots
from games.evolution.outlook import Outlook

SHELTER = 1.0
"""Points that a defence is worth for each round that the trait is there."""


class Turn(bots.Turn):
    """What cards are worth in the Play Cards phase."""

    def __init__(self, outlook: Outlook) -> None:
        super().__init__(outlook)
        self._losses: dict[tuple[str, str], float] = {}

    forms = FORMS

    def use(self, form: str, said: Mapping[str, str]) -> Callable[[str], float]:
        """What a card is worth if it is used in this way."""
        if form != "replace":
            return super().use(form, said)
        name = said["sp"]
        lost = self.lost(trait_of(said["card2"]), name)
        return lambda card: self.trait(trait_of(card), name) - lost

    def lost(self, trait: str, name: str) -> float:
        """What the species loses when it loses a trait: a point, and what the trait does."""
        if (trait, name) not in self._losses:
            self._losses[trait, name] = self._lost(trait, name)
        return self._losses[trait, name]

    def _lost(self, trait: str, name: str) -> float:
        if trait == "carnivore":
            return 1 - self.drop(name, trait)
        worth = bots.WORTH.get(trait)
        use = worth(self.look, self.state.named(name)) * self.look.left if worth else 0.0
        return 1 + use + (SHELTER * self.soon if trait in bots.DEFENCES else 0.0)


class Greedy(bots.Greedy):
    """Evolution's greedy bot, which also knows how to replace."""

    judges: ClassVar = {**bots.JUDGES, "play": Turn}
