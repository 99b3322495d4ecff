"""The runner: what it says about cases that are wrong, and about files that cannot be read."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pbem.rulecases.read_cases import BadCase
from pbem.rulecases.run_cases import main, run_files

DOCS = Path(__file__).resolve().parents[2] / "docs" / "rule-cases.md"
HEAD = """
game = "evolution"
[[case]]
id = "x"
title = "a case"
source = "nowhere"
seats = "ab"
"""
FEED = (
    HEAD
    + """phase = "feed"
position.hole = 3
position.a = ["a1 population 2", "a2 body 3: carnivore"]
position.b = ["b1: climbing"]
position.hands = { a = ["horns 3", "horns 4"] }
"""
)
STEP = FEED + '[[case.step]]\nask = "a feed"\n'


def case_file(folder: Path, text: str) -> Path:
    path = folder / "case.toml"
    path.write_text(text, "utf-8")
    return path


def case_differences(folder: Path, text: str) -> list[str]:
    (outcome,) = run_files([case_file(folder, text)])
    return list(outcome.differences)


# ------------------------------------------------------------------ differences
@pytest.mark.parametrize(
    ("step", "said"),
    [
        ('offers = ["a2 attacks b1"]', "step 1: 'a2 attacks b1' is not offered: b1 climbs"),
        ('exactly = ["a1 eats"]',
            'step 1: the options are ["a1 eats", "a2 attacks a1"], not ["a1 eats"]'),
        ('refuses."a1 eats" = ""', "step 1: 'a1 eats' is not refused"),
        ('refuses."pass" = "climbs"',
            "step 1: 'pass' is refused because 'a1 is hungry and can eat, so you cannot pass'"),
        ('answer = "pass"',
            "step 1: 'pass' is refused: a1 is hungry and can eat, so you cannot pass"),
        ('default = "pass"', "step 1: without an answer, the game takes 'a1 eats', not 'pass'"),
        ("forced = true", "step 1: a feed has several answers"),
        ('answer = "a1 eats"\nthen.hole = 3', "step 1: hole is 2, not 3"),
        ('answer = "a1 eats"\nthen.a1.food = "1"', 'step 1: a1.food is 1, not "1"'),
        ('answer = "a1 eats"\nthen.a1.hunger = 1',
            "step 1: there is no a1.hunger; choose one of: body"),
        ('answer = "a1 eats"\nthen.c1 = "gone"', "step 1: there is no c1; choose one of: "),
        ('answer = "a1 eats"\nthen.next = "over"', 'step 1: next is "b feed", not "over"'),
        ('answer = "a1 eats"\nthen.a.hand = ["horns 3"]', "step 1: a.hand is"),
        ('answer = "a1 eats"\nseen.b.a.hand = ["horns 3", "horns 4"]', "step 1: b sees: a.hand is"),
        ('answer = "a1 eats"\nthen.a.row = ["a2", "a1"]', 'step 1: a.row is ["a1", "a2"], not'),
    ],
)  # fmt: skip
def test_each_difference_in_a_rule_case_is_said(tmp_path: Path, step: str, said: str) -> None:
    found = case_differences(tmp_path, STEP + step)
    assert len(found) == 1
    assert found[0].startswith(said)


def test_a_rule_case_may_list_a_hand_in_any_order(tmp_path: Path) -> None:
    assert not case_differences(tmp_path, FEED + 'then.a.hand = ["horns 4", "horns 3"]')


def test_a_rule_case_that_answers_another_question_is_told_which_is_asked(tmp_path: Path) -> None:
    text = FEED + '[[case.step]]\nask = "b feed"\nanswer = "b1 eats"'
    assert case_differences(tmp_path, text) == ["step 1: the game asks 'a feed' now, not 'b feed'"]


def test_all_differences_of_one_step_of_a_rule_case_are_said(tmp_path: Path) -> None:
    text = STEP + 'offers = ["pass"]\nrefuses."a1 eats" = ""\nthen.hole = 9'
    assert len(case_differences(tmp_path, text)) == 3


@pytest.mark.parametrize(
    ("phase", "ask", "after", "said"),
    [
        ("feed", "a feed", "a1 eats", "'a feed' asks for one answer, not for a list of steps"),
        ("play", "a play", "horns 3: a9 body",
            "after: 'horns 3: a9 body' is refused: there is no a9"),
        ("play", "a play", "rest", "after: 'rest' is refused: 'rest' is not possible"),
    ],
)  # fmt: skip
def test_a_rule_case_whose_earlier_steps_are_impossible_is_told_which(
    tmp_path: Path, phase: str, ask: str, after: str, said: str
) -> None:
    text = FEED.replace('"feed"', f'"{phase}"') + 'options = { together = "yes" }\n'
    text += f'[[case.step]]\nask = "{ask}"\nafter = ["{after}"]\noffers = ["done"]'
    (found,) = case_differences(tmp_path, text)
    assert found.startswith(f"step 1: {said}")


def test_dice_that_a_rule_case_gives_and_nobody_uses_are_a_difference(tmp_path: Path) -> None:
    text = FEED + 'dice = ["a goes first"]\nthen.hole = 3'
    assert case_differences(tmp_path, text) == [
        "the case gives dice or cards that the game never used: 'a goes first'"
    ]


def test_a_case_whose_game_ends_before_the_moment_it_waits_for_is_told_so(tmp_path: Path) -> None:
    text = FEED + 'position.last = 1\n[[case.step]]\nsilence = "round 2"'
    told = "step 1: the game is over, but 'round 2' was not reached"
    assert case_differences(tmp_path, text) == [told]


# ------------------------------------------------------------------ files that cannot be read
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("game = ", "not TOML"),
        ('case = [{id = "x"}]', "needs 'game'"),
        ('game = "evolution"', "needs 'case'"),
        ('game = "evolution"\ncase = [3]', "case 1 is not a table of keys"),
        ('game = "evolution"\n[[case]]\ntitle = "t"', "case 1: needs 'id'"),
        (HEAD, "case x: this case checks nothing"),
        (HEAD + "stepp = []", "case x: no such key: 'stepp'; did you mean 'step'?"),
        (HEAD + 'step = "a"', "case x: 'step' must be a list, not 'a'"),
        (HEAD + "dice = [1]", "case x: 'dice' must be a list of strings"),
        (HEAD + 'position.hole = 3\nthen.next = ""', "case x: a position needs a 'phase'"),
        (HEAD + 'phase = "lunch"\nthen.next = ""',
            "there is no phase 'lunch'; choose one of: deal, food, play"),
        (HEAD + 'options = { rain = "yes" }\nthen.next = ""',
            "the rules of evolution have no option 'rain'"),
        (HEAD.replace('"ab"', '"a"') + 'then.next = ""', "evolution is for 2 to 6 players"),
        (HEAD.replace("evolution", "chess") + 'then.next = ""', "no game is called 'chess'"),
        (HEAD + 'dice = ["z goes first"]\nthen.next = ""', "the die can show only one of"),
        (HEAD + 'shuffled = ["horns 9"]\nthen.next = ""', "'horns 9' is not among the cards"),
        (FEED + "then.hole = 3\n" + HEAD.partition("\n[[")[2].join(["[[", "then.hole = 3"]),
            "two cases"),
        (HEAD.replace('"ab"', '"aa"') + 'then.next = ""',
            "seats are letters from a to h, each once"),
        (HEAD.replace('"ab"', '"yz"') + 'then.next = ""',
            "seats are letters from a to h, each once"),
        (FEED + "seen.z.hole = 3", "'z' is not a viewpoint: give a seat or 'public'"),
        (FEED + '[[case.step]]\nanswer = "pass"', "step 1: give either 'ask'"),
        (FEED + '[[case.step]]\nask = "feed"',
            "step 1: 'ask' must be a seat and a kind of question"),
        (STEP + 'answer = "pass"\ndefault = "pass"',
            "step 1: answer and default: give only one of them"),
        (STEP + 'forced = "yes"', "step 1: 'forced' must be true or false, not 'yes'"),
        (STEP + "answers = 3", "step 1: no such key: 'answers'; did you mean 'answer'?"),
    ],
)  # fmt: skip
def test_a_case_file_that_cannot_be_understood_is_refused_with_its_place(
    tmp_path: Path, text: str, said: str
) -> None:
    path = case_file(tmp_path, text)
    with pytest.raises(BadCase) as error:
        run_files([path])
    assert str(error.value).startswith(f"{path}: ")
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("position", "said"),
    [
        (
            "position.pond = 3\n",
            "a position has no 'pond'; choose one of: round, first, last, hole",
        ),
        ("position.holes = 3\n", "a position has no 'holes'; did you mean 'hole'?"),
        ("position.round = 4\nposition.last = 3", "'last' is 3, but this is round 4"),
        ('position.food_cards = { a = "horns 3" }', "no food card is face down when 'feed'"),
        ('position.hands = { a = ["horn 3"] }', "not a card of this game; did you mean 'horns 3'?"),
        ('position.a = ["a1: long neks"]', "'long neks' is not a card of this game"),
        ("position.hole = -1", "hole must be a number from 0 to 9999, not -1"),
        ('position.hole = "3"', "hole must be a number from 0 to 9999, not '3'"),
        ("position.round = 0", "round must be a number from 1 to 9999, not 0"),
        ('position.first = "c"', "'c' is not a seat; the seats are: a, b"),
        ('position.hands = { c = ["horns 3"] }', "'c' is not a seat"),
        ('position.hands = ["horns 3"]', "hands must be written as { a = … }"),
        ('position.hands = { a = ["horns"] }', "'horns' needs its food number"),
        ('position.hands = { a = ["horns 9"] }', "'horns 9' is not a card of this game"),
        ('position.hands = { a = ["horns 1", "horns 1"] }',
            "'horns 1': the game has only 1 of this card"),
        ('position.discards = "horns 1"', "discards must be a list of strings"),
        ('position.deck = ["horns 1"]\nposition.deck_left = 0', "deck_left must be from 1 to"),
        ("position.deck_left = 200", "deck_left must be from 0 to 129 here, not 200"),
        ('position.a = ["b1"]', "'b1' is not a species of seat a"),
        ('position.a = ["a1 weight 3"]', "a species has no 'weight'"),
        ('position.a = ["a1", "a1"]', "a1 is listed twice"),
        ('position.a = ["a1 body 7"]', "a1: body must be from 1 to 6"),
        ('position.a = ["a1 population 0"]', "a1: population must be from 1 to 6"),
        ('position.a = ["a1 food 2"]', "a1: it has more food than its population"),
        ('position.a = ["a1 fat 1"]', "a1: it has fat without fat_tissue"),
        ('position.a = ["a1 fat 2: fat_tissue"]', "a1: it has more fat than its body size"),
        ('position.a = ["a1: horns 1, horns 2"]', "a1: it has one trait twice"),
        ('position.a = ["a1: horns, ambush, climbing"]', "a1: it has more than 2 traits"),
        ('position.a = ["a1: wings"]', "'wings' is not a card of this game"),
        ("position.screens = { a = -1 }", "screens of a must be a number from 0 to 9999"),
    ],
)  # fmt: skip
def test_an_impossible_position_in_a_rule_case_is_refused_with_the_reason(
    tmp_path: Path, position: str, said: str
) -> None:
    text = HEAD + f'phase = "feed"\n{position}\n[case.then]\nnext = ""'
    with pytest.raises(BadCase, match=r"case\.toml: case x: ") as error:
        run_files([case_file(tmp_path, text)])
    assert said in str(error.value)


def test_a_case_file_that_is_missing_or_a_folder_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(BadCase, match=r"nothing\.toml: cannot be read: there is no such file$"):
        run_files([tmp_path / "nothing.toml"])
    with pytest.raises(BadCase, match=r"cannot be read: it is a folder"):
        run_files([tmp_path])


# ------------------------------------------------------------------ names as people write them
@pytest.mark.parametrize("name", ["long_neck", "long neck", "long-neck"])
def test_a_rule_case_may_write_names_with_spaces_or_hyphens(tmp_path: Path, name: str) -> None:
    text = (
        HEAD
        + f"""phase = "play"
position.a = ["a1: {name} 4, horns"]
position.b = ["b1: {name}"]
position.hands = {{ a = ["{name} 3", "fat tissue -1"], b = ["{name} 9"] }}
position.deck = ["{name} 5"]
position.discards = ["{name} 6"]
[[case.step]]
ask = "a play"
offers = ["drop 1 of a1: {name} 4", "{name} 3: a1 body", "fat-tissue -1: a1 body"]
refuses."[{name} 9] on a1" = "long_neck 9 is not in your hand"
answer = "{name} 3: a1 body"
then.a.hand = ["fat tissue -1"]
then.a1.cards = ["{name} 4", "horns 1"]
then.b1.traits = ["{name}"]
seen.b.discards = ["{name} 6", "{name} 3"]
"""
    )
    assert not case_differences(tmp_path, text)


def test_texts_that_players_read_are_compared_as_they_are(tmp_path: Path) -> None:
    text = (
        HEAD
        + """phase = "play"
position.a = ["a1: long neck"]
position.hands = { a = ["long neck 9"] }
[[case.step]]
ask = "a play"
refuses."[long neck 9] on a1" = "a1 has long neck already"
"""
    )
    assert not case_differences(tmp_path, text)


def test_cases_of_origin_and_climate_may_write_names_with_spaces_too(tmp_path: Path) -> None:
    text = """
game = "origin"
[[case]]
id = "x"
title = "a case"
source = "nowhere"
seats = "ab"
phase = "feeding"
position.a = ["a1 red 1: high-body weight, burrowing/fat-tissue as fat tissue, tail loss"]
position.b = ["b1: hibernation-ability used"]
then.a1.traits = ["high body weight", "fat-tissue", "tail_loss"]
"""
    assert not case_differences(tmp_path, text)
    text = text.replace("origin", "climate").replace("feeding", "reveal")
    text = (
        text.partition("position.a")[0]
        + """position.zone = "ice age"
position.events = { cold = "cold snap", hot = "heat-wave" }
position.a = ["a1 population 6: heavy fur"]
then = { zone = "ice age", events = { cold = "cold-snap", hot = "heat wave" }, a1.population = 6 }
"""
    )
    assert not case_differences(tmp_path, text)


# ------------------------------------------------------------------ positions of origin
@pytest.mark.parametrize(
    ("phase", "position", "said"),
    [
        ("feeding", "round = 3, b = ['b1 slept 4: hibernation_ability']", "b1: 'slept 4' must"),
        ("feeding", "round = 3, b = ['b1 slept 3: hibernation_ability']", "b1: 'slept 3' must"),
        ("feeding", "round = 3, b = ['b1 slept 2']", "b1: it has slept before, but"),
        (
            "feeding", "round = 3, last = 3, b = ['b1 hibernating: hibernation_ability']",
            "b1: nobody hibernates in the last round",
        ),
        (
            "feeding", "deck_left = 0, b = ['b1 hibernating: hibernation_ability']",
            "b1: nobody hibernates in the last round",
        ),
        ("development", "bank = 3", "bank is 3, but no dice have been rolled when 'development'"),
        ("food", "bank = 3", "bank is 3, but no dice have been rolled when 'food' begins"),
        ("feeding", "round = 4, last = 3", "but this is round 4: the game would be over"),
    ],
)  # fmt: skip
def test_an_impossible_position_of_origin_is_refused_with_the_reason(
    tmp_path: Path, phase: str, position: str, said: str
) -> None:
    text = HEAD.replace("evolution", "origin") + f'phase = "{phase}"\n'
    text += f'position = {{ {position} }}\nthen.next = ""'
    with pytest.raises(BadCase) as error:
        run_files([case_file(tmp_path, text)])
    assert said in str(error.value)


def test_animals_of_origin_that_sleep_or_slept_may_stand_in_a_position(tmp_path: Path) -> None:
    text = (
        HEAD.replace("evolution", "origin")
        + """phase = "feeding"
position.round = 3
position.last = 4
position.bank = 4
position.a = ["a1 slept 2: hibernation_ability", "a2 red 1 hibernating: tail_loss"]
position.b = ["b1 red 1 hibernating: hibernation_ability, carnivorous"]
then.bank = 4
"""
    )
    assert not case_differences(tmp_path, text)


def test_a_misspelt_kind_of_question_in_a_rule_case_gets_a_suggestion(tmp_path: Path) -> None:
    (found,) = case_differences(tmp_path, STEP.replace('"a feed"', '"a fed"') + 'answer = "pass"')
    assert found == "step 1: the game asks 'a feed' now, not 'a fed'; did you mean 'feed'?"


# ------------------------------------------------------------------ what is printed
def test_the_runner_prints_how_many_cases_passed_without_differences(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([case_file(tmp_path, FEED + "then.hole = 3")]) == 0
    assert capsys.readouterr().out == "1 case, no differences.\n"


def test_the_runner_prints_each_difference_below_its_case(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = case_file(tmp_path, FEED + "then = { hole = 4, round = 2 }")
    assert main([path]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{path}: x: a case (nowhere)",
        "    hole is 3, not 4",
        "    round is 1, not 2",
        "1 of 1 case did not come out as expected.",
    ]


def test_the_runner_prints_differences_as_json_if_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = case_file(tmp_path, FEED + "then.hole = 4")
    assert main([path], json=True) == 1
    assert json.loads(capsys.readouterr().out) == {
        "cases": 1,
        "failed": 1,
        "differences": [
            {
                "file": str(path),
                "id": "x",
                "title": "a case",
                "source": "nowhere",
                "differences": ["hole is 3, not 4"],
            }
        ],
    }


def test_a_case_file_that_is_not_toml_gets_one_line_and_no_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([case_file(tmp_path, "game")]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("error: ")
    assert len(printed.err.splitlines()) == 1


# ------------------------------------------------------------------ the documentation
EXAMPLES = re.findall(r"^```toml\n(.*?)^```", DOCS.read_text("utf-8"), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_of_the_page_on_rule_cases_pass(tmp_path: Path, example: str) -> None:
    assert not case_differences(tmp_path, example)


def test_the_page_on_rule_cases_has_at_least_three_examples() -> None:
    assert len(EXAMPLES) >= 3


def test_the_example_of_the_issue_template_passes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    template = DOCS.parents[1] / ".github" / "ISSUE_TEMPLATE" / "rule-dispute.md"
    (example,) = re.findall(r"^```toml\n(.*?)^```", template.read_text("utf-8"), re.DOTALL | re.M)
    assert main([case_file(tmp_path, example)]) == 0
    assert capsys.readouterr().out == "1 case, no differences.\n"
