"""Estimate what a player can expect: predators and prey, food to come, rounds left."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from math import ceil, fsum, sqrt
from operator import attrgetter

from engine import UNKNOWN, Seat
from games.attack_and_defence import attack_size, defences
from games.best_option import Worths
from games.evolution.phases.legal_attacks_and_effects import defence_size
from games.evolution.table import Species, State
from games.food_number_cards import food_of, trait_of

FOOD_WORTH = 1.4
"""The value in points of one food for a hungry species: the food itself, and a population saved."""
BITE_WORTH = 0.9
"""The value in points of another player's loss of one population."""
LOSS_COST = 1.6
"""The cost in points of losing one population of your own."""
UNSEEN_FOOD_NUMBER = 3.2
"""The food number to expect on a face-down food card."""
UNKNOWN_HUNTER_COUNT = 0.5
"""The number of future carnivores that a species without defences should fear."""


class Outlook:
    """The estimates of one seat: rounds left, predators and prey, food to come."""

    def __init__(self, state: State, seat: Seat) -> None:
        """Look at the table once for one seat; the state must be a clone, because face-down traits
        of the seat are turned up in it."""
        self.state, self.seat = state, seat
        self.own_species = state.rows[seat]
        self.species_by_name = {species.name: species for species in self.own_species}
        self.other_species = [species for species in state.species() if species.owner != seat]
        for species in self.own_species:
            # treat face-down cards as face up: they are our own, so we know them
            if any(species.face_down_tags):
                species.kit = state.book.kits(map(trait_of, species.traits))
        self.hunters = [(x, attack_size(x)) for x in self.other_species if x.kit.meals]
        """Each carnivore of other players, with the size with which it attacks."""
        self.rounds_left = self._rounds_left()
        """The number of rounds in which species still feed, including this one."""
        self.dangers = Worths(lambda name: self.danger(self.species_by_name[name]))
        """The number of attacks that each species must expect on the present table, by name."""

    def _rounds_left(self) -> int:
        state = self.state
        if state.final_round:
            return max(1, state.final_round - state.round + 1)
        dealt_count = sum(state.book.cards_per_round + 1 + len(row) for row in state.rows.values())
        return 1 + ceil(state.deck / dealt_count)

    @cached_property
    def plenty(self) -> float:
        """The plant food now and to come, divided by the hunger of all plant eaters."""
        state = self.state
        supply = float(state.hole)
        if not state.scope.endswith("feed"):
            cards = [state.food_cards.get(seat, (UNKNOWN,))[0] for seat in state.seats]
            supply += fsum(UNSEEN_FOOD_NUMBER if c == UNKNOWN else food_of(c) for c in cards)
        all_species = self.own_species + self.other_species
        total_hunger = sum([x.hunger for x in all_species if not x.kit.no_plants])
        return max(0.0, supply) / max(1, total_hunger)

    @cached_property
    def feeding_chance(self) -> float:
        """The probability that one more population can be fed with plants."""
        return min(1.0, max(0.0, 1.1 * self.plenty - 0.35))

    def danger(self, species: Species) -> float:
        """Return the number of attacks that the species must expect in a round."""
        known_attacks = sum([is_prey(self.state, x, size, species) for x, size in self.hunters])
        unknown_attacks = UNKNOWN_HUNTER_COUNT / sqrt(species.body + 2 * len(species.kit.defends))
        return known_attacks + unknown_attacks

    def hunt(self, hunter: Species) -> float:
        """Return the points that the species earns in a round by hunting.

        If it is still hungry, it must attack other species of its owner, which costs points.
        """
        hunger, worth = hunter.population, 0.0
        prey = prey_of(self.state, hunter, self.other_species)
        prey.sort(key=_body, reverse=True)
        for target in prey:
            for _ in range(target.population):
                if hunger <= 0:
                    return worth
                meal_worth = FOOD_WORTH * min(hunger, target.body)
                worth += meal_worth + BITE_WORTH - LOSS_COST * len(target.kit.struck)
                hunger -= target.body
        if hunger > 0 and prey_of(self.state, hunter, self.own_species):
            worth -= LOSS_COST * hunger
        return worth

    def graze(self, species: Species) -> float:
        """Return the points that the species earns in a round by eating plants."""
        return FOOD_WORTH * self.feeding_chance * species.population


_body = attrgetter("body")


class Imagined:
    """Treats a species as if it had one more trait, body or population while a ``with`` block
    runs."""

    def __init__(
        self, state: State, species: Species, trait: str = "", body: int = 0, population: int = 0
    ) -> None:
        self._species, self._real_kit = species, species.kit
        self._imagined_kit = state.book.kits(species.kit.names | {trait}) if trait else species.kit
        self._body, self._population = body, population

    def __enter__(self) -> None:
        species = self._species
        species.kit = self._imagined_kit
        species.body += self._body
        species.population += self._population

    def __exit__(self, *_: object) -> None:
        species = self._species
        species.kit = self._real_kit
        species.body -= self._body
        species.population -= self._population


def prey_of(state: State, attacker: Species, among: Iterable[Species]) -> list[Species]:
    """Return the species that the attacker could attack if it were hungry."""
    size = attack_size(attacker)
    return [target for target in among if is_prey(state, attacker, size, target)]


def is_prey(state: State, attacker: Species, size: int, target: Species) -> bool:
    """Return whether the attacker, which attacks with this size, could attack the target if it were
    hungry."""
    return (
        target.body < size
        and target is not attacker
        and (not target.kit.defence_size or defence_size(target) < size)
        and next(defences(state, attacker, target), None) is None
    )
