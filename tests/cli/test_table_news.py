"""Since you last looked: which steps the table shows; they tell no more than a seat knows."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit.browser_players import begin_game, bot_plays, others_play, status_of_game
from tests.kit.people import Round
from tests.kit.table_requests import enter_game

Game = Callable[[str], Round]


def since(text: str) -> int:
    """The turn up to which the page says that somebody has looked."""
    return int(re.search(r'id="show-me" data-since="(\d+)"', text)[1])


def one_more_turn(table: Round) -> None:
    others_play(table)
    if status_of_game(table.person("ann"))["seats"]["a"]["asked"]:
        bot_plays(table.person("ann"), "a", whole=False)
    assert table.person("rhea").pbem("advance -C savannah").exit == 0


def steps_with_pictures(news: dict) -> list[dict]:
    """The steps, with their pictures instead of the numbers of pictures."""
    pictures = news["pictures"]
    steps = json.loads(json.dumps(news["steps"]))
    for step in steps:
        for part in (step, *step["places"]):
            for name in ("tracks", "facts", "tiles", "dice", "pieces", "hand"):
                part[name] = [pictures[n] for n in part.get(name, ())]
    return steps


@pytest.mark.sample(0)
def test_the_page_remembers_up_to_which_turn_somebody_has_looked(game: Game) -> None:
    table = game("middle")
    asking, path = enter_game(table, "ann")
    turn = status_of_game(table.person("ann"))["turn"]
    first = since(asking.get(path).text)
    assert 0 <= first < turn
    assert since(asking.get(path).text) == first, "looking again takes no news away"
    one_more_turn(table)
    assert since(asking.get(path).text) == turn
    assert since(asking.get(path).text) == turn
    one_more_turn(table)
    one_more_turn(table)
    again, _ = enter_game(table, "ann")  # the home remembers it, not the program
    assert since(again.get(path).text) == turn + 1
    looks = next(table.person("ann").home.glob("games/*/looks.toml"))
    for damaged in ("a = 7\n", "[1]\n", '["x", 2]\n', "[-5, 99]\n", "no TOML"):
        looks.write_text(f"turns.a = {damaged}")
        assert 0 <= since(again.get(path).text) < turn + 3


def test_each_step_of_the_news_says_who_ate_and_from_where(game: Game) -> None:
    asking, path = enter_game(game("middle"), "bo")
    news = json.loads(asking.get(f"{path}/news?since=3").text)
    assert '<button id="play"' in news["bar"]
    eats = [step for step in news["steps"] if step["said"] and step["said"][0].endswith(" eats")]
    assert eats
    for step in eats:
        (piece,) = (key.removeprefix("piece:") for key in step["named"])
        assert step["by"] == piece[0]
        assert re.search(rf"^{piece} food \d+ → \d+$", step["counts"][0])
        assert re.search(r"^watering hole \d+ → \d+$", step["counts"][-1])
        assert {f"piece:{piece}:food", "fact:watering hole"} <= {*step["changed"]}
    *each, whole = news["steps"][1:]
    assert whole["where"] == "all steps from turn 4 on, at once"
    assert whole["said"] == [line for step in each for line in step["said"]]
    assert whole["places"] != news["steps"][0]["places"]


def test_the_brief_news_have_at_most_six_steps_and_say_everything(game: Game) -> None:
    asking, path = enter_game(game("middle"), "bo")
    whole, brief = (
        json.loads(asking.get(f"{path}/news?since=3{ending}").text)["steps"]
        for ending in ("", "&brief=1")
    )
    assert len(whole) > 9
    assert len(brief) <= 7, "the table before, and six steps"
    lines = [line for step in brief[1:] for line in step["said"]]
    assert lines == [line for step in whole[1:-1] for line in step["said"]]
    places = ("facts", "pieces")
    ends = [[place[name] for place in steps[-1]["places"] for name in places]
            for steps in (brief, whole)]  # fmt: skip
    assert [len(x) for x in ends[0]] == [len(x) for x in ends[1]]
    notices = [[line for step in steps for line in step["notices"]] for steps in (brief, whole)]
    assert notices[0] == notices[1]


@pytest.mark.long
def test_a_step_of_the_news_shows_what_the_seat_could_see_at_that_time(game: Game) -> None:
    table = game("middle")
    asking, path = enter_game(table, "ann")
    before = steps_with_pictures(json.loads(asking.get(f"{path}/news?since=0").text))[:-1]
    for _ in range(3):
        one_more_turn(table)
    later = steps_with_pictures(json.loads(asking.get(f"{path}/news?since=0").text))[:-1]
    assert later[: len(before)] == before
    assert len(later) > len(before)
    assert not any(step["places"][1]["known"] for step in later)
    assert any(step["places"][0]["known"] for step in later)
    other, _ = enter_game(table, "eve")  # she has no seat
    steps = steps_with_pictures(json.loads(other.get(f"{path}/news?since=0").text))
    assert not any(place["known"] for step in steps for place in step["places"])


def test_dice_are_drawn_beside_what_is_said_of_them(tmp_path: Path) -> None:
    table = Round(tmp_path)
    begin_game(table, "origin")
    asking, path = enter_game(table, "ann")
    rolls = re.findall(r"<p>\w+ rolls (\d)(.*?)</p>", asking.get(path).text)
    assert len(rolls) >= 2
    for number, drawn in rolls:
        assert f'aria-label="a die that shows {number}"' in drawn
    assert "a die that shows" in asking.get(f"{path}/history?turn=1").text


def test_news_since_a_turn_that_does_not_exist_are_refused(game: Game) -> None:
    asking, path = enter_game(game("middle"), "ann")
    for wrong in ("99", "-1", "x"):
        answer = asking.get(f"{path}/news?since={wrong}", x_pbem_part="1")
        assert (answer.status, "bug" in answer.text) == (409, False)
