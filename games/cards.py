"""Read cards that have a number, as text: ``horns 4`` is the trait horns with the food number 4."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection
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


def printed_cards(package: str, traits: Collection[str] = ()) -> tuple[str, ...]:
    """Return all cards listed in a package's ``cards.toml``, as ``trait number``, sorted.

    With ``traits``, there are no cards of other traits.

    Raises ValueError, which says what is wrong in the file, and where.
    """
    try:
        numbers_by_trait = tomllib.loads(package_data(package, "cards.toml"))["food"]
        for trait in numbers_by_trait if traits else ():
            if trait not in traits:
                from games.positions import hint  # importing it takes long

                raise ValueError(f"{trait!r} is not a trait; {hint(trait, traits)}")
        return tuple(
            sorted(
                f"{trait} {_food_number(trait, number)}"
                for trait, numbers in numbers_by_trait.items()
                for number in numbers.split()
            )
        )
    except KeyError:
        raise ValueError("cards.toml: there is no table [food]") from None
    except AttributeError:
        cure = 'write the numbers in quotes, as in horns = "1 2 3"'
        raise ValueError(f"cards.toml: [food] has something that is no text; {cure}") from None
    except ValueError as error:
        raise ValueError(f"cards.toml: {error}") from None


def _food_number(trait: str, number: str) -> int:
    if not re.fullmatch(r"-?\d{1,2}", number):
        raise ValueError(f"{trait}: {number!r} is not a food number from -99 to 99")
    return int(number)
