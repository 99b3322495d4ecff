"""Games by slots: whoever makes the turns knows no card before its name is opened."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from random import Random
from typing import Any

import pytest

from games.registry import BUILT_IN_GAMES, ruleset
from tests.kit.selection import LONGEST, long
from tests.properties.memory import CardSearch
from tests.properties.slot_games import Lockstep

GAMES = 60 if LONGEST else 12
"""How many games of each ruleset the long run plays; `make test-long` plays more."""
PLAYERS = {
    "evolution": (4, 6, 2), "digital": (3, 4, 2), "climate": (4, 6, 2), "origin": (4, 8, 2),
    "classroom": (4, 8, 3),
}  # fmt: skip


def game_cases(name: str) -> list[tuple[str, int, str, str, str, bool]]:
    """Different games: players, ways to order, bots, all at once or in turn, seeds."""
    options = [True, False] if "together" in {x.name for x in ruleset(name).options} else [False]
    kinds = product(("whole", "ask", "policy"), ("greedy", "random"), options, PLAYERS[name])
    ways = [(players, way, bot, together) for way, bot, together, players in kinds]
    Random(name).shuffle(ways)
    return [(name, ways[n % len(ways)][0], str(n), *ways[n % len(ways)][1:]) for n in range(GAMES)]


CASES = [case for name in BUILT_IN_GAMES for case in game_cases(name)]
SHORT = [case for name in BUILT_IN_GAMES for case in (game_cases(name)[0], game_cases(name)[-1])]


@pytest.mark.sample(0)
@pytest.mark.parametrize(
    ("name", "players", "seed", "way", "bot", "together"),
    [*SHORT, *long(case for case in CASES if case not in SHORT)],
)
def test_a_game_played_by_slots_has_the_same_log_as_one_with_all_cards(
    name: str, players: int, seed: str, way: str, bot: str, together: bool
) -> None:
    options = {"together": "yes"} if together else {}
    game = Lockstep(ruleset(name), players, seed, way, bot, options)
    game.play()
    assert game.count["opened"]
    assert game.count["searches"]
    assert game.count["cards in hands that nobody has seen"]


def with_card(function: Callable[[], None]) -> Any:
    """A function that carries a card."""
    function.card = "horns 2"  # type: ignore[attr-defined]
    return function


def waiting() -> Iterator[int]:
    """A generator whose frame knows a card."""
    card = "horns 2"
    yield 1
    raise ValueError(card)


def test_the_memory_search_finds_a_card_wherever_it_is_kept() -> None:
    search, waiter = CardSearch(ruleset("evolution").game("abc", {})), waiting()
    next(waiter)
    places = {
        "list": ["horns 2"],
        "key": {"horns 2": 1},
        "key among others": {1: 2, "horns 2": 1},
        "set": {"horns 2"},
        "closure": lambda: waiter,
        "argument": partial(print, "horns 2"),
        "default": lambda card="horns 2": card,
        "bound builtin": ["horns 2"].pop,
        "part of a bound builtin": partial(["horns 2"].pop, 0),
        "function attribute": with_card(lambda: None),
        "frame": waiter,
    }
    missed = [place for place, it in places.items() if search.names([it]) != {"horns 2"}]
    assert not missed
