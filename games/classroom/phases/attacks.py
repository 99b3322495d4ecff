"""Attacks: who may attack whom, and what happens then (Feeding; ruling 5.7 and 5.8)."""

from __future__ import annotations

from collections.abc import Iterator

from engine import Rules
from games.classroom.table import Species, State, extinct, feeding_step, lose


def attack_size(attacker: Species) -> int:
    """The body size with which it attacks."""
    size = attacker.body
    for fold in attacker.kit.attack_size:
        size = fold(attacker, size)
    return size


def why_not_attack(state: State, attacker: Species, target: Species) -> str | None:
    """Why the carnivore may not attack the target, hungry or not."""
    if target is attacker:
        return f"{attacker.name} cannot attack itself"
    for defends in target.kit.defends:
        if (held := defends(state, target, attacker)) and not overcome(attacker, held.trait):
            return held.why
    for neighbour in (state.left_of(target), state.right_of(target)):
        for shelters in neighbour.kit.shelters if neighbour else ():
            assert neighbour is not None
            held = shelters(state, neighbour, target, attacker)
            if held and not overcome(attacker, held.trait):
                return held.why
    return None


def overcome(attacker: Species, trait: str) -> bool:
    """Whether the attacker's own traits get it past a defence of that name."""
    return any(beats(attacker, trait) for beats in attacker.kit.overcomes)


def attacks_of(state: State, attacker: Species) -> Iterator[str]:
    """Every attack that a hungry carnivore can make; targets from the starting player on."""
    for target in state.species():
        if why_not_attack(state, attacker, target) is None:
            yield f"{attacker.name} attacks {target.name}"


def attack(state: State, attacker: Species, target: Species) -> Rules:
    """What a legal attack does.

    The target loses one animal; then its Horns strike. The owner of a species that dies out draws
    cards at once. An attacker that survives eats, and then every Scavenger does.
    """
    lose(state, target)
    if not target.population:
        yield from extinct(state, target)
    for react in target.kit.struck:
        react(state, target, attacker)
    if not attacker.population:
        yield from extinct(state, attacker)
        return
    feeding_step(state, attacker)
    for species in list(state.species(attacker.owner)):
        for carrion in species.kit.carrion:
            carrion(state, species)
