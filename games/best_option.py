"""Help bots and ready lines choose: the values of things, and the best option."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from engine import Forms, Seat

WORTH_DECIMALS = 6
"""The decimals to which values are compared, so that every machine finds the same ones equal."""
MAX_ROUNDING_GAP = 2 / 10**WORTH_DECIMALS
"""Values that are further apart than this are never equal when rounded."""


def best_index(worths: Iterable[float]) -> int:
    """Return the index of the greatest value; if several are equal, the first of them.

    >>> best_index([0.5, 0.7, 0.7 + 1e-9])
    1
    """
    worth_list = list(worths)
    greatest = max(worth_list)
    best_worth = round(greatest, WORTH_DECIMALS)
    close_indexes = (i for i, w in enumerate(worth_list) if w > greatest - MAX_ROUNDING_GAP)
    return next(i for i in close_indexes if round(worth_list[i], WORTH_DECIMALS) == best_worth)


class Worths(dict[Any, float]):
    """A dictionary of values; each is computed from its key when it is first looked up."""

    def __init__(self, work: Callable[[Any], float]) -> None:
        super().__init__()
        self._work = work

    def __missing__(self, key: Any) -> float:
        self[key] = worth = self._work(key)
        return worth


def best_option(ranked_options: Iterable[tuple[Any, str]]) -> str | None:
    """Return the option with the highest rank; if several are equal, the first; None if there is
    none.

    Each pair is a rank (a number, or a tuple of numbers) and an option.

    >>> best_option([(1, "a1 eats"), (3, "a2 eats"), (3, "pass")])
    'a2 eats'
    """
    return max(ranked_options, key=lambda pair: pair[0], default=(None, None))[1]


def sparing(forms: Forms) -> Callable[[Any, Seat, Sequence[str], str], list[str]]:
    """Make a function for lines such as `never attack {seat}`: it keeps only options whose ``who``
    is not a piece of that seat."""

    def sparing_options(
        state: Any, seat: Seat, options: Sequence[str], spared_seat: str
    ) -> list[str]:
        return [o for o in options if not forms.parse(o)[1].get("who", "").startswith(spared_seat)]

    return sparing_options
