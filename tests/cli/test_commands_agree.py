"""Commands say the same about the same truth: who has answered, whose move it is, which keys count."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.games import invite
from tests.cli.people import Person, Round, Said

Start = Callable[[str], Round]


def seated(table: Round, options: str, seats: str = "ab") -> Round:
    """A game with these options whose players have joined."""
    assert table.person("rhea").pbem(f"new savannah --referee Rhea {options}").exit == 0
    for seat, name in zip(seats, ("ann", "bo", "cy"), strict=False):
        said = table.person(name).pbem(["join", "-C", "savannah", "--invite", invite(table, seat)])
        assert said.exit == 0, said.text
    return table


@pytest.fixture
def course(table: Round) -> Round:
    """A game of `classroom` that asks all three players for the choice of the round."""
    seated(table, "--game classroom --players Ann,Bo,Cy", "abc")
    assert table.person("rhea").pbem("advance -C savannah").exit == 0
    return table


def offered(person: Person) -> list[str]:
    """The choices that the draft of the orders offers as comments."""
    draft = Path(told(person, "orders").splitlines()[0]).read_text("utf-8")
    return re.findall(r'^    # "([^"]*)"', draft, re.M)


def steps(person: Person) -> list[str]:
    """The first card as the food card, and another card for the body of the first species."""
    lines = offered(person)
    food = next(line for line in lines if line.startswith("food "))
    body = [line for line in lines if line.endswith("1 body")]
    return [food, next(line for line in body if not line.startswith(food.removeprefix("food ")))]


def submit(person: Person, *choice: str) -> Said:
    return person.pbem("submit -C savannah -", f"choice = {json.dumps(choice)}\n")


def told(person: Person, line: str) -> str:
    return person.pbem(f"{line} -C savannah").out


# ---------------------------------------------------------------- a list that is one answer
def test_a_list_without_its_end_is_not_an_answer(course: Round) -> None:
    ann, lines = course.person("ann"), steps(course.person("ann"))
    said = submit(ann, *lines)
    assert (said.exit, said.out.count("SEALED here as")) == (0, 1)
    assert 'but the list does not count until it ends with "done"' in said.out
    assert "these orders do not answer choice, so you still have to answer" in said.out
    assert said.out.splitlines()[-1] == "next: pbem orders --edit, then pbem submit"
    status = told(ann, "status")
    assert "your sealed orders do not answer choice, so you still have to answer" in status
    assert status.splitlines()[-1] == "next: pbem orders --edit, then pbem submit"
    assert "YOUR MOVE" in ann.pbem("list").out
    assert "leave a question unanswered" in course.person("rhea").pbem("advance -C savannah").text


def test_a_complete_list_is_an_answer(course: Round) -> None:
    ann, lines = course.person("ann"), steps(course.person("ann"))
    said = submit(ann, *lines, "done")
    assert (said.exit, "do not answer" in said.out, "does not count" in said.out) == (0, False, False)
    assert "you still have to answer" not in told(ann, "status")
    assert "YOUR MOVE" not in ann.pbem("list").out
    assert "here: a Ann" in course.person("rhea").pbem("advance -C savannah").text


def test_a_line_after_the_end_of_such_a_list_is_an_error(course: Round) -> None:
    ann, (food, body) = course.person("ann"), steps(course.person("ann"))
    said = submit(ann, food, "done", body)
    assert (said.exit, "SEALED" in said.out) == (1, False)
    assert 'comes after "done", which must be the last line of the list' in said.text
    assert 'hint: move "done" to the end of the list, or put a # before this line' in said.text


def test_all_orders_are_here_if_they_answer_everything(course: Round) -> None:
    for name in ("ann", "bo", "cy"):
        person = course.person(name)
        assert submit(person, *steps(person), "done").exit == 0
    end = "the referee, Rhea, makes the next turn if they answer everything"
    assert end in told(course.person("ann"), "status")


# ---------------------------------------------------------------- list and status
def test_list_tells_a_referee_who_plays_to_publish_the_turn(game: Start) -> None:
    table = game("plays")
    rhea = table.person("rhea")
    rhea.pbem("advance -C savannah")
    assert "YOUR MOVE" in rhea.pbem("list").out
    food = f'food = ["{offered(rhea)[0]}"]\n'
    assert rhea.pbem("submit -C savannah -", food).exit == 0
    assert told(rhea, "status").splitlines()[-1] == "next: pbem advance"
    line = rhea.pbem("list").out.splitlines()[0]
    assert ("ADVANCE NOW" in line, "deadline" in line) == (True, False)
