"""The greedy bot for the app's rules, which replaces traits instead of discarding them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from games.cards import trait_of
from games.choices import Worths
from games.digital.replacing import FORMS
from games.evolution import bots
from games.evolution.outlook import Outlook

SHELTER = 1.0
"""The value in points of a defence, for each round in which the species has it."""


class Turn(bots.Turn):
    """Estimates what cards are worth in the Play Cards phase."""

    def __init__(self, outlook: Outlook) -> None:
        super().__init__(outlook)
        self.losses = Worths(self._loss)
        """The value that a species loses with a trait: a point, and what the trait does."""

    forms = FORMS

    def use(self, form: str, said: Mapping[str, str]) -> Callable[[str], float]:
        """Return a function that gives the value of a card used in this way."""
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
        use = worth(self.look, self.look.own[name]) * self.look.left if worth else 0.0
        return 1 + use + (SHELTER * self.soon if trait in bots.DEFENCES else 0.0)


class Greedy(bots.Greedy):
    """Evolution's greedy bot, which can also replace traits."""

    judges: ClassVar = {**bots.JUDGES, "play": Turn}
