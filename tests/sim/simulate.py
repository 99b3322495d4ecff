"""Play numbered games of bots in this process, for tests and benchmarks."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from engine import Ruleset
from pbem.simulation.play_bot_games import play_numbers, setup_of
from pbem.simulation.study import Study


def simulate(
    ruleset: Ruleset[Any],
    players: int,
    games: int,
    seed: int,
    bots: Sequence[str] = ("random",),
    options: Mapping[str, str] | None = None,
    orders: str = "",
) -> dict[str, Any]:
    """Return what `pbem sim --json` prints of these games."""
    setup, numbers = setup_of(ruleset, players, seed, bots, options, orders), range(games)
    done = play_numbers([ruleset], setup, numbers)
    return Study(setup, numbers).plus([numbers], done.counts, done.seconds).to_json()


def result_without_seconds(text: str) -> dict[str, Any]:
    """Return what `pbem sim --json` printed, without the time that it took."""
    found: dict[str, Any] = json.loads(text)
    assert found.pop("seconds") >= 0
    return found
