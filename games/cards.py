"""Read cards that have a number, as text: ``horns 4`` is the trait horns with the food number 4."""

from __future__ import annotations

import tomllib
from functools import lru_cache

from engine import UNKNOWN
from games.data import package_data


@lru_cache(1024)
def trait_of(card: str) -> str:
    """Return the trait of a card; ``?`` for an unknown card.

    >>> trait_of("horns 4")
    'horns'
    """
    return card.partition(" ")[0]


@lru_cache(4096)
def traits_of(cards: tuple[str, ...]) -> frozenset[str]:
    """Return the traits of these cards; unknown cards have none."""
    return frozenset(map(trait_of, cards)) - {UNKNOWN}


@lru_cache(1024)
def food_of(card: str) -> int:
    """Return the food number of a card."""
    return int(card.split(" ")[1])


def printed_cards(package: str) -> tuple[str, ...]:
    """Return all cards listed in a package's ``cards.toml``, as ``trait number``, sorted."""
    numbers_by_trait = tomllib.loads(package_data(package, "cards.toml"))["food"]
    return tuple(
        sorted(
            f"{trait} {n}" for trait in numbers_by_trait for n in numbers_by_trait[trait].split()
        )
    )
