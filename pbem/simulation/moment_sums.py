"""Sums of products over games: means, and their standard errors (`estimates`), follow from them.

A game gives a row of whole numbers, which begins with 1. The moments of many games are the sums of
the products of every two numbers of their rows: so two studies are added number by number, in any
order, and no game needs to be remembered.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from operator import add

Moments = tuple[int, ...]
"""The sum of the products of numbers 0 and 0, 0 and 1, …, 1 and 1, 1 and 2, … of the rows."""
Weights = tuple[Fraction, ...]
"""A weight for each number of a row."""


def moments_of(row: Sequence[int]) -> Moments:
    """Return the moments of one row.

    >>> moments_of((1, 3))
    (1, 3, 9)
    """
    return tuple([number * factor for n, number in enumerate(row) for factor in row[n:]])


def added(moments: Moments, other_moments: Moments) -> Moments:
    """Return the moments of all games together; one of the two may be empty."""
    if not moments or not other_moments:
        return moments or other_moments
    return tuple(map(add, moments, other_moments))


def sum_of_squares(moments: Moments, weights: Weights) -> Fraction:
    """Return the sum, over all rows, of the square of the weighted sum of the row.

    >>> sum_of_squares((2, 5, 13), (Fraction(0), Fraction(1)))  # of the rows (1, 2) and (1, 3)
    Fraction(13, 1)
    """
    # whole numbers are many times faster than fractions
    length, scale, total = len(weights), lcm(*(weight.denominator for weight in weights)), 0
    pulled = [(n, int(weight * scale)) for n, weight in enumerate(weights) if weight]
    for place, (n, weight) in enumerate(pulled):
        start = n * length - n * (n - 1) // 2 - n  # where the products of number n begin, less n
        cross_sum = sum([factor * moments[start + m] for m, factor in pulled[place + 1 :]])
        total += weight * (weight * moments[start + n] + 2 * cross_sum)
    return Fraction(total, scale * scale)
