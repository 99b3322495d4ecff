"""The greedy bot for the app's rules, which replaces traits instead of discarding them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from games.best_option import Worths
from games.digital.trait_replacement import FORMS
from games.evolution import greedy_bot
from games.evolution.bot_estimates import Outlook
from games.food_number_cards import trait_of

SHELTER_WORTH = 1.0
"""The value in points of a defence, for each round in which the species has it."""


class PlayJudge(greedy_bot.PlayJudge):
    """Estimates the values of cards in the Play Cards phase."""

    def __init__(self, outlook: Outlook) -> None:
        super().__init__(outlook)
        self.losses = Worths(self._trait_loss)
        """The value that a species loses with a trait: a point, and the effect of the trait; the
        key is the names of trait and species."""

    forms = FORMS

    def use_worth(self, form: str, fields: Mapping[str, str]) -> Callable[[str], float]:
        """Return a function that gives the value of a card used in this way."""
        if form != "replace":
            return super().use_worth(form, fields)
        name = fields["sp"]
        lost_worth = self.losses[trait_of(fields["card2"]), name]
        return lambda card: self.traits[trait_of(card), name] - lost_worth

    def _trait_loss(self, trait_and_species: tuple[str, str]) -> float:
        """Return the value that a species loses with a trait (see ``losses``). Without its
        Carnivore card it wins or loses what discarding the card is worth in Evolution."""
        trait, name = trait_and_species
        if trait == "carnivore":
            return 1 - self.drop_worth(name, trait)
        trait_worth, shelter_worth = 0.0, 0.0
        if trait in greedy_bot.TRAIT_WORTH:
            species = self.outlook.species_by_name[name]
            trait_worth = (
                greedy_bot.TRAIT_WORTH[trait](self.outlook, species) * self.outlook.rounds_left
            )
        if self.has_hook(trait, greedy_bot.DEFENCE_HOOKS):
            shelter_worth = SHELTER_WORTH * self.unguarded_rounds
        return 1 + trait_worth + shelter_worth


class Greedy(greedy_bot.Greedy):
    """Evolution's greedy bot, which can also replace traits."""

    judges: ClassVar = {**greedy_bot.JUDGES, "play": PlayJudge}
