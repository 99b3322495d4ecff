"""Commands say the same about the same truth: who has answered, whose move it is, who gets what."""

import json
from collections.abc import Callable
from pathlib import Path
from shutil import rmtree

import pytest

from tests.cli.drafted import draft_text, offered_choices, printed_by
from tests.kit.named_games import invite
from tests.kit.people import Person, Round, Said

Start = Callable[[str], Round]


def game_with_seats(table: Round, options: str, seats: str = "ab") -> Round:
    """A game with these options whose players have joined."""
    assert table.person("rhea").pbem(f"new savannah --referee Rhea {options}").exit == 0
    for seat, name in zip(seats, ("ann", "bo", "cy"), strict=False):
        said = table.person(name).pbem(["join", "-C", "savannah", "--invite", invite(table, seat)])
        assert said.exit == 0, said.text
    return table


@pytest.fixture
def game_with_joins(table: Round) -> Round:
    """A game of `evolution` that has not begun; Ann and Bo have joined."""
    return game_with_seats(table, "--players Ann,Bo")


@pytest.fixture
def classroom_course(table: Round) -> Round:
    """A game of `classroom` that asks all three players for the choice of the round."""
    game_with_seats(table, "--game classroom --players Ann,Bo,Cy", "abc")
    assert table.person("rhea").pbem("advance -C savannah").exit == 0
    return table


def first_two_card_choice(person: Person) -> list[str]:
    """The first card as the food card, and another card for the body of the first species."""
    lines = offered_choices(person)
    food = next(line for line in lines if line.startswith("food "))
    body = [line for line in lines if line.endswith("1 body")]
    return [food, next(line for line in body if not line.startswith(food.removeprefix("food ")))]


def submit_choice(person: Person, *choice: str) -> Said:
    return person.pbem("submit -C savannah -", f"choice = {json.dumps(choice)}\n")


def test_a_list_without_its_last_line_done_is_sealed_with_done(classroom_course: Round) -> None:
    ann, lines = (
        classroom_course.person("ann"),
        first_two_card_choice(classroom_course.person("ann")),
    )
    assert 'the last must be "done".' in draft_text(ann)
    said = submit_choice(ann, *lines)
    assert (said.exit, said.out.count("SEALED here as")) == (0, 1)
    assert "the lines of choice did not end with “done”, so pbem added “done”" in said.out
    assert "you still have to answer" not in printed_by(ann, "status")
    assert "YOUR MOVE" not in ann.pbem("list").out


@pytest.mark.sample(0)
def test_an_empty_list_is_no_answer_and_all_commands_say_so(classroom_course: Round) -> None:
    ann = classroom_course.person("ann")
    said = submit_choice(ann).checked(0)
    assert "these orders do not answer choice, so you still have to answer" in said.out
    assert said.out.splitlines()[-1] == "next: pbem submit --edit, or pbem play"
    status = printed_by(ann, "status")
    assert "your sealed orders do not answer choice, so you still have to answer" in status
    assert status.splitlines()[-1] == "next: pbem submit --edit, or pbem play"
    assert "YOUR MOVE" in ann.pbem("list").out
    assert "your orders for turn 1 (choice)" in ann.pbem("calendar").out
    rhea = classroom_course.person("rhea")
    note = "note: the orders of a Ann leave a question unanswered: tell that player"
    for typed in ("status", "advance"):
        assert note in rhea.pbem(f"{typed} -C savannah").text
    waits = "next: wait for Ann, Bo and Cy, then pbem advance"
    assert printed_by(rhea, "status").splitlines()[-1] == waits
    listed = " ".join(rhea.pbem("list").out.split())
    assert "the game is waiting for Ann, Bo and Cy" in listed


@pytest.mark.sample(0)
def test_a_list_that_ends_with_done_is_an_answer(classroom_course: Round) -> None:
    ann, lines = (
        classroom_course.person("ann"),
        first_two_card_choice(classroom_course.person("ann")),
    )
    said = submit_choice(ann, *lines, "done")
    assert (said.exit, "do not answer" in said.out) == (0, False)
    assert "does not count" not in said.out
    assert "you still have to answer" not in printed_by(ann, "status")
    assert "YOUR MOVE" not in ann.pbem("list").out
    assert "your orders for turn 1" not in ann.pbem("calendar").out
    assert "answered: a Ann" in classroom_course.person("rhea").pbem("advance -C savannah").text


def test_a_line_after_done_is_an_error(classroom_course: Round) -> None:
    ann, (food, body) = (
        classroom_course.person("ann"),
        first_two_card_choice(classroom_course.person("ann")),
    )
    said = submit_choice(ann, food, "done", body)
    assert (said.exit, "SEALED" in said.out) == (1, False)
    assert 'comes after "done", which must be the last line of the list' in said.text
    assert 'hint: move "done" to the end of the list, or put a # before this line' in said.text


def test_orders_typed_for_another_seat_get_one_error(classroom_course: Round) -> None:
    ann, bo = classroom_course.person("ann"), classroom_course.person("bo")
    lines = first_two_card_choice(bo)
    said = ann.pbem("check -C savannah -", f'seat = "b"\nchoice = {json.dumps(lines)}\n')
    assert (said.exit, said.text.count("error[")) == (1, 1), said.text
    assert "these orders are for seat b; you are in seat a" in said.text


@pytest.mark.sample(0)
def test_status_says_that_all_orders_are_here_if_they_answer_everything(classroom_course):
    for name in ("ann", "bo", "cy"):
        person = classroom_course.person(name)
        assert submit_choice(person, *first_two_card_choice(person), "done").exit == 0
    end = "if they answer every question, the referee, Rhea, makes the next turn"
    assert end in printed_by(classroom_course.person("ann"), "status")


@pytest.mark.sample(0)
def test_list_tells_a_referee_who_plays_to_publish_the_turn(game: Start) -> None:
    table = game("plays")
    rhea = table.person("rhea")
    rhea.pbem("advance -C savannah")
    assert "YOUR MOVE" in rhea.pbem("list").out
    food = f'food = ["{offered_choices(rhea)[0]}"]\n'
    assert rhea.pbem("submit --no-advance -C savannah -", food).exit == 0
    assert printed_by(rhea, "status").splitlines()[-1] == "next: pbem advance"
    line = rhea.pbem("list").out.splitlines()[0]
    assert ("ADVANCE NOW" in line, "deadline" in line) == (True, False)


def test_list_shows_a_moved_folder_once_a_command_was_typed_there(classroom_course: Round) -> None:
    ann = classroom_course.person("ann")
    printed_by(ann, "status")
    (classroom_course.shared / "savannah").rename(classroom_course.shared / "moved")
    assert ann.pbem("status -C moved").exit == 0
    assert ann.pbem("list").out.endswith(f"{classroom_course.shared / 'moved'}\n")


def test_commands_name_a_turn_whose_file_is_missing(game: Start) -> None:
    table = game("middle")
    ann = table.person("ann")
    assert ann.pbem("status -C savannah").exit == 0
    (table.shared / "savannah/turns/0007.toml").unlink()
    for command in ("status", "orders", "show"):
        said = ann.pbem(f"{command} -C savannah")
        assert (said.exit, "error: turns/0007.toml: this turn is missing" in said.err) == (
            5,
            True,
        ), said.text
    doctor = printed_by(ann, "doctor")
    assert "turns 1 to 14 (1 missing)" in doctor
    assert doctor.count("0007") == 1, "it is not reported twice"
    assert "nothing is wrong here" not in doctor


def test_a_spectator_without_a_key_is_not_told_that_a_key_is_lost(game_with_joins: Round) -> None:
    dora = game_with_joins.person("dora")
    rmtree(dora.home / "profiles")
    assert dora.pbem("status -C savannah").exit == 0
    assert dora.pbem("list").out.splitlines()[0].endswith("next: pbem join --invite …")
    said = printed_by(dora, "doctor")
    assert ("warning" in said, "there are no keys yet" in said) == (False, True)


@pytest.mark.sample(1)
@pytest.mark.parametrize("typed", [["Bo", "hello"], ["b", "hello"], ["Bo: hello"], ["Rhea", "hi"]])
def test_a_message_that_begins_with_a_name_is_not_written_without_to(classroom_course, typed):
    ann, press = classroom_course.person("ann"), classroom_course.shared / "savannah" / "press"
    said = ann.pbem(["tell", "-C", "savannah", *typed])
    who = typed[0].split(":")[0]
    assert said.exit == 2
    assert f"is this message only for {who}, or for all? Nothing was written" in said.err
    assert f"add --to {who}, or --to all" in said.err
    assert not press.exists()
    for to in (who, "all"):
        assert ann.pbem(["tell", "-C", "savannah", "--to", to, *typed]).exit == 0
    assert len(list(press.iterdir())) == 2
    heard = printed_by(classroom_course.person("cy"), "since")
    assert heard.count(" ".join(typed)) == 1  # the message to all


def test_a_message_to_all_may_begin_with_a_name_and_a_comma(classroom_course: Round) -> None:
    said = classroom_course.person("ann").pbem(["tell", "-C", "savannah", "Bo, hello"])
    assert (said.exit, "your message to all is in the folder" in said.out) == (0, True)


def test_send_writes_a_bundle_for_each_name(classroom_course: Round) -> None:
    classroom_course.person("rhea").pbem("send -C savannah --to b --to Cy --to c").checked(0)
    written = sorted(path.name for path in classroom_course.shared.glob("*.pbem"))
    assert written == ["savannah-0001-b.pbem", "savannah-0001-c.pbem"]


def test_receive_counts_the_files_that_it_could_only_keep(classroom_course: Round) -> None:
    ann, rhea = classroom_course.person("ann"), classroom_course.person("rhea")
    printed_by(ann, "status")
    assert rhea.pbem("send -C savannah --to a --all").exit == 0
    (classroom_course.shared / "savannah").rename(classroom_course.shared / "moved")
    said = ann.pbem("receive savannah-0001-a.pbem")
    (kept,) = (line for line in said.err.splitlines() if line.startswith("pbem has kept"))
    count_clause, _, folder = kept.partition(" files, unchanged, in the folder ")
    files = count_clause.removeprefix("pbem has kept ")
    assert (said.exit, int(files)) == (5, len(list(Path(folder).iterdir())))


def test_the_game_folder_is_given_with_or_without_its_option(classroom_course: Round) -> None:
    ann = classroom_course.person("ann")
    for command in ("audit", "doctor", "replay", "status"):
        assert ann.pbem(f"{command} -C savannah").exit == 0, command
    for command in ("audit", "replay"):
        said = ann.pbem(f"{command} savannah -C savannah")
        assert "folders both with -C and without it" in said.err, command
