"""The hooks of the North Star family: every name that a trait may have, and what it means.

*fold*: value in, value out · *veto*: a reason or None · *react*: an effect · *offer*: sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from games.evolution.table import Food, Source, Species, State


class Defence(NamedTuple):
    """A trait that stops an attack, and the sentence that says so."""

    trait: str
    why: str


Names = frozenset[str]


@dataclass(frozen=True, slots=True)
class Kit:
    """What the face-up traits of one species do, compiled: one tuple of functions for each hook."""

    names: Names
    """The traits themselves."""
    need: tuple[Callable[[Species, int], int], ...] = ()
    """fold: how much food the population asks for (starts with the population)."""
    attack_size: tuple[Callable[[Species, int], int], ...] = ()
    """fold: body size when it attacks."""
    defence_size: tuple[Callable[[Species, int, Names], int], ...] = ()
    """fold: body size when it is attacked; the names are the traits that are negated."""
    fat_room: tuple[Callable[[Species, int], int], ...] = ()
    """fold: food it may store beyond its need (starts with 0)."""
    no_plants: tuple[Callable[[Species], str | None], ...] = ()
    """veto: why it never takes plant food."""
    defends: tuple[Callable[[State, Species, Species], Defence | None], ...] = ()
    """veto: what of its own stops this attacker (state, target, attacker)."""
    shelters: tuple[Callable[[State, Species, Species, Species], Defence | None], ...] = ()
    """veto: what protects its neighbour (state, itself, target, attacker)."""
    overcomes: tuple[Callable[[Species, str], bool], ...] = ()
    """veto of a veto: whether this attacker gets past a defence of that name."""
    negates: tuple[Callable[[Species, str], bool], ...] = ()
    """veto of a veto: whether a discarded card gets this attacker past a trait of that name."""
    struck: tuple[Callable[[State, Species, Species], None], ...] = ()
    """react: it was attacked (state, target, attacker), before anybody eats."""
    took: tuple[Callable[[State, Species, Food, Source], None], ...] = ()
    """react: a take put food on its board."""
    carrion: tuple[Callable[[State, Species], None], ...] = ()
    """react: a carnivore's attack cost some species population."""
    leaf: tuple[Callable[[State, Species], None], ...] = ()
    """react: before the food cards are revealed (the leaf icon)."""
    gone: tuple[Callable[[State, Species], None], ...] = ()
    """react: the trait leaves the species, the species dies, or the game ends."""
    meals: tuple[Callable[[State, Species], Iterable[str]], ...] = ()
    """offer: feedings of its own kind, which hunger makes compulsory."""
    extras: tuple[Callable[[State, Species], Iterable[str]], ...] = ()
    """offer: feedings that are never compulsory."""
