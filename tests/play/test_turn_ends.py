"""The end of a turn: a game that all ended, and a turn in which nothing happens."""

from dataclasses import replace

import pytest

from pbem.format.record_error import RecordError
from pbem.judge.turn_end_checks import check_agreed_end, check_silence, turn_table_lines
from pbem.records.turn import Awaited, ListedOrders, LogEntry
from tests.kit.positions import position
from tests.kit.sample_records import sample

G = sample()
TABLE = position("evolution", 1, 33).table
"""Seat c is asked to feed."""
SCENE = turn_table_lines(TABLE.game.ruleset.scene(TABLE.state))
ENTRY = LogEntry("2.feed.feed.a.0", "pass", "default")


def rule_refusal(work, *args) -> str:
    with pytest.raises(RecordError) as caught:
        work(*args)
    assert caught.value.reason == "rule"
    return caught.value.sentence


ENDED = replace(
    G.turn2.content, log=(), orders=(), silent=(), awaited=(), own=(), over=True, deadline=0,
    table=SCENE,
)  # fmt: skip
ON = "the players have ended the game, but this turn plays on"
NOT_SAID = "the players have ended the game, but the turn does not say so"


def test_a_turn_that_ends_a_game_by_agreement_does_nothing_else():
    check_agreed_end(ENDED, TABLE)
    for changes, told in (
        ({"log": (ENTRY,)}, ON), ({"orders": (ListedOrders(bytes(32), "a", "accepted"),)}, ON),
        ({"silent": ("a",)}, ON), ({"awaited": (Awaited("a", ("feed",)),)}, ON),
        ({"own": (bytes(32),)}, ON), ({"over": False}, NOT_SAID), ({"deadline": 5}, NOT_SAID),
        ({"table": SCENE[1:]}, "the turn describes the table wrongly"),
    ):  # fmt: skip
        assert rule_refusal(check_agreed_end, replace(ENDED, **changes), TABLE) == told


def test_nobody_becomes_silent_in_a_turn_in_which_nothing_happens():
    turn = replace(G.turn2.content, time=50, silent=("a",), log=())
    told = "the turn calls a seat silent, although nothing happens in the turn"
    assert rule_refusal(check_silence, turn, "a", 40, ()) == told
    check_silence(replace(turn, log=(ENTRY,)), "a", 40, ())
    check_silence(replace(turn, silent=()), "a", 40, ())
    check_silence(replace(turn, turn=1), "a", 40, ())
