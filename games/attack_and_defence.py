"""The size of an attacker, and the traits that protect its target."""

from collections.abc import Iterator
from operator import attrgetter
from typing import Any, NamedTuple, Protocol, TypeVar

from games.rows_of_creatures import Creature, Rows


class Defence(NamedTuple):
    """A trait that makes an attack illegal, and a sentence with the reason."""

    trait: str
    reason: str


class Fighter(Creature, Protocol):
    """A species with a body size, and a kit with hooks for attack and defence."""

    body: int
    kit: Any


F = TypeVar("F", bound=Fighter)


def attack_size(attacker: Fighter) -> int:
    """Return the body size with which a species attacks."""
    size = attacker.body
    for fold in attacker.kit.attack_size:
        size = fold(attacker, size)
    return size


def defences(state: Rows[F], attacker: F, target: F) -> Iterator[Defence]:
    """Yield every trait that protects the target from this attacker; body size is not among
    them."""
    for defends in target.kit.defends:
        defence = defends(state, target, attacker)
        if defence and not may_ignore(attacker, defence.trait):
            yield defence
    # most rows have no such trait: then nobody's neighbours need be found
    if any(map(_shelters, state.rows[target.owner])):
        for neighbour in state.neighbours(target):
            for shelters in neighbour.kit.shelters:
                defence = shelters(state, neighbour, target, attacker)
                if defence and not may_ignore(attacker, defence.trait):
                    yield defence


_shelters = attrgetter("kit.shelters")


def may_ignore(attacker: Fighter, trait: str) -> bool:
    """Return whether the attacker's own traits let it ignore a defence of that name."""
    overcomes = attacker.kit.overcomes
    return bool(overcomes) and any(beats(attacker, trait) for beats in overcomes)
