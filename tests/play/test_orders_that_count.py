"""Which orders count, who is away, and which opened lines can have settled a sentence."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from engine import CHANCE, Decision
from engine.scene_prose_and_drawings import Piece, Place, Scene
from pbem.format.record_error import RecordError
from pbem.judge.absent_seats import Absence, absence_of, check_unasked, round_asked, round_of
from pbem.judge.opened_lines_for_decision import line_fits
from pbem.judge.orders_in_force import _ascii_reason as plain
from pbem.judge.orders_in_force import by_rank, check_choice, why_misplaced, why_unusable
from pbem.judge.record_chain import Chain, Finder
from pbem.judge.seat_holders_keys_and_agreements import Standing
from pbem.judge.turn_end_checks import (
    awaited_kinds_by_seat,
    check_end,
    check_silence,
    turn_table_lines,
)
from pbem.judge.which_notices_count import no_notice
from pbem.records.packet import RefusedLine
from pbem.records.read_and_sign_record import Record
from pbem.records.turn import Awaited, ListedOrders
from tests.kit.positions import position
from tests.kit.record_files import refusal_by
from tests.kit.sample_records import orders_of_b, sample, seat_plan

G = sample()
HEADS = [bytes([n]) * 32 for n in range(4)]
"""Before turn 1, and after turns 1 to 3."""


# ------------------------------------------------------------------ in time or not


@pytest.mark.parametrize(
    ("since", "right"), [(3, [3]), (2, [2, 3]), (1, [1, 2, 3])]
)  # fmt: skip
def test_orders_that_answer_the_last_questions_are_in_time(since, right):
    """Turns that only list notices ask nothing new."""
    for turn in (1, 2, 3):
        orders = replace(G.orders1.content, turn=turn, prev=HEADS[turn])
        why = why_misplaced(orders, HEADS, False, False, since)
        assert why == ("" if turn in right else "late")
        forked = replace(orders, prev=HEADS[turn - 1])
        assert why_misplaced(forked, HEADS, False, False, since) == "forked"


def test_before_turn_1_only_the_referees_seats_have_orders():
    orders = replace(G.orders1.content, turn=1, prev=HEADS[0])
    assert why_misplaced(orders, HEADS[:1], True, False, 0) == "ahead"
    assert why_misplaced(orders, HEADS[:1], False, False, 0) == "forked"


def test_the_latest_turn_counts_then_the_highest_revision_then_the_smallest_id():
    same = (orders_of_b(1, 4, prev=bytes([n]) * 32) for n in (1, 2, 3))
    one, two, three = sorted(same, key=lambda record: record.id)
    later, low = orders_of_b(2, 1), orders_of_b(1, 3)
    assert by_rank([low, two, later, one, three]) == [later, one, two, three, low]


def listed_row(status: str, reason: str = "") -> ListedOrders:
    return ListedOrders(bytes([10]) * 32, "b", status, reason)


class Texts:
    """Orders that were opened, as far as this is asked."""

    def __init__(self, *texts: str) -> None:
        self.texts = texts


def unusable(seat: str, *texts: str):
    record = SimpleNamespace(id=bytes([9]) * 32, content=SimpleNamespace(seat=seat))
    view = position("evolution", 1, 33)
    return why_unusable(record, lambda content: Texts(*texts), view.table)


def test_orders_that_cannot_be_opened_or_have_unreadable_lines_are_unusable():
    def closed(reason):
        def unseal(_content):
            raise RecordError(reason, "no")

        return why_unusable(SimpleNamespace(content=None), unseal, None)

    assert closed("box") == closed("commitment") == ("unopenable", [])
    assert closed("rule") == unusable("c", "feed: c1 eats", "not a line") == ("rule", [])


def test_wrong_lines_are_named_to_their_owner():
    assert unusable("c", "feed: c1 eats", "feed: c2 eats") == ("", [])
    ident = bytes([9]) * 32
    wrong = ("feed: c1 eats", "always feed: b1 eats", "swim: c1 eats")
    assert unusable("c", *wrong) == (
        "rule", [
            RefusedLine(ident, "always feed: b1 eats", "b1 is not yours"),
            RefusedLine(ident, "swim: c1 eats", "this game never asks for 'swim'"),
        ],
    )  # fmt: skip
    assert unusable("b", "feed: b1 eats") == ("", [])


def test_reasons_are_plain_and_fit_into_a_packet():
    (one,) = unusable("c", f"feed: {'x' * 190}")[1]
    assert (len(one.why), one.why[:5]) == (200, "'xxxx")
    assert plain("na\u00efve \u2026") == "na?ve ?"
    assert [plain("x" * size) for size in (200, 201, 999)] == ["x" * 200] * 3


def test_orders_in_force_give_way_only_to_those_that_count_before_them():
    low, high = orders_of_b(1, 3), orders_of_b(1, 4)
    check_choice("b", [], [low], high)
    check_choice("b", [high], [], low)
    over = f"the turn does not accept orders {high.id.hex()[:6]} of seat b, although they count"
    kept = (
        f"the turn accepts orders {low.id.hex()[:6]} of seat b, although the orders that the seat "
        f"had before still count"
    )
    assert refusal_by(check_choice, "b", [low], [], high) == ("opening", kept)
    assert refusal_by(check_choice, "b", [], [high], low) == ("opening", over)


# ------------------------------------------------------------------ who is away
def pending_decision(seat: str, kind: str = "feed", silent: bool = True, round_: int = 2):
    default = (lambda: "pass") if silent else None
    return f"{round_}.feed.{kind}.{seat}.0", Decision(seat, kind, tuple, default=default)


NOBODY = Absence(frozenset("abc"), 2)


def test_a_silent_seat_is_absent_for_the_round_and_idle_after_two():
    one = NOBODY.after_turn((), "b", 1)
    assert (one.missed_turns, one.last_silent_rounds) == ({"b": 1}, {"b": 1})
    assert [one.absence_reason("b", n) for n in (0, 1, 2)] == ["", "absent", ""]
    assert (one.absence_reason("a", 1), one.idle) == ("", frozenset())
    two = one.after_turn("a", ["b"], 3)
    assert (two.missed_turns, two.last_silent_rounds, two.idle) == ({"b": 2}, {"b": 3}, {"b"})
    assert [two.absence_reason("b", n) for n in (1, 3, 4)] == ["idle"] * 3
    three = two.after_turn((), "b", 4)
    assert (three.missed_turns["b"], three.idle) == (3, {"b"})
    back = three.after_turn("b", "a", 4)
    assert (back.missed_turns, back.last_silent_rounds, back.absence_reason("b", 4)) == (
        {"a": 1},
        {"a": 4},
        "",
    )
    again = three.after_turn("b", "b", 5)
    assert (again.missed_turns, again.last_silent_rounds) == ({"b": 1}, {"b": 5}), (
        "accepted first, silent then"
    )
    assert NOBODY.missed_turns == {}


def test_where_idle_after_is_0_nobody_is_ever_idle():
    never = replace(NOBODY, idle_after=0).after_turn((), "b", 1).after_turn((), "b", 2)
    assert (never.idle, never.absence_reason("b", 3), never.absence_reason("b", 2)) == (
        frozenset(),
        "",
        "absent",
    )


def test_if_everybody_is_idle_each_round_waits_once():
    all_ = NOBODY.after_turn((), "abc", 1).after_turn((), "ab", 2).after_turn((), "c", 3)
    assert all_.idle == frozenset("abc")
    assert [all_.absence_reason(seat, 3) for seat in "abc"] == ["idle"] * 3
    assert [all_.absence_reason(seat, 4) for seat in "abc"] == [""] * 3
    assert [all_.after_turn("a", (), 4).absence_reason(seat, 4) for seat in "abc"] == [
        "",
        "idle",
        "idle",
    ]


def test_a_question_that_nobody_waits_for_is_settled_by_its_default_whoever_is_there():
    key, question = pending_decision("b")
    assert not NOBODY.unasked(key, question)
    unasked = question._replace(unasked=True)
    assert NOBODY.unasked(key, unasked) == "default"
    check_unasked(NOBODY, key, unasked, "default")
    with pytest.raises(RecordError, match="no turn has said that seat b is away"):
        check_unasked(NOBODY, key, question, "default")
    assert NOBODY.after_turn((), "b", 2).unasked(key, unasked) == "default"
    assert not NOBODY.unasked(key, unasked._replace(default=None))


def test_what_silence_settles_now():
    away = NOBODY.after_turn((), "b", 2)
    assert away.unasked(*pending_decision("b"))
    assert not away.unasked(*pending_decision("b", round_=3))
    assert not away.unasked(*pending_decision("b", silent=False))
    assert not away.unasked(*pending_decision("a"))
    assert away.absence_reasons((pending_decision("b"), pending_decision("a"))) == {"b": "absent"}
    assert away.absence_reasons((pending_decision("a"),)) == {"b": "absent"}
    assert away.absence_reasons((pending_decision("a", round_=3),)) == {}
    assert away.absence_reasons(()) == {}
    assert away.absence_reasons((pending_decision("b", silent=False),)) == {}, (
        "the game waits for it"
    )
    both = away.after_turn((), "ba", 2)
    assert both.absence_reasons((pending_decision("c"),)) == {"a": "absent", "b": "idle"}
    assert both.absence_reasons(
        (pending_decision("c"), pending_decision("b", silent=False), pending_decision("b"))
    ) == {"a": "absent"}


def test_the_round_is_read_from_the_key_of_a_question():
    assert [round_of(key) for key in ("0.setup.deal.*.0", "12.feed.feed.a.3")] == [0, 12]
    assert (
        round_asked((pending_decision("a", round_=7), pending_decision("b", round_=8))),
        round_asked(()),
    ) == (7, 0)


def test_only_seats_that_people_play_can_be_absent():
    charter = replace(
        G.charter.content, seats=(seat_plan("a", "Ann"), seat_plan("b", "B", "greedy")),
        policies={"idle_after": 5},
    )  # fmt: skip
    assert absence_of(charter, "ab") == Absence(frozenset("a"), 5, open_after=1)
    assert absence_of(G.charter.content, "ab") == Absence(frozenset("ab"), 2, open_after=1)


def test_a_silent_seat_misses_turns_until_a_turn_accepts_its_orders():
    def after(*turns):
        chain, joins = Chain(G.charter), {one.id: one for one in (G.join_a, G.join_b)}
        for turn in turns:
            chain.follow(Record(G.turn1.signed, turn), Finder(no_notice, lambda: joins))
        return chain.absence

    first = G.turn1.content
    second = replace(G.turn2.content, orders=(), silent=("b",), over=False)
    third = replace(second, turn=3, orders=(listed_row("accepted"),), silent=("a",))
    refused = replace(third, orders=(listed_row("refused", "late"),))
    assert after(first) == Absence(frozenset("ab"), 2, open_after=1)
    assert (after(first, second).missed_turns, after(first, second).last_silent_rounds) == (
        {"b": 1},
        {"b": 1},
    )
    assert after(first, second, third).missed_turns == {"a": 1}
    assert after(first, second, refused).missed_turns == {"a": 1, "b": 1}
    assert after(first, replace(second, log=())).missed_turns == {"b": 1}


# ------------------------------------------------------------------ the end of a turn
def test_who_is_asked_for_what_by_the_rules_and_by_the_cards():
    pending = (pending_decision("b", "feed"), pending_decision("a", "leaf"))
    chance = ("key", Decision(CHANCE, "deal", options=lambda: iter(())))
    assert awaited_kinds_by_seat([chance], {"a": ("cut",)}) == {"a": ("cut",)}, "nobody asks chance"
    assert awaited_kinds_by_seat(pending, {"a": ("cut",), "c": ("cut",)}) == {
        "b": ("feed",), "a": ("leaf", "cut"), "c": ("cut",),
    }  # fmt: skip


def test_nobody_is_silent_whom_the_game_does_not_wait_for():
    turn = replace(G.turn2.content, time=100, silent=("a", "b"))
    check_silence(replace(turn, silent=("b",)), "b", 1, "a")
    assert refusal_by(check_silence, turn, "ab", 100, "ba") == (
        "rule", ("the turn calls seat a silent, although its player was away and the game did "
        "not wait for them"),
    )  # fmt: skip


def test_a_turn_describes_the_table_in_lines_of_at_most_400_characters():
    piece = Piece("a1", (("body", "3"), ("food", "1")), ("horns", "(face down)"))
    places = (
        Place("a", (("points", "2"),), (piece, Piece("a2", ())), ("?", "?")),
        Place("b", (), (), ()),
    )
    assert turn_table_lines(Scene((("round", "1"), ("food", "7")), places)) == (
        "round 1, food 7", "a: points 2, hand 2 cards", "  a1: body 3, food 1 | horns, (face down)",
        "  a2: ", "b: hand 0 cards",
    )  # fmt: skip
    long = turn_table_lines(Scene((("x", "y" * 500),), ()))
    assert [len(line) for line in long] == [400]


# ------------------------------------------------------------------ lines
@pytest.mark.parametrize(
    ("line", "sentence", "fits"),
    [
        ("b1 eats", "b1 eats", True), ("b1 eats", "b2 eats", False), ("* eats", "b2 eats", True),
        ("b2 attacks a*", "b2 attacks a1", True), ("b2 attacks a*", "b2 attacks c1", False),
        (f"[#{'4f' * 32}] on a1", "[?] on a1", True), (f"[#{'4f' * 32}] on a1", "[?] on a2", False),
        ("food [horns 4]", "food [?]", True),
    ],
)  # fmt: skip
def test_whether_a_line_fits_a_sentence(line, sentence, fits):
    assert line_fits(line, sentence) is fits


# ------------------------------------------------------------------ what a turn ends with
def test_the_end_of_a_turn_says_what_is_open():
    """A game that asks: seat c is to feed."""
    view = position("evolution", 1, 33)
    table, nobody = view.table, Absence(frozenset("abc"), 2)
    scene = turn_table_lines(table.game.ruleset.scene(table.state))
    right = replace(
        G.turn2.content, awaited=(Awaited("c", ("feed",)),), over=False, table=scene, deadline=0,
        time=5,
    )  # fmt: skip
    charter = replace(G.charter.content, policies={})
    check_end(right, table, Standing(charter, {}), nobody, 0, {})
    none = replace(charter, policies={"deadline": "1h"})
    check_end(replace(right, deadline=3605), table, Standing(none, {}), nobody, 0, {})
    away = nobody.after_turn((), "c", round_asked(table.pending))
    announced = replace(nobody, declared_reasons={"c": "announced"})
    questions = "the turn must list the questions that are still open, and no others"
    due = "the deadline does not follow from the deadline rule of this game"
    for wrong, rules, who, told in (
        ({"awaited": ()}, charter, nobody, questions),
        ({"awaited": (Awaited("c", ("feed", "leaf")),)}, charter, nobody, questions),
        ({"over": True}, charter, nobody, "the turn says that the game is over, but the game is"),
        ({"table": ()}, charter, nobody, "the turn describes the table wrongly"),
        ({"deadline": 5}, charter, nobody, due),
        ({"deadline": 3604}, none, nobody, due),
        ({}, charter, away, "the turn waits for seat c, although its player is away"),
        ({}, charter, announced, "the turn waits for seat c, although its player is away"),
    ):
        reason, sentence = refusal_by(
            check_end, replace(right, **wrong), table, Standing(rules, {}), who, 0, {}
        )
        assert (reason, sentence[: len(told)]) == ("rule", told)


def test_a_turn_that_waits_although_nobody_is_asked_names_the_seats_and_the_reason(monkeypatch):
    """All three seats are asked for food."""
    table, present = position("evolution", 1, 12).table, Absence(frozenset("abc"), 2)
    away = replace(present, declared_reasons=dict.fromkeys("abc", "announced"))
    turn = replace(G.turn2.content, awaited=tuple(Awaited(seat, ("food",)) for seat in "abc"))
    standing = Standing(replace(G.charter.content, policies={}), {})
    assert refusal_by(check_end, replace(turn, over=False), table, standing, away, 0, {}) == (
        "rule", "the turn waits for seats a, b and c, although their players are away"
    )  # fmt: skip
    answers = {"options": lambda: ["eat", "pass"], "default": lambda: "pass"}
    unasked = [
        (key, Decision(one.seat, "food", **answers, unasked=True)) for key, one in table.pending
    ]
    monkeypatch.setattr(type(table), "pending", unasked)
    assert refusal_by(check_end, replace(turn, over=False), table, standing, present, 0, {}) == (
        "rule", "the turn waits for seats a, b and c, although the rules ask nobody now"
    )  # fmt: skip


def test_if_everybody_has_left_or_is_idle_each_round_waits_once():
    left = replace(NOBODY, declared_reasons=dict.fromkeys("abc", "open"))
    assert [left.absence_reason(seat, 1) for seat in "abc"] == [""] * 3, "nobody was waited for yet"
    waited = left.after_turn((), "b", 1)
    assert [waited.absence_reason(seat, 1) for seat in "abc"] == ["open"] * 3
    assert [waited.absence_reason(seat, 2) for seat in "abc"] == [""] * 3
    one = replace(NOBODY, declared_reasons=dict.fromkeys("ab", "open"))
    assert [one.absence_reason(seat, 1) for seat in "abc"] == ["open", "open", ""], "c is there"
    idle = one.after_turn((), "c", 1).after_turn((), "c", 2)
    assert [idle.absence_reason(seat, 2) for seat in "abc"] == ["open", "open", "idle"]
    assert [idle.absence_reason(seat, 3) for seat in "abc"] == [""] * 3
    out = replace(NOBODY, declared_reasons={"a": "conceded", "b": "removed", "c": "open"})
    assert [out.absence_reason(seat, 1) for seat in "abc"] == ["conceded", "removed", ""]
    robot = replace(left, bot=True)
    asked = Decision("b", "feed", lambda: ["pass"], default=lambda: "pass")
    ways = [one.unasked("1.feed.b.1", asked) for one in (left, waited, robot)]
    assert ways == ["", "default", ""]
    assert replace(robot, last_silent_rounds={"b": 1}).unasked("1.feed.b.1", asked) == "bot"
