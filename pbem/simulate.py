"""``pbem sim``: bots play games without files, and the results are counted."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from engine.bots import make_bot
from engine.dealer import SeedDealer
from engine.ruleset import Bot, Game, Ruleset
from engine.screen.scene import Result
from engine.simulation import play_out

SEATS = "abcdefghijklmnopqrstuvwxyz"


def simulate(
    ruleset: Ruleset[Any],
    players: int,
    games: int,
    seed: int,
    bots: Sequence[str] = ("random",),
    options: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Play that many games and count the results; returns plain data for JSON.

    ``bots`` is one name for all seats or one for each seat. Everything except ``seconds`` is
    the same on every run, machine and Python: sums are whole numbers, and only ``seed`` decides
    random choices.
    Raises ValueError for a number of players, a bot or an option that the ruleset does not know.
    """
    game = ruleset.game(SEATS[:players], options)
    names = bots_for_seats(bots, players)
    counts = _Counts(game, names)
    began = time.perf_counter()
    for number in range(games):
        counts.add(*_play(game, names, f"{seed}.{number}"))
    return {"game": ruleset.name, "players": players, "games": games, "seed": seed} | {
        "bots": names,
        "options": dict(game.options),
        "seconds": round(time.perf_counter() - began, 3),
        **counts.summary(games),
    }


def bots_for_seats(bots: Sequence[str], players: int) -> list[str]:
    """The bot's name for each seat. Raises ValueError unless there is one name or one per seat."""
    if len(bots) not in (1, players):
        raise ValueError(f"give one bot for all seats or {players}, not {len(bots)}")
    return list(bots) * (players if len(bots) == 1 else 1)


def _play(game: Game[Any], names: Sequence[str], seed: str) -> tuple[Result, int, int]:
    """Play one game; returns its result, rounds and decisions."""
    bots: dict[str, Bot] = {
        seat: make_bot(game.ruleset, name, Random(f"{seed}.{seat}"))
        for seat, name in zip(game.seats, names, strict=True)
    }
    played = play_out(game, bots, SeedDealer(seed.encode()))
    return game.ruleset.result(played.table.state), played.rounds, played.decisions


class _Counts:
    """Sums of whole numbers over the games."""

    def __init__(self, game: Game[Any], names: Sequence[str]) -> None:
        self.names = dict(zip(game.seats, names, strict=True))
        self.decisions = self.winning_score = 0
        self.rounds: list[int] = []
        self.decided_by: dict[str, int] = {}
        self.parts: dict[str, int] = {}
        self.score = dict.fromkeys(game.seats, 0)
        self.wins = dict.fromkeys(game.seats, 0)
        self.shared = dict.fromkeys(game.seats, 0)

    def add(self, result: Result, rounds: int, decisions: int) -> None:
        """Count one more game."""
        self.decisions += decisions
        self.rounds.append(rounds)
        self.winning_score += max(score.total for score in result.scores)
        if result.decided_by:
            self.decided_by[result.decided_by] = self.decided_by.get(result.decided_by, 0) + 1
        winners = result.winners
        for seat in winners:
            (self.wins if len(winners) == 1 else self.shared)[seat] += 1
        for score in result.scores:
            self.score[score.seat] += score.total
            for part, points in score.parts.items():
                self.parts[part] = self.parts.get(part, 0) + points

    def summary(self, games: int) -> dict[str, Any]:
        """Means and counts over that many games."""
        places = games * len(self.names)
        return {
            "decisions": self.decisions,
            "decisions_mean": _mean(self.decisions, games),
            "rounds_mean": _mean(sum(self.rounds), games),
            "rounds_least": min(self.rounds, default=0),
            "rounds_most": max(self.rounds, default=0),
            "winning_score_mean": _mean(self.winning_score, games),
            "score_mean": _mean(sum(self.score.values()), places),
            "parts_mean": {part: _mean(sum_, places) for part, sum_ in self.parts.items()},
            "decided_by": dict(sorted(self.decided_by.items())),
            "seats": [self._seat(seat, games) for seat in self.names],
        }

    def _seat(self, seat: str, games: int) -> dict[str, Any]:
        return {
            "seat": seat,
            "bot": self.names[seat],
            "wins": self.wins[seat],
            "shared_wins": self.shared[seat],
            "score_mean": _mean(self.score[seat], games),
        }


def _mean(total: int, count: int) -> float:
    """The mean to three decimals, rounded with whole numbers so that it is the same everywhere."""
    return (2000 * total + count) // (2 * count) / 1000 if count else 0.0
