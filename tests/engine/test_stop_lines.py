"""Stop lines: when standing orders stop answering, and when they count again."""

from __future__ import annotations

from dataclasses import dataclass

from engine import Decision, Entry, Forms, Line, Moment, ReadyLine, Ruleset, StopLine
from engine.ruleset import QuestionKind


@dataclass
class State:
    """A round, and food."""

    round: int = 1
    food: int = 9
    seen: str = "nobody"

    def clone(self, viewpoint: str) -> State:
        return State(self.round, self.food, viewpoint)


def low(moment: Moment) -> bool:
    assert (moment.now.seen, moment.start_state.seen) == ("", "")
    return moment.now.food <= int(moment.argument)


def has_another_acted(moment: Moment) -> bool:
    return any(entry.seat != moment.seat for entry in moment.happened)


def first_option_text(state: State, seat: str, options: list[str], _: str) -> str:
    return options[0]


RULES: Ruleset = Ruleset(  # type: ignore[type-arg]
    name="x",
    title="x",
    players=range(2, 3),
    decks={},
    setup=None,
    opening=None,
    phases=(),  # type: ignore[arg-type]
    over=None,
    result=None,
    forms=Forms(eats="{sp} eats"),
    scene=None,  # type: ignore[arg-type]
    kinds={"feed": QuestionKind("feed", "feeding")},
    ready=(ReadyLine("feed", "the first", "takes the first", first_option_text, total=True),),
    stops=(
        StopLine("food at or below {n}", "", low),
        StopLine("somebody spoke", "", has_another_acted),
    ),
)
FEED = Decision("a", "feed", lambda: ("a1 eats", "a2 eats"))


def orders_with_stop_lines(*lines: str, state: State):
    made = []
    for number, line in enumerate(lines, start=1):
        kind, _, text = line.removeprefix("always ").partition(": ")
        made.append(Line(number, kind, text, line.startswith("always ")))
    return RULES.orders("a", state.round, made, state)


def log_entry(seat: str = "b", key: str = "1.f.feed.b.0") -> Entry:
    return Entry(key, seat, f"{seat}1 eats", "line [1]")


def line_that_answered(mine, state: State, key: str = "1.f.feed.a.0") -> str:
    found = mine.answer(key, FEED, state)
    return found[0] if found else ""


def test_standing_and_ready_lines_stop_and_written_ones_go_on() -> None:
    state = State()
    lines = ("always feed: a1 eats", "feed: the first", "feed: * eats", "feed: a2 eats")
    stop = "always stop: food at or below 3"
    orders = [orders_with_stop_lines(line, stop, state=state) for line in lines]
    assert [line_that_answered(one, state) for one in orders[:3]] == ["a1 eats"] * 3
    state.food = 3
    for one in orders:
        one.entered(log_entry(), state)
    assert [line_that_answered(one, state) for one in orders] == ["", "", "", "a2 eats"]
    assert orders[0].stopped == ["food at or below 3"]


def test_stopped_lines_stay_stopped_for_the_round_and_answer_again_in_the_next() -> None:
    state = State()
    mine = orders_with_stop_lines(
        "always feed: a1 eats", "always stop: somebody spoke", state=state
    )
    mine.entered(log_entry("a"), state)
    assert line_that_answered(mine, state)
    mine.entered(log_entry("b"), state)
    mine.entered(log_entry("a"), state)
    assert not line_that_answered(mine, state)
    state.round = 2
    mine.entered(log_entry("b", "1.f.feed.b.1"), state)  # the entry that ended the round
    assert line_that_answered(mine, state, "2.f.feed.a.0")


def test_what_is_true_when_orders_are_accepted_stops_nothing_until_it_was_false() -> None:
    state = State(food=2)
    mine = orders_with_stop_lines(
        "always feed: a1 eats", "always stop: food at or below 3", state=state
    )
    mine.entered(log_entry(), state)
    assert line_that_answered(mine, state)
    state.food = 5
    mine.entered(log_entry(), state)
    state.food = 1
    mine.entered(log_entry(), state)
    assert not line_that_answered(mine, state)


def test_other_text_is_no_stop_line() -> None:
    assert RULES.stop_lines.read("food at or below 3") is not None
    assert RULES.stop_lines.read("food at or below x") is None
    assert RULES.stop_lines.read("attacked") is None
