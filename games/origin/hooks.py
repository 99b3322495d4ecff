"""The hooks of Origin: every name that a class of a trait may have, and what it means."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from engine import Seat
    from games.origin.table import Animal, Hunt, Pair, State

Colour = Literal["red", "blue"]


class Defence(NamedTuple):
    """A trait that makes an attack illegal, and the sentence that says so."""

    trait: str
    why: str


@dataclass(frozen=True, slots=True)
class Kit:
    """What some traits do, compiled: an animal's own ones, or the one of a pair card."""

    names: frozenset[str]
    """The traits themselves."""
    need: tuple[Callable[[int], int], ...] = ()
    """fold: how many food tokens the animal needs (starts with 1)."""
    points: tuple[Callable[[int], int], ...] = ()
    """fold: additional points at the end (starts with 0)."""
    fat_cards: tuple[Callable[[Animal, int], int], ...] = ()
    """fold: for how many yellow tokens there is a place (starts with 0)."""
    host: tuple[Callable[[Seat, Animal], str | None], ...] = ()
    """veto: why this player may not put it on this animal; without it: own animals only."""
    several: tuple[Callable[[], bool], ...] = ()
    """veto of a veto: one animal may carry it more than once."""
    excludes: tuple[Callable[[Animal, str], str | None], ...] = ()
    """veto: why an animal that carries it may not get that other trait."""
    hunts: tuple[Callable[[Animal, Animal], str | None], ...] = ()
    """veto: why this carnivore never attacks that animal (carnivore, target)."""
    defends: tuple[Callable[[Animal], Defence | None], ...] = ()
    """veto: what protects this target."""
    overcomes: tuple[Callable[[str], bool], ...] = ()
    """veto of a veto: whether this carnivore gets past a defence of that name."""
    shelters: tuple[Callable[[Pair, Animal], Defence | None], ...] = ()
    """veto, of a pair card: what protects this target, one of the pair."""
    holds_back: tuple[Callable[[State, Pair, Animal], str | None], ...] = ()
    """veto, of a pair card: why this animal of the pair may take no food."""
    passes_on: tuple[Callable[[State, bool], Colour | None], ...] = ()
    """react, of a pair card: one of the pair took food (true: a red token of the food bank); what
    the other gets, if anything."""
    eaten: tuple[Callable[[Animal], None], ...] = ()
    """react: the animal was eaten by this carnivore."""
    scavenges: tuple[Callable[[State, Animal], bool], ...] = ()
    """react: another animal was eaten: whether this one can have the scraps."""
    answers: tuple[Callable[[State, Hunt], Iterable[str]], ...] = ()
    """offer: what the target of an attack can do about it."""
    mains: tuple[Callable[[State, Animal], Iterable[str]], ...] = ()
    """offer: what may be done in a feeding turn instead of taking a red token."""
    extras: tuple[Callable[[State, Animal], Iterable[str]], ...] = ()
    """offer: what may be done in a feeding turn besides."""
