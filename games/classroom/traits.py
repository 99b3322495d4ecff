"""The sixteen traits; the docstring of each says in our words what the card does.

Seven traits mean the same as in `evolution` and use its classes. The others differ, most of them
because here all food comes from the watering hole.
"""

from __future__ import annotations

from collections.abc import Iterable

from games.attack_and_defence import Defence, attack_size
from games.classroom.phases.legal_attacks_and_effects import attacks_of
from games.classroom.table import MAX_TRACK, Species, State, feeding_step, lose
from games.evolution.traits import TRAITS as OLDER

SHELL_SIZE = 4
"""The lead in body size that an attacker needs over a species with a Hard Shell."""


class Carnivore:
    """Eats by attacking; it cannot choose to take a token from the watering hole."""

    def hunts(self, state: State, species: Species) -> Iterable[str]:
        return attacks_of(state, species)


class Cooperation:
    """For each token it eats, its right neighbour makes a feeding step, even if it is a
    carnivore.
    """

    def ate(self, state: State, species: Species, tokens: int) -> None:
        neighbour = state.right_neighbour(species)
        if neighbour is not None:
            for _ in range(tokens):
                feeding_step(state, neighbour)


class FatTissue:
    """Stores food up to its body size; the food moves to the board when food cards are revealed."""

    def fat_room(self, species: Species, room: int) -> int:
        return room + max(0, species.body - species.fat)

    def leaf(self, state: State, species: Species) -> None:
        moved_food = min(species.fat, species.hunger)
        species.fat -= moved_food
        species.food += moved_food

    def gone(self, state: State, species: Species) -> None:
        state.bank -= species.fat
        species.fat = 0


class Fertile:
    """Gains 1 population when the food cards are revealed."""

    def leaf(self, state: State, species: Species) -> None:
        species.population = min(MAX_TRACK, species.population + 1)


class Foraging:
    """Eats two tokens in each feeding step."""

    def bites(self, species: Species, tokens: int) -> int:
        return tokens + 1


class HardShell:
    """Can be attacked only by a carnivore whose body is at least 4 larger."""

    def defends(self, state: State, target: Species, attacker: Species) -> Defence | None:
        size = attack_size(attacker)
        if size - target.body >= SHELL_SIZE:
            return None
        needed_size = target.body + SHELL_SIZE
        return Defence(
            "hard_shell",
            f"{attacker.name} attacks with size {size}, but needs {needed_size} against the hard "
            f"shell of {target.name}",
        )


class Horns:
    """A carnivore that attacks it loses 1 population before it eats."""

    def struck(self, state: State, target: Species, attacker: Species) -> None:
        lose(state, attacker)


class LongNeck:
    """Makes a feeding step when the food cards are revealed, even as a carnivore."""

    def leaf(self, state: State, species: Species) -> None:
        feeding_step(state, species)


class Scavenger:
    """Makes a feeding step whenever a carnivore has attacked and lived."""

    def carrion(self, state: State, species: Species) -> None:
        feeding_step(state, species)


TRAITS: dict[str, object] = {
    "ambush": OLDER["ambush"],
    "burrowing": OLDER["burrowing"],
    "carnivore": Carnivore(),
    "climbing": OLDER["climbing"],
    "cooperation": Cooperation(),
    "fat_tissue": FatTissue(),
    "fertile": Fertile(),
    "foraging": Foraging(),
    "hard_shell": HardShell(),
    "herding": OLDER["defensive_herding"],
    "horns": Horns(),
    "long_neck": LongNeck(),
    "pack_hunting": OLDER["pack_hunting"],
    "scavenger": Scavenger(),
    "symbiosis": OLDER["symbiosis"],
    "warning_call": OLDER["warning_call"],
}

ORDER = {"leaf": ("fertile", "long_neck", "fat_tissue")}
"""The automatic traits in the order in which they act; each acts on the whole table (ruling
5.4)."""
