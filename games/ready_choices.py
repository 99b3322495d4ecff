"""Help ready lines choose: find the best option, and leave out attacks on a seat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from engine import Forms, Seat


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
