"""Results: ranks, ties and what decides them."""

from __future__ import annotations

import pytest

from engine import Result, ranked

PARTS = {"c": {"food": 5, "traits": 1}, "a": {"food": 2, "traits": 4}, "b": {"food": 3}}


def ranks(result: Result) -> dict[str, int]:
    return {score.seat: score.rank for score in result.scores}


def test_equal_totals_share_a_rank_and_the_next_one_is_left_out() -> None:
    result = ranked(PARTS)
    assert ranks(result) == {"a": 1, "c": 1, "b": 3}
    assert list(ranks(result)) == ["a", "c", "b"]
    assert result.winners == ("a", "c")
    assert result.decided_by == "shared"
    assert [score.total for score in result.scores] == [6, 6, 3]
    assert result.scores[1].parts == PARTS["c"]


@pytest.mark.parametrize(
    ("pile", "coins", "decided", "winners"),
    [
        ({"a": 1, "b": 9, "c": 2}, {"a": 5, "b": 0, "c": 0}, "pile", ("c",)),
        ({"a": 1, "b": 0, "c": 1}, {"a": 5, "b": 0, "c": 0}, "coins", ("a",)),
        ({"a": 1, "b": 0, "c": 1}, {"a": 5, "b": 0, "c": 5}, "shared", ("a", "c")),
    ],
)
def test_tie_breaks_decide_in_their_order(pile, coins, decided, winners) -> None:
    result = ranked(PARTS, {"pile": pile, "coins": coins})
    assert (result.decided_by, result.winners) == (decided, winners)


def test_who_is_out_comes_last_and_ties_with_nobody_in_the_game() -> None:
    result = ranked(PARTS, departed_seats="c")
    assert ranks(result) == {"a": 1, "b": 2, "c": 3}
    assert result.decided_by == ""


def test_nothing_decides_a_clear_win_or_a_game_of_one() -> None:
    assert ranked({"a": {"food": 3}, "b": {"food": 2}}, {"pile": {"a": 0, "b": 1}}).decided_by == ""
    assert ranked({"a": {}}).decided_by == ""
