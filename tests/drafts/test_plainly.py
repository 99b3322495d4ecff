"""The mistakes of a player who makes them all: each message says why."""

import re

import pytest

from engine import bare
from pbem.drafts.checked_rows import Draft
from pbem.drafts.read_order_file import read_draft
from pbem.drafts.typed_sentences import SentenceFinder
from pbem.judge.game_view import View
from pbem.text.encodings_and_unusual_characters import unusual_name, unusual_names
from tests.kit.positions import position


def view_of_food_choice() -> tuple[View, list[str]]:
    """Somebody is asked for a food card, and his cards as they are written."""
    view = position("evolution", 1, 0)
    (decision,) = [d for _, d in view.table.pending if d.seat == view.seat]
    assert decision.kind == "food"
    return view, [bare(option).replace("_", " ") for option in decision.option_list()]


def note_sentences(draft: Draft) -> list[str]:
    return [f"{note.code[-3:]} {note.sentence}" for note in draft.notes]


def test_a_question_left_open_is_told_with_what_comes_of_it() -> None:
    view, _ = view_of_food_choice()
    (told,) = note_sentences(read_draft("", view))
    assert told.startswith("032 you are asked for food")
    assert told.endswith("the game will wait for you")
    assert read_draft("", view).unanswered_kinds == ["food"]


def test_an_answer_leaves_nothing_open() -> None:
    view, cards = view_of_food_choice()
    draft = read_draft(f'food = ["{cards[0]}"]', view)
    assert draft.notes == []
    assert draft.unanswered_kinds == []


@pytest.mark.parametrize("text", ['food = ["unicorn"]', 'fod = ["x"]', "food = 3"])
def test_what_only_follows_from_an_error_is_not_said_as_well(text: str) -> None:
    view, _ = view_of_food_choice()
    assert [note.level for note in read_draft(text, view).notes] == ["error"]


def test_a_card_that_an_earlier_line_uses_is_told_so() -> None:
    view, cards = view_of_food_choice()
    mine = f"{view.seat}1"
    twice = f'play = ["{cards[0]} on {mine}", "{cards[0]}: {mine} body", "done"]'
    (told,) = note_sentences(read_draft(f'food = ["{cards[1]}"]\n{twice}', view))
    assert told.startswith("021 ")
    assert told.endswith(
        f": once your other lines have taken effect, {cards[0]} is not in your hand"
    )


def test_a_line_of_another_kind_is_told_so() -> None:
    view, cards = view_of_food_choice()
    notes = note_sentences(read_draft(f'food = ["{cards[0]} on a1"]', view))
    assert notes[1].endswith("this line belongs in play, not in food")
    error, *_ = note_sentences(read_draft(f'food = ["{cards[0]}"]\nplay = ["{cards[1]}"]', view))
    assert error.endswith("this line belongs in food, not in play")


@pytest.mark.parametrize("text", ["*", "climbing *", "* 3"])
def test_a_star_for_a_card_is_told_so(text: str) -> None:
    view, _ = view_of_food_choice()
    (told,) = note_sentences(read_draft(f'food = ["{text}"]', view))
    assert told.endswith("* stands for a name, such as a1, and never for a card")


@pytest.mark.parametrize(
    ("mark", "name"),
    [
        ("\u0441", "a cyrillic small letter es (U+0441)"),
        ("\u200b", "a zero width space (U+200B)"),
        ("\u202e", "a right-to-left override (U+202E)"),
        ("\u00e9", "a latin small letter e with acute (U+00E9)"),
    ],
)
def test_a_letter_that_looks_like_another_is_named(mark: str, name: str) -> None:
    view, cards = view_of_food_choice()
    (told,) = note_sentences(read_draft(f'food = ["{cards[0]}{mark}"]', view))
    assert told.endswith(f"there is {name} in it")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("food\u00a0= []", "a no-break space (U+00A0)"),
        ("fo\u00adod = []", "a soft hyphen (U+00AD)"),
        ('food = ["a\0b"]', "a null (U+0000)"),
        ('food = ["\x1b[31m"]', "an escape (U+001B)"),
        ("g\0a\0m\0e\0", "a null (U+0000)"),
    ],
)
def test_what_cannot_be_seen_is_named_where_it_stands(text: str, name: str) -> None:
    view, _ = view_of_food_choice()
    (note,) = read_draft(text, view).notes
    assert note.sentence == f"not readable: {name} cannot be here"
    assert note.spot is not None
    assert unusual_name(note.spot.source[note.spot.column - 1]) == name


def test_plain_characters_are_no_strangers() -> None:
    assert unusual_names('feed = ["* eats"]  # a\tb~\r\n') == ""


@pytest.mark.parametrize("ends", ["\r\n", "\r"])
def test_order_files_with_line_ends_of_windows_and_old_macs_are_read(ends: str) -> None:
    view, cards = view_of_food_choice()
    text = f'seat = "{view.seat}"{ends}food = [{ends}  "{cards[0]}",{ends}]{ends}'
    assert read_draft(text, view).notes == []


def test_orders_of_another_seat_say_how_to_make_them_mine() -> None:
    view, cards = view_of_food_choice()
    (note,) = read_draft(f'seat = "Bo"\nfood = ["{cards[0]}"]', view).notes
    assert note.code == "PBEM-ORD-012"
    assert note.hint == f'write seat = "{view.seat}", or leave the line out'


def test_a_pattern_that_fits_nothing_is_not_called_a_name() -> None:
    view = next(v for stop in range(20, 200) if feeds(v := position("evolution", 4, stop)))
    notes = note_sentences(read_draft('feed = ["* attacks *", "* eats"]', view))
    assert '030 "* attacks *": no choice that you have now fits this line' in notes


def feeds(view: View) -> bool:
    """Somebody is asked to feed, and can attack nothing."""
    mine = [
        d.option_list() for _, d in view.table.pending if (d.seat, d.kind) == (view.seat, "feed")
    ]
    return bool(mine) and not any("attacks" in option for option in mine[0])


def test_short_forms_cut_words_and_never_names_or_numbers() -> None:
    wording = SentenceFinder(position("evolution", 1, 0).play.ruleset)
    options = ["climbing [3] on a12"]
    assert wording.read("climb on a12", options) == options
    assert wording.read("climbing on a1", options) == []
    assert wording.read("[3,[],[]]", ["climbing [3]"]) == []


def test_a_dash_is_read_as_a_minus() -> None:
    wording = SentenceFinder(position("classroom", 1, 0).play.ruleset)
    options = ["food scavenger [-1]", "food scavenger [1]"]
    assert wording.read("food scavenger \u22121", options) == options[:1]


def test_an_order_in_the_words_of_the_menu_is_read() -> None:
    view, cards = view_of_food_choice()
    lines = [f"{cards[0]} for the body of {view.seat}1"]
    lines += [f"{cards[2]} for a new species {view.seat}2 on the left", "done"]
    draft = read_draft(f'food = ["{cards[1]}"]\nplay = {lines}', view)
    assert note_sentences(draft) == []
    assert [row.line.text for row in draft.rows[1:]] == [
        f"{draft.rows[1].line.text.partition(':')[0]}: {view.seat}1 body",
        f"{draft.rows[2].line.text.partition(':')[0]}: new species on the left",
        "done",
    ]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("horns on {seat}1", "no choice that you have now has horns in it"),
        ("{short} on {seat}7", "no choice that you have now has {seat}7 in it"),
    ],
)
def test_what_no_choice_has_is_named(line: str, why: str) -> None:
    view, cards = view_of_food_choice()
    assert not any("horns" in card for card in cards)
    fields = {"seat": view.seat, "short": re.sub(" -?[0-9]+$", "", cards[0])}
    (told,) = note_sentences(
        read_draft(f'food = ["{cards[1]}"]\nplay = ["{line.format(**fields)}", "done"]', view)
    )
    assert told.endswith(f"this game understands: {why.format(**fields)}")


def test_a_line_after_the_end_is_told_so_in_short_words_too() -> None:
    view, cards = view_of_food_choice()
    short = re.sub(r" -?[0-9]+$", "", cards[0])
    lines = ["done", f"{short} on {view.seat}1"]
    (told,) = note_sentences(read_draft(f'food = ["{cards[1]}"]\nplay = {lines}', view))
    assert 'comes after "done"' in told
