"""Auto-Feed, an option of the printed games, changes no result: it only leaves out questions."""

import pytest

from engine import SeedDealer
from engine.make_and_ask_bots import bot_factories
from engine.play_bot_game import play_out
from games.registry import ruleset

SEEDS = range(6)


def auto_fed_game(name: str, seed: int, autofeed: str):
    rules = ruleset(name)
    game = rules.game("abc", {"autofeed": autofeed})
    greedy = bot_factories(rules)["greedy"]
    bots = {seat: greedy(None) for seat in "abc"}
    return play_out(game, bots, SeedDealer(f"{name} {seed}".encode()))


@pytest.mark.long
@pytest.mark.parametrize("name", ["evolution", "climate"])
def test_automatic_feeding_changes_no_game_and_asks_fewer_questions(name: str) -> None:
    fewer = 0
    for seed in SEEDS:
        printed, auto = auto_fed_game(name, seed, "no"), auto_fed_game(name, seed, "yes")
        assert printed.rounds == auto.rounds
        scene = ruleset(name).scene
        assert scene(printed.table.state) == scene(auto.table.state)
        result = ruleset(name).result
        assert result(printed.table.state) == result(auto.table.state)
        assert auto.table.entries <= printed.table.entries
        fewer += printed.table.entries - auto.table.entries
    assert fewer > 0
