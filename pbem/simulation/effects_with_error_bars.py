"""Effects with error bars: estimates for measures, traits and cards, and their differences.

A seat plays a trait or a card if it does so at least once in a game; its points are its score. Two
rulesets are compared by pairs of games with the same number, which begin with the same luck: the
error bar of a difference comes from the differences within the pairs.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import sqrt
from typing import Final

from engine.value_classes import Value
from pbem.simulation.estimates import (
    Estimate,
    Moments,
    Statistic,
    Weights,
    estimate,
    ratio,
    sum_of_squares,
)

# ---- Measures: the row of a game is 1, and the measure in each ruleset


class Measure:
    """A number that each game has, such as its rounds, or the points of a seat."""

    def __init__(self, moments: Moments, divisor: int = 1) -> None:
        """The measure is divided by `divisor`."""
        self.moments, self.games, self._divisor = moments, moments[0], divisor
        self._length = 3 if len(moments) == 6 else 2

    def mean(self, side: int = 0) -> Estimate:
        """Return the mean in one of the two rulesets."""
        return self._estimate(self._mean(side))

    def change(self) -> Estimate:
        """Return how much larger the mean is in the study's ruleset than in the other."""
        return self._estimate(self._mean(0) - self._mean(1))

    @property
    def spread(self) -> float:
        """The standard deviation from game to game."""
        return self.mean().error * sqrt(self.games)

    def _mean(self, side: int) -> Statistic:
        top = _weights(self._length, {1 + side: Fraction(1, self._divisor)})
        return ratio(top, _weights(self._length, {0: 1}), self.moments[: self._length])

    def _estimate(self, statistic: Statistic) -> Estimate:
        return estimate(statistic, sum_of_squares(self.moments, statistic.pull), self.games)


# ---- Traits and cards: the seats that play them, and those that do not


MIN_SEATS: Final = 30
"""The least number of seats, over all games, whose points are worth a mean with an error bar."""


class Effect(Value):
    """The use of a trait or a card. Points are None if fewer than MIN_SEATS seats played it, or if
    fewer did not."""

    share: Estimate
    """The share of the seats that play it in a game."""
    points_with: Estimate | None
    points_without: Estimate | None
    difference: Estimate | None
    """The points of the seats that play it, minus the points of the other seats."""


class Item:
    """A trait or a card.

    The row of a game is 1 and, for each ruleset: the number of seats that played it, their points,
    and the points of all seats. A game in which nobody played it has no such row: what it adds
    follows from the points of all games.
    """

    def __init__(self, moments: Moments, points: Moments, players: int) -> None:
        self.moments, self.points, self.players = moments, points, players
        self._length = 7 if len(moments) == 28 else 4
        _, *point_sums = points[: 3 if self._length == 7 else 2]
        sums = list(moments[: self._length])
        sums[0], sums[3::3] = points[0], point_sums
        self._sums = sums
        """The sum of each number over all games."""

    def effect(self, side: int = 0) -> Effect:
        """Return the use of the item in one of the two rulesets."""
        return self._effect(lambda statistic: statistic(side), self._has_enough_seats(side))

    def change(self) -> Effect:
        """Return how much larger each number is in the study's ruleset than in the other."""
        has_enough_seats = self._has_enough_seats(0) and self._has_enough_seats(1)
        return self._effect(lambda statistic: statistic(0) - statistic(1), has_enough_seats)

    def _has_enough_seats(self, side: int) -> bool:
        """Return whether enough seats played the item, and enough did not."""
        seat_count = self._sums[1 + 3 * side]
        return MIN_SEATS <= seat_count <= self.points[0] * self.players - MIN_SEATS

    def _effect(
        self, side_of: Callable[[Callable[[int], Statistic]], Statistic], has_enough_seats: bool
    ) -> Effect:
        share = self._estimate(side_of(self._share))
        if not has_enough_seats:
            return Effect(share, None, None, None)
        parts = (self._points_with, self._points_without, self._difference)
        return Effect(share, *(self._estimate(side_of(part)) for part in parts))

    def _share(self, side: int) -> Statistic:
        return self._ratio({1 + 3 * side: Fraction(1, self.players)}, {0: 1})

    def _points_with(self, side: int) -> Statistic:
        return self._ratio({2 + 3 * side: 1}, {1 + 3 * side: 1})

    def _points_without(self, side: int) -> Statistic:
        seats, points, all_points = (n + 3 * side for n in (1, 2, 3))
        return self._ratio({all_points: 1, points: -1}, {0: self.players, seats: -1})

    def _difference(self, side: int) -> Statistic:
        return self._points_with(side) - self._points_without(side)

    def _ratio(
        self, top: dict[int, Fraction | int], bottom: dict[int, Fraction | int]
    ) -> Statistic:
        return ratio(_weights(self._length, top), _weights(self._length, bottom), self._sums)

    def _estimate(self, statistic: Statistic) -> Estimate:
        """Return the estimate of a statistic over all games, with its error.

        Its sum of squares is that of the games in which somebody played the item, and of all games
        by their points alone, minus the first games by their points alone, which are in both.
        """
        pull = statistic.pull
        common_pull = tuple(weight if n % 3 == 0 else Fraction(0) for n, weight in enumerate(pull))
        squares = (
            sum_of_squares(self.moments, pull)
            + sum_of_squares(self.points, pull[::3])
            - sum_of_squares(self.moments, common_pull)
        )
        return estimate(statistic, squares, self.points[0])


def _weights(length: int, by_index: dict[int, Fraction | int]) -> Weights:
    return tuple(Fraction(by_index.get(index, 0)) for index in range(length))
