"""Play games of bots without files.

Each game depends only on the setup and its number, so any machine can play it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from engine.bots import make_bot
from engine.dealer import SeedDealer
from engine.ruleset import Bot, Game, Ruleset
from engine.simulation import play_out
from pbem import __version__
from pbem.frozen import frozen
from pbem.simulation.counts import Counts
from pbem.simulation.play_with_orders import WAYS, PlayWithOrders

SEATS: Final = "abcdefghijklmnopqrstuvwxyz"


class OtherVersionError(Exception):
    """Raised if a worker has a different version of pbem or of the ruleset: its games could
    differ."""


@frozen
class Setup:
    """Everything that determines a game, except the game's number."""

    game: str
    """The ruleset's name."""
    players: int
    seed: int
    bots: tuple[str, ...]
    """The bot's name for each seat."""
    options: Mapping[str, str]
    rules: str
    """The ruleset's version."""
    orders: str = ""
    """How the bots send orders (`ask`, `policy` or `whole`): one word for all, or one for each seat
    with commas between; empty if they answer directly."""
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
    """The results of a batch."""

    counts: Counts
    seconds: float


def setup_of(
    ruleset: Ruleset[Any],
    players: int,
    seed: int,
    bots: Sequence[str] = ("random",),
    options: Mapping[str, str] | None = None,
    orders: str = "",
) -> Setup:
    """Return the setup of a study; `bots` is one name for all seats or one for each seat.

    Raises ValueError for a number of players, a bot or an option that the ruleset does not know,
    and for an unknown way to send orders.
    """
    _check_ways(orders.split(",") if orders else [], players)
    game = ruleset.game(SEATS[:players], options)
    names = bots_for_seats(bots, players)
    for name in names:
        make_bot(ruleset, name, Random(0))
    chosen = dict(game.options)
    return Setup(ruleset.name, players, seed, tuple(names), chosen, ruleset.version, orders)


def _check_ways(ways: Sequence[str], players: int) -> None:
    if unknown := [way for way in ways if way not in WAYS]:
        raise ValueError(f"--orders is one of: {', '.join(WAYS)}; not {unknown[0]!r}")
    if ways and len(ways) not in (1, players):
        raise ValueError(
            f"give --orders one way for all seats, or {players} ways (one for each seat), not "
            f"{len(ways)}"
        )


def bots_for_seats(bots: Sequence[str], players: int) -> list[str]:
    """Return the bot's name for each seat. Raises ValueError unless there is one name or one per
    seat."""
    if len(bots) not in (1, players):
        raise ValueError(
            f"give one bot for all seats, or {players} bots (one for each seat), not {len(bots)}"
        )
    return list(bots) * (players if len(bots) == 1 else 1)


def play_batch(batch: Batch) -> Played:
    """Play a batch; the ruleset is found by its name, so that any process can do it.

    Raises UnknownGame, and OtherVersionError if this process has different versions.
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
        counts += _play(game, setup, f"{setup.seed}.{number}")
    return Played(counts, _now() - began)


def _play(game: Game[Any], setup: Setup, seed: str) -> Counts:
    bots: dict[str, Bot] = {
        seat: make_bot(game.ruleset, name, Random(f"{seed}.{seat}"))
        for seat, name in zip(game.seats, setup.bots, strict=True)
    }
    dealer = SeedDealer(seed.encode())
    if setup.orders:
        ways = bots_for_seats(setup.orders.split(","), setup.players)
        return _with_orders(
            PlayWithOrders(game, bots, dict(zip(game.seats, ways, strict=True)), dealer)
        )
    played = play_out(game, bots, dealer)
    return Counts.of(game.ruleset.result(played.table.state), played.rounds, played.decisions)


def _with_orders(play: PlayWithOrders) -> Counts:
    play.play()
    result = play.game.ruleset.result(play.state)
    return Counts.of(result, play.rounds, play.decisions, play.waves_by_round())


_now = time.perf_counter
