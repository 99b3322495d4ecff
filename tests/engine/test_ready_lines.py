"""Ready lines: what is read, what is held back, what is passed over."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine import SKIP, Decision, Entry, Line, OrderSet, ReadyLine, ReadyLines


class Table:
    """A state that remembers from whose view it was last copied."""

    seen = "nobody"

    def clone(self, viewpoint: str) -> Table:
        copy = Table()
        copy.seen = viewpoint
        return copy


def last_option(state: Table, seat: str, options: Sequence[str], _: str) -> str | None:
    assert state.seen == ""
    return options[-1] if options else None


def own(state: Table, seat: str, options: Sequence[str], _: str) -> str | None:
    assert state.seen == seat
    return options[0]


def never(state: Table, seat: str, options: Sequence[str], other: str) -> list[str]:
    return [o for o in options if not o.endswith(f"{other}1")]


def pick(state: Table, seat: str, options: Sequence[str], number: str) -> str | None:
    return options[int(number)] if int(number) < len(options) else None


READY = ReadyLines([
    ReadyLine("feed", "the last", "takes the last", last_option, total=True),
    ReadyLine("feed", "by hand", "looks at the hand", own, total=True, reads_hand=True),
    ReadyLine("feed", "option {n}", "takes option {n}", pick),
    ReadyLine("feed", "never attack {seat}", "spares {seat}", keeps=never),
])  # fmt: skip
ATTACKS = ("a1 attacks b1", "a1 attacks c1", "a1 attacks d1")


def feeding_decision(*options: str, kind: str = "feed") -> Decision:
    return Decision("a", kind, lambda: options)


def orders_with_ready_lines(*lines: tuple[str, str] | tuple[str, str, bool]) -> OrderSet:
    made = [Line(n, *line) for n, line in enumerate(lines, start=1)]
    return OrderSet("a", 1, made, {"play"}, frozenset(), READY)


def ready_answer(*lines: tuple[str, str] | tuple[str, str, bool], options: Sequence[str] = ATTACKS):
    return orders_with_ready_lines(*lines).answer(
        "1.f.feed.a.0", feeding_decision(*options), Table()
    )


def test_a_ready_line_answers_beside_written_lines_in_their_order() -> None:
    assert ready_answer(("feed", "the last")) == ("a1 attacks d1", "line [1]")
    assert ready_answer(("feed", "a1 attacks c1"), ("feed", "the last")) == (
        "a1 attacks c1",
        "line [1]",
    )
    assert ready_answer(("feed", "option 1"), ("feed", "the last")) == ("a1 attacks c1", "line [1]")
    assert ready_answer(("feed", "option 9"), ("feed", "the last")) == ("a1 attacks d1", "line [2]")
    assert ready_answer(("feed", "by hand", True)) == ("a1 attacks b1", "always [1]")
    assert ready_answer(("food", "the last")) is None


def test_lines_that_hold_back_count_wherever_they_stand() -> None:
    for lines in ([0, 1], [1, 0]):
        said = [("feed", "never attack d"), ("feed", "the last")]
        number = lines.index(1) + 1
        assert ready_answer(*(said[n] for n in lines)) == ("a1 attacks c1", f"line [{number}]")
    both = [("feed", "never attack d"), ("feed", "never attack c"), ("feed", "the last")]
    assert ready_answer(*both) == ("a1 attacks b1", "line [3]")


def test_lines_that_hold_back_limit_stars_and_standing_lines_but_not_written_out_ones() -> None:
    never_b = ("feed", "never attack b")
    assert ready_answer(never_b, ("feed", "* attacks *")) == ("a1 attacks c1", "line [2]")
    assert ready_answer(never_b, ("feed", "* attacks *", True)) == ("a1 attacks c1", "always [2]")
    assert ready_answer(never_b, ("feed", "a1 attacks b1")) == ("a1 attacks b1", "line [2]")


def test_a_line_that_would_hold_back_every_option_is_passed_over() -> None:
    only = ["a1 attacks b1"]
    assert ready_answer(("feed", "never attack b"), ("feed", "the last"), options=only) is not None
    assert ready_answer(("feed", "never attack b"), options=only) is None


@pytest.mark.parametrize("text", ["never attack z", "never attack", "option 123", "The last", ""])
def test_other_text_is_no_ready_line(text: str) -> None:
    assert READY.read("feed", text) is None


def test_the_description_of_a_ready_line_names_its_argument() -> None:
    said = READY.read("feed", "never attack c")
    assert said is not None
    assert said.line.describe("Cy") == "spares Cy"


def ask_play(*options: str) -> Decision:
    return feeding_decision(*options, kind="play")


def test_a_list_with_leave_out_what_is_not_possible_skips_impossible_steps() -> None:
    mine = orders_with_ready_lines(
        ("play", "one"), ("play", SKIP), ("play", "two"), ("play", "done")
    )
    assert mine.answer("1.p.play.a.0", ask_play("two", "done")) == ("two", "line [3]")
    mine.entered(Entry("1.p.play.a.0", "a", "two", "line [3]"))
    assert mine.answer("1.p.play.a.1", ask_play("one", "two", "done")) == ("done", "line [4]")
    mine.entered(Entry("1.p.play.a.1", "a", "done", "line [4]"))
    assert mine.answer("1.p.play.a.2", ask_play("one", "two", "done")) is None


def test_without_leave_out_what_is_not_possible_an_impossible_step_is_asked_for() -> None:
    mine = orders_with_ready_lines(("play", "one"), ("play", "two"), ("play", "done", True))
    assert mine.answer("1.p.play.a.0", ask_play("two", "done")) is None


def test_a_list_that_leaves_out_everything_falls_back_on_standing_lines() -> None:
    mine = orders_with_ready_lines(("play", "one"), ("play", SKIP), ("play", "done", True))
    assert mine.answer("1.p.play.a.0", ask_play("two", "done")) == ("done", "always [3]")


def test_a_ready_answer_opens_its_line_and_the_lines_that_held_back() -> None:
    mine = orders_with_ready_lines(
        ("feed", "never attack d"), ("feed", "the last"), ("feed", "* eats"), ("play", SKIP),
        ("play", "one"), ("feed", "never attack c", True),
    )  # fmt: skip
    assert mine.ranks(Entry("1.f.feed.a.0", "a", "x", "line [2]"), False) == [1, 0]
    assert mine.ranks(Entry("1.f.feed.a.0", "a", "x", "line [3]"), False) == [2]
    assert mine.ranks(Entry("1.f.feed.a.0", "a", "x", "always [6]"), False) == []
    assert mine.ranks(Entry("1.p.play.a.0", "a", "one", "line [5]"), True) == [4]
