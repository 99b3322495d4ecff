"""The numbers of cards and dice, read from `cards.toml` beside this module."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from engine import UNKNOWN
from games.data_and_icon_files import package_data


class Dice(NamedTuple):
    """The size of the food bank: the sum of a number of dice, plus a fixed number of tokens."""

    dice: int
    plus: int


def _data() -> Mapping[str, Any]:
    return tomllib.loads(package_data("games.origin", "cards.toml"))


COPIES: Mapping[str, int] = _data()["copies"]
"""The number of each card in one set. A card's text is its one or two traits:
``parasite/carnivorous``."""
PAIRS = ("communication", "cooperation", "symbiosis")
"""The traits that join a pair of animals; in a symbiosis, it matters which animal is first."""
ONE_SET = tuple(sorted(card for card, copies in COPIES.items() for _ in range(copies)))
TWO_SETS = tuple(sorted(ONE_SET * 2))
DICE = {int(players): Dice(**numbers) for players, numbers in _data()["dice"].items()}
"""The dice of the Food Bank Determination Phase, by the number of players."""


@lru_cache(64)
def traits_of(card: str) -> tuple[str, ...]:
    """Return the traits that a card may be played as; none for an unknown card.

    >>> traits_of("parasite/carnivorous")
    ('parasite', 'carnivorous')
    """
    return () if card == UNKNOWN else tuple(card.split("/"))
