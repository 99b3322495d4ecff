"""The silly player: as a stand-in, as a bot, and as what a whole game of silence plays."""

from collections import Counter
from random import Random

import pytest

from engine import CHANCE, Table, forced
from engine.make_and_ask_bots import ask_bot, make_bot
from engine.play_bot_game import play_out
from games.classroom.rules import CARDS, CLASSROOM
from games.classroom.sentences import FORMS
from games.classroom.stacked_deck_games import SORTED, StackedDealer, play_silly, silly_games


def shuffled_cards(seed):
    cards = sorted(CARDS)
    Random(seed).shuffle(cards)
    return cards


@pytest.mark.parametrize("players", CLASSROOM.players)
def test_games_of_the_silly_bot_are_those_that_defaults_alone_play(players):
    game = CLASSROOM.game("abcdefgh"[:players])
    cards = shuffled_cards(players)
    bots = {seat: make_bot(CLASSROOM, "silly", Random(0)) for seat in game.seats}
    table = play_out(game, bots, StackedDealer(cards)).table
    assert table.state == play_silly(game, cards).state
    assert table.entries == play_silly(game, cards).entries


@pytest.mark.long
def test_the_default_of_a_silent_player_is_legal_and_never_attacks_the_own_species():
    count = Counter()
    for seed in range(150):
        table = Table(CLASSROOM.game("abcd"), checks_entries=True)
        dealer = StackedDealer(shuffled_cards(seed))
        while table.open_decisions:
            for decision in table.open_decisions:
                if decision.seat == CHANCE:
                    text = dealer.answer("", decision)
                    dealer.learn(decision, text)
                else:
                    text = decision.default()
                    count[checked(table, decision, text)] += 1
                table.take_answer(text)
    assert set(count) >= {"choice", "unasked", "attacks", "stores", "eats"}


def checked(table, decision, text):
    """What kind of answer it is; whether it is as it must be is checked."""
    assert table.why_not(decision, text) is None
    if forced(decision):
        assert decision.option_list() == [text]
        return "unasked"
    if " attacks " in text:
        attacker, _, target = text.split()
        assert attacker[0] != target[0]
    return decision.kind if decision.script else FORMS.parse(text)[0]


def test_the_silly_bot_uses_only_its_own_hand():
    bot = make_bot(CLASSROOM, "silly", Random(0))
    table = Table(CLASSROOM.game("abc"))
    dealer = StackedDealer(SORTED)
    while table.open_decisions[0].seat == CHANCE:
        (decision,) = table.open_decisions
        text = dealer.answer("", decision)
        dealer.learn(decision, text)
        table.take_answer(text)
    first = table.open_decisions[0]
    hand = table.state.hands[first.seat][:]
    blind = table.state.clone(first.seat)
    assert ask_bot(bot, table.state, first) == ask_bot(bot, blind, first) == first.default()
    assert table.state.hands[first.seat] == hand


def test_games_on_the_sorted_deck_are_all_the_same():
    game = CLASSROOM.game("abcde")
    entries = play_silly(game, SORTED).entries
    assert silly_games(3) == 3 * entries
    assert len(SORTED) == 122 == len(set(SORTED))
