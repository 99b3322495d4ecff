"""Names, texts, forms and the scene: what people read of the course's game."""

import re
from pathlib import Path

import pytest

from engine import Table, Unreadable
from games.classroom import course_test_programs
from games.classroom.course_test_json import TRAITS, read_trait
from games.classroom.rule_case_table import positions
from games.classroom.rules import CARDS, CLASSROOM
from games.classroom.stacked_deck_games import SORTED, play_silly
from games.food_number_cards import food_of, trait_of
from tests.kit.selection import SHARED, needs_shared

HERE = Path(course_test_programs.__file__).parent


def test_the_deck_of_the_course_has_122_cards_and_17_carnivores():
    foods = {trait: sorted(food_of(c) for c in CARDS if trait_of(c) == trait) for trait in TRAITS}
    assert foods.pop("carnivore") == list(range(-8, 9))
    assert set(map(tuple, foods.values())) == {tuple(range(-3, 4))}
    assert len(CARDS) == len(set(CARDS)) == 122
    assert set(CLASSROOM.kits.traits) == TRAITS


@needs_shared("cards/classroom.json")
def test_the_deck_of_the_course_is_that_of_the_given_file():
    import json

    food = json.loads((SHARED / "cards/classroom.json").read_bytes())["food"]
    given = {f"{read_trait(trait)} {n}" for trait, numbers in food.items() for n in numbers}
    assert given == set(CARDS)


def test_only_the_test_programs_know_how_the_course_spells_names():
    names = re.compile("|".join(t.replace("_", "-") for t in TRAITS if "_" in t))
    found = [
        f"{file.name}: {line}"
        for file in HERE.iterdir()
        if file.suffix in (".py", ".toml") and not file.name.startswith("course_test")
        for line in file.read_text("utf-8").splitlines()
        if names.search(line)
    ]
    assert found == []


def test_every_trait_and_term_has_a_text_with_its_source():
    texts = CLASSROOM.texts()
    assert set(texts) > TRAITS | {"choice", "feed", "attack", "score", "silly", "removal"}
    for name, text in texts.items():
        assert len(text.body) > 20, name
        assert text.source.startswith("Evolution, the course's rules"), name
    ours = {name for name, text in texts.items() if text.house}
    assert ours == {"fat_tissue", "feed", "score", "silly", "removal", "traits"}  # [H], rulings


@pytest.mark.parametrize(
    "text",
    [
        "food carnivore -8", "horns 3: new board", "horns 3: new board on the left",
        "long_neck -2 on a11", "fat_tissue 0 instead of 2 on b1", "horns 1: c2 population",
        "horns 1: c2 body", "done", "a1 eats", "a1 stores 3", "a1 attacks h2", "decline",
        "leave the game", "? on a1", "food ?",
    ],
)  # fmt: skip
def test_exactly_one_form_reads_a_sentence(text):
    assert len(CLASSROOM.forms.matching(text)) == 1
    name, fields = CLASSROOM.forms.parse(text)
    assert CLASSROOM.forms.say(name, **fields) == text


@pytest.mark.parametrize("text", ["a1 eats b1", "stores", "a1 stores", "horns 3", "leave", "pass"])
def test_other_sentences_are_unreadable(text):
    with pytest.raises(Unreadable):
        CLASSROOM.forms.parse(text)


def test_the_scene_of_the_course_shows_a_hand_to_its_owner_only():
    table = Table(CLASSROOM.game("abc"))
    CLASSROOM.positions().read(
        table.state,
        {"a": ["a1 body 3 fat 2: fat_tissue 1"], "hands": {"a": ["horns 1"]}, "out": ["b"]},
    )
    own, public = CLASSROOM.scene(table.state.clone("a")), CLASSROOM.scene(table.state.clone(""))
    assert own.places[0].hand == ("horns 1",)
    assert public.places[0].hand == ("?",)
    (board,) = public.places[0].pieces
    assert board.cards == ("fat_tissue 1",)
    assert dict(board.facts) == {"body": "3", "population": "1", "food": "0", "fat": "2"}
    assert ("out of the game", "yes") in public.places[1].facts
    assert dict(public.facts)["watering hole"] == "0"


def test_each_total_of_the_courses_result_is_the_sum_of_its_parts():
    state = play_silly(CLASSROOM.game("abcdef"), SORTED).state
    result = CLASSROOM.result(state)
    assert [score.total for score in result.scores] == [
        sum(s.parts.values()) for s in result.scores
    ]
    assert result.winners
    assert state.total() == 122
    assert state.stray_tokens() == 0


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"hole": -1}, "hole must be a number from 0 to 9999, not -1"),
        ({"first": "z"}, "'z' is not a seat; the seats are: a, b, c"),
        ({"lake": 1}, "a position has no 'lake'"),
        ({"a": ["b1"]}, "'b1' is not a species of seat a"),
        ({"a": ["a1", "a1"]}, "a1 is listed twice"),
        ({"a": ["a1 height 3"]}, "a species has no 'height'"),
        ({"a": ["a1 food 2"]}, "a1: it has more food than its population"),
        ({"a": ["a1 body 8"]}, "a1: body must be from 0 to 7"),
        ({"a": ["a1 fat 1 body 1"]}, "a1: it has fat without fat_tissue"),
        ({"a": ["a1: horns 1, horns 2"]}, "a1: it has one trait twice"),
        ({"a": ["a1: antlers"]}, "'antlers' is not a card of this game"),
        ({"a": ["a1: horns 1"], "hands": {"b": ["horns 1"]}}, "'horns 1': the game has only 1"),
        ({"hands": {"b": ["horns"]}}, "'horns' needs its food number, as in 'horns 3'"),
        ({"deck_left": 200}, "deck_left must be from 0 to 122 here, not 200"),
        ({"bags": 3}, "bags must be written as"),
        ({"a": "a1"}, "a must be a list of strings, not 'a1'"),
    ],
)
def test_an_impossible_position_of_the_course_is_refused_with_the_reason(data, message):
    state = CLASSROOM.game("abc").start()
    with pytest.raises(ValueError, match=re.escape(message)):
        positions().read(state, data)
