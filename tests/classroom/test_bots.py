"""The greedy bot: legal with what its own seat sees, it uses what the game has, and plays well."""

from collections import Counter
from random import Random

import pytest

from engine import Referee, SeedDealer
from engine.make_and_ask_bots import answer, factories, make_bot
from games.classroom.rules import CLASSROOM
from tests.kit.selection import long
from tests.sim.simulate import simulate


class OwnEyes:
    """Bots that are asked twice: with the full table behind them, and with their own seat's."""

    def __init__(self, players, bot, seed, options=None):
        game = CLASSROOM.game("abcdefgh"[:players], options)
        self.bots = {seat: make_bot(CLASSROOM, bot, Random(seed)) for seat in game.seats}
        self.said = Counter()
        self.peeked = []
        self.referee = Referee(game, SeedDealer(bytes([seed])), viewpoints=game.seats)

    def answer(self, key, decision):
        bot, own = self.bots[decision.seat], self.referee.tables[decision.seat]
        (mine,) = (d for k, d in own.pending if k == key)
        text = answer(bot, self.referee.full_table.state, decision)
        if bot.sees and answer(bot, own.state, mine) != text:
            self.peeked.append(key)
        return text, "line [1]"

    def entered(self, entry):
        for step in entry.text.split("; ") if entry.by.startswith(("line", "forced")) else ():
            self.said[CLASSROOM.forms.parse(step)[0]] += 1


@pytest.mark.sample(3)
@pytest.mark.parametrize("players", CLASSROOM.players)
@pytest.mark.parametrize("bot", sorted(factories(CLASSROOM)))
def test_each_bot_of_the_course_answers_by_the_rules_and_from_its_own_seats_view(players, bot):
    for options in ({}, {"silence": "removal"}):
        own = OwnEyes(players, bot, players, options)
        assert own.referee.advance(own) == []  # every table checks every answer
        assert own.peeked == []


@pytest.mark.long
def test_the_greedy_bot_of_the_course_makes_every_kind_of_move_and_never_leaves():
    said = Counter()
    for seed in range(10):
        own = OwnEyes(4, "greedy", seed, {"silence": "removal"})
        own.referee.advance(own)
        said += own.said
    used = {"food", "right", "trait", "replace", "population", "eats", "attacks", "stores", "done"}
    assert used <= set(said)
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
