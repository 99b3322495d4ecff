"""The bots of every ruleset: they see one seat's view, answer by the rules, and play well."""

from collections import Counter
from random import Random

import pytest

from engine.make_and_ask_bots import bot_factories, make_bot
from games.evolution.rules import EVOLUTION
from tests.bots.own_eyes import played_with_own_eyes
from tests.kit.selection import long
from tests.sim.simulate import simulate


@pytest.mark.sample(2)
@pytest.mark.parametrize("players", EVOLUTION.players)
@pytest.mark.parametrize("bot", sorted(bot_factories(EVOLUTION)))
def test_each_bot_of_evolution_answers_legally_from_its_own_view(players: int, bot: str) -> None:
    assert played_with_own_eyes(EVOLUTION, players, bot, players).peeked == []


def test_the_greedy_bot_also_plays_all_its_cards_in_one_answer() -> None:
    own = played_with_own_eyes(EVOLUTION, 3, "greedy", 1, {"together": "yes"})
    assert own.peeked == []
    assert own.said["trait"] > own.referee.full_table.state.round


@pytest.mark.long
def test_the_greedy_bot_makes_every_kind_of_move_of_evolution() -> None:
    games = (played_with_own_eyes(EVOLUTION, 4, "greedy", seed).said for seed in range(4))
    said = sum(games, Counter[str]())
    for form in ("food", "trait", "population", "body", "right", "eats", "attacks"):
        assert said[form] >= 20, (form, said)
    assert said["thinks"] + said["despite"] >= 4, said


@pytest.mark.long
@pytest.mark.parametrize(("games", "won"), [(20, 19), *long([(100, 95)])])
@pytest.mark.parametrize("bots", [("greedy", "random"), ("random", "greedy")])
def test_the_greedy_bot_beats_a_random_one(bots: tuple[str, str], games: int, won: int) -> None:
    told = simulate(EVOLUTION, 2, games, 1, bots)
    wins = {seat["bot"]: seat["wins"] for seat in told["seats"]}
    assert wins["greedy"] >= won, wins


@pytest.mark.long
@pytest.mark.parametrize(("games", "won"), [(6, 5), *long([(20, 18)])])
@pytest.mark.parametrize("players", range(3, 7))
def test_the_greedy_bot_beats_a_table_of_random_ones(players: int, games: int, won: int) -> None:
    told = simulate(EVOLUTION, players, games, 1, ["random"] * (players - 1) + ["greedy"])
    assert told["seats"][-1]["wins"] >= won, told["seats"]


def test_an_unknown_bot_is_refused_with_the_names_of_those_there_are() -> None:
    with pytest.raises(
        ValueError, match=r"evolution has no bot called 'gready'; it has: random, greedy"
    ):
        make_bot(EVOLUTION, "gready", Random(1))
