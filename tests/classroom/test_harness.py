"""The course's programs: the cases beside the project, the command, and input that is no case."""

import json
import random
import subprocess
import sys

import pytest

from games.classroom import course_test_programs
from games.classroom.course_test_json import Position, say_choice
from games.classroom.course_test_programs import (
    PROGRAMS,
    Malformed,
    differences,
    normalized,
    run_cases,
)
from games.classroom.stacked_deck_games import SORTED
from tests.kit.selection import ROOT, SHARED, needs_shared

FOLDER = "peers/classroom"


def species_data(population, food, body, *traits, fat=0):
    said = [["food", food], ["body", body], ["population", population], ["traits", list(traits)]]
    return [*said, ["fat-food", fat]] if fat else said


def player_data(name, *boards, bag=0, cards=()):
    said = [["id", name], ["species", list(boards)], ["bag", bag]]
    return [*said, ["cards", list(cards)]] if cards else said


def card_pair(card):
    trait, food = card.split()
    return [int(food), trait.replace("_", "-")]


@pytest.mark.sample(3)
@needs_shared(FOLDER)
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_course_programs_pass_all_cases_given_with_the_course(program, capsys):
    cases = json.loads((SHARED / FOLDER / f"{program}.json").read_bytes())
    assert run_cases(PROGRAMS[program], cases) == (len(cases), 0)
    assert capsys.readouterr().out == ""
    assert len(cases) > 6


# ------------------------------------------------------------------ what each program says
def test_xattack_says_whether_a_species_can_attack_another():
    hunter, prey = species_data(2, 0, 3, "carnivore"), species_data(2, 0, 0, "hard-shell")
    caller = species_data(1, 0, 0, "warning-call")
    attack = PROGRAMS["xattack"]
    assert attack([species_data(1, 0, 7), hunter, False, False]) is True
    assert attack([prey, hunter, False, False]) is False
    assert attack([prey, species_data(2, 0, 3, "carnivore", "pack-hunting"), False, False]) is True
    for neighbours in ([caller, False], [False, caller]):
        assert attack([species_data(1, 0, 7), hunter, *neighbours]) is False
    assert attack([species_data(1, 0, 7), species_data(1, 0, 1), False, False]) is False


def test_xfeed_says_what_the_player_feeds_or_attacks():
    feed = PROGRAMS["xfeed"]
    others = [
        player_data(2, species_data(1, 0, 0), species_data(2, 0, 0)),
        player_data(3, species_data(2, 0, 0)),
    ]
    assert feed([player_data(1, species_data(1, 0, 4, "fat-tissue", fat=1)), 2, others]) == [0, 2]
    assert feed([player_data(1, species_data(1, 1, 0), species_data(1, 0, 0)), 2, others]) == 1
    assert feed([player_data(1, species_data(1, 0, 0, "carnivore")), 2, others]) == [0, 0, 1]
    fed = player_data(1, species_data(1, 0, 0, "carnivore"), species_data(1, 1, 0))
    assert feed([fed, 2, []]) is False


def test_a_board_may_have_more_food_than_population_and_more_fat_than_body():
    full, fat = species_data(1, 3, 0), species_data(1, 0, 0, "fat-tissue", fat=2)
    assert PROGRAMS["xattack"]([full, species_data(2, 7, 3, "carnivore"), False, False]) is True
    feed = PROGRAMS["xfeed"]
    assert feed([player_data(1, full), 2, []]) is False
    assert feed([player_data(1, full, fat), 2, []]) == 1
    long_neck = species_data(2, 6, 0, "long-neck")
    table = [[player_data(1, long_neck, cards=[[0, "horns"]])], 1, []]
    done = PROGRAMS["xstep4"]([table, [[0, [], [], [], []]]])
    assert done == [[player_data(1, long_neck)], 1, []]
    fed = species_data(1, 1, 0, "fat-tissue", fat=2)
    done = PROGRAMS["xstep"]([[player_data(1, full, fat)], 1, []])
    assert done == [[player_data(1, full, fed)], 0, []]


def test_xstep_feeds_once_and_keeps_the_order():
    first = player_data(7, species_data(3, 0, 0, "foraging"))
    second = player_data(7, species_data(1, 0, 0))
    done = PROGRAMS["xstep"]([[first, second], 5, [[1, "horns"]]])
    assert done == [[player_data(7, species_data(3, 2, 0, "foraging")), second], 3, [[1, "horns"]]]
    assert PROGRAMS["xstep"]([[player_data(1), second], 5, []]) == [[player_data(1), second], 5, []]


def test_xstep4_exchanges_two_traits_of_a_board():
    hand = [[0, "horns"], [1, "climbing"], [2, "horns"]]
    table = [[player_data(1, species_data(1, 0, 0, "horns", "climbing"), cards=hand)], 0, []]
    done = PROGRAMS["xstep4"]([table, [[0, [], [], [], [[0, 0, 1], [0, 1, 2]]]]])
    assert done == [[player_data(1, species_data(1, 0, 0, "climbing", "horns"))], 0, []]


def test_xstep4_limits_hold_for_the_result_of_a_new_board_too():
    traits = ["horns", "climbing", "horns", "horns", "ambush", "fertile"]
    hand = [[0, trait] for trait in traits]
    table = [[player_data(1, cards=hand)], 0, []]
    done = PROGRAMS["xstep4"]([table, [[0, [], [], [[1, 2, 3, 4]], [[0, 1, 5]]]]])
    assert done == [[player_data(1, species_data(2, 0, 0, "horns", "fertile", "ambush"))], 0, []]


def test_xstep4_reads_growth_with_and_without_its_name():
    hand = [[1, "horns"], [2, "horns"], [2, "horns"]]
    table = [[player_data(1, species_data(1, 0, 0), cards=hand)], 0, []]
    plain = PROGRAMS["xstep4"]([table, [[0, [[0, 1]], [[0, 2]], [], []]]])
    named = [[0, [["population", 0, 1]], [["body", 0, 2]], [], []]]
    assert plain == PROGRAMS["xstep4"]([table, named])
    assert plain == [[player_data(1, species_data(2, 1, 1))], 0, []]


def test_xsilly_counts_equal_cards_from_the_left():
    hand = [[1, "horns"], [0, "ambush"], [1, "horns"], [1, "horns"]]
    action = PROGRAMS["xsilly"]([player_data(1, cards=hand), [], []])
    assert action == [1, [["population", 0, 3]], [], [[0, 2]], []]


def test_a_trait_on_an_older_board_is_never_written_as_one_of_a_new_board():
    cards = [[1, "climbing"], [2, "burrowing"], [3, "horns"], [4, "foraging"]]
    board = species_data(1, 0, 0)
    position = Position([player_data(1, board, cards=cards)])
    hand = position.hands["a"]
    steps = ["food climbing 1", "burrowing 2: new board", "horns 3 on a2", "foraging 4 on a1"]
    written = say_choice(position.state, "a", "; ".join([*steps[:3], "done"]), hand)
    assert written == [0, [], [], [[1, 2]], []]
    with pytest.raises(KeyError, match="a1"):
        say_choice(position.state, "a", "; ".join([*steps, "done"]), hand)


def test_xmain_plays_whole_games_of_every_size():
    for players in range(3, 9):
        done = PROGRAMS["xmain"]({"players": players, "deck": list(map(card_pair, SORTED))})
        names = list(range(1, players + 1))
        assert done["turns"][0]["order"] == names
        assert done["turns"][1]["order"] == [*names[1:], 1]
        assert sorted(name for name, _ in done["scores"]) == names
        points = [score for _, score in done["scores"]]
        assert points == sorted(points, reverse=True)
        needed = sum(3 + max(1, len(said[1][1])) for said in done["final"][0])
        assert needed > len(done["final"][2])


# ------------------------------------------------------------------ comparing
def test_answers_are_compared_with_hands_in_any_order_and_all_else_in_order():
    one = player_data(1, species_data(1, 0, 2, "fat-tissue"), cards=[[1, "horns"], [0, "horns"]])
    other = player_data(1, [*species_data(1, 0, 2, "fat-tissue"), ["fat-food", 0]])
    other.append(["cards", [[0, "horns"], [1, "horns"]]])
    assert list(differences(normalized(one), normalized(other))) == []
    with_empty_hand = [*player_data(1), ["cards", []]]
    assert not list(differences(normalized(with_empty_hand), normalized(player_data(1))))
    assert list(differences([[0, 1]], [[1, 0]])) == ["[0][0]: 1, not 0", "[0][1]: 0, not 1"]
    assert list(differences({"a": True}, {"a": 1})) == [".a: 1, not true"]
    assert list(differences(False, 0)) == ["answer: 0, not false"]


def run_harness(*args, given=""):
    return subprocess.run(
        [sys.executable, "-m", "games.classroom.course_test_programs", *args],
        input=given, capture_output=True, text=True, cwd=ROOT, check=False,
    )  # fmt: skip


def test_the_course_command_answers_one_case_from_its_input():
    done = run_harness("xfeed", given=json.dumps([player_data(1, species_data(1, 0, 0)), 2, []]))
    assert (done.returncode, json.loads(done.stdout), done.stderr) == (0, 0, "")


@pytest.mark.sample(0)
def test_the_course_command_counts_passes_and_failures_of_a_file_of_cases(tmp_path):
    good = {"in": [player_data(1, species_data(1, 0, 0)), 2, []], "out": 0}
    file = tmp_path / "cases.json"
    file.write_text(
        json.dumps({"right": good, "wrong": good | {"out": False}, "odd": {**good, "in": 3}})
    )
    done = run_harness("xfeed", "--cases", str(file))
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "wrong: answer: 0, not false",
        "odd: the input must be a list of 3 values, but it is: 3",
        "1 passed, 2 failed",
    ]
    file.write_text(json.dumps({"right": good}))
    assert run_harness("xfeed", "--cases", str(file)).stdout == "1 passed, 0 failed\n"


# ------------------------------------------------------------------ input that is no case
@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("args", "given", "message"),
    [
        (["xfeed"], "[1", "xfeed: this is not JSON"),
        (["xfeed"], "[" * 100_000, "xfeed: this is not JSON"),
        (["xfeed"], "\udcff", "xfeed: this is not JSON"),
        (["xfeed", "--cases", "no such file"], "", "xfeed: no such file: No such file"),
        (["xdance"], "", "invalid choice"),
        (["xmain"], '{"players": 2, "deck": []}',
            "players must be a whole number, 3 to 8; it is: 2"),
    ],
)  # fmt: skip
def test_malformed_input_gets_a_sentence(args, given, message):
    done = subprocess.run(
        [sys.executable, "-m", "games.classroom.course_test_programs", *args],
        input=given.encode("utf-8", "surrogateescape"), capture_output=True, cwd=ROOT, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert message in done.stderr.decode()
    assert done.stdout == b""
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("board", "message"),
    [
        (species_data(0, 0, 0), "population must be a whole number, 1 to 7; it is: 0"),
        (species_data(1, 8, 0), "food must be a whole number, 0 to 7; it is: 8"),
        (species_data(1, 0, 8), "body must be a whole number, 0 to 7; it is: 8"),
        (species_data(1, 0, True), "body must be a whole number, 0 to 7; it is: true"),
        (species_data(1, 0, 0, "long_neck"), '"long_neck" is not a trait'),
        (species_data(1, 0, 0, "intelligence"), '"intelligence" is not a trait'),
        (species_data(1, 0, 0, "horns", "horns"), "at most 3 traits, and none of them twice"),
        (
            species_data(1, 0, 2, "fat-tissue", fat=8),
            "fat-food must be a whole number, 0 to 7; it is: 8",
        ),
        (species_data(1, 0, 2, fat=1), "fat-food needs fat-tissue"),
        (species_data(1, 0, 2)[::-1], "a species has 'food' here"),
        ("horns", 'a species must be a list of 4 or 5 values, but it is: "horns"'),
    ],
)  # fmt: skip
def test_an_impossible_board_in_the_input_is_refused_with_the_reason(board, message):
    with pytest.raises(Malformed, match=message.replace("(", r"\(")):
        PROGRAMS["xfeed"]([player_data(1, board), 1, []])


@pytest.mark.parametrize(
    ("action", "message"),
    [
        ([0, [[0, 0]], [], [], []], "the choice uses the card with index 0 twice"),
        (
            [0, [[1, 1]], [], [], []],
            "the index of a board must be a whole number, 0 to 0; it is: 1",
        ),
        ([2, [], [], [], []], "the index of a card must be a whole number, 0 to 1; it is: 2"),
        (
            [0, [["body", 0, 1]], [], [], []],
            "a choice to increase population must begin with 'population'",
        ),
        ([0, [[0, 1]], [], [], []], "the population of a1 is already 7, the most allowed"),
        ([0, [], [], [], [[0, 1, 1]]], "a1 has no trait 2"),
        ([0, [], [], [[]], []], "a new board must be a list of 1 or 2 or 3 or 4 values"),
    ],
)  # fmt: skip
def test_an_impossible_action_in_the_input_is_refused_with_the_reason(action, message):
    hand = [[1, "climbing"], [1, "horns"]]
    table = [[player_data(1, species_data(7, 0, 0, "horns"), cards=hand)], 0, []]
    with pytest.raises(Malformed, match=message):
        PROGRAMS["xstep4"]([table, [action]])


CASES = {
    "xattack": [
        species_data(1, 0, 0), species_data(1, 0, 0, "carnivore"), species_data(2, 0, 1), False,
    ],
    "xfeed": [
        player_data(1, species_data(1, 0, 0)), 2, [player_data(2, species_data(2, 1, 1, "horns"))],
    ],
    "xstep": [
        [player_data(1, species_data(1, 0, 2, "fat-tissue")), player_data(2)], 3, [[1, "horns"]],
    ],
    "xstep4": [
        [[player_data(1, species_data(1, 0, 0, "horns"), cards=[[1, "climbing"]] * 6)], 3, []],
        [[0, [[0, 1]], [["body", 0, 2]], [[3, 4]], [[0, 0, 5]]]],
    ],
    "xsilly": [
        player_data(1, species_data(1, 0, 0), cards=[[1, "horns"]] * 5),
        [[species_data(1, 0, 0)]], [],
    ],
    "xmain": {"players": 3, "deck": list(map(card_pair, SORTED[:30]))},
}  # fmt: skip
JUNK = [None, True, -1, 0, 3, 99, 1.5, "", "horns", "fat_tissue", [], [[]], {}, ["cards", [1]]]


def json_paths(value, path=()):
    yield path
    parts = enumerate(value) if isinstance(value, list) else ()
    for key, part in value.items() if isinstance(value, dict) else parts:
        yield from json_paths(part, (*path, key))


def spoilt(value, path, junk):
    if not path:
        return junk
    copy = value.copy()
    copy[path[0]] = spoilt(value[path[0]], path[1:], junk)
    return copy


@pytest.mark.parametrize("program", CASES)
def test_spoilt_input_is_refused_or_answered_and_never_breaks(program):
    rng = random.Random(program)
    answered = PROGRAMS[program](CASES[program])
    assert answered is not None
    said = []
    for path in json_paths(CASES[program]):
        for junk in rng.sample(JUNK, 5):
            try:
                json.dumps(PROGRAMS[program](spoilt(CASES[program], path, junk)))
            except Malformed as error:
                said.append(str(error))
    assert len(said) > 20
    assert all(10 < len(message) < 300 for message in said)


def test_a_file_of_cases_that_is_no_object_is_refused(capsys, tmp_path):
    file = tmp_path / "cases.json"
    file.write_text("[]")
    assert course_test_programs.main(["xattack", "--cases", str(file)]) == 2
    assert "a file of cases must be an object" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("cards", "action"),
    [
        ([[1, "ambush"]], [0, [], [], [], []]),
        ([[2, "burrowing"], [1, "ambush"]], [1, [], [], [], []]),
        ([[2, "burrowing"], [1, "ambush"], [0, "climbing"]], [1, [], [], [[0, 2]], []]),
    ],
)
def test_xsilly_makes_no_board_without_a_card_for_its_trait(cards, action):
    player = [["id", 1], ["species", []], ["bag", 0], ["cards", cards]]
    assert PROGRAMS["xsilly"]([player, [], []]) == action
