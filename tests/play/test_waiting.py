"""Which orders the next turn sorts how, and who has still to answer."""

from dataclasses import replace

from pbem.format.record_error import RecordError
from pbem.judge import next_turn, orders_for_next_turn
from pbem.judge.absent_seats import Absence
from pbem.judge.next_turn import still_to_answer
from pbem.judge.orders_for_next_turn import OrderSorter
from pbem.judge.sealed_dealing_mode import SEALED
from pbem.judge.turn_maker import TurnMaker
from pbem.records.packet import RefusedLine
from pbem.records.turn import ListedOrders
from tests.kit.sample_records import EVE, SAMPLE, orders_of_a, orders_of_b
from tests.play.turn_makers import TURN, Lines, chain_of_four, maker_of_four, question_to


class Sorting:
    """A turn maker that opens everything; the rules refuse what is in `wrong`."""

    mode = SEALED

    def __init__(self, own=(), plays=()) -> None:
        self.charter = replace(SAMPLE.charter.content, plays=tuple(plays))
        self.orders_table = None
        self.chain = chain_of_four(replace(TURN, own=tuple(own)))
        self.chain.heads, self.chain.asking_turn = SAMPLE.heads, 2

    def open(self, orders):
        raise RecordError("box" if orders.revision < 60 else "rule", "no")


def sorter(own=(), plays=(), **rest) -> OrderSorter:
    return OrderSorter(Sorting(own, plays), **rest)


def test_what_does_not_count_is_listed_with_its_reason():
    late, forked = orders_of_b(1, 5), orders_of_b(1, 6, prev=SAMPLE.heads[2])
    ahead, strange = orders_of_a(3, SAMPLE.heads[2]), orders_of_b(2, 7, prev=bytes(32))
    sealed, wrong = orders_of_b(2, 8), orders_of_b(2, 60)
    found = sorter(plays="a").sort([late, forked, ahead, strange, sealed, wrong])
    assert found.early_orders == {"a": [ahead]}
    assert found.unplaced_orders == [strange]
    assert found.listed_orders == sorted([
        ListedOrders(late.id, "b", "refused", "late"),
        ListedOrders(forked.id, "b", "refused", "forked"),
        ListedOrders(sealed.id, "b", "refused", "unopenable"),
        ListedOrders(wrong.id, "b", "refused", "rule"),
    ], key=lambda listed: listed.id)  # fmt: skip
    assert (found.accepted, found.rule_refusals) == ({}, {})


def test_orders_on_an_unknown_head_are_strange_until_the_referee_goes_on():
    now, later = orders_of_b(2, 7, prev=bytes(32)), orders_of_b(3, 7, prev=bytes(32))
    assert sorter().sort([now, later]).unplaced_orders == sorted([now, later], key=lambda r: r.id)
    on = sorter(go_on=True).sort([now, later])
    assert (on.unplaced_orders, [one.reason for one in on.listed_orders]) == ([], ["forked"] * 2)
    here = sorter(made_last_turn=True).sort([now, later])
    assert (here.unplaced_orders, [one.id for one in here.listed_orders]) == ([later], [now.id])


def test_of_all_refused_orders_of_a_seat_16_lines_are_explained(monkeypatch):
    def unusable(record, *_):
        return "rule", [RefusedLine(record.id, f"line {n}", "x") for n in range(10)]

    monkeypatch.setattr(orders_for_next_turn, "why_unusable", unusable)
    records = sorted(
        [orders_of_b(2, 5), orders_of_b(2, 6), orders_of_b(2, 7)], key=lambda record: record.id
    )
    found = sorter().sort(records[::-1]).rule_refusals["b"]
    assert found == [*unusable(records[0])[1], *unusable(records[1])[1][:6]]


def test_orders_that_a_turn_names_for_a_seat_of_the_referee_are_in_time():
    named, other = orders_of_a(2, SAMPLE.heads[1]), orders_of_a(1, SAMPLE.heads[0])
    found = sorter(own=[named.id], plays="a").sort([named, other])
    assert {one.id: one.reason for one in found.listed_orders} == {
        named.id: "unopenable", other.id: "late",
    }  # fmt: skip


def test_who_has_answered_all_that_they_are_asked():
    kinds = (("b", "feed"), ("c", "leaf"), ("a", "feed"), ("c", "feed"), ("d", "feed"), ("b", "x"))
    lines = {"b": Lines("feed", "x"), "a": Lines("feed"), "c": Lines("feed")}
    for some, answered in ((kinds, ("a", "b")), ((("c", "feed"), ("c", "leaf")), ()), ((), ())):
        pending = [question_to(seat, kind) for seat, kind in some]
        assert TurnMaker.answered_seats(maker_of_four(pending, lines)) == answered


def test_which_held_seats_have_still_to_answer():
    def open_(_orders):
        raise RecordError("box", "no")

    some = maker_of_four(
        [question_to("a"), question_to("b"), question_to("c", "leaf")], plays="acd"
    )
    some.open = open_
    assert still_to_answer(some, {}) == ("a", "c")
    assert still_to_answer(some, {"d": SAMPLE.own}) == ("a", "c", "d"), "wrong orders are refused"


def test_a_held_seat_has_answered_if_its_orders_answer_all(monkeypatch):
    monkeypatch.setattr(next_turn, "why_unusable", lambda *_: ("", []))
    pending = [question_to("b"), question_to("a"), question_to("a", "leaf")]
    for kinds, left in ((("feed", "leaf"), ()), (("feed",), ("a",)), (("leaf",), ("a",))):
        one = maker_of_four(pending, plays="a", lines={"mine": Lines(*kinds)})
        assert still_to_answer(one, {"a": "mine"}) == left
        before = maker_of_four(pending, {"a": Lines(*kinds)}, plays="a")
        assert still_to_answer(before, {}) == ("a",), "it has to answer each turn"
        assert still_to_answer(before, {}, repeats_questions=True) == left, (
            "that only lists notices"
        )
    away = Absence(frozenset("abcd"), 2).after_turn((), "a", 2)
    assert still_to_answer(maker_of_four(pending, plays="a", now=away), {}) == ()
    assert still_to_answer(
        maker_of_four([question_to("a"), question_to("b")], plays="ab", now=away), {}
    ) == ("b",)
    bad = maker_of_four(
        [question_to("a"), question_to("c")], plays="ac", lines={"mine": Lines("feed")}
    )
    monkeypatch.setattr(next_turn, "why_unusable", lambda *_: ("rule", []))
    assert still_to_answer(bad, {"a": "mine"}) == ("a", "c")


def test_orders_are_listed_in_one_order_however_they_came_in():
    records = [orders_of_b(1, 5, EVE), orders_of_b(1, 6), orders_of_b(2, 61)]
    assert sorter().sort(records).listed_orders == sorter().sort(records[::-1]).listed_orders
