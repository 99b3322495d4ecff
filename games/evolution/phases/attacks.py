"""Attacks: which species may be attacked, and what happens then (Evolution, Feeding Carnivores)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from engine import Rules
from games.evolution.sentences import FORMS, said_of, words_of
from games.evolution.table import BANK, MEAT, Names, Species, State
from games.evolution.table_changes import extinct, lose, take
from games.tables import attack_size, defences


# ------------------------------------------------------------------ may it?
def defence_size(target: Species, negated: Names = frozenset()) -> int:
    """Return the body size that an attacker's size must exceed."""
    size = target.body
    for fold in target.kit.defence_size:
        size = fold(target, size, negated)
    return size


def why_not_attack(state: State, attacker: Species, target: Species) -> str | None:
    """Say why the attack is illegal without discarding a card for Intelligence."""
    if not attacker.kit.meals:
        return f"{attacker.name} is not a carnivore"
    if not attacker.room:
        return f"{attacker.name} is not hungry and has no room for fat"
    return why_not_prey(state, attacker, target)


def why_not_prey(state: State, attacker: Species, target: Species) -> str | None:
    """Say why a carnivore could not attack the target even if it were hungry."""
    if target is attacker:
        return f"{attacker.name} cannot attack itself"
    size, against = attack_size(attacker), defence_size(target)
    if size <= against:
        return (
            f"{attacker.name} attacks with size {size}, which is not more than "
            f"the {against} of {target.name}"
        )
    held = next(defences(state, attacker, target), None)
    return held and held.why


def targets(state: State, attacker: Species) -> Iterator[Species]:
    """Yield the species whose body, without Hard Shell, is smaller than the attacker's attack
    size."""
    size = attack_size(attacker)
    for target in state.species():
        if target.body < size and target is not attacker:
            yield target


# ------------------------------------------------------------------ sentences
def plain_attacks(state: State, attacker: Species) -> Iterator[str]:
    """Yield every attack that is legal without Intelligence."""
    size = attack_size(attacker)
    for target in targets(state, attacker):
        if defence_size(target) < size and next(defences(state, attacker, target), None) is None:
            yield f"{attacker.name} attacks {target.name}"


def clever_attacks(state: State, attacker: Species, cards: int) -> Iterator[str]:
    """Yield every attack that costs cards: one card for each trait that the attack ignores (ruling
    1.12)."""
    for target in targets(state, attacker):
        for negated in negations(state, attacker, target):
            if len(negated) <= cards:
                yield f"{attacker.name} attacks {target.name} despite {said_of(negated)}"


def negations(state: State, attacker: Species, target: Species) -> Iterator[Names]:
    """Yield the sets of traits that an attack may name.

    Each set has exactly the traits that must be ignored to make the attack legal, with or without
    Horns. Each must be a trait that this attacker can ignore for a card.
    """
    for negated in _stopping(state, attacker, target):
        if all(any(past(attacker, t) for past in attacker.kit.negates) for t in negated):
            yield negated


def _stopping(state: State, attacker: Species, target: Species) -> Iterator[Names]:
    held = frozenset(defence.trait for defence in defences(state, attacker, target))
    for shells in _shells(attacker, target):
        needed = held | shells
        if needed:
            yield needed
        if target.kit.struck:
            yield needed | {"horns"}


def _shells(attacker: Species, target: Species) -> Iterator[Names]:
    """Yield the smallest sets of traits that must be ignored so that the target is small enough."""
    size = attack_size(attacker)
    full = defence_size(target)
    if full < size:
        yield frozenset()
        return
    traits = [t for t in sorted(target.kit.names) if defence_size(target, frozenset({t})) < full]
    found: list[Names] = []
    for count in range(1, len(traits) + 1):
        for some in map(frozenset, combinations(traits, count)):
            if not any(less < some for less in found) and defence_size(target, some) < size:
                found.append(some)
                yield some


# ------------------------------------------------------------------ what happens
def attack(state: State, attacker: Species, target: Species, negated: Names) -> Rules:
    """Carry out a legal attack; nothing can stop it, and nobody is asked (ruling 1.9)."""
    meal = target.body
    lose(state, target)
    if "horns" not in negated:
        for react in target.kit.struck:
            react(state, target, attacker)
    for species in (target, attacker):
        if not species.population:
            yield from extinct(state, species)
    if attacker.population:
        take(state, attacker, meal, MEAT, BANK)
    for species in list(state.species(attacker.owner)):
        for carrion in species.kit.carrion:
            carrion(state, species)


def why_not_attack_text(state: State, text: str) -> str | None:
    """Say why the attack in this sentence is not an option."""
    form, said = FORMS.parse(text)
    attacker, target = state.find(said["sp"]), state.find(said["who"])
    for name, species in ((said["sp"], attacker), (said["who"], target)):
        if species is None:
            return state.missing(name)
    assert attacker is not None
    assert target is not None
    if form == "attacks":
        return why_not_attack(state, attacker, target)
    return _why_not_clever(state, attacker, target, frozenset(words_of(said["words"])))


def _why_not_clever(state: State, attacker: Species, target: Species, named: Names) -> str | None:
    if not (attacker.kit.negates and attacker.kit.meals):
        return f"{attacker.name} is not a carnivore with intelligence"
    if not attacker.room or target is attacker:
        return why_not_attack(state, attacker, target)
    if attack_size(attacker) <= target.body:
        return f"{attacker.name} is not larger than {target.name}: no card changes that"
    cards = len(state.hands[attacker.owner])
    if len(named) > cards:
        return f"{len(named)} cards are needed, but {cards} are in hand"
    sets = [said_of(names) for names in negations(state, attacker, target)]
    if sets:
        return f"against {target.name} you may name: {', or '.join(sets)}"
    if next(_stopping(state, attacker, target), None):
        return (
            f"without Intelligence, {attacker.name} cannot discard a card to get past {target.name}"
        )
    return f"{target.name} has no trait that Intelligence must negate"
