"""What is wrong with lines of orders, line by line: the same whoever asks, player or referee."""

import pytest

from engine import PUBLIC, Line
from pbem.judge.order_line_checks import LineChecker, hint_of_legal, wrong_lines
from tests.kit.positions import position

FEEDS = ("evolution", 1, 33)
"""Seat c is asked to feed: `c4 eats` or `c1 eats`; it has c1 to c4, others a1, b1 and b2."""
PLAYS = ("evolution", 1, 9)
"""Seat a is asked for a script of cards; it has a1."""


def numbered_lines(*texts):
    found = []
    for number, text in enumerate(texts, start=1):
        kind, _, sentence = text.removeprefix("always ").partition(": ")
        found.append(Line(number, kind, sentence, text.startswith("always ")))
    return found


def problem_rows(place, *texts):
    """Code, line, sentence and hint of all that is said, but for questions left open."""
    view = position(*place)
    found = LineChecker(view.table, view.seat, numbered_lines(*texts)).run()
    assert [p.level for p in found] == ["error" if p.code < "PBEM-ORD-030" else "warning"
                                        for p in found]  # fmt: skip
    wrong = wrong_lines(view.table, view.seat, numbered_lines(*texts))
    assert wrong == [p for p in found if p.level == "error"]
    return [(p.code[-3:], p.line, p.sentence, p.hint) for p in found if p.code != "PBEM-ORD-032"]


def left_open(place, *texts):
    view = position(*place)
    found = LineChecker(view.table, view.seat, numbered_lines(*texts)).run()
    return [(p.line, p.sentence, p.hint) for p in found if p.code == "PBEM-ORD-032"]


THERE = "seat c has: c4, c3, c1, c2"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "jump: a1 eats",
            (
                "026",
                1,
                "this game never asks for 'jump'",
                "the kinds are: food, play, leaf, feed, think, pay",
            ),
        ),
        ("feed: c1 jumps", ("020", 1, "'c1 jumps' is not an order that this game understands", "")),
        (
            "feed: c1 thinks",
            (
                "020",
                1,
                "'c1 thinks' is not an order that this game understands",
                "the order is not complete; it goes on: c1 thinks for …",
            ),
        ),
        ("feed: p1 eats", ("022", 1, "there is no seat p", "the seats are: a, b, c")),
        ("feed: b1 eats", ("023", 1, "b1 is not yours", THERE)),
        ("feed: c4 attacks p2", ("022", 1, "there is no seat p", "the seats are: a, b, c")),
        ("feed: c1 eats", None),
        ("feed: c4 eats", None),
    ],
)
def test_a_line_that_cannot_be_meant(text, problem):
    assert problem_rows(FEEDS, text) == ([problem] if problem else [])


def test_what_may_come_may_be_named_and_what_is_gone_may_not():
    """Names are numbered on: b3 may be made, but only b1 and b2 are left of those before."""
    gone = position("evolution", 5, 130)
    table = gone.table.game.ruleset.scene(gone.table.state)
    there = {piece.name for place in table.places for piece in place.pieces}
    highest = {s: max((int(n[1:]) for n in there if n[0] == s), default=0) for s in "abc"}
    dead = next(f"{s}{n}" for s in "abc" for n in range(1, highest[s]) if f"{s}{n}" not in there)
    for name, code in ((dead, "022"), (f"{dead[0]}{highest[dead[0]] + 1}", None)):
        found = LineChecker(gone.table, gone.seat, numbered_lines(f"feed: * attacks {name}")).run()
        told = {p.sentence: p.hint for p in found if p.code == f"PBEM-ORD-{code}"}
        names = ", ".join(sorted(n for n in there if n[0] == dead[0]))
        if code:
            assert list(told) == [f"{name} is no longer on the table"]
            (hint,) = told.values()
            assert hint.startswith(f"seat {dead[0]} has: ")
            assert sorted(hint.partition(": ")[2].split(", ")) == sorted(names.split(", "))
        else:
            assert told == {}


def test_of_a_line_that_names_what_is_gone_nothing_else_is_said():
    hint = "seat c has: "
    ((code, line, what, there),) = problem_rows(("evolution", 1, 78), "feed: c1 attacks c2")
    assert (code, line, what) == ("022", 1, "c2 is no longer on the table")
    assert sorted(there.removeprefix(hint).split(", ")) == ["c1", "c4", "c5"]


@pytest.mark.parametrize(("size", "wrong"), [(200, False), (201, True)])
def test_a_line_may_be_two_hundred_bytes_long(size, wrong):
    text = "feed: c1 eats"
    for start in (text, f"always {text}"):
        long = start + "s" * (size - len(start))
        codes = [problem[0] for problem in problem_rows(FEEDS, long)]
        assert ("024" in codes) is wrong
        assert ("020" in codes) is not wrong


def test_a_card_may_be_named_in_ascii_only():
    said_of = "'[hörns 3] on a1' is not an order that this game understands"
    assert problem_rows(PLAYS, "play: [hörns 3] on a1") == [("020", 1, said_of, "")]


def test_a_line_behind_one_that_fits_as_well_is_never_reached():
    found = problem_rows(FEEDS, "feed: c4 eats", "feed: c4 eats", "feed: * eats", "feed: c1 eats")
    assert found == [
        ("031", 2, 'this line is never used: "c4 eats" comes first and also fits', ""),
        ("031", 4, 'this line is never used: "* eats" comes first and also fits', ""),
    ]
    assert problem_rows(FEEDS, "always feed: * eats", "feed: c4 eats") == []


def test_a_line_that_fits_nothing_now_says_why_and_what_is_legal():
    hint = 'legal here: "c4 eats", "c1 eats"'
    assert problem_rows(FEEDS, "feed: pass") == [
        ("030", 1, "no choice that you have now fits this line: c4 is hungry and can eat", hint)
    ]
    assert problem_rows(FEEDS, "feed: c9 eats") == [
        ("030", 1, "no choice that you have now fits this line: there is no c9 on the table", hint)
    ]


def test_a_star_that_may_hit_ones_own():
    def warned(*texts):
        return [p for p in problem_rows(FEEDS, *texts) if p[0] == "034"]

    others = 'to harm only other players: "* attacks a*", "* attacks b*"'
    mine = "this line may harm your own pieces: c4, c3, c1, c2"
    assert warned("always feed: * attacks *") == [("034", 1, mine, others)]
    ((_, _, what, hint),) = warned("feed: c2 attacks *")
    assert what == "this line may harm your own pieces: c4, c3, c1"
    assert hint == 'to harm only other players: "c2 attacks a*", "c2 attacks b*"'
    ((_, _, what, _),) = warned("feed: a1 eats", "feed: c2 attacks c*")
    assert what == "this line may harm your own pieces: c4, c3, c1"
    assert warned("feed: * attacks b*", "feed: * eats", "feed: c1 attacks a1") == []


def test_a_star_may_hit_what_is_still_to_come():
    view = position(*PLAYS)
    found = LineChecker(view.table, view.seat, numbered_lines("feed: a1 attacks *")).run()
    (told,) = (p.sentence for p in found if p.code == "PBEM-ORD-034")
    assert told == "this line may harm your own pieces: each new piece that you get"


def test_what_is_asked_and_has_no_line_is_told_with_what_is_legal():
    told = "you are asked for feed (feeding), and no line answers it"
    hint = 'legal here: "c4 eats", "c1 eats"'
    for texts in ((), ("feed: pass",), ("play: done",)):
        assert left_open(FEEDS, *texts) == [(0, told, hint)]
    for text in ("feed: c1 eats", "feed: * eats", "always feed: c4 eats"):
        assert left_open(FEEDS, text) == []
    ((_, told, hint),) = left_open(PLAYS, "food: [hard_shell 1]")
    assert told == "you are asked for play (cards to play), and no line answers it"
    assert hint.startswith('legal here: "done", "cooperation 3: new species on the left"')
    assert hint.endswith(" …")
    assert left_open(PLAYS, "play: done") == []


# ---------------------------------------------------------------- scripts
def test_the_steps_of_a_script_are_taken_one_after_the_other():
    body = "play: hard_shell 1: a1 body"
    assert problem_rows(PLAYS, body, "play: done") == []
    (wrong, end) = problem_rows(PLAYS, body, body)
    assert wrong[:3] == ("021", 2, "hard_shell 1 is not in your hand")
    assert wrong[3].startswith('legal here: "symbiosis 1: a1 body", "cooperation 3: a1 body"')
    assert end == (
        "033",
        2,
        'the list has no "done" at its end: the next turn asks you how to go on',
        "",
    )


def test_what_comes_after_done_is_never_reached():
    found = problem_rows(PLAYS, "play: done", "play: hard_shell 1: a1 body", "play: done")
    assert found == [
        ("031", n, 'this line comes after "done", so it is never used', "") for n in (2, 3)
    ]


def test_problems_stand_in_the_order_of_the_lines():
    found = problem_rows(FEEDS, "feed: c1 jumps", "jump: x", "feed: pass", "feed: b1 eats")
    assert [(code, line) for code, line, _, _ in found] == [
        ("020", 1), ("026", 2), ("030", 3), ("023", 4),
    ]  # fmt: skip


# ---------------------------------------------------------------- hints
def test_a_hint_names_the_nearest_first_and_six_at_most():
    options = [f"c{n} eats" for n in range(1, 9)]
    assert hint_of_legal(options[:2], "c2 eats") == 'legal here: "c2 eats", "c1 eats"'
    first = hint_of_legal(options, "c7 attacks b1")
    assert first.startswith('legal here: "c7 eats", "c1 eats", "c2 eats"')
    assert first.count('"') == 12
    assert first.endswith(" …")
    assert not hint_of_legal(options[:6], "").endswith("…")
    assert hint_of_legal([], "c1 eats") == ""
    assert hint_of_legal(["[horns 2]", "horns 3: a1 body"], "horns 3") == (
        'legal here: "horns 3: a1 body", "horns 2"'
    )


def test_only_who_sees_the_hand_is_told_that_a_card_is_not_in_it():
    """The referee does not refuse such a line: a refusal would show what a hand does not hold."""
    view = position("evolution", 1, 2)
    hand = next(p.hand for p in view.play.ruleset.scene(view.table.state).places
                if p.seat == view.seat)  # fmt: skip
    other = next(card for card in ("horns 3", "horns 4", "fertile 5") if card not in hand)
    text = f"food: [{other}]"
    found = LineChecker(view.table, view.seat, numbered_lines(text)).run()
    assert [(p.code, p.level, p.sentence) for p in found if p.line] == [
        ("PBEM-ORD-035", "error", f"{other} is not in your hand")
    ]
    assert wrong_lines(view.table, view.seat, numbered_lines(text)) == []
    public = LineChecker(view.table_again(PUBLIC), view.seat, numbered_lines(text)).run()
    mine = LineChecker(
        view.table_again(PUBLIC), view.seat, numbered_lines(f"food: [{hand[0]}]")
    ).run()
    assert "PBEM-ORD-035" not in {p.code for p in public}
    assert [p.code for p in public] == [p.code for p in mine]
    assert LineChecker(view.table, view.seat, numbered_lines(f"always {text}")).run()[0].line == 0
