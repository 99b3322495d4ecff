"""Offers: what a bot picks without writing them is what everybody else reads."""

from collections import Counter
from random import Random

from engine import Offers
from engine.random_bot import RandomBot

HAND = ["fertile 2", "horns 4"]
OFFERS = Offers(
    HAND,
    ["done", "drop 1 of a1: climbing 3"],
    [("[?] replaces 1 of a1: climbing 3", ["horns 4"])],
    [("?: a1 body", HAND), ("[?] on a1", ["fertile 2"]), ("[?] on a2", [])],
)
LISTED = [
    "done", "drop 1 of a1: climbing 3", "[horns 4] replaces 1 of a1: climbing 3",
    "fertile 2: a1 body", "[fertile 2] on a1", "horns 4: a1 body",
]  # fmt: skip


def test_offers_are_listed_card_by_card_of_the_hand():
    assert list(OFFERS) == LISTED
    assert len(OFFERS) == len(LISTED)
    assert OFFERS[2] == LISTED[2]
    assert OFFERS[-2:] == LISTED[-2:]
    assert "[horns 4] on a1" not in OFFERS


def test_a_random_bot_has_the_same_odds_with_offers_and_with_a_list():
    bot, times = RandomBot(Random(1)), 6000
    for options in (OFFERS, LISTED):
        picked = Counter(bot.choose(None, None, options) for _ in range(times))
        assert set(picked) == set(LISTED)
        for option in LISTED:  # five kinds; two sentences are of the same one
            odds = 1 / 10 if option.endswith("body") else 1 / 5
            assert abs(picked[option] / times - odds) < 0.03
