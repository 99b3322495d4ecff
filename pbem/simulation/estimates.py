"""Estimates from many games and their standard errors, made from `moment_sums`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf, sqrt
from statistics import NormalDist
from typing import Final

from engine.value_classes import Value
from pbem.simulation.moment_sums import Weights

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
