"""Whom the next turn waits for, whose silence counts, and which orders it sorts how."""

from dataclasses import replace

import pytest

from pbem.format.record_error import RecordError
from pbem.judge import next_turn, order_sorting
from pbem.judge.absence import Absence
from pbem.judge.awaited_and_silent_seats import awaited_kinds_of, find_unheard_seats, inputs_of
from pbem.judge.dealing_modes import SEALED
from pbem.judge.next_turn import still_to_answer
from pbem.judge.order_sorting import OrderSorter
from pbem.judge.turn_inputs_and_outcome import SortedOrders
from pbem.records.packet import Refusal
from pbem.records.policies import Policies
from pbem.records.turn import ListedOrders
from tests.kit.record_files import record_path
from tests.kit.sample_records import EVE, SAMPLE, orders_of_a, orders_of_b
from tests.play.turn_makers import TURN, Lines, chain_of_four, maker_of_four, question_to

# ------------------------------------------------------------------ waiting for a whole round
ROUND = {"wait": "round"}


def test_a_charter_says_whether_a_round_is_waited_for():
    assert Policies(ROUND).waits_for_round
    for policies in ({}, {"wait": "turn"}, {"round": "wait"}):
        assert not Policies(policies).waits_for_round


def unheard_seats(pending, in_force=(), last=TURN, before=2, time=99, **rest):
    return find_unheard_seats(
        maker_of_four(pending, in_force, last=last, **{"policies": ROUND, **rest}), before, time
    )


def test_seats_that_would_be_asked_for_the_first_time_are_waited_for():
    assert unheard_seats([question_to("c")]) == ("a", "c", "d"), "and all who have said nothing yet"
    assert unheard_seats([question_to("c")], {"a": Lines(), "d": Lines()}) == ("c",)
    old = {"a": Lines(round_=1), "c": Lines(round_=1), "d": Lines()}
    assert unheard_seats([question_to("c")], old) == ("c",), "of an earlier round, and not asked"
    assert unheard_seats([question_to("c"), question_to("a")], old) == ("a", "c")
    assert unheard_seats([question_to("d"), question_to("b")], {"d": Lines()}) == ()
    assert unheard_seats([question_to("b")]) == (), "asked before, in the last turn"


def test_when_a_round_is_not_waited_for():
    wait = [question_to("c")]
    assert unheard_seats(wait, policies={}) == ()
    assert unheard_seats(wait, last=None) == ()
    assert unheard_seats(wait, time=100) == unheard_seats(wait, time=101) == ()
    assert unheard_seats(wait, last=replace(TURN, deadline=0), time=101) == ("a", "c", "d")
    assert unheard_seats(wait, before=1) == (), "a new round"
    assert unheard_seats(wait, plays="c") == ()
    assert unheard_seats(wait, plays="a") == ("c", "d")
    away = Absence(frozenset("abcd"), 2).after_turn((), "c", 2)
    assert unheard_seats(wait, now=away) == ()
    assert unheard_seats([]) == ()


# ------------------------------------------------------------------ whose silence counts
def test_who_is_waited_for():
    away = Absence(frozenset("abcd"), 2).after_turn((), "b", 2)
    some = maker_of_four(
        [question_to("b"), question_to("a", "leaf"), question_to("a"), question_to("b", "leaf")],
        absence=away,
    )
    assert awaited_kinds_of(some) == {"a": ("leaf", "feed")}
    assert awaited_kinds_of(some, Absence(frozenset("ab"), 2)) == {
        "b": ("feed", "leaf"), "a": ("leaf", "feed"),
    }  # fmt: skip
    some.absence_now = Absence(frozenset("abcd"), 2)
    assert awaited_kinds_of(some).keys() == {"a", "b"}


def silent_seats(pending, accepted=None, last=TURN, time=100, **rest):
    found = SortedOrders(accepted=accepted or {})
    return set(inputs_of(maker_of_four(pending, last=last, **rest), found, (), time).silent)


def test_silence_counts_from_the_deadline_on():
    pending = [question_to("a"), question_to("b")]
    assert silent_seats(pending) == silent_seats(pending, time=101) == {"a", "b"}
    assert silent_seats(pending, time=99) == set()
    assert silent_seats(pending, last=None) == set()
    assert silent_seats(pending, last=replace(TURN, deadline=0)) == set()


def test_whoever_answers_is_not_silent():
    pending = [question_to("a"), question_to("b"), question_to("b", "leaf")]
    assert silent_seats(pending, in_force={"a": Lines("feed"), "b": Lines("feed")}) == {"b"}
    assert silent_seats(pending, in_force={"a": Lines("leaf")}) == {"a", "b"}
    new = {"old": Lines(), "new": Lines("feed", "leaf")}
    assert silent_seats(pending, {"b": "new"}, in_force={"b": Lines()}, lines=new) == {"a"}
    newest = silent_seats(pending, {"b": "old"}, in_force={"b": Lines("feed", "leaf")}, lines=new)
    assert newest == {"a", "b"}, "the newest orders count"


def test_who_is_away_is_not_named_again():
    away = Absence(frozenset("abcd"), 2).after_turn((), "b", 2)
    for pending in ([question_to("a"), question_to("b")], [question_to("b"), question_to("a")]):
        assert silent_seats(pending, absence=away) == {"a"}
    back = silent_seats([question_to("b")], {"b": "new"}, absence=away, lines={"new": Lines()})
    assert back == {"b"}, "their new orders brought them back, and leave it open"
    assert silent_seats([question_to("b", silent=False)], absence=away) == {"b"}, (
        "no default settles it"
    )


def unheard_in_inputs(pending, accepted=(), last=TURN, time=100, **rest):
    found = SortedOrders(accepted=dict.fromkeys(accepted))
    some = maker_of_four(pending, last=last, **{"policies": ROUND, **rest})
    return set(inputs_of(some, found, (), time).unheard_seats)


def test_whose_orders_for_the_round_were_due_although_nobody_asked_them():
    pending = [question_to("b")]
    assert unheard_in_inputs(pending) == unheard_in_inputs(pending, time=101) == {"a", "c", "d"}
    assert unheard_in_inputs(pending, time=99) == unheard_in_inputs(pending, last=None) == set()
    assert unheard_in_inputs(pending, last=replace(TURN, deadline=0)) == set(), (
        "there is no deadline"
    )
    assert unheard_in_inputs(pending, accepted="ab") == {"c", "d"}
    here = {"a": Lines(), "c": Lines(round_=1), "b": Lines()}
    assert unheard_in_inputs(pending, in_force=here) == {"c", "d"}
    assert unheard_in_inputs(pending, plays="a") == {"c", "d"}
    assert unheard_in_inputs(pending, policies={}) == unheard_in_inputs(()) == set()


def test_a_deadline_may_be_any_second():
    early, pending = replace(TURN, deadline=1), [question_to("c")]
    assert silent_seats(pending, last=early, time=1) == {"c"}
    assert unheard_in_inputs(pending, last=early, time=1) == {"a", "b", "d"}
    assert unheard_seats(pending, last=early, time=1) == ()
    assert unheard_seats(pending, last=early, time=0) == ("a", "c", "d")


# ------------------------------------------------------------------ sorting
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
    late, forked, ahead = (
        orders_of_b(1, 5),
        orders_of_b(1, 6, prev=SAMPLE.heads[2]),
        orders_of_a(3, SAMPLE.heads[2]),
    )
    strange, sealed, wrong = (
        orders_of_b(2, 7, prev=bytes(32)),
        orders_of_b(2, 8),
        orders_of_b(2, 60),
    )
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
        return "rule", [Refusal(record.id, f"line {n}", "x") for n in range(10)]

    monkeypatch.setattr(order_sorting, "why_unusable", unusable)
    records = sorted(
        [orders_of_b(2, 5), orders_of_b(2, 6), orders_of_b(2, 7)], key=lambda record: record.id
    )
    found = sorter().sort(records[::-1]).rule_refusals["b"]
    assert found == [*unusable(records[0])[1], *unusable(records[1])[1][:6]]


def test_of_a_held_seat_the_orders_that_were_named_are_in_time():
    named, other = orders_of_a(2, SAMPLE.heads[1]), orders_of_a(1, SAMPLE.heads[0])
    found = sorter(own=[named.id], plays="a").sort([named, other])
    assert {one.id: one.reason for one in found.listed_orders} == {
        named.id: "unopenable", other.id: "late",
    }  # fmt: skip


# ------------------------------------------------------------------ small things of `advance`
def test_names_and_inputs():
    record = orders_of_b(1, 3)
    assert record_path(record) == f"orders/0001-b-3-{record.id.hex()[:6]}.toml"
    listed = ListedOrders(record.id, "b", "accepted")
    found = SortedOrders({"b": record}, [listed], {"a": []})
    made = inputs_of(maker_of_four(), found, (b"1",), 5)
    assert made.orders is found
    assert (made.own_order_ids, made.time, made.silent) == ((b"1",), 5, frozenset())


def test_which_held_seats_have_still_to_answer():
    bad = make_unusable()
    some = maker_of_four(
        [question_to("a"), question_to("b"), question_to("c", "leaf")], plays="acd", lines=bad[1]
    )
    some.open = bad[0]
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


def make_unusable():
    def open_(_orders):
        raise RecordError("box", "no")

    return open_, {}


@pytest.mark.parametrize("key", [EVE])
def test_whoever_signed_the_order_of_sorting_is_the_same(key):
    records = [orders_of_b(1, 5, key), orders_of_b(1, 6), orders_of_b(2, 61)]
    assert sorter().sort(records).listed_orders == sorter().sort(records[::-1]).listed_orders


# ------------------------------------------------------------------ seats that are away
def test_a_bot_answers_for_an_open_seat_only_if_the_charter_says_so():
    for bot, gone, by in (
        (True, "open", "bot"), (False, "open", "default"), (True, "idle", "default"),
        (True, "conceded", "default"), (True, "", ""),
    ):  # fmt: skip
        away = Absence(frozenset("ab"), 2, declared_reasons={"b": gone} if gone else {}, bot=bot)
        assert away.unasked(*question_to("b")) == by
        without_default = question_to("b", silent=False)
        assert away.unasked(*without_default) == ("bot" if by == "bot" else "")
