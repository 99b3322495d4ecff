"""Climate's six new traits and two changed ones; the docstring of each says what the card does."""

from __future__ import annotations

from collections.abc import Iterable

from games.attack_and_defence import Defence
from games.climate.classes_of_printed_zones_and_events import Box, Protection, Weather
from games.climate.table import ClimateState
from games.evolution import traits
from games.evolution.change_table import take
from games.evolution.phases.feeding import meals
from games.evolution.table import BANK, PLANT, Species, State, TraitNames


class Sheltered:
    """A trait that changes losses to heat and cold by numbers from the box."""

    def __init__(self, protection: Protection) -> None:
        self._reductions = {"heat": protection.heat, "cold": protection.cold}

    def loss(self, weather: Weather, count: int) -> int:
        return count - self._reductions[weather]


class Burrowing(Sheltered, traits.Burrowing):
    """Cannot be attacked while its board holds food for its whole need."""


class Carnivore(traits.Carnivore):
    """Eats by attacking smaller species, and never takes plant food."""

    def negates(self, attacker: Species, trait: str) -> bool:
        return trait == "mud_wallowing"


class CoolingFrills(Sheltered):
    """Counts as 2 larger when a carnivore wants to attack it."""

    def defence_size(self, target: Species, size: int, negated_traits: TraitNames) -> int:
        return size if "cooling_frills" in negated_traits else size + 2


class HeavyFur(Sheltered):
    """Keeps warm."""


class Hibernation(Sheltered):
    """Two of its population need no food."""

    def need(self, species: Species, need: int) -> int:
        return max(0, need - 2)


class Migratory(Sheltered):
    """When feeding ends and the Watering Hole is empty, takes up to 2 plant food from the Food
    Bank."""

    def dusk(self, state: State, species: Species) -> None:
        if not state.hole:
            take(state, species, 2, PLANT, BANK)


class MudWallowing(Sheltered):
    """An attack on it costs a card to discard, so nobody is ever forced to attack it."""

    def defends(self, state: State, target: Species, attacker: Species) -> Defence | None:
        sentence = f"{attacker.name} attacks {target.name} despite mud_wallowing"
        reason = (
            f"{target.name} wallows in mud, so an attack on it costs a card: write '{sentence}'"
        )
        return Defence("mud_wallowing", reason)


class Nocturnal(Sheltered):
    """Once a round, right after its normal feeding on your turn, it may feed normally a second
    time.
    """

    def again(self, state: ClimateState, species: Species) -> Iterable[str]:
        yield from meals(state, species)
        for extras in species.kit.extras:
            yield from (text for text in extras(state, species) if " attacks " in text)


SHELTERED: dict[str, type[Sheltered]] = {
    "burrowing": Burrowing,
    "cooling_frills": CoolingFrills,
    "heavy_fur": HeavyFur,
    "hibernation": Hibernation,
    "migratory": Migratory,
    "mud_wallowing": MudWallowing,
    "nocturnal": Nocturnal,
}
"""The traits that change losses to heat or cold."""


def make_traits(box: Box) -> dict[str, object]:
    """Return all traits, with the protections of this box."""
    sheltered_traits = {name: make(box.protection[name]) for name, make in SHELTERED.items()}
    return {**traits.TRAITS, "carnivore": Carnivore(), **sheltered_traits}
