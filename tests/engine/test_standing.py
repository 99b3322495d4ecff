"""Lines given ahead: which of them settles a decision."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine import Decision, Entry, Line, OrderSet, first_fit

FEED = ["a1 eats", "a2 attacks b1", "a2 attacks b2", "a2 attacks b1 despite horns", "pass"]


def decision_of_kind(*options: str, kind: str = "feed") -> Decision:
    return Decision("a", kind, lambda: options)


def script(kind: str = "play") -> Decision:
    def options(steps: Sequence[str]) -> list[str]:
        left = [step for step in ("one", "two") if step not in steps]
        return ["done", *left]

    return Decision("a", kind, options, script=True)


def standing_order_set(*lines: tuple[str, str] | tuple[str, str, bool], at: int = 1) -> OrderSet:
    made = [Line(n, *line) for n, line in enumerate(lines, start=1)]
    return OrderSet("a", at, made, {"play"}, frozenset())


@pytest.mark.parametrize(
    ("line", "option"),
    [
        ("a1 eats", "a1 eats"),
        ("* eats", "a1 eats"),
        ("a2 attacks *", "a2 attacks b1"),
        ("a2 attacks b3", None),
        ("a2 attacks * despite horns", "a2 attacks b1 despite horns"),
        ("*", "pass"),
    ],
)
def test_a_star_stands_for_one_word(line: str, option: str | None) -> None:
    assert first_fit(line, FEED) == option


def test_the_first_line_that_fits_counts() -> None:
    mine = standing_order_set(("feed", "a9 eats"), ("feed", "a2 attacks *"), ("feed", "a1 eats"))
    assert mine.answer("1.feed.feed.a.0", decision_of_kind(*FEED)) == ("a2 attacks b1", "line [2]")


def test_plain_lines_come_before_standing_ones_and_lapse_with_the_round() -> None:
    mine = standing_order_set(("feed", "pass", True), ("feed", "a1 eats"))
    assert mine.answer("1.feed.feed.a.0", decision_of_kind(*FEED)) == ("a1 eats", "line [2]")
    assert mine.answer("2.feed.feed.a.0", decision_of_kind(*FEED)) == ("pass", "always [1]")


def test_no_line_no_answer() -> None:
    assert (
        standing_order_set(("feed", "a9 eats")).answer("1.feed.feed.a.0", decision_of_kind(*FEED))
        is None
    )
    assert (
        standing_order_set(("food", "a1 eats")).answer("1.feed.feed.a.0", decision_of_kind(*FEED))
        is None
    )


def test_a_script_goes_on_where_it_was() -> None:
    mine = standing_order_set(("play", "one"), ("play", "two"), ("play", "done"))
    decision = decision_of_kind("one", "two", "done", kind="play")
    assert mine.answer("1.play.play.a.0", decision) == ("one", "line [1]")
    mine.entered(Entry("1.play.play.a.0", "a", "one", "line [1]"))
    assert mine.answer("1.play.play.a.1", decision) == ("two", "line [2]")


def test_a_script_that_stops_fitting_asks_and_does_not_skip() -> None:
    mine = standing_order_set(("play", "three"), ("play", "two"), ("play", "done", True))
    assert (
        mine.answer("1.play.play.a.0", decision_of_kind("one", "two", "done", kind="play")) is None
    )


def test_a_whole_script_is_all_lines_or_nothing() -> None:
    mine = standing_order_set(("play", "two"), ("play", "one"), ("play", "done"))
    assert mine.answer("1.play.play.a.0", script()) == ("two; one; done", "line [1]")
    short = standing_order_set(("play", "two"))
    assert short.answer("1.play.play.a.0", script()) is None


def test_a_standing_line_may_answer_a_whole_script() -> None:
    mine = standing_order_set(("play", "done", True))
    assert mine.answer("1.play.play.a.0", script()) == ("done", "always [1]")


def test_others_entries_carry_nothing_on() -> None:
    mine = standing_order_set(("play", "one"), ("play", "two"))
    mine.entered(Entry("1.play.play.b.0", "b", "one", "line [?]"))
    mine.entered(Entry("1.play.play.a.0", "a", "one", "default"))
    assert mine.answer("1.play.play.a.1", decision_of_kind("one", kind="play")) == (
        "one",
        "line [1]",
    )
