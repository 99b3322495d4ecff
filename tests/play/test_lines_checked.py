"""Lines of orders checked one by one: exactly what is said of each, and of nothing else."""

from types import SimpleNamespace

import pytest

from engine import PUBLIC, Line
from engine.sentences.ready_lines import ReadyLine, ReadyLines
from pbem.judge.order_line_checks import (
    UNFINISHED,
    LineChecker,
    Problem,
    errors,
    find_covering_line,
    hint_of_legal,
    read_lines,
    refusal_problems,
    write_line,
)
from pbem.judge.order_line_checks import _may_come as may_come
from pbem.judge.order_line_checks import _pieces_hint as there
from tests.kit.positions import position
from tests.kit.record_files import refusal_by

FEEDS = ("evolution", 1, 33)
"""Seat c is asked to feed: `c4 eats` or `c1 eats`; it has c1 to c4, others a1, b1 and b2."""
PLAYS = ("evolution", 1, 9)
"""Seat a is asked for a script of cards; it has a1."""


def problem_codes(place, *texts):
    view = position(*place)
    found = LineChecker(view.table, view.seat, read_lines(texts)).run()
    level = {p.code: p.level for p in found}
    assert all((level[code] == "error") is (code < "PBEM-ORD-030") for code in level)
    assert refusal_problems(view.table, view.seat, read_lines(texts)) == errors(found)
    return [(p.code[-3:], p.line, p.sentence, p.hint) for p in found if p.code[-3:] != "032"]


# ------------------------------------------------------------------ text and lines
def test_lines_are_written_as_they_are_read():
    texts = ["feed: b1 eats", "always feed: * eats", "always stop: attacked", "play: a: b; c: d"]
    lines = read_lines(texts)
    assert lines == [
        Line(1, "feed", "b1 eats", False), Line(2, "feed", "* eats", True),
        Line(3, "stop", "attacked", True), Line(4, "play", "a: b; c: d", False),
    ]  # fmt: skip
    assert [write_line(line) for line in lines] == texts
    for text in ("", "feed", "always", "feed b1 eats", "feed: ", "Feed: x", "always feed", "f: \n"):
        assert refusal_by(read_lines, ["feed: x", text])[0] == "rule", text


def test_errors_are_those_for_which_the_set_is_refused():
    both = [Problem("a", "error", 1, "x"), Problem("b", "warning", 2, "y")]
    assert errors(both) == both[:1]
    assert (both[0].hint, both[0].line) == ("", 1)


def test_which_line_covers_another():
    one, star, two = (
        Line(1, "feed", "b1 eats"),
        Line(2, "feed", "* eats"),
        Line(3, "feed", "b2 eats"),
    )
    assert find_covering_line(two, [one, star]) == star
    assert find_covering_line(one, [star, two]) == star
    assert find_covering_line(star, [one, two]) is None
    assert find_covering_line(one, []) is None


# ------------------------------------------------------------------ lines that are wrong
LATER = ("classroom", 1, 20)
"""Seat b is asked to feed; it has b3 to b5, others a8, a9 and c8."""
CHOOSES = ("classroom", 1, 0)
"""Seat a is asked for one list of steps."""
OURS = "seat c has: c4, c3, c1, c2"


def test_a_line_that_nobody_can_read_is_named_with_what_could_be_written():
    what = "this game never asks for 'swim'"
    hint = "the kinds are: food, play, leaf, feed, think, pay"
    assert problem_codes(FEEDS, "swim: x", "swim: x") == [("026", n, what, hint) for n in (1, 2)]
    what = "'{}' is not an order that this game understands"
    assert problem_codes(FEEDS, "feed: jump", "feed: c1 eats", "feed: jump") == [
        ("020", 1, what.format("jump"), ""), ("020", 3, what.format("jump"), ""),
    ]  # fmt: skip
    step = "play: done; a1 body"
    assert problem_codes(PLAYS, step) == [("020", 1, what.format("done; a1 body"), "")]
    view, not_ascii = position(*PLAYS), "[hörns 3] on a1"
    (problem,) = refusal_problems(view.table, view.seat, [Line(1, "play", not_ascii)])
    assert (problem.code, problem.sentence) == ("PBEM-ORD-020", what.format(not_ascii))
    goes_on = 'the order is not complete; it goes on: "c1 thinks for …"'
    assert problem_codes(FEEDS, "feed: c1 thinks") == [
        ("020", 1, what.format("c1 thinks"), goes_on)
    ]


@pytest.mark.parametrize("start", ["feed: ", "always feed: "])
def test_a_line_has_at_most_200_bytes(start):
    for many, code in ((200, "PBEM-ORD-020"), (201, "PBEM-ORD-024")):
        line = Line(1, "feed", "x" * (many - len(start)), start.startswith("always"))
        view = position(*FEEDS)
        (problem,) = refusal_problems(view.table, view.seat, [line])
        assert problem.code == code
    assert problem.sentence == "this line is longer than 200 bytes"


def test_problems_stand_in_the_order_of_the_lines():
    found = problem_codes(FEEDS, "feed: c1 jumps", "jump: x", "feed: pass", "feed: b1 eats")
    codes = [("020", 1), ("026", 2), ("030", 3), ("023", 4)]
    assert [(code, line) for code, line, _, _ in found] == codes


def test_only_who_sees_the_hand_is_told_that_a_card_is_not_in_it():
    """The referee does not refuse such a line: a refusal would show what a hand does not hold."""
    view = position("evolution", 1, 2)
    places = view.play.ruleset.scene(view.table.state).places
    hand = next(place.hand for place in places if place.seat == view.seat)
    other = next(card for card in ("horns 3", "horns 4", "fertile 5") if card not in hand)
    lines = read_lines([f"food: [{other}]"])
    found = LineChecker(view.table, view.seat, lines).run()
    assert [(p.code, p.level, p.sentence) for p in found if p.line] == [
        ("PBEM-ORD-035", "error", f"{other} is not in your hand")
    ]
    assert refusal_problems(view.table, view.seat, lines) == []
    public, mine = (
        [p.code for p in LineChecker(view.table_again(PUBLIC), view.seat, read_lines([line])).run()]
        for line in (f"food: [{other}]", f"food: [{hand[0]}]")
    )
    assert public == mine
    assert "PBEM-ORD-035" not in public
    always = read_lines([f"always food: [{other}]"])
    assert LineChecker(view.table, view.seat, always).run()[0].line == 0


def test_lines_name_seats_and_pieces_that_are_there():
    seats = "the seats are: a, b, c"
    wrong = ("feed: d1 eats", "feed: c1 attacks d1", "feed: b1 eats", "feed: a1 attacks d1")
    assert problem_codes(FEEDS, *wrong, wrong[0], wrong[2]) == [
        ("022", 1, "there is no seat d", seats), ("022", 2, "there is no seat d", seats),
        ("023", 3, "b1 is not yours", OURS), ("023", 4, "a1 is not yours", OURS),
        ("022", 5, "there is no seat d", seats), ("023", 6, "b1 is not yours", OURS),
    ]  # fmt: skip
    gone = ("022", 1, "c3 is no longer on the table", "seat c has: c8")
    assert problem_codes(LATER, "feed: b5 attacks c3") == [gone]
    (later,) = problem_codes(LATER, "feed: b5 attacks c9")
    assert later[0] == "030", "c9 may come"


def test_a_seats_new_pieces_get_numbers_above_all_it_had():
    pieces = {"a1": "a", "a3": "a", "b7": "b"}
    assert [may_come("a", n, pieces) for n in (2, 3, 4, 8)] == [False, False, True, True]
    assert [may_come("c", n, pieces) for n in (1, 2)] == [True, True]
    assert there("a", pieces) == "seat a has: a1, a3"
    assert there("c", pieces) == "seat c has nothing on the table"


def test_why_a_line_does_not_fit_now():
    for text, why, nearest, other in (
        ("c1 attacks b1", ": c1 is not a carnivore", "c1", "c4"),
        ("c1 eats; c2 eats", "", "c1", "c4"),
        ("pass", ": c4 is hungry and can eat, so you cannot pass", "c4", "c1"),
        ("c9 eats", ": there is no c9 on the table", "c4", "c1"),
    ):
        told = f"no choice that you have now fits this line{why}"
        hint = f'legal here: "{nearest} eats", "{other} eats"'
        assert problem_codes(FEEDS, f"feed: {text}") == [("030", 1, told, hint)]
    assert problem_codes(FEEDS, "feed: c1 eats", "food: [fat_tissue 3]") == []
    view = position(*FEEDS)
    checker = LineChecker(view.table, view.seat, read_lines(["feed: c1 attacks b1"]))
    checker.decisions_by_kind["feed"] = checker.decisions_by_kind["feed"]._replace(why=None)
    checker._check_unanswered = lambda: None
    (problem,) = checker.run()
    assert problem.sentence == "no choice that you have now fits this line"


def test_a_line_behind_one_that_fits_as_well_is_never_used():
    texts = ("feed: c4 eats", "feed: c4 eats", "feed: * eats", "feed: c1 eats")
    told = 'this line is never used: "{}" comes first and also fits'
    assert problem_codes(FEEDS, *texts) == [
        ("031", 2, told.format("c4 eats"), ""), ("031", 4, told.format("* eats"), ""),
    ]  # fmt: skip
    assert problem_codes(FEEDS, "always feed: * eats", "feed: c4 eats") == []


def test_standing_orders_are_not_compared_with_the_question_of_now():
    assert problem_codes(FEEDS, "always feed: c1 attacks b1", "always feed: c1 attacks b1") == []


def test_lists_of_steps_that_are_asked_later_are_not_checked_yet():
    assert problem_codes(LATER, "choice: done", "choice: done") == []
    late = ("031", 2, 'this line comes after "done", so it is never used', "")
    assert problem_codes(FEEDS, "play: done", "play: done") == [late], "but what follows its end"
    found = problem_codes(CHOOSES, "choice: done", "choice: done")
    assert [one[:3] for one in found] == [("021", n, "the food card comes first") for n in (1, 2)]


def test_a_list_that_is_one_choice_must_end():
    told = f'the list has no "done" at its end: {UNFINISHED}'
    line = "choice: food carnivore 3"
    assert problem_codes(CHOOSES, line) == [("033", 1, told, "")]
    assert problem_codes(CHOOSES, line, "choice: done") == []
    late = ("031", 3, 'this line comes after "done", so it is never used', "")
    assert problem_codes(CHOOSES, line, "choice: done", "choice: done") == [late]


def test_which_questions_the_lines_leave_open():
    def left(place, *texts):
        view = position(*place)
        return LineChecker(view.table, view.seat, read_lines(texts)).unanswered()

    choice = "choice: food carnivore 3"
    assert left(CHOOSES) == left(CHOOSES, choice) == ["choice"]
    assert left(CHOOSES, choice, "choice: done") == []
    assert (left(PLAYS), left(PLAYS, BODY)) == (["play"], []), "one step is enough for now"
    assert left(FEEDS, "feed: c2 eats") == ["feed"]
    assert left(FEEDS, "feed: c1 eats") == []


# ------------------------------------------------------------------ standing conditions
STOPS = 'you can write: "'


def test_a_stop_line_is_a_standing_order_that_names_a_known_event():
    assert problem_codes(PLAYS, "always stop: attacked") == []
    assert problem_codes(PLAYS, "always stop: food at or below 3") == []
    ((code, line, told, hint),) = problem_codes(PLAYS, "stop: attacked")
    assert (code, line, hint) == ("027", 1, "write the line under [always]")
    assert told == "this line says when your standing orders stop, so it must stand with them"
    ((code, line, told, hint),) = problem_codes(PLAYS, "feed: * eats", "always stop: a full moon")
    assert (code, line) == ("020", 2)
    assert told == "'a full moon' is not an event at which standing orders can stop"
    assert hint.startswith(STOPS)
    assert '"food at or below 3"' in hint
    assert "{n}" not in hint
    assert hint.count('"') == 2 * len(position(*PLAYS).play.ruleset.stops)


# ------------------------------------------------------------------ lines in words
def test_a_line_in_words_must_name_a_seat_of_the_game():
    assert problem_codes(PLAYS, "feed: never attack b") == []
    assert problem_codes(PLAYS, "feed: never attack h") == [
        ("022", 1, "there is no seat h", "the seats are: a, b, c"),
    ]  # fmt: skip


def test_a_number_in_a_line_in_words_is_not_taken_for_a_seat():
    view = position(*FEEDS)
    checker = LineChecker(view.table, view.seat, [])
    line = ReadyLine("feed", "wait {n} rounds", "waits")
    checker.ruleset = SimpleNamespace(ready_lines=ReadyLines([line]))
    assert checker._check_ready_line(Line(1, "feed", "wait 3 rounds"))
    assert checker.problems == []


def test_a_line_in_words_that_depends_on_the_hand_may_only_be_a_standing_order():
    words = "food: the card with the least food"
    assert problem_codes(PLAYS, f"always {words}") == []
    told = "outside [always], this line would tell everybody something about your hand"
    hint = "write the line under [always], where lines stay secret"
    assert problem_codes(PLAYS, words, words) == [("027", n, told, hint) for n in (1, 2)]


def test_lines_behind_a_line_in_words_are_unused_only_if_it_always_answers():
    first, total, keeps = (
        "feed: plants only",
        "feed: plants first, then prey",
        "feed: never attack b",
    )
    assert problem_codes(PLAYS, first, "feed: * eats", keeps) == []
    told = 'this line is never used: "{}" comes first and also fits'
    assert problem_codes(PLAYS, total, "feed: a1 eats") == [
        ("031", 2, told.format("plants first, then prey"), ""),
    ]  # fmt: skip
    assert problem_codes(PLAYS, first, first) == [("031", 2, told.format("plants only"), "")]
    assert problem_codes(PLAYS, total, keeps) == []
    assert problem_codes(PLAYS, first, total) == []
    assert problem_codes(PLAYS, "feed: * eats", first) == [], "words are for any question"


def test_words_fit_the_question_that_is_open_now():
    assert problem_codes(FEEDS, "feed: plants only", "feed: never attack b") == []
    assert [p[0] for p in problem_codes(FEEDS, "feed: plants only", "feed: pass")] == ["030"]


# ------------------------------------------------------------------ scripts
SKIP = "play: leave out what is not possible"
BODY = "play: hard_shell 1: a1 body"


def test_what_is_not_possible_may_be_left_out():
    assert problem_codes(PLAYS, SKIP, BODY, "play: done") == []
    left = (
        "030",
        3,
        "this line is skipped, because it is not possible now: hard_shell 1 is not in your hand",
        "",
    )
    assert problem_codes(PLAYS, SKIP, BODY, BODY, "play: done") == [left]
    assert problem_codes(PLAYS, BODY, BODY, "play: done", SKIP)[0] == (
        "030", 2, ("this line is skipped, because it is not possible now: hard_shell 1 is not in "
        "your hand"), "",
    )  # fmt: skip
    assert problem_codes(PLAYS, BODY, "play: done", SKIP) == []
    assert problem_codes(PLAYS, "always " + SKIP)[0][0] == "020", "not as a standing order"
    assert problem_codes(PLAYS, "feed: leave out what is not possible")[0][0] == "020"


def test_without_its_end_a_script_that_is_asked_is_asked_on():
    told = 'the list has no "done" at its end: the next turn will ask you how to go on'
    assert problem_codes(PLAYS, BODY) == [("033", 1, told, "")]
    assert problem_codes(PLAYS, BODY, SKIP) == [("033", 2, told, "")]
    assert problem_codes(PLAYS, SKIP) == []
    assert problem_codes(PLAYS, BODY, "play: done") == []
    twice, end = problem_codes(PLAYS, BODY, BODY)
    assert twice[:3] == ("021", 2, "hard_shell 1 is not in your hand")
    assert twice[3].startswith('legal here: "symbiosis 1: a1 body", "cooperation 3: a1 body"')
    assert end == ("033", 2, told, "")


# ------------------------------------------------------------------ stars and open questions
@pytest.mark.parametrize("start", ["feed: * attacks ", "always feed: * attacks "])
def test_a_star_that_may_harm_ones_own_pieces_is_warned_of_with_lines_that_harm_only_others(start):
    assert [p for p in problem_codes(FEEDS, f"{start}b*") if p[0] == "034"] == []
    ((_, _, what, hint),) = [p for p in problem_codes(FEEDS, f"{start}c*") if p[0] == "034"]
    assert what == "this line may harm your own pieces: c4, c3, c1, c2"
    assert hint == 'to harm only other players: "* attacks a*", "* attacks b*"'
    ((_, _, what, hint),) = [p for p in problem_codes(FEEDS, "feed: c2 attacks *") if p[0] == "034"]
    assert what == "this line may harm your own pieces: c4, c3, c1", "c2 does not attack itself"
    assert hint == 'to harm only other players: "c2 attacks a*", "c2 attacks b*"'


def test_a_star_that_may_stand_for_a_piece_of_ones_own_now_or_soon():
    def harmed(place, line):
        return [what for code, _, what, _ in problem_codes(place, line) if code == "034"]

    soon = ["this line may harm your own pieces: each new piece that you get"]
    assert harmed(FEEDS, "feed: c1 attacks *5") == soon, "seat c has four, and c5 comes next"
    assert harmed(FEEDS, "feed: c1 attacks *3") == ["this line may harm your own pieces: c3"]
    assert harmed(FEEDS, "feed: c1 attacks *1") == [], "a piece never harms itself"
    assert harmed(FEEDS, "feed: c1 attacks *6") == []
    assert harmed(FEEDS, "feed: * attacks c2") == [], "no star in the name of the prey"
    assert harmed(FEEDS, "feed: * attacks *2") == ["this line may harm your own pieces: c2"]
    nothing = ("origin", 1, 2)
    assert harmed(nothing, "feed: * attacks *1") == soon
    assert harmed(nothing, "feed: * attacks *2") == []


def test_a_question_that_no_line_answers_is_told():
    def left(*texts, place=FEEDS):
        view = position(*place)
        found = LineChecker(view.table, view.seat, read_lines(texts)).run()
        return [p for p in found if p.code == "PBEM-ORD-032"]

    (told,) = left("feed: c2 eats")
    assert told == Problem(
        "PBEM-ORD-032", "warning", 0, "you are asked for feed (feeding), and no line answers it",
        'legal here: "c4 eats", "c1 eats"', "feed",
    )  # fmt: skip
    assert left("feed: c2 eats", "feed: c1 eats") == []
    for text in ("plants first, then prey", "* eats"):
        assert left(f"feed: {text}") == left(f"always feed: {text}") == []
    (told,) = left("food: [hard_shell 1]", place=PLAYS)
    assert told.sentence == "you are asked for play (cards to play), and no line answers it"
    start = 'legal here: "done", "cooperation 3: new species on the left"'
    assert (told.hint[: len(start)], told.hint[-2:]) == (start, " …")


def test_hints_name_the_most_similar_first():
    options = ["[fat 2]", "[horns 4]", "horns 4: a1", "x y", "y", "z", "w"]
    assert hint_of_legal(options, "horns 4", 2) == 'legal here: "horns 4", "horns 4: a1" …'
    assert hint_of_legal(options, "y x", 2) == 'legal here: "x y", "y" …'
    assert hint_of_legal(options[:2], "", 2) == 'legal here: "fat 2", "horns 4"'
    assert hint_of_legal([], "x") == ""
    many = [f"c{n} eats" for n in range(1, 8)]
    shown = ", ".join(f'"{one}"' for one in many[:6])
    assert hint_of_legal(many, "") == f"legal here: {shown} …"
    assert hint_of_legal(many[:6], "") == f"legal here: {shown}"
