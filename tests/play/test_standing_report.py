"""What is said to the owner of standing orders: what each line did, and whether all is answered."""

import pytest

from pbem.judge.game_view import View, answers_everything
from pbem.judge.standing_order_reports import LineReport, standing_report
from tests.kit.positions import position

BASE = position("evolution", 1, 33)
"""Seat c is asked to feed in round 2: `c4 eats` or `c1 eats`."""
END = len(BASE.entries)
ROUND_2 = 29
"""Where round 2 begins in the log."""
FEEDS = {22: "c1 eats", 54: "c3 eats", 57: "c2 eats"}
"""What seat c fed with choices of its own, by place in the log."""


def view(*texts: str, since: int = 0, **changes) -> View:
    """The view of seat c, whose orders turn 2 accepted when the log had so many entries."""
    fields = {"turn": 2, "log_lengths": [since, END], "accepted": {"c": 2}, "texts": list(texts)}
    return BASE.changed(**{**fields, **changes})


def view_settled_by(settled: dict[int, str], *texts: str, **changes) -> View:
    """The same, if these entries of the log were settled by these lines."""
    entries = [
        (key, seat, text, settled.get(at, how), to)
        for at, (key, seat, text, how, to) in enumerate(BASE.entries)
    ]
    return view(*texts, entries=entries, **changes)


def fates(report) -> list[dict[str, int]]:
    return [line.fates for line in report.lines]


ALWAYS = ("always feed: plants only", "always feed: * eats", "always feed: pass")


def test_each_line_is_followed_passed_over_or_not_reached():
    assert [BASE.entries[at][2] for at in FEEDS] == list(FEEDS.values())
    report = standing_report(view_settled_by({54: "always [2]", 57: "always [2]"}, *ALWAYS))
    assert (report.round, report.stopped) == (2, [])
    assert report.lines == [
        LineReport("feed", "plants only", {"not possible": 2}),
        LineReport("feed", "* eats", {"followed": 2}),
        LineReport("feed", "pass", {"not reached": 2}),
    ]
    both = standing_report(view_settled_by({54: "always [1]", 57: "always [3]"}, *ALWAYS))
    assert fates(both) == [
        {"followed": 1, "not possible": 1}, {"not reached": 1, "not possible": 1},
        {"not reached": 1, "followed": 1},
    ]  # fmt: skip


def test_only_the_round_of_the_last_such_answer_is_reported():
    report = standing_report(view_settled_by(dict.fromkeys((22, 54), "always [2]"), *ALWAYS))
    assert (report.round, fates(report)[1]) == (2, {"followed": 1})
    first = standing_report(view_settled_by({22: "always [2]"}, *ALWAYS))
    assert (first.round, fates(first)[1]) == (1, {"followed": 1})
    assert standing_report(view_settled_by({22: "always [2]"}, *ALWAYS, since=ROUND_2)) is None


def test_a_line_is_told_of_questions_of_its_own_kind():
    lines = ("always food: [climbing 5]", *ALWAYS)
    report = standing_report(view_settled_by({32: "always [1]", 54: "always [3]"}, *lines))
    assert fates(report) == [
        {"followed": 1}, {"not possible": 1}, {"followed": 1}, {"not reached": 1},
    ]  # fmt: skip


def test_a_line_that_only_limits_other_lines_is_reported_as_such():
    report = standing_report(
        view_settled_by({54: "always [2]"}, "always feed: never attack b", *ALWAYS[1:])
    )
    (limits, *_) = report.lines
    assert limits == LineReport(
        "feed", "never attack b", {"limits the other lines in the same list": 1}
    )


def test_plain_lines_are_not_reported():
    report = standing_report(view_settled_by({54: "always [2]"}, "feed: c1 eats", *ALWAYS[1:]))
    assert [line.text for line in report.lines] == ["* eats", "pass"]


@pytest.mark.parametrize("texts", [(), ("feed: * eats",), ("always stop: food at or below 50",)])
def test_without_standing_lines_there_is_no_report(texts):
    assert standing_report(view_settled_by({54: "always [1]"}, *texts)) is None


def test_without_orders_in_force_or_an_answer_by_them_there_is_no_report():
    assert standing_report(view_settled_by({54: "always [2]"}, *ALWAYS, accepted={"a": 2})) is None
    assert standing_report(view(*ALWAYS)) is None
    assert standing_report(view_settled_by({56: "always [2]"}, *ALWAYS)) is None, "seat b's"


def test_stops_that_came_true_are_reported():
    stop = "always stop: food at or below 50"
    report = standing_report(view(*ALWAYS, stop))
    assert (report.round, report.stopped) == (2, ["food at or below 50"])
    assert [line.text for line in report.lines] == ["plants only", "* eats", "pass"]
    assert fates(report) == [{}, {}, {}]
    assert standing_report(view(*ALWAYS, stop, since=END)) is None
    never = "always stop: food at or below 0"
    answered = standing_report(
        view_settled_by({57: "always [2]"}, *ALWAYS, never, since=ROUND_2 + 3)
    )
    assert answered.stopped == []


# ------------------------------------------------------------------ is all answered?
@pytest.mark.parametrize(
    ("texts", "answered"),
    [
        (("feed: c1 eats",), True), (("feed: c2 eats",), False),
        (("feed: c2 eats", "feed: c4 eats"), True), (("always feed: * eats",), True),
        ((), False), (("food: [climbing 5]",), False),
    ],
)  # fmt: skip
def test_whether_the_lines_answer_what_is_asked_now(texts, answered):
    assert answers_everything(view(*texts, since=END)) is answered


def test_plain_lines_answer_in_their_own_round():
    assert not answers_everything(view("feed: c1 eats", since=ROUND_2 - 8)), "of round 1"
    assert answers_everything(view("feed: c3 eats", "feed: c1 eats", since=54))


def test_whoever_is_not_asked_or_has_no_orders_in_force_answers_nothing():
    assert not answers_everything(view("always feed: * eats", since=END, accepted={"a": 2}))
    other = position("evolution", 1, 33, "a").changed(
        turn=2, log_lengths=[END, END], accepted={"a": 2}
    )
    assert not answers_everything(other.changed(texts=["always feed: * eats"]))


def test_the_orders_count_from_the_turn_that_accepted_them():
    ends = [ROUND_2 - 8, END, END]
    assert answers_everything(view("feed: c1 eats", log_lengths=ends, turn=3, accepted={"c": 3}))
    assert not answers_everything(
        view("feed: c1 eats", log_lengths=ends, turn=3, accepted={"c": 2})
    )
    report = view_settled_by(
        {22: "always [2]"}, *ALWAYS, turn=3, accepted={"c": 3}, log_lengths=[0, ROUND_2, END]
    )
    assert standing_report(report) is None
