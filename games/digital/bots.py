"""The greedy bot, which replaces traits instead of discarding them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from games.cards import trait_of
from games.digital.replacing import FORMS
from games.evolution import bots
from games.evolution.outlook import Outlook, Worths

SHELTER = 1.0
"""Points that a defence is worth for each round that the trait is there."""


class Turn(bots.Turn):
    """What cards are worth in the Play Cards phase."""

    def __init__(self, outlook: Outlook) -> None:
        super().__init__(outlook)
        self.losses = Worths(self._loss)
        """What a species loses when it loses a trait: a point, and what the trait does."""

    forms = FORMS

    def use(self, form: str, said: Mapping[str, str]) -> Callable[[str], float]:
        """What a card is worth if it is used in this way."""
        if form != "replace":
            return super().use(form, said)
        name = said["sp"]
        lost = self.losses[trait_of(said["card2"]), name]
        return lambda card: self.traits[trait_of(card), name] - lost

    def _loss(self, place: tuple[str, str]) -> float:
        trait, name = place
        if trait == "carnivore":
            return 1 - self.drop(name, trait)
        worth = bots.WORTH.get(trait)
        use = worth(self.look, self.state.named(name)) * self.look.left if worth else 0.0
        return 1 + use + (SHELTER * self.soon if trait in bots.DEFENCES else 0.0)


class Greedy(bots.Greedy):
    """Evolution's greedy bot, which can also replace traits."""

    judges: ClassVar = {**bots.JUDGES, "play": Turn}
