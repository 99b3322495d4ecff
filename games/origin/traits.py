"""The nineteen traits, one small class each; its docstring says in our words what the card does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine import Seat
from games.attack_and_defence import Defence
from games.origin.phases import attacks
from games.origin.sentences import title
from games.origin.table import Animal, Colour, Hunt, Pair, State, can_take, why_not_take


class Burrowing:
    """Cannot be attacked while it is fed."""

    def defends(self, target: Animal) -> Defence | None:
        if not target.is_fed:
            return None
        return Defence("burrowing", f"{target.name} is fed and is safe in its burrow")


class Camouflage:
    """Only a carnivore with Sharp Vision can attack it."""

    def defends(self, target: Animal) -> Defence | None:
        return Defence("camouflage", f"{target.name} has camouflage: only sharp vision sees it")


class Carnivorous:
    """Needs 1 more food.

    Once a round it may attack instead of taking a red token; a kill brings 2 blue tokens.
    """

    def need(self, need: int) -> int:
        return need + 1

    def points(self, points: int) -> int:
        return points + 1

    def excludes(self, animal: Animal, trait: str) -> str | None:
        return f"{animal.name} is carnivorous and cannot scavenge" if trait == "scavenger" else None

    def mains(self, state: State, animal: Animal) -> Iterable[str]:
        return attacks.attack_options(state, animal)


class Communication:
    """Pair: when one takes a red token from the food bank, the other takes one too."""

    def passes_on(self, state: State, is_from_bank: bool) -> Colour | None:
        return "red" if is_from_bank and state.bank else None


class Cooperation:
    """Pair: when one gets a red or a blue token, the other gets a blue one."""

    def passes_on(self, state: State, is_from_bank: bool) -> Colour | None:
        return "blue"


class FatTissue:
    """Stores 1 token beyond the need, as a yellow one; an animal may have several such cards.

    Instead of taking a red token you may turn yellow tokens of one animal into food.
    """

    def several(self) -> bool:
        return True

    def fat_cards(self, animal: Animal, places: int) -> int:
        return places + animal.count("fat_tissue")

    def mains(self, state: State, animal: Animal) -> Iterable[str]:
        for n in range(1, min(animal.fat, animal.hunger) + 1):
            yield f"{animal.name} converts {n} fat"


class Grazing:
    """In each of your feeding turns it may destroy 1 red token of the food bank."""

    def extras(self, state: State, animal: Animal) -> Iterator[str]:
        if state.bank and not animal.has_grazed:
            yield f"{animal.name} grazes"


class HibernationAbility:
    """May hibernate instead of eating: counts as fed for this round, but takes nothing.

    Not in two rounds in a row, and not in the last one.
    """

    def extras(self, state: State, animal: Animal) -> Iterator[str]:
        if why_not_hibernate(state, animal) is None:
            yield f"{animal.name} hibernates"


class HighBodyWeight:
    """Needs 1 more food. Only a carnivore with High Body Weight can attack it."""

    def need(self, need: int) -> int:
        return need + 1

    def points(self, points: int) -> int:
        return points + 1

    def defends(self, target: Animal) -> Defence | None:
        return Defence(
            "high_body_weight",
            f"{target.name} is too heavy: only an animal with High Body Weight can attack it",
        )

    def overcomes(self, trait: str) -> bool:
        return trait == "high_body_weight"


class Mimicry:
    """When attacked, it may once a round send the carnivore to another animal of yours."""

    def answers(self, state: State, hunt: Hunt) -> Iterator[str]:
        return attacks.decoys(state, hunt)


class Parasite:
    """Needs 2 more food. Played on another player's animal."""

    def need(self, need: int) -> int:
        return need + 2

    def points(self, points: int) -> int:
        return points + 2

    def host(self, seat: Seat, animal: Animal) -> str | None:
        if animal.owner != seat:
            return None
        return f"{animal.name} is yours, and a parasite goes on another player's animal"


class Piracy:
    """While unfed, it may once a round take a token from an animal that is not yet fed."""

    def extras(self, state: State, animal: Animal) -> Iterator[str]:
        if why_not_pirate(state, animal) is None:
            for victim in state.animals(animal.owner):
                if why_not_rob(animal, victim) is None:
                    yield f"{animal.name} robs {victim.name}"


class Poisonous:
    """A carnivore that ate it dies in the extinction phase."""

    def eaten(self, hunter: Animal) -> None:
        hunter.is_poisoned = True


class Running:
    """When attacked, it rolls a die and gets away on 4, 5 or 6."""

    def answers(self, state: State, hunt: Hunt) -> Iterator[str]:
        if hunt.target.name not in hunt.runners:
            yield f"{hunt.target.name} runs"


class Scavenger:
    """Gets 1 blue token when another animal is eaten; only one Scavenger eats from each meal."""

    def excludes(self, animal: Animal, trait: str) -> str | None:
        if trait != "carnivorous":
            return None
        return f"{animal.name} is a scavenger and cannot be carnivorous"

    def scavenges(self, state: State, animal: Animal) -> bool:
        return can_take(state, animal)


class SharpVision:
    """A carnivore with it can attack animals with Camouflage."""

    def overcomes(self, trait: str) -> bool:
        return trait == "camouflage"


class Swimming:
    """Only a swimming carnivore can attack it; a swimming carnivore can attack only swimmers."""

    def hunts(self, hunter: Animal, target: Animal) -> str | None:
        if target.has("swimming"):
            return None
        return f"{hunter.name} hunts in the water, and {target.name} does not swim"

    def defends(self, target: Animal) -> Defence | None:
        return Defence("swimming", f"{target.name} swims: only a swimming carnivore reaches it")

    def overcomes(self, trait: str) -> bool:
        return trait == "swimming"


class Symbiosis:
    """Pair: the symbiont protects the other from attacks, and must be fed before it."""

    def shelters(self, pair: Pair, target: Animal) -> Defence | None:
        if target.name != pair.second_animal:
            return None
        return Defence("symbiosis", f"{pair.first_animal} protects {target.name}")

    def holds_back(self, state: State, pair: Pair, animal: Animal) -> str | None:
        if animal.name != pair.second_animal or state.creature_named(pair.first_animal).is_fed:
            return None
        return f"{pair.first_animal}, the symbiont of {animal.name}, must be fed first"


class TailLoss:
    """When attacked, it may discard a trait card and live; the carnivore gets 1 blue token."""

    def answers(self, state: State, hunt: Hunt) -> Iterator[str]:
        return attacks.possible_losses(state, hunt.target)


# ------------------------------------------------------------------ reasons
def why_not_hibernate(state: State, animal: Animal) -> str | None:
    """Say why an animal with Hibernation Ability cannot hibernate now."""
    if animal.is_hibernating:
        return f"{animal.name} is already hibernating"
    if animal.is_fed:
        return f"{animal.name} is fed"
    if animal.last_hibernation and animal.last_hibernation == state.round - 1:
        return f"{animal.name} hibernated in the previous round"
    return "nobody hibernates in the last round" if state.round == state.final_round else None


def why_not_pirate(state: State, pirate: Animal) -> str | None:
    """Say why an animal with Piracy cannot rob anybody now."""
    if "piracy" in pirate.used_traits:
        return f"{pirate.name} has already robbed in this round"
    if pirate.is_fed and not pirate.is_hibernating:
        return f"{pirate.name} is fed"
    return why_not_take(state, pirate)


def why_not_rob(pirate: Animal, victim: Animal) -> str | None:
    """Say why this victim cannot be robbed."""
    if victim is pirate:
        return f"{pirate.name} cannot rob itself"
    if not victim.food:
        return f"{victim.name} has no food"
    return f"{victim.name} is fed" if victim.is_fed else None


def why_not_graze(state: State, animal: Animal) -> str | None:
    """Say why an animal with Grazing cannot graze now."""
    if animal.has_grazed:
        return f"{animal.name} has already grazed in this feeding turn"
    return None if state.bank else "the food bank is empty"


def why_no_trait(animal: Animal, trait: str) -> str | None:
    """Say that the animal does not have the trait, so cannot use it; None if it has the trait."""
    return None if animal.has(trait) else f"{animal.name} has no {title(trait)}"


TRAITS: dict[str, object] = {
    "burrowing": Burrowing(),
    "camouflage": Camouflage(),
    "carnivorous": Carnivorous(),
    "communication": Communication(),
    "cooperation": Cooperation(),
    "fat_tissue": FatTissue(),
    "grazing": Grazing(),
    "hibernation_ability": HibernationAbility(),
    "high_body_weight": HighBodyWeight(),
    "mimicry": Mimicry(),
    "parasite": Parasite(),
    "piracy": Piracy(),
    "poisonous": Poisonous(),
    "running": Running(),
    "scavenger": Scavenger(),
    "sharp_vision": SharpVision(),
    "swimming": Swimming(),
    "symbiosis": Symbiosis(),
    "tail_loss": TailLoss(),
}

ORDER = {
    # ruling 4.3: the order in which the answers are listed, and the order of least harm
    "answers": ("running", "tail_loss", "mimicry"),
    # the order in which the answers are listed
    "mains": ("carnivorous", "fat_tissue"),
    "extras": ("hibernation_ability", "piracy", "grazing"),
}
