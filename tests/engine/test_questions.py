"""Questions to chance, facts, and lines with stars: what exactly is asked and what is matched."""

from __future__ import annotations

import pytest

from engine import (
    ALL,
    CHANCE,
    PUBLIC,
    Decision,
    Entry,
    Line,
    OrderSet,
    deal,
    deal_openly,
    die,
    first_fit,
    line_number,
    merge,
    reveal,
    shown,
    shuffle,
    under,
)


def question_facts(decision: Decision) -> tuple[object, ...]:
    assert decision.seat == CHANCE
    return decision.kind, decision.option_list(), decision.to, decision.cards, decision.deck


def test_each_question_to_chance_has_its_kind_options_cards_and_deck() -> None:
    for decision, facts in (
        (deal("a", 2), ("deal", ["a draws [?] [?]"], "a", (), "deck")),
        (deal("b", 1, "traits"), ("deal", ["b draws [?]"], "b", (), "traits")),
        (deal_openly(2, "traits"), ("deal", ["traits shows ? and ?"], "", (), "traits")),
        (deal_openly(1), ("deal", ["deck shows ?"], "", (), "deck")),
        (shuffle(["x", "y"]), ("shuffle", ["deck takes 2"], "", ("x", "y"), "deck")),
        (shuffle(["x"], "traits"), ("shuffle", ["traits takes 1"], "", ("x",), "traits")),
        (under(["x"], 3), ("under", ["deck hides 1 below 3"], "", ("x",), "deck")),
        (under([], 0, "traits", "b"), ("under", ["traits hides 0 below 0"], "b", (), "traits")),
        (die(), ("die", list("123456"), "", (), "deck")),
    ):
        assert question_facts(decision) == facts
    assert question_facts(die(("left", "right")))[1] == ["left", "right"]


def test_a_revealed_card_becomes_a_public_fact_that_the_rules_may_veto() -> None:
    fact = reveal("b", "the card on b1", "horns 4", veto=lambda text: "no")
    assert (fact.seat, fact.kind, fact.fact, fact.to) == ("b", "reveal", True, PUBLIC)
    assert fact.option_list() == ["the card on b1 is horns 4"]
    assert fact.veto is not None
    assert fact.veto("") == "no"
    assert reveal("b", "it", "horns 4").veto is None
    assert shown("the card on b1 is horns 4") == "horns 4"
    assert shown("what this is is known") == "known"
    assert shown("where this is it is known") == "known"


def test_views_of_different_knowledge_merge_both_ways() -> None:
    entry = Entry("k", "a", "[x] for [y]", "line [3]", to="b")
    blind = entry.masked_for(PUBLIC)
    assert blind.text == "[?] for [?]"
    for one, other in (
        (entry, blind),
        (blind, entry),
        (entry.masked_for("a"), entry.masked_for("b")),
    ):
        assert merge(one, other) == entry


def test_others_never_see_which_order_line_answered_even_if_no_card_is_hidden() -> None:
    entry = Entry("k", "a", "a1 eats", "line [3]")
    for viewpoint, by in (("a", "line [3]"), (ALL, "line [3]"), ("b", "line [?]"),
                          (PUBLIC, "line [?]")):  # fmt: skip
        assert entry.masked_for(viewpoint).by == by
    card = Entry("k", "a", "[horns 4] on a1", "default", to="a")
    assert card.masked_for(PUBLIC).text == "[?] on a1"
    assert Entry("k", "a", "[horns 4] on a1", "default").masked_for("").text == "[?] on a1"


@pytest.mark.parametrize("by", ["forced", "default", "line [?]", "line", "always [x]", "line []"])
def test_only_a_number_is_a_line_number(by: str) -> None:
    assert line_number(by) is None
    assert (line_number("line [3]"), line_number("always [12]")) == (3, 12)


OPTIONS = ["a1 eats", "a2 attacks b1", "a2 attacks b1, b2", "c.d eats", "one; two"]


@pytest.mark.parametrize(
    ("line", "option"),
    [
        ("a1 *", "a1 eats"),
        ("* *", "a1 eats"),
        ("** *", "a1 eats"),
        ("* **", "a1 eats"),
        ("a* eats", "a1 eats"),
        ("*1 eats", "a1 eats"),
        ("*", None),
        ("* * *", "a2 attacks b1"),
        ("a2 attacks b1, *", "a2 attacks b1, b2"),
        ("a2 attacks * *", None),
        ("a. *", None),
        ("c.* eats", "c.d eats"),
        ("c.d eats", "c.d eats"),
        ("a1 eats *", None),
        ("* two", None),
        ("one; *", "one; two"),
        ("a1  *", None),
        ("a2 attacks b3", None),
        ("* attacks b1, b2", "a2 attacks b1, b2"),
    ],
)
def test_a_star_is_one_word_or_the_rest_of_one(line: str, option: str | None) -> None:
    assert first_fit(line, OPTIONS) == option


def decision_among(kind: str, *options: str) -> Decision:
    return Decision("a", kind, lambda: options)


def test_a_line_of_another_kind_or_round_answers_nothing() -> None:
    orders = OrderSet("a", 1, [Line(1, "feed", "x"), Line(2, "eat", "y", True)], {"s"}, frozenset())
    assert orders.answer("1.p.feed.a.0", decision_among("feed", "x")) == ("x", "line [1]")
    assert orders.answer("11.p.feed.a.0", decision_among("feed", "x")) is None
    assert orders.answer("1.p.eat.a.0", decision_among("eat", "x", "y")) == ("y", "always [2]")
    assert orders.answer("1.p.feed.a.0", decision_among("feed", "y")) is None


def test_plain_lines_come_before_standing_ones_and_lapse_with_the_round() -> None:
    lines = [Line(1, "feed", "pass", True), Line(2, "feed", "a1 eats")]
    orders = OrderSet("a", 1, lines, {"s"}, frozenset())
    for round_, answer in ((1, ("a1 eats", "line [2]")), (2, ("pass", "always [1]"))):
        decision = decision_among("feed", "a1 eats", "pass")
        assert orders.answer(f"{round_}.feed.feed.a.0", decision) == answer


def test_a_scripted_kind_goes_on_with_always_lines_when_its_own_are_used_up() -> None:
    lines = [Line(1, "s", "one"), Line(2, "s", "rest", True), Line(3, "s", "one", True)]
    orders = OrderSet("a", 1, lines, {"s"}, frozenset())
    decision = decision_among("s", "one", "rest")
    assert orders.answer("1.p.s.a.0", decision) == ("one", "line [1]")
    orders.entered(Entry("1.p.s.a.0", "a", "one", "line [1]"))
    assert orders.answer("1.p.s.a.1", decision) == ("rest", "always [2]")
    orders.entered(Entry("1.p.s.a.1", "a", "rest", "always [2]"))
    assert orders.last_line_numbers == {"s": 1}
    stuck = OrderSet("a", 1, [Line(1, "s", "two"), *lines], {"s"}, frozenset())
    assert stuck.answer("1.p.s.a.0", decision) is None, "it asks, and skips nothing"


def test_what_others_or_a_default_did_carries_no_script_on() -> None:
    orders = OrderSet("a", 1, [Line(1, "s", "one"), Line(2, "s", "two")], {"s"}, frozenset())
    orders.entered(Entry("1.p.s.b.0", "b", "one", "line [?]"))
    orders.entered(Entry("1.p.s.a.0", "a", "one", "default"))
    assert orders.answer("1.p.s.a.1", decision_among("s", "one")) == ("one", "line [1]")


def test_a_standing_line_may_have_a_star_and_the_first_that_fits_counts() -> None:
    lines = [Line(1, "eat", "b* rests", True), Line(2, "eat", "* rests", True)]
    orders = OrderSet("a", 1, [*lines, Line(3, "eat", "a1 rests", True)], {"s"}, frozenset())
    by_star, by_name = ("a1 rests", "always [2]"), ("b1 rests", "always [1]")
    for option, answer in (("a1 rests", by_star), ("b1 rests", by_name), ("b1 eats", None)):
        assert orders.answer("1.p.eat.a.0", decision_among("eat", option)) == answer


def test_orders_remember_the_last_carried_out_line_of_each_kind() -> None:
    orders = OrderSet("a", 1, [Line(n, "s", str(n)) for n in range(4)], {"s"}, frozenset())
    for n in range(3):
        assert orders.answer("1.p.s.a.0", decision_among("s", *"0123")) == (str(n), f"line [{n}]")
        orders.entered(Entry(f"1.p.s.a.{n}", "a", str(n), f"line [{n}]"))
        orders.entered(Entry(f"1.p.other.a.{n}", "a", "x", "line [9]"))
    assert orders.last_line_numbers == {"s": 2, "other": 9}  # the last line of each kind


def test_a_script_asked_as_a_whole_is_answered_by_lines_of_its_own_round_only() -> None:
    def options(steps: list[str]) -> list[str]:
        return ["done", "one"]

    decision = Decision("a", "s", options, script=True)
    lines = [Line(7, "s", "one"), Line(8, "s", "done"), Line(9, "s", "done", True)]
    lines += [Line(6, "s", "two; done", True)]
    orders = OrderSet("a", 1, lines, {"s"}, frozenset())
    assert orders.answer("1.p.s.a.0", decision) == ("one; done", "line [7]")
    assert orders.answer("2.p.s.a.0", decision) == ("done", "always [9]")
    short = OrderSet("a", 1, lines[:1], {"s"}, frozenset())
    assert short.answer("1.p.s.a.0", decision) is None, "all lines or nothing"
    only = OrderSet("a", 1, lines[3:], {"s"}, frozenset())
    assert only.answer("2.p.s.a.0", decision) is None
