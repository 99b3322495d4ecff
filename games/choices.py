"""Help bots and ready lines choose: what things are worth, and which option is the best."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from engine import Forms, Seat

PLACES = 6
"""The decimals to which values are compared, so that every machine finds the same ones equal."""
CLOSE = 2 / 10**PLACES
"""Values that are further apart than this are never equal when rounded."""


def first_best(worths: Iterable[float]) -> int:
    """Return the index of the greatest value; if several are equal, the first of them."""
    listed = list(worths)
    most = max(listed)
    best = round(most, PLACES)
    near = (at for at, worth in enumerate(listed) if worth > most - CLOSE)
    return next(at for at in near if round(listed[at], PLACES) == best)


class Worths(dict[Any, float]):
    """A dictionary of values; each is computed from its key when it is first looked up."""

    def __init__(self, work: Callable[[Any], float]) -> None:
        super().__init__()
        self._work = work

    def __missing__(self, key: Any) -> float:
        self[key] = worth = self._work(key)
        return worth


def best(ranked: Iterable[tuple[Any, str]]) -> str | None:
    """Return the option with the highest rank; if several are equal, the first; None if there is
    none.

    Each pair is a rank (a number, or a tuple of numbers) and an option.
    """
    return max(ranked, key=lambda one: one[0], default=(None, None))[1]


def sparing(forms: Forms) -> Callable[[Any, Seat, Sequence[str], str], list[str]]:
    """Make a function for lines such as `never attack {seat}`: it keeps only options whose ``who``
    is not a piece of that seat."""

    def without(state: Any, seat: Seat, options: Sequence[str], other: str) -> list[str]:
        return [o for o in options if not forms.parse(o)[1].get("who", "").startswith(other)]

    return without
