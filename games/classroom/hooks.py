"""The hooks of the course's game: every name that a trait may have, and what it means.

Where the course prints the same text as an older ruleset the trait is that ruleset's own class, so
its hooks have the same names and arguments there and here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from games.evolution.hooks import Defence

if TYPE_CHECKING:
    from games.classroom.table import Species, State


@dataclass(frozen=True, slots=True)
class Kit:
    """What the traits of one species do, compiled: one tuple of functions for each hook."""

    names: frozenset[str]
    """The traits themselves."""
    attack_size: tuple[Callable[[Species, int], int], ...] = ()
    """fold: body size when it attacks, which only a Hard Shell asks for."""
    fat_room: tuple[Callable[[Species, int], int], ...] = ()
    """fold: food it may store beside its board (starts with 0)."""
    bites: tuple[Callable[[Species, int], int], ...] = ()
    """fold: tokens of one feeding step (starts with 1)."""
    defends: tuple[Callable[[State, Species, Species], Defence | None], ...] = ()
    """veto: what of its own stops this attacker (state, target, attacker)."""
    shelters: tuple[Callable[[State, Species, Species, Species], Defence | None], ...] = ()
    """veto: what protects its neighbour (state, itself, target, attacker)."""
    overcomes: tuple[Callable[[Species, str], bool], ...] = ()
    """veto of a veto: whether this attacker gets past a defence of that name."""
    struck: tuple[Callable[[State, Species, Species], None], ...] = ()
    """react: it was attacked (state, target, attacker), before anybody eats."""
    ate: tuple[Callable[[State, Species, int], None], ...] = ()
    """react: a feeding step put so many tokens on its board."""
    carrion: tuple[Callable[[State, Species], None], ...] = ()
    """react: a carnivore attacked some species and lived."""
    leaf: tuple[Callable[[State, Species], None], ...] = ()
    """react: the food cards have been revealed."""
    gone: tuple[Callable[[State, Species], None], ...] = ()
    """react: the trait leaves the species, or the species dies."""
    hunts: tuple[Callable[[State, Species], Iterable[str]], ...] = ()
    """offer: its attacks; whoever has this eats nothing by itself."""
