"""What players and referees stumbled over once: each said plainly now, through the front door."""

import json
from collections.abc import Callable
from pathlib import Path
from shutil import rmtree

import pytest

from pbem.cli.held import bot_texts
from tests.cli.games import invite, session_of
from tests.cli.people import Person, Round, Said

Start = Callable[[str], Round]


def order_file(person: Person, seat: str = "") -> str:
    """Orders that answer everything, as a bot would."""
    session = session_of(person, seat)
    lines = bot_texts(session.reader_now(session.seat), "greedy")
    kinds: dict[str, list[str]] = {}
    for line in lines:
        kind, _, text = line.partition(": ")
        kinds.setdefault(kind, []).append(text)
    return "".join(f"{kind} = {json.dumps(texts)}\n" for kind, texts in kinds.items())


def answer(person: Person, typed: str | None = None) -> Said:
    """Hand in orders: these, or those of a bot."""
    said = person.pbem("submit -C savannah -", order_file(person) if typed is None else typed)
    assert said.exit == 0, said
    return said


def status(person: Person) -> str:
    return person.pbem("status -C savannah").out


# ---------------------------------------------------------------- a home above all games
@pytest.mark.parametrize("typed", ["status", "orders", "since"])
def test_where_no_game_lies_the_home_is_not_blamed(table: Round, typed: str) -> None:
    ann = table.person("ann")
    ann.place = ann.home.parent
    said = ann.pbem(typed)
    assert (said.exit, "is not a game's folder" in said.err) == (2, True)
    assert "PBEM_HOME" not in said.text
    assert "PBEM_HOME" not in ann.pbem("doctor").text
    assert ann.pbem("explain horns").exit == 0


# ---------------------------------------------------------------- heads
def test_a_referee_who_plays_sees_the_last_published_head_only(game: Start) -> None:
    table = game("plays")
    rhea = table.person("rhea")
    rhea.pbem("advance -C savannah")
    assert "not published yet" in rhea.pbem("status -C savannah").out
    assert "\nhead" not in rhea.pbem("status -C savannah").out
    answer(rhea)
    rhea.pbem("advance -C savannah")
    bo = table.person("bo")
    for _ in range(2):
        answer(bo)
        rhea.pbem("advance -C savannah")
    mine, his = (status(person) for person in (rhea, bo))
    assert ("turn 4: not published yet" in mine, "turn 3\n" in his) == (True, True)
    assert head_line(mine) == head_line(his)
    told = [json.loads(p.pbem("status --json -C savannah").out)["data"] for p in (rhea, bo)]
    assert told[0]["words"] == told[1]["words"]
    assert [one["published"] for one in told] == [3, 3]


def head_line(said: str) -> str:
    return next(line for line in said.splitlines() if line.startswith("head "))


# ---------------------------------------------------------------- a lost key
ROUND = ("status", "orders", "show --as a", "doctor", "check -", "submit -")


def lose_key(person: Person) -> Path:
    """The key file is gone; a copy lies elsewhere."""
    copy = person.home.with_name(f"{person.name}-copy")
    (person.home / "profiles/default/key").rename(copy)
    return copy


def test_a_lost_key_is_named_by_every_command(game: Start) -> None:
    table = game("begun")
    ann = table.person("ann")
    line = invite(table, "a")
    copy = lose_key(ann)
    told = "the key of seat a (Ann) is missing"
    for typed in ROUND:
        said = ann.pbem(f"{typed} -C savannah")
        assert told in said.text, said
        assert "pbem keys import FILE" in said.text
        assert "pbem join" not in said.text
        assert said.exit == (0 if typed in ("status", "doctor") else 4)
    said = ann.pbem(["join", "-C", "savannah", "--invite", line])
    assert (said.exit, told in said.err, "pbem keys import FILE" in said.err) == (3, True, True)
    assert "nothing is the matter" not in ann.pbem("doctor -C savannah").out
    assert status(ann).splitlines()[-1].startswith("next: pbem keys import FILE")
    assert ann.pbem(f"keys import {copy}").exit == 0
    assert "a Ann (you): MISSING" in status(ann)
    assert told not in status(ann) + ann.pbem("doctor -C savannah").text


def test_a_new_key_in_place_of_the_lost_one_is_no_cure(game: Start) -> None:
    table = game("begun")
    ann = table.person("ann")
    copy = lose_key(ann)
    assert ann.pbem("keys new").exit == 0
    assert "next: pbem keys import FILE --profile copy" in status(ann)
    assert ann.pbem(f"keys import {copy} --profile copy").exit == 0
    assert "a Ann (you): MISSING" in status(ann)


def test_a_new_computer_without_the_key_says_what_is_missing(game: Start) -> None:
    table = game("begun")
    ann = table.person("ann")
    line = invite(table, "a")
    rmtree(ann.home)
    for typed in ("status", "orders", "doctor"):
        said = ann.pbem(f"{typed} -C savannah")
        assert "you have no key on this computer" in said.text
        assert "pbem keys import FILE" in said.text
    said = ann.pbem(["join", "-C", "savannah", "--invite", line])
    assert (said.exit, "Ann sits in seat a" in said.err) == (3, True)
    assert "if that is you: pbem keys import FILE" in said.err


def test_before_the_game_a_lost_key_can_be_replaced(game: Start) -> None:
    table = game("joined")
    ann = table.person("ann")
    lose_key(ann)
    said = status(ann)
    assert "the key of seat a (Ann) is missing" in said
    assert "without a copy: join again with your invite, and tell Rhea" in said
    assert "next: pbem keys import FILE" in said


def test_a_referee_who_lost_the_key_is_told_so(game: Start) -> None:
    table = game("begun")
    rhea = table.person("rhea")
    assert "the referee's key" not in table.person("eve").pbem("advance -C savannah").text
    advanced = rhea.pbem("advance -C savannah")
    assert advanced.exit == 5
    lose_key(rhea)
    for typed in ("status", "advance", "doctor"):
        said = rhea.pbem(f"{typed} -C savannah")
        assert "the referee's key is missing" in said.text, said
        assert "pbem keys import FILE" in said.text
