"""Games of bots without files; each is made from its number alone, wherever it is played."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final, NamedTuple

from engine.bots import make_bot
from engine.dealer import SeedDealer
from engine.ruleset import Bot, Game, Ruleset
from engine.simulation import play_out
from pbem import __version__
from pbem.simulation.counts import Counts

SEATS: Final = "abcdefghijklmnopqrstuvwxyz"


class OtherVersionError(Exception):
    """A worker has another version of pbem or of the ruleset, so its games could be others."""


@dataclass(frozen=True)
class Setup:
    """What, besides its number, decides a game."""

    game: str
    """The ruleset's name."""
    players: int
    seed: int
    bots: tuple[str, ...]
    """The bot's name for each seat."""
    options: Mapping[str, str]
    rules: str
    """The ruleset's version."""
    pbem: str = __version__

    @property
    def names(self) -> dict[str, str]:
        """The bot's name by seat."""
        return dict(zip(SEATS, self.bots, strict=False))


class Batch(NamedTuple):
    """Some games to play: one task of a worker."""

    setup: Setup
    numbers: range


class Played(NamedTuple):
    """What came of a batch."""

    counts: Counts
    seconds: float


def setup_of(
    ruleset: Ruleset[Any],
    players: int,
    seed: int,
    bots: Sequence[str] = ("random",),
    options: Mapping[str, str] | None = None,
) -> Setup:
    """The setup of a study; `bots` is one name for all seats or one for each seat.

    Raises ValueError for a number of players, a bot or an option that the ruleset does not know.
    """
    game = ruleset.game(SEATS[:players], options)
    names = bots_for_seats(bots, players)
    for name in names:
        make_bot(ruleset, name, Random(0))
    chosen = dict(game.options)
    return Setup(ruleset.name, players, seed, tuple(names), chosen, ruleset.version)


def bots_for_seats(bots: Sequence[str], players: int) -> list[str]:
    """The bot's name for each seat. Raises ValueError unless there is one name or one per seat."""
    if len(bots) not in (1, players):
        raise ValueError(f"give one bot for all seats or {players}, not {len(bots)}")
    return list(bots) * (players if len(bots) == 1 else 1)


def play_batch(batch: Batch) -> Played:
    """Play a batch; finds the ruleset by its name, so that any process can do it.

    Raises UnknownGame, and OtherVersionError if this process has other versions.
    """
    from games.registry import ruleset

    setup, found = batch.setup, ruleset(batch.setup.game)
    if (__version__, found.version) != (setup.pbem, setup.rules):
        mine, wanted = (f"pbem {p}, {setup.game} {r}" for p, r in (
            (__version__, found.version), (setup.pbem, setup.rules)
        ))  # fmt: skip
        raise OtherVersionError(f"a worker has {mine}, not {wanted}")
    return play_numbers(found, setup, batch.numbers)


def play_numbers(ruleset: Ruleset[Any], setup: Setup, numbers: range) -> Played:
    """Play the games with these numbers."""
    game, counts, began = ruleset.game(SEATS[: setup.players], setup.options), Counts(), _now()
    for number in numbers:
        counts += _play(game, setup.bots, f"{setup.seed}.{number}")
    return Played(counts, _now() - began)


def _play(game: Game[Any], names: Sequence[str], seed: str) -> Counts:
    bots: dict[str, Bot] = {
        seat: make_bot(game.ruleset, name, Random(f"{seed}.{seat}"))
        for seat, name in zip(game.seats, names, strict=True)
    }
    played = play_out(game, bots, SeedDealer(seed.encode()))
    return Counts.of(game.ruleset.result(played.table.state), played.rounds, played.decisions)


_now = time.perf_counter
