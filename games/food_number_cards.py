"""Read cards that have a number, as text: ``horns 4`` is the trait horns with the food number 4."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection
from functools import lru_cache

from engine import UNKNOWN
from games.data_and_icon_files import package_data


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
    path, text = f"{package.replace('.', '/')}/cards.toml", package_data(package, "cards.toml")
    try:
        table = tomllib.loads(text)
    except ValueError as error:
        problem = str(error).partition(" (at ")[0]
        raise ValueError(f"{path}, line {_broken_line(text)}: {problem}") from None
    if not isinstance(numbers_by_trait := table.get("food"), dict):
        raise ValueError(f"{path}: there is no table [food]")
    cards = list[str]()
    for trait, numbers in numbers_by_trait.items():
        if fault := _line_fault(trait, numbers, traits):
            raise ValueError(f"{path}, line {_line_number(text, trait)}: {fault}")
        cards += [f"{trait} {int(number)}" for number in numbers.split()]
    return tuple(sorted(cards))


def _broken_line(text: str) -> int:
    """Return the number of the first line with which the text is not TOML any more. (The error
    does not say it if a string never ends.)"""
    lines = text.splitlines()
    for number in range(1, len(lines)):
        try:
            tomllib.loads("\n".join(lines[:number]))
        except ValueError:
            return number
    return len(lines)


def _line_fault(trait: str, numbers: object, traits: Collection[str]) -> str:
    """Say what is wrong with a trait and its food numbers; empty if nothing is. `traits` are the
    traits of the ruleset; if it is empty, any name may be a trait."""
    if traits and trait not in traits:
        from games.rule_case_differences import hint

        return f"{trait!r} is not a trait; {hint(trait, traits)}"
    if not isinstance(numbers, str):
        return f'{trait}: write the numbers in quotes, as in {trait} = "1 2 3"'
    for number in numbers.split():
        if not re.fullmatch(r"-?\d{1,2}", number):
            return f"{trait}: {number!r} is not a food number from -99 to 99"
    return ""


def _line_number(text: str, key: str) -> int:
    """Return the number of the line that begins with a key."""
    lines = enumerate(text.splitlines(), 1)
    starts = (f"{key} ", f"{key}=", f'"{key}"', f"'{key}'")
    return next((n for n, line in lines if line.strip().startswith(starts)), 1)
