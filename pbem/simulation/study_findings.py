"""The findings of a study: what `pbem sim` prints, as values and as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.value_classes import Value
from pbem.simulation.effects_with_error_bars import Effect, Item, Measure
from pbem.simulation.estimates import Estimate
from pbem.simulation.play_bot_games import Setup
from pbem.simulation.totals_of_games import CARD, POINTS, TRAIT, Counts, seat_measure

COMPARED_MEASURES = (POINTS, "winning_score", "rounds", "decisions")
"""The measures that two rulesets are compared by, besides the points of each seat."""


class Comparison(Value):
    """A measure in two rulesets."""

    own_mean: Estimate
    other_mean: Estimate
    change: Estimate
    """The difference of the means: own minus other."""


class Findings:
    """The estimates that the counts of a study allow. There must be at least one game."""

    def __init__(self, setup: Setup, counts: Counts) -> None:
        self.setup, self.counts = setup, counts
        self.traits = self._usages(TRAIT)
        self.cards = self._usages(CARD)

    def seat_points(self, seat: str) -> Measure:
        """Return the points of one seat."""
        return Measure(self.counts.moments[seat_measure(seat)])

    def comparisons(self) -> dict[str, Comparison]:
        """Return each measure in the studied ruleset and in its rival. Points are summed over all
        seats, so they are divided by the number of players."""
        names = [*COMPARED_MEASURES, *map(seat_measure, self.setup.names)]
        measures = {
            name: Measure(self.counts.moments[name], self.setup.players if name == POINTS else 1)
            for name in names
        }
        return {
            name: Comparison(measure.mean(0), measure.mean(1), measure.change())
            for name, measure in measures.items()
        }

    def to_json(self) -> dict[str, Any]:
        """Return plain data; every `error` is a standard error."""
        usages_by_kind = {"traits": self.traits, "cards": self.cards}
        data: dict[str, Any] = {
            kind: {name: _effect_as_data(usage.effect()) for name, usage in usages.items()}
            for kind, usages in usages_by_kind.items()
        }
        if not self.setup.against:
            return data
        compared_measures = {
            name: {
                "here": _rounded(row.own_mean.amount),
                "there": _rounded(row.other_mean.amount),
                **_estimate_as_data("difference", row.change),
                "by_chance": _rounded(row.change.chance),
            }
            for name, row in self.comparisons().items()
        }
        compared_items = {
            kind: {name: _effect_as_data(usage.change()) for name, usage in usages.items()}
            for kind, usages in usages_by_kind.items()
        }
        data["against"] = {"measures": compared_measures, **compared_items}
        return data

    def _usages(self, kind: str) -> dict[str, Item]:
        moments, players = self.counts.moments, self.setup.players
        names = [name.removeprefix(kind) for name in moments if name.startswith(kind)]
        return {
            name: Item(moments[kind + name], moments[POINTS], players)
            for name in sorted(names, key=_name_and_number)
        }


def _name_and_number(card: str) -> tuple[str, int, str]:
    """Sort `horns 2` before `horns 10`."""
    name, _, marks = card.partition(" ")
    number = marks.partition(" ")[0]
    return name, int(number) if number.removeprefix("-").isdecimal() else 0, marks


def _effect_as_data(effect: Effect) -> Mapping[str, float | None]:
    return {
        **_estimate_as_data("played", effect.share),
        **_estimate_as_data("with", effect.points_with),
        **_estimate_as_data("without", effect.points_without),
        **_estimate_as_data("difference", effect.difference),
    }


def _estimate_as_data(name: str, estimate: Estimate | None) -> dict[str, float | None]:
    if estimate is None:
        return {name: None, f"{name}_error": None}
    return {name: _rounded(estimate.amount), f"{name}_error": _rounded(estimate.error)}


def _rounded(amount: float) -> float | None:
    """Return six decimals, or None for what one game alone cannot tell."""
    return None if amount == float("inf") else round(amount, 6)
