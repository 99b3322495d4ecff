"""Help bots choose: find the first of the best options on every machine."""

from __future__ import annotations

from collections.abc import Iterable

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
