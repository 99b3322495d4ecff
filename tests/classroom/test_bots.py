"""The greedy bot: legal with what its own seat sees, it uses what the game has, and plays well."""

from collections import Counter

import pytest

from engine.make_and_ask_bots import bot_factories
from games.classroom.rules import CLASSROOM
from tests.bots.own_eyes import played_with_own_eyes
from tests.kit.selection import long
from tests.sim.simulate import simulate


@pytest.mark.sample(3)
@pytest.mark.parametrize("players", CLASSROOM.players)
@pytest.mark.parametrize("bot", sorted(bot_factories(CLASSROOM)))
def test_each_bot_of_the_course_answers_legally_from_its_own_view(players, bot):
    for options in ({}, {"silence": "removal"}):
        assert played_with_own_eyes(CLASSROOM, players, bot, players, options).peeked == []


@pytest.mark.long
def test_the_greedy_bot_of_the_course_makes_every_kind_of_move_and_never_leaves():
    removal = {"silence": "removal"}
    said = set()
    for seed in range(10):
        said |= {*played_with_own_eyes(CLASSROOM, 4, "greedy", seed, removal).said}
    used = {"food", "right", "trait", "replace", "population", "eats", "attacks", "stores", "done"}
    assert used <= said
    assert "leave" not in said


@pytest.mark.long
@pytest.mark.parametrize("games", [8, *long([25])])
@pytest.mark.parametrize("other", ["silly", "random"])
def test_the_greedy_bot_of_the_course_beats_the_others(other, games):
    wins = Counter()
    for seats in (["greedy", other, other], [other, other, "greedy"]):
        done = simulate(CLASSROOM, 3, games, 7, seats)
        wins["greedy"] += done["seats"][seats.index("greedy")]["wins"]
        wins["games"] += games
    assert wins["greedy"] > 0.6 * wins["games"]  # a third would be luck
