"""Climate's six new traits, and what it adds to two old ones. A docstring says what a card does."""

from __future__ import annotations

from collections.abc import Iterable

from games.climate.box import Weather
from games.climate.table import ClimateState
from games.evolution import traits
from games.evolution.feeding import meals
from games.evolution.table import BANK, PLANT, Defence, Names, Species, State
from games.evolution.verbs import take


class Burrowing(traits.Burrowing):
    """Cannot be attacked while its board holds food for its whole need; loses 1 less to heat and
    to cold."""

    def loss(self, weather: Weather, count: int) -> int:
        return count - 1


class Carnivore(traits.Carnivore):
    """Eats by attacking smaller species, and never takes plant food."""

    def negates(self, attacker: Species, trait: str) -> bool:
        return trait == "mud_wallowing"


class CoolingFrills:
    """Counts as 2 larger when somebody wants to attack it; loses 3 less to heat."""

    def defence_size(self, target: Species, size: int, negated: Names) -> int:
        return size if "cooling_frills" in negated else size + 2

    def loss(self, weather: Weather, count: int) -> int:
        return count - 3 if weather == "heat" else count


class HeavyFur:
    """Loses 4 less to cold, but 1 more to heat where heat costs its body size anything."""

    def loss(self, weather: Weather, count: int) -> int:
        return count - 4 if weather == "cold" else count + 1


class Hibernation:
    """Two of its population need no food; loses 1 less to cold."""

    def need(self, species: Species, need: int) -> int:
        return max(0, need - 2)

    def loss(self, weather: Weather, count: int) -> int:
        return count - 1 if weather == "cold" else count


class Migratory:
    """When feeding ends and the Watering Hole is empty, takes up to 2 plant food from the Food
    Bank; loses 1 less to heat and to cold."""

    def dusk(self, state: State, species: Species) -> None:
        if not state.hole:
            take(state, species, 2, PLANT, BANK)

    def loss(self, weather: Weather, count: int) -> int:
        return count - 1


class MudWallowing:
    """Who attacks it must discard a card for that, so nobody is ever forced to; loses 1 less to
    heat."""

    def defends(self, state: State, target: Species, attacker: Species) -> Defence | None:
        how = f"{attacker.name} attacks {target.name} despite mud_wallowing"
        return Defence("mud_wallowing", f"{target.name} wallows in mud: a card gets there, '{how}'")

    def loss(self, weather: Weather, count: int) -> int:
        return count - 1 if weather == "heat" else count


class Nocturnal:
    """Once a round, right after its normal feeding on your turn, it may feed normally once more;
    loses 1 less to heat."""

    def again(self, state: ClimateState, species: Species) -> Iterable[str]:
        yield from meals(state, species)
        for extras in species.kit.extras:
            yield from (text for text in extras(state, species) if " attacks " in text)

    def loss(self, weather: Weather, count: int) -> int:
        return count - 1 if weather == "heat" else count


NEW: dict[str, object] = {
    "cooling_frills": CoolingFrills(),
    "heavy_fur": HeavyFur(),
    "hibernation": Hibernation(),
    "migratory": Migratory(),
    "mud_wallowing": MudWallowing(),
    "nocturnal": Nocturnal(),
}
TRAITS = {**traits.TRAITS, "burrowing": Burrowing(), "carnivore": Carnivore(), **NEW}
