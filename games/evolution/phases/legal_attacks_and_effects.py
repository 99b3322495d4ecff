"""Attacks: which species may be attacked, and what happens then (Evolution, Feeding Carnivores)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from engine import Rules
from engine.counts_and_lists_in_prose import counted
from games.attack_and_defence import attack_size, defences
from games.evolution.change_table import die_out, lose, take
from games.evolution.sentences import FORMS, join_names, split_names
from games.evolution.table import BANK, MEAT, Species, State, TraitNames


# ------------------------------------------------------------------ is it legal?
def defence_size(target: Species, negated_traits: TraitNames = frozenset()) -> int:
    """Return the body size that an attacker's size must exceed."""
    size = target.body
    for fold in target.kit.defence_size:
        size = fold(target, size, negated_traits)
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
    attack_body, defence_body = attack_size(attacker), defence_size(target)
    if attack_body <= defence_body:
        return (
            f"{attacker.name} attacks with size {attack_body}, but needs more than "
            f"the size {defence_body} of {target.name}"
        )
    defence = next(defences(state, attacker, target), None)
    return defence and defence.reason


def smaller_species(state: State, attacker: Species) -> Iterator[Species]:
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
    for target in smaller_species(state, attacker):
        if defence_size(target) < size and next(defences(state, attacker, target), None) is None:
            yield f"{attacker.name} attacks {target.name}"


def attacks_despite_traits(state: State, attacker: Species, card_count: int) -> Iterator[str]:
    """Yield every attack that costs cards: one card for each trait that the attack ignores (ruling
    1.12)."""
    for target in smaller_species(state, attacker):
        for negated_traits in negations(state, attacker, target):
            if len(negated_traits) <= card_count:
                yield f"{attacker.name} attacks {target.name} despite {join_names(negated_traits)}"


def negations(state: State, attacker: Species, target: Species) -> Iterator[TraitNames]:
    """Yield the sets of traits that an attack may name.

    Each set has exactly the traits that must be ignored to make the attack legal, with or without
    Horns. This attacker can ignore each of them for a card.
    """

    def is_negatable(trait: str) -> bool:
        return any(negates(attacker, trait) for negates in attacker.kit.negates)

    for stopping_set in _stopping_sets(state, attacker, target):
        if all(map(is_negatable, stopping_set)):
            yield stopping_set


def _stopping_sets(state: State, attacker: Species, target: Species) -> Iterator[TraitNames]:
    """Yield the sets of traits that must be ignored, each without and with Horns; the set without
    Horns only if it is not empty, because a plain attack needs no card."""
    defence_traits = frozenset(defence.trait for defence in defences(state, attacker, target))
    for size_set in _size_sets(attacker, target):
        stopping_set = defence_traits | size_set
        if stopping_set:
            yield stopping_set
        if target.kit.struck:  # only Horns strike back, and an attacker may pay to ignore them
            yield stopping_set | {"horns"}


def _size_sets(attacker: Species, target: Species) -> Iterator[TraitNames]:
    """Yield the smallest sets of traits that must be ignored so that the target is small enough."""
    size = attack_size(attacker)
    full_size = defence_size(target)
    if full_size < size:
        yield frozenset()
        return
    names = sorted(target.kit.names)
    traits = [name for name in names if defence_size(target, frozenset({name})) < full_size]
    smallest_sets: list[TraitNames] = []
    for count in range(1, len(traits) + 1):
        for trait_set in map(frozenset, combinations(traits, count)):
            is_smallest = not any(smaller_set < trait_set for smaller_set in smallest_sets)
            if is_smallest and defence_size(target, trait_set) < size:
                smallest_sets.append(trait_set)
                yield trait_set


# ------------------------------------------------------------------ what happens
def attack(state: State, attacker: Species, target: Species, negated_traits: TraitNames) -> Rules:
    """Carry out a legal attack; nothing can stop it, and nobody is asked (ruling 1.9).

    ``negated_traits`` are the traits that the attacker ignores for a card each; of these, only
    Horns matter now.
    """
    meal = target.body
    lose(state, target)
    if "horns" not in negated_traits:
        for react in target.kit.struck:
            react(state, target, attacker)
    for species in (target, attacker):
        if not species.population:
            yield from die_out(state, species)
    if attacker.population:
        take(state, attacker, meal, MEAT, BANK)
    for species in list(state.species(attacker.owner)):
        for scavenge in species.kit.carrion:
            scavenge(state, species)


def why_not_attack_text(state: State, text: str) -> str | None:
    """Say why the attack in this sentence is not an option."""
    form, fields = FORMS.parse(text)
    attacker, target = state.find(fields["sp"]), state.find(fields["who"])
    for name, species in ((fields["sp"], attacker), (fields["who"], target)):
        if species is None:
            return state.why_not_on_table(name)
    assert attacker is not None
    assert target is not None
    if form == "attacks":
        return why_not_attack(state, attacker, target)
    return _why_not_despite(state, attacker, target, frozenset(split_names(fields["words"])))


def _why_not_despite(
    state: State, attacker: Species, target: Species, named_traits: TraitNames
) -> str | None:
    """Say why the attack is illegal at the cost of a card for each of the named traits."""
    if not (attacker.kit.negates and attacker.kit.meals):
        return f"{attacker.name} is not a carnivore with intelligence"
    if not attacker.room or target is attacker:
        return why_not_attack(state, attacker, target)
    if attack_size(attacker) <= target.body:
        return f"{attacker.name} is not larger than {target.name}, and no card can change that"
    card_count = len(state.hands[attacker.owner])
    if len(named_traits) > card_count:
        price = counted(len(named_traits), "card")
        return f"this attack costs {price}, but your hand has {card_count}"
    allowed_ends = [
        f"'despite {join_names(names)}'" for names in negations(state, attacker, target)
    ]
    if allowed_ends:
        return f"to attack {target.name}, end the line with {' or '.join(allowed_ends)}"
    if next(_stopping_sets(state, attacker, target), None):
        return (
            f"without Intelligence, {attacker.name} cannot discard a card to get past {target.name}"
        )
    return f"{attacker.name} can attack {target.name} without Intelligence, so discard no card"
