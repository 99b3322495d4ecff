"""Games by slots: whoever makes the turns knows no card before its name is opened."""

from __future__ import annotations

from itertools import product

import pytest

from games.registry import BUILT_IN_GAMES, ruleset
from tests.kit.selection import long
from tests.properties.slot_games import Lockstep

GAMES = 60
"""How many games of each ruleset the long run plays."""
PLAYERS = {"evolution": (4, 2, 6), "digital": (3, 2, 4), "climate": (4, 2, 6),
           "origin": (4, 2, 8), "classroom": (4, 3, 8)}  # fmt: skip


def sixty_games(name: str) -> list[tuple[str, int, str, str, str, bool]]:
    """Sixty different games: players, ways to order, bots, all at once or in turn, seeds."""
    options = [True, False] if "together" in {x.name for x in ruleset(name).options} else [False]
    kinds = product(("whole", "ask", "policy"), ("greedy", "random"), options, PLAYERS[name])
    ways = [(name, players, way, bot, together) for way, bot, together, players in kinds]
    rounds = -(-GAMES // len(ways))
    return [
        (name, players, f"{number} {way}", way, bot, together)
        for number in range(rounds)
        for name, players, way, bot, together in ways
    ][:GAMES]


CASES = [case for name in BUILT_IN_GAMES for case in sixty_games(name)]
SHORT = [case for name in BUILT_IN_GAMES for case in (sixty_games(name)[0], sixty_games(name)[-1])]


@pytest.mark.parametrize(
    ("name", "players", "seed", "way", "bot", "together"),
    [*SHORT, *long(case for case in CASES if case not in SHORT)],
)
def test_a_game_by_slots_is_the_same_game(
    name: str, players: int, seed: str, way: str, bot: str, together: bool
) -> None:
    options = {"together": "yes"} if together else {}
    game = Lockstep(ruleset(name), players, seed, way, bot, options)
    game.play()
    assert game.count["opened"]
    assert game.count["cards in hands that nobody has seen"]
