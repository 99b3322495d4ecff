"""The five laws over random games, a short run; the long one is ``python -m tools.check_laws``."""

from __future__ import annotations

import pytest

from games.registry import BUILT_IN_GAMES, ruleset
from tests.kit.selection import long
from tests.properties.laws import play_lawful_games

SEEDS = 3
ALL = [
    (name, n, seed)
    for name in BUILT_IN_GAMES
    for n in ruleset(name).players
    for seed in range(SEEDS)
]
SHORT = [
    (name, n, n % SEEDS)
    for name in BUILT_IN_GAMES
    for n in (ruleset(name).players[0], ruleset(name).players[-1])
]
"""One game for the fewest and the most players; the seeds, and with them the variants, differ."""


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("name", "players", "seed"), [*SHORT, *long(one for one in ALL if one not in SHORT)]
)
def test_random_games_keep_the_five_laws(name: str, players: int, seed: int) -> None:
    play_lawful_games(ruleset(name), players, range(seed, seed + 1))
