"""Help bots choose: remember what things are worth, and find the first of the best options."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

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
