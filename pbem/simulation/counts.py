"""Count results over games, in whole numbers, so that counts can be added in any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from engine.screen.result import Result
from pbem.frozen import frozen


@frozen
class Counts:
    """Totals over some games; `a + b` are the totals over the games of both."""

    games: int = 0
    decisions: int = 0
    rounds: int = 0
    rounds_least: int = 0
    rounds_most: int = 0
    winning_score: int = 0
    decided_by: Mapping[str, int] = field(default_factory=dict)
    parts: Mapping[str, int] = field(default_factory=dict)
    score: Mapping[str, int] = field(default_factory=dict)
    """The points of each seat in all games together."""
    wins: Mapping[str, int] = field(default_factory=dict)
    shared: Mapping[str, int] = field(default_factory=dict)
    """The number of wins that each seat shared with others."""
    waves: Mapping[str, int] = field(default_factory=dict)
    """The number of rounds for each number of waves of questions; empty if bots sent no orders."""

    @classmethod
    def of(
        cls, result: Result, rounds: int, decisions: int, waves: Mapping[int, int] | None = None
    ) -> Counts:
        """Return the counts of one game."""
        winners = dict.fromkeys(result.winners, 1)
        alone = len(winners) == 1
        parts: Counter[str] = Counter()
        for score in result.scores:
            for part, points in score.parts.items():
                parts[part] += points
        return cls(
            games=1,
            decisions=decisions,
            rounds=rounds,
            rounds_least=rounds,
            rounds_most=rounds,
            winning_score=max(score.total for score in result.scores),
            decided_by={result.decided_by: 1} if result.decided_by else {},
            parts=parts,
            score={score.seat: score.total for score in result.scores},
            wins=winners if alone else {},
            shared={} if alone else winners,
            waves={str(number): rounds for number, rounds in (waves or {}).items()},
        )

    def __add__(self, other: Counts) -> Counts:
        if not self.games or not other.games:
            return self if self.games else other
        return Counts(
            self.games + other.games,
            self.decisions + other.decisions,
            self.rounds + other.rounds,
            min(self.rounds_least, other.rounds_least),
            max(self.rounds_most, other.rounds_most),
            self.winning_score + other.winning_score,
            _added(self.decided_by, other.decided_by),
            _added(self.parts, other.parts),
            _added(self.score, other.score),
            _added(self.wins, other.wins),
            _added(self.shared, other.shared),
            _added(self.waves, other.waves),
        )

    def summary(self, names: Mapping[str, str]) -> dict[str, Any]:
        """Return means and counts, and the `sums` behind them, as data; `names` are the bots by
        seat."""
        places = self.games * len(names)
        return {
            "decisions": self.decisions,
            "decisions_mean": _mean(self.decisions, self.games),
            "rounds_mean": _mean(self.rounds, self.games),
            "rounds_least": self.rounds_least,
            "rounds_most": self.rounds_most,
            **self._waves(),
            "winning_score_mean": _mean(self.winning_score, self.games),
            "score_mean": _mean(sum(self.score.values()), places),
            "parts_mean": {part: _mean(n, places) for part, n in sorted(self.parts.items())},
            "decided_by": dict(sorted(self.decided_by.items())),
            "seats": [self._seat(seat, bot) for seat, bot in names.items()],
            "sums": {
                "rounds": self.rounds,
                "winning_score": self.winning_score,
                "score": {seat: self.score.get(seat, 0) for seat in names},
                "parts": dict(sorted(self.parts.items())),
                **({"waves": dict(self._waves_in_order())} if self.waves else {}),
            },
        }

    def _waves(self) -> dict[str, float]:
        """Return the mean number of waves in a round, and the number that at least 95 of 100 rounds
        do not exceed."""
        if not self.waves:
            return {}
        rounds = sum(self.waves.values())
        total = sum(int(number) * count for number, count in self.waves.items())
        below, most = 0, 0
        for number, count in self._waves_in_order():
            below, most = below + count, int(number)
            if 100 * below >= 95 * rounds:
                break
        return {"waves_per_round_mean": _mean(total, rounds), "waves_per_round_p95": most}

    def _waves_in_order(self) -> list[tuple[str, int]]:
        return sorted(self.waves.items(), key=lambda one: int(one[0]))

    def _seat(self, seat: str, bot: str) -> dict[str, Any]:
        return {
            "seat": seat,
            "bot": bot,
            "wins": self.wins.get(seat, 0),
            "shared_wins": self.shared.get(seat, 0),
            "score_mean": _mean(self.score.get(seat, 0), self.games),
        }

    @classmethod
    def of_summary(cls, games: int, told: Mapping[str, Any]) -> Counts:
        """Return the counts from which this summary was made.

        Raises LookupError or TypeError if there are none.
        """
        sums: Mapping[str, Any] = told["sums"]
        seats: Sequence[Mapping[str, Any]] = told["seats"]
        return cls(
            games,
            told["decisions"],
            sums["rounds"],
            told["rounds_least"],
            told["rounds_most"],
            sums["winning_score"],
            dict(told["decided_by"]),
            dict(sums["parts"]),
            dict(sums["score"]),
            {one["seat"]: one["wins"] for one in seats},
            {one["seat"]: one["shared_wins"] for one in seats},
            dict(sums.get("waves", {})),
        )


def _added(one: Mapping[str, int], other: Mapping[str, int]) -> Mapping[str, int]:
    return {key: one.get(key, 0) + other.get(key, 0) for key in {**one, **other}}


def _mean(total: int, count: int) -> float:
    """Return the mean to three decimals, computed with whole numbers so that every machine gets the
    same result."""
    return (2000 * total + count) // (2 * count) / 1000 if count else 0.0
