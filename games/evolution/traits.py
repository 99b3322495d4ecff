"""The seventeen traits, one small class each; its docstring says in our words what the card
does. And the deck of their cards."""

from __future__ import annotations

from collections.abc import Iterable

from engine import distinct
from games.attack_and_defence import Defence
from games.evolution.change_table import gain, lose, put_behind_screen, take
from games.evolution.phases import legal_attacks_and_effects
from games.evolution.table import (
    BANK,
    MAX_POPULATION,
    MEAT,
    PLANT,
    Food,
    Source,
    Species,
    State,
    TraitNames,
)
from games.food_number_cards import printed_cards


class Ambush:
    """A carnivore with Ambush may attack in spite of a neighbour's Warning Call."""

    def overcomes(self, attacker: Species, trait: str) -> bool:
        return trait == "warning_call"


class Burrowing:
    """Cannot be attacked while its board holds food for its whole population."""

    def defends(self, state: State, target: Species, attacker: Species) -> Defence | None:
        if target.hunger:
            return None
        return Defence("burrowing", f"{target.name} has eaten and is safe in its burrow")


class Carnivore:
    """Eats by attacking smaller species, and never takes plant food."""

    def no_plants(self, species: Species) -> str | None:
        return f"{species.name} is a carnivore and never takes plant food"

    def meals(self, state: State, species: Species) -> Iterable[str]:
        return legal_attacks_and_effects.plain_attacks(state, species)

    def extras(self, state: State, species: Species) -> Iterable[str]:
        cards = len(state.hands[species.owner])
        if not (cards and species.room and species.kit.negates):
            return ()
        return legal_attacks_and_effects.attacks_despite_traits(state, species, cards)


class Climbing:
    """Only a carnivore that climbs too can attack it."""

    def defends(self, state: State, target: Species, attacker: Species) -> Defence | None:
        return Defence("climbing", f"{target.name} climbs and {attacker.name} does not")

    def overcomes(self, attacker: Species, trait: str) -> bool:
        return trait == "climbing"


class Cooperation:
    """Whenever a take puts food on its board, its right neighbour takes 1 of the same kind, from
    the same place."""

    def took(self, state: State, species: Species, food: Food, source: Source) -> None:
        if neighbour := state.right_neighbour(species):
            take(state, neighbour, 1, food, source)


class DefensiveHerding:
    """Cannot be attacked by a carnivore whose population is not greater than its own."""

    def defends(self, state: State, target: Species, attacker: Species) -> Defence | None:
        if attacker.population > target.population:
            return None
        return Defence(
            "defensive_herding",
            f"{target.name} has a herd: its population is as large as that of {attacker.name}, "
            "or larger",
        )


class FatTissue:
    """Stores food beyond its hunger, up to its body size; eats it next round, before the reveal."""

    def fat_room(self, species: Species, room: int) -> int:
        return room + max(0, species.body - species.fat)

    def leaf(self, state: State, species: Species) -> None:
        moved_food = min(species.fat, species.hunger)
        species.fat -= moved_food
        species.food += moved_food

    def gone(self, state: State, species: Species) -> None:
        put_behind_screen(state, species.owner, species.fat)
        species.fat = 0


class Fertile:
    """Gains 1 population before the reveal if there is food on the Watering Hole."""

    def leaf(self, state: State, species: Species) -> None:
        if state.hole and species.population < MAX_POPULATION:
            species.population += 1


class Foraging:
    """Whenever it takes plant food it gets 1 more from the same source, if still hungry."""

    def took(self, state: State, species: Species, food: Food, source: Source) -> None:
        has_food_there = source == BANK or state.hole > 0
        if food == PLANT and species.hunger and has_food_there:
            gain(state, species, 1, source)


class HardShell:
    """Counts as 4 larger when a carnivore wants to attack it, but not as a meal."""

    def defence_size(self, target: Species, size: int, negated_traits: TraitNames) -> int:
        return size if "hard_shell" in negated_traits else size + 4


class Horns:
    """A carnivore that attacks it loses 1 population before it eats."""

    def struck(self, state: State, target: Species, attacker: Species) -> None:
        lose(state, attacker)


class Intelligence:
    """For each card that you discard: 2 plant food from the Food Bank; or a carnivore ignores one
    defence."""

    # how it feeds is in phases/feeding.py, how it helps to attack in
    # phases/legal_attacks_and_effects.py

    def extras(self, state: State, species: Species) -> Iterable[str]:
        if species.kit.no_plants or not species.room:
            return ()
        return [f"{species.name} thinks for {x}" for x in distinct(state.hands[species.owner])]

    def negates(self, attacker: Species, trait: str) -> bool:
        return True


class LongNeck:
    """Takes 1 plant food from the Food Bank before the reveal."""

    def leaf(self, state: State, species: Species) -> None:
        take(state, species, 1, PLANT, BANK)


class PackHunting:
    """Adds its population to its body size when it attacks."""

    def attack_size(self, attacker: Species, size: int) -> int:
        return size + attacker.population


class Scavenger:
    """Takes 1 meat from the Food Bank whenever a carnivore's attack costs a species population."""

    def carrion(self, state: State, species: Species) -> None:
        take(state, species, 1, MEAT, BANK)


class Symbiosis:
    """Cannot be attacked while its right neighbour has the larger body."""

    def defends(self, state: State, target: Species, attacker: Species) -> Defence | None:
        neighbour = state.right_neighbour(target)
        if neighbour is None or neighbour.body <= target.body:
            return None
        return Defence("symbiosis", f"{neighbour.name} is larger and protects {target.name}")


class WarningCall:
    """Protects its neighbours, but not itself, from attacks by carnivores without Ambush."""

    def shelters(
        self, state: State, caller: Species, target: Species, attacker: Species
    ) -> Defence | None:
        return Defence("warning_call", f"{caller.name} warns {target.name}")


TRAITS: dict[str, object] = {
    "ambush": Ambush(),
    "burrowing": Burrowing(),
    "carnivore": Carnivore(),
    "climbing": Climbing(),
    "cooperation": Cooperation(),
    "defensive_herding": DefensiveHerding(),
    "fat_tissue": FatTissue(),
    "fertile": Fertile(),
    "foraging": Foraging(),
    "hard_shell": HardShell(),
    "horns": Horns(),
    "intelligence": Intelligence(),
    "long_neck": LongNeck(),
    "pack_hunting": PackHunting(),
    "scavenger": Scavenger(),
    "symbiosis": Symbiosis(),
    "warning_call": WarningCall(),
}

ORDER = {
    # ruling 1.6: Foraging's extra food belongs to the take, so it comes before the neighbour's food
    "took": ("foraging", "cooperation"),
    # the default order of the traits with the leaf icon
    "leaf": ("fertile", "long_neck", "fat_tissue"),
}

CARDS = printed_cards("games.evolution")
"""The deck: each trait with its food numbers."""
