"""Estimates from many games and their standard errors, made from sums of products over the games.

A game gives a row of whole numbers, which begins with 1. The moments of many games are the sums of
the products of every two numbers of their rows: so two studies are added number by number, in any
order, and no game needs to be remembered.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf, lcm, sqrt
from operator import add
from statistics import NormalDist
from typing import Final

from engine.value_classes import Value

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


def add_moments(moments: Moments, other_moments: Moments) -> Moments:
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


MARGIN_ERRORS: Final = 1.96
"""The standard errors on either side of an estimate that hold the true value in 95 of 100
studies."""


class Estimate(Value):
    """An estimate from many games, and its standard error."""

    amount: float
    error: float
    """The standard error; the games are the independent observations, not their seats."""

    @property
    def margin(self) -> float:
        """Half the width of the interval that holds the true value in 95 of 100 studies."""
        return MARGIN_ERRORS * self.error

    @property
    def chance(self) -> float:
        """The share of studies that would differ from 0 by so much although the true value is
        0."""
        if not self.error:
            return 0.0 if self.amount else 1.0
        return 2 * NormalDist().cdf(-abs(self.amount) / self.error)


class Statistic(Value):
    """A ratio of two sums over all games, or a difference of ratios; and the pull of a game on it.

    The pull is a weighted sum of the numbers of the game's row. Over all games its sum is 0, and
    the sum of its squares is the variance of the statistic (the delta method; each game counts as
    one observation, with all its seats).
    """

    amount: Fraction
    pull: Weights

    def __sub__(self, other: Statistic) -> Statistic:
        pairs = zip(self.pull, other.pull, strict=True)
        return Statistic(
            self.amount - other.amount,
            tuple(own_weight - other_weight for own_weight, other_weight in pairs),
        )


def ratio(top: Weights, bottom: Weights, sums: Sequence[int]) -> Statistic:
    """Return the ratio of two weighted sums of the numbers of all rows."""
    top_sum, bottom_sum = (
        sum(
            (weight * number for weight, number in zip(weights, sums, strict=True) if weight),
            Fraction(0),
        )
        for weights in (top, bottom)
    )
    quotient = top_sum / bottom_sum
    pairs = zip(top, bottom, strict=True)
    return Statistic(
        quotient,
        tuple(
            (top_weight - quotient * bottom_weight) / bottom_sum
            if top_weight or bottom_weight
            else top_weight
            for top_weight, bottom_weight in pairs
        ),
    )


def estimate(statistic: Statistic, squares: Fraction, games: int) -> Estimate:
    """Return the estimate; `squares` is the sum of the squares of the pull of all games. One game
    alone has no error that can be known."""
    error = sqrt(squares * games / (games - 1)) if games > 1 else inf
    return Estimate(float(statistic.amount), error)
