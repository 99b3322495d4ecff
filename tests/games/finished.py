"""Finished games: bots play each from its seed, and `digests.toml` has the hash of what happened.

game origin
seats abc
options -
players greedy random random, seed 17
result b 1: 31 = animals 12 + traits 14 + need 5
decided by discard pile

key | who may read the brackets | settled by | sentence
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from engine import Decision, Entry, Game, Referee, Result, SeedDealer
from engine.make_and_ask_bots import Bot, ask_bot, bot_factories, make_bot
from engine.random_bot import RandomBot
from games import registry

DIGESTS = Path(__file__).with_name("digests.toml")
NONE = "-"
"""Written where nothing is to be said: no options, no tie-break."""


@dataclass(frozen=True)
class Finished:
    """A finished game."""

    game: str
    seats: str
    options: Mapping[str, str]
    bots: str
    """The bots, by seat."""
    seed: int
    result: tuple[str, ...]
    decided_by: str
    log: tuple[Entry, ...]

    def table(self) -> Game[Any]:
        """What it is played with."""
        return registry.ruleset(self.game).game(self.seats, self.options)


def score_lines(result: Result) -> tuple[str, ...]:
    """Every seat's rank and points, part by part."""
    return tuple(
        f"{score.seat} {score.rank}: {score.total} = "
        + " + ".join(f"{name} {points}" for name, points in score.parts.items())
        for score in result.scores
    )


def game_text(finished: Finished) -> str:
    """The game as a text."""
    options = " ".join(f"{name}={value}" for name, value in sorted(finished.options.items()))
    head = [
        f"game {finished.game}",
        f"seats {finished.seats}",
        f"options {options or NONE}",
        f"players {finished.bots}, seed {finished.seed}",
        *(f"result {line}" for line in finished.result),
        f"decided by {finished.decided_by or NONE}",
    ]
    return "\n".join([*head, "", *entry_lines(finished.log)]) + "\n"


def entry_lines(log: Iterable[Entry]) -> Iterator[str]:
    """The entries, under round and phase."""
    above = ""
    for entry in log:
        number, phase, place = entry.key.split(".", 2)
        if above != f"{number}.{phase}":
            above = f"{number}.{phase}"
            yield above
        to = f" to {entry.to}" if entry.to else ""
        yield f"{place}{to} | {entry.by} | {entry.text}"


class Players:
    """Bots that answer from lines of orders, now and then on a whim or by silence."""

    def __init__(self, game: Game[Any], bots: Sequence[str], seed: int) -> None:
        self.rng = Random(seed)
        self.whim = RandomBot(self.rng)
        self.bots: dict[str, Bot] = {
            seat: make_bot(game.ruleset, bot, Random(f"{seed} {seat}"))
            for seat, bot in zip(game.seats, bots, strict=True)
        }
        dealer = SeedDealer(f"game {seed}".encode())
        self.referee: Referee[Any] = Referee(game, dealer, checks_entries=False)
        self.lines = 0

    def answer(self, key: str, decision: Decision) -> tuple[str, str]:
        if decision.default and self.rng.random() < 0.05:
            return decision.default(), "default"
        bot = self.whim if self.rng.random() < 0.1 else self.bots[decision.seat]
        text = ask_bot(bot, self.referee.full_table.state, decision)
        return text, f"{'always' if self.rng.random() < 0.1 else 'line'} [{self.lines + 1}]"

    def entered(self, entry: Entry) -> None:
        self.lines = (self.lines + 1) % 20

    def finish(self) -> Referee[Any]:
        asked = self.referee.advance(self)
        assert not asked
        return self.referee


@cache
def game_of_seed(name: str, seed: int) -> Finished:
    """The game of that seed: numbers of players, options and bots take turns."""
    ruleset = registry.ruleset(name)
    rng = Random(f"{name} {seed}")
    seats = "abcdefgh"[: ruleset.players[seed % len(ruleset.players)]]
    options = {o.name: rng.choice(o.values) for o in ruleset.options}
    known = sorted(bot_factories(ruleset))
    bots = [rng.choice(known) for _ in seats]
    if rng.random() < 0.5:
        bots = [rng.choice(known)] * len(seats)
    game = ruleset.game(seats, options)
    referee = Players(game, bots, seed).finish()
    result = ruleset.result(referee.full_table.state)
    return Finished(
        name, seats, options, " ".join(bots), seed, score_lines(result), result.decided_by,
        tuple(referee.log),
    )  # fmt: skip


def digest_of(finished: Finished) -> str:
    """Half the SHA-256 of its text, in hex: the rules, the bots and the seed give the same."""
    return hashlib.sha256(game_text(finished).encode()).hexdigest()[:32]


@cache
def digests_by_seed() -> dict[str, dict[int, str]]:
    """The digests of the games, by ruleset and seed."""
    tables = tomllib.loads(DIGESTS.read_text("utf-8"))
    return {name: {int(seed): row for seed, row in rows.items()} for name, rows in tables.items()}


def seeds_of(name: str) -> list[int]:
    """The seeds of a ruleset's games, the games with few players first."""
    seats = {seed: game_of_seed(name, seed).seats for seed in digests_by_seed()[name]}
    return sorted(seats, key=lambda seed: (len(seats[seed]), str(seed)))
