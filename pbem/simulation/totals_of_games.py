"""Totals of many games of bots: results, and who played which traits and cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, Final

from engine.result_by_points_and_tie_breaks import Result
from engine.value_classes import Value
from pbem.simulation.effects_with_error_bars import Measure
from pbem.simulation.estimates import Moments, add_moments, moments_of


class GameResult(Value):
    """The result of one game, and who played which traits and cards."""

    result: Result
    rounds: int
    decisions: int
    waves: Mapping[int, int] = field(default_factory=dict)
    plays: Mapping[str, set[str]] = field(default_factory=dict)
    """The seats that played each trait and card, which are named as in `Counts.moments`."""

    @property
    def measures(self) -> dict[str, int]:
        """The numbers that every game has, by name."""
        totals = {score.seat: score.total for score in self.result.scores}
        return {
            "decisions": self.decisions,
            "rounds": self.rounds,
            "winning_score": max(totals.values()),
            POINTS: sum(totals.values()),
            **{seat_measure(seat): total for seat, total in totals.items()},
        }

    def usage_numbers(self, name: str) -> tuple[int, int, int]:
        """Return the number of seats that played a trait or a card, their points, all points."""
        seats = self.plays.get(name, ())
        scores = self.result.scores
        player_points = [score.total for score in scores if score.seat in seats]
        return len(player_points), sum(player_points), sum(score.total for score in scores)


POINTS: Final = "score"
"""The measure of the points of all seats of a game together."""
TRAIT: Final = "trait "
CARD: Final = "card "


def seat_measure(seat: str) -> str:
    """Return the name of the measure of a seat's points."""
    return f"{POINTS} {seat}"


class Counts(Value):
    """Totals over some games; `a + b` are the totals over the games of both."""

    games: int = 0
    rounds_least: int = 0
    """The number of rounds of the shortest game."""
    rounds_most: int = 0
    decided_by: Mapping[str, int] = field(default_factory=dict)
    """The number of games that each tie-breaker decided."""
    parts: Mapping[str, int] = field(default_factory=dict)
    wins: Mapping[str, int] = field(default_factory=dict)
    """The number of games that each seat won alone."""
    shared_wins: Mapping[str, int] = field(default_factory=dict)
    """The number of wins that each seat shared with others."""
    waves: Mapping[str, int] = field(default_factory=dict)
    """The number of rounds for each number of waves of questions; empty if bots sent no orders."""
    moments: Mapping[str, Moments] = field(default_factory=dict)
    """The moments of each measure, of traits (`trait horns`) and of cards (`card horns 3`); if two
    rulesets are compared, the games with the same number in both make one row."""

    @classmethod
    def of_game(cls, played: GameResult, rival: GameResult | None = None) -> Counts:
        """Return the counts of one game; `rival` is the same game in the other ruleset."""
        result, pair = played.result, (played, rival) if rival else (played,)
        winners = dict.fromkeys(result.winners, 1)
        parts: Counter[str] = Counter()
        for score in result.scores:
            parts.update(score.parts)
        rows: dict[str, list[int]] = {
            name: [1, *(game.measures[name] for game in pair)] for name in played.measures
        }
        for usage in {usage for game in pair for usage in game.plays}:
            rows[usage] = [1, *(number for game in pair for number in game.usage_numbers(usage))]
        return cls(
            games=1,
            rounds_least=played.rounds,
            rounds_most=played.rounds,
            decided_by={result.decided_by: 1} if result.decided_by else {},
            parts=parts,
            wins=winners if len(winners) == 1 else {},
            shared_wins={} if len(winners) == 1 else winners,
            waves={str(number): rounds for number, rounds in played.waves.items()},
            moments={name: moments_of(row) for name, row in rows.items()},
        )

    def total(self, measure: str) -> int:
        """Return the sum of a measure over all games."""
        return self.moments[measure][1] if measure in self.moments else 0

    def __add__(self, other: Counts) -> Counts:
        if not self.games or not other.games:
            return self if self.games else other
        totals = {name: _added(amount, getattr(other, name)) for name, amount in vars(self).items()}
        totals["rounds_least"] = min(self.rounds_least, other.rounds_least)
        totals["rounds_most"] = max(self.rounds_most, other.rounds_most)
        return Counts(**totals)

    def summary(self, names: Mapping[str, str]) -> dict[str, Any]:
        """Return means (with three decimals), counts and the `sums` behind them, as data for JSON;
        `names` are the names of the bots by seat."""
        places = self.games * len(names)
        return {
            "decisions": self.total("decisions"),
            "decisions_mean": _mean(self.total("decisions"), self.games),
            "rounds_mean": _mean(self.total("rounds"), self.games),
            "rounds_least": self.rounds_least,
            "rounds_most": self.rounds_most,
            **self._waves(),
            "winning_score_mean": _mean(self.total("winning_score"), self.games),
            "score_mean": _mean(self.total(POINTS), places),
            "parts_mean": {part: _mean(n, places) for part, n in sorted(self.parts.items())},
            "decided_by": dict(sorted(self.decided_by.items())),
            "seats": [
                {
                    "seat": seat,
                    "bot": bot,
                    "wins": self.wins.get(seat, 0),
                    "shared_wins": self.shared_wins.get(seat, 0),
                    "score_mean": _mean(self.total(seat_measure(seat)), self.games),
                    **self._spread(seat),
                }
                for seat, bot in names.items()
            ],
            "sums": {
                "parts": dict(sorted(self.parts.items())),
                **({"waves": dict(self._waves_in_order())} if self.waves else {}),
                "moments": {name: list(self.moments[name]) for name in sorted(self.moments)},
            },
        }

    def _spread(self, seat: str) -> dict[str, float]:
        if self.games < 2 or not (moments := self.moments.get(seat_measure(seat))):
            return {}
        points = Measure(moments)
        return {
            "score_error": round(points.mean().error, 6),
            "score_spread": round(points.spread, 6),
        }

    def _waves(self) -> dict[str, float]:
        """Return the mean number of waves in a round and its 95th percentile, which at least 95 of
        100 rounds do not exceed; empty if bots sent no orders."""
        if not self.waves:
            return {}
        rounds = sum(self.waves.values())
        total = sum(int(number) * count for number, count in self.waves.items())
        counted_rounds, percentile_waves = 0, 0
        for number, count in self._waves_in_order():
            counted_rounds, percentile_waves = counted_rounds + count, int(number)
            if 100 * counted_rounds >= 95 * rounds:
                break
        return {
            "waves_per_round_mean": _mean(total, rounds),
            "waves_per_round_p95": percentile_waves,
        }

    def _waves_in_order(self) -> list[tuple[str, int]]:
        return sorted(self.waves.items(), key=lambda item: int(item[0]))

    @classmethod
    def from_summary(cls, games: int, summary: Mapping[str, Any]) -> Counts:
        """Return the counts that made this summary. Raises LookupError or TypeError if none did."""
        sums: Mapping[str, Any] = summary["sums"]
        seats: Sequence[Mapping[str, Any]] = summary["seats"]
        return cls(
            games,
            summary["rounds_least"],
            summary["rounds_most"],
            dict(summary["decided_by"]),
            dict(sums["parts"]),
            {row["seat"]: row["wins"] for row in seats},
            {row["seat"]: row["shared_wins"] for row in seats},
            dict(sums.get("waves", {})),
            {name: tuple(moments) for name, moments in sums["moments"].items()},
        )


def _added(amount: Any, other_amount: Any) -> Any:
    """Return the sum of two counts, or of two containers of counts, part by part; a key that only
    one dict has keeps its value."""
    if isinstance(amount, int):
        return amount + other_amount
    if isinstance(amount, tuple):
        return add_moments(amount, other_amount)
    return {
        key: _added(amount[key], other_amount[key])
        if key in amount and key in other_amount
        else amount.get(key, other_amount.get(key))
        for key in {**amount, **other_amount}
    }


def _mean(total: int, count: int) -> float:
    """Three decimals from whole numbers, so that every machine gets the same result."""
    return (2000 * total + count) // (2 * count) / 1000 if count else 0.0
