"""Read cards that have a number, as text: ``horns 4`` is the trait horns with the food number 4."""

from __future__ import annotations

import tomllib
from functools import lru_cache

from engine import UNKNOWN
from games.data import package_data


@lru_cache(1024)
def trait_of(card: str) -> str:
    """Return the trait that a card shows; ``?`` for an unknown card."""
    return card.partition(" ")[0]


@lru_cache(4096)
def traits_of(cards: tuple[str, ...]) -> frozenset[str]:
    """Return the traits that the known ones of these cards show."""
    return frozenset(map(trait_of, cards)) - {UNKNOWN}


@lru_cache(1024)
def food_of(card: str) -> int:
    """Return the food number of a card."""
    return int(card.split(" ")[1])


def printed(package: str) -> tuple[str, ...]:
    """Return all cards listed in a package's ``cards.toml``, as ``trait number``, sorted."""
    foods = tomllib.loads(package_data(package, "cards.toml"))["food"]
    return tuple(sorted(f"{trait} {n}" for trait in foods for n in foods[trait].split()))
