"""The bots of every ruleset: they see one seat's view, answer by the rules, and play well."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from engine import Decision, Entry, Referee, SeedDealer
from engine.make_and_ask_bots import answer, factories, make_bot
from games.evolution.rules import EVOLUTION
from tests.kit.selection import long
from tests.sim.simulate import simulate


class OwnEyes:
    """Bots that are asked twice: with the full table behind them, and with their own seat's."""

    def __init__(self, players: int, bot: str, seed: int, together: str = "no") -> None:
        game = EVOLUTION.game("abcdef"[:players], {"together": together})
        bots = {seat: make_bot(EVOLUTION, bot, Random(seed)) for seat in game.seats}
        self.bots: dict[str, Any] = bots
        self.said: Counter[str] = Counter()
        self.peeked: list[str] = []
        self.referee = Referee(game, SeedDealer(bytes([seed])), viewpoints=game.seats)

    def answer(self, key: str, decision: Decision) -> tuple[str, str]:
        bot, full = self.bots[decision.seat], self.referee.full_table
        own = self.referee.tables[decision.seat]
        (mine,) = (d for k, d in own.pending if k == key)
        text = answer(bot, full.state, decision)
        if bot.sees and answer(bot, own.state, mine) != text:
            self.peeked.append(key)
        return text, "line [1]"

    def entered(self, entry: Entry) -> None:
        if entry.by.startswith("line"):
            for step in entry.text.split("; "):
                self.said[EVOLUTION.forms.parse(step)[0]] += 1


@pytest.mark.sample(2)
@pytest.mark.parametrize("players", EVOLUTION.players)
@pytest.mark.parametrize("bot", sorted(factories(EVOLUTION)))
def test_each_bot_of_evolution_answers_by_the_rules_and_from_its_own_seats_view(
    players: int, bot: str
) -> None:
    own = OwnEyes(players, bot, seed=players)
    assert own.referee.advance(own) == []  # every table checks every answer
    assert own.peeked == []


def test_the_greedy_bot_also_plays_all_its_cards_in_one_answer() -> None:
    own = OwnEyes(3, "greedy", seed=1, together="yes")
    assert own.referee.advance(own) == []
    assert own.peeked == []
    assert own.said["trait"] > own.referee.full_table.state.round


@pytest.mark.long
def test_the_greedy_bot_makes_every_kind_of_move_of_evolution() -> None:
    said: Counter[str] = Counter()
    for seed in range(4):
        own = OwnEyes(4, "greedy", seed)
        own.referee.advance(own)
        said += own.said
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
