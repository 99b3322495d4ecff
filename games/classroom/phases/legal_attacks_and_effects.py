"""Attacks: which species may be attacked, and what happens then (Feeding; rulings 5.7 and 5.8)."""

from __future__ import annotations

from collections.abc import Iterator

from engine import Rules
from games.attack_and_defence import defences
from games.classroom.table import Species, State, die_out, feeding_step, lose


def why_not_attack(state: State, attacker: Species, target: Species) -> str | None:
    """Say why the carnivore may not attack the target, whether it is hungry or not."""
    if target is attacker:
        return f"{attacker.name} cannot attack itself"
    defence = next(defences(state, attacker, target), None)
    return defence and defence.reason


def attacks_of(state: State, attacker: Species) -> Iterator[str]:
    """Yield every attack that a hungry carnivore can make; species of the starting player come
    first."""
    for target in state.species():
        if why_not_attack(state, attacker, target) is None:
            yield f"{attacker.name} attacks {target.name}"


def attack(state: State, attacker: Species, target: Species) -> Rules:
    """Carry out a legal attack.

    The target loses one animal; then its Horns take effect. The owner of a species that dies out
    draws cards immediately. An attacker that survives eats, and then every Scavenger does.
    """
    lose(state, target)
    if not target.population:
        yield from die_out(state, target)
    for react in target.kit.struck:
        react(state, target, attacker)
    if not attacker.population:
        yield from die_out(state, attacker)
        return
    feeding_step(state, attacker)
    for species in list(state.species(attacker.owner)):
        for carrion in species.kit.carrion:
            carrion(state, species)
