"""Attacks in the second implementation of the course's game (rulings 5.7 and 5.8)."""

from __future__ import annotations

from tests.reference.classroom.model import Model, Species


def may_attack(model: Model, attacker: Species, target: Species) -> bool:
    """Whether the carnivore may attack that species, which may be its owner's."""
    if not attacker.has("carnivore") or target is attacker:
        return False
    left, right = (model.beside(target, step) for step in (-1, 1))
    pack = attacker.population if attacker.has("pack_hunting") else 0
    warned = any(one and one.has("warning_call") for one in (left, right))
    stopped = {
        "burrowing": target.food >= target.population,
        "climbing": not attacker.has("climbing"),
        "hard_shell": attacker.body + pack - target.body < 4,
        "herding": attacker.population <= target.population,
        "symbiosis": right is not None and right.body > target.body,
    }
    if any(stopped[trait] for trait in stopped if target.has(trait)):
        return False
    return attacker.has("ambush") or not warned


def play_classroom_attack(model: Model, attacker: Species, target: Species) -> None:
    """Play an attack in the order of ruling 5.8."""
    lose_one(target)
    if not target.population:
        model.extinct(target)
    if target.has("horns"):
        lose_one(attacker)
    if not attacker.population:
        model.extinct(attacker)
        return
    model.step(attacker)
    for species in model.species(attacker.name[0]):
        if species.has("scavenger"):
            model.step(species)


def lose_one(species: Species) -> None:
    """Lose one animal; food above the population is lost."""
    species.population -= 1
    species.food = min(species.food, species.population)
