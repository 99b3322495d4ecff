"""A round in one wave: orders for the whole round are sent before they are asked for, and waited
for if the charter says so."""

import json
from pathlib import Path

import pytest

from tests.cli.games import made, sit
from tests.cli.people import NOW, Person, Round

SEATS = {"a": "ann", "b": "bo", "c": "cy"}
WHOLE = """develop = ["pass"]
feed = ["prey first, then whom a token helps most"]
also = ["whatever still feeds somebody"]
defend = ["run, else lose a card, else mimicry"]
scavenge = ["whom it helps most"]
share = ["whom it helps most"]
"""


@pytest.fixture
def table(tmp_path: Path) -> Round:
    table = Round(tmp_path)
    made(table, "--game origin --players Ann,Bo,Cy --referee Rhea --deadline 24h --wait-for-all")
    for seat in SEATS:
        sit(table, seat)
    assert advance(table).exit == 0
    return table


def advance(table: Round, more: str = "", now: int = NOW):
    env = {"SOURCE_DATE_EPOCH": str(now)}
    return table.person("rhea").pbem(f"advance -C savannah {more}", **env)


def asked(table: Round) -> list[str]:
    """The seats that the last turn asks."""
    said = table.person("rhea").pbem("status -C savannah --json")
    seats = json.loads(said.out)["data"]["seats"]
    return [seat for seat, told in sorted(seats.items()) if told["asked"]]


def player(table: Round, seat: str) -> Person:
    return table.person(SEATS[seat])


def send(table: Round, seat: str, text: str = WHOLE):
    who = player(table, seat)
    mine = table.root / f"{seat}.toml"
    mine.write_text(text)
    said = who.pbem(["submit", str(mine), "-C", "savannah"])
    assert said.exit == 0, said.text
    return said


def test_the_referee_waits_for_those_who_are_asked_later(table: Round) -> None:
    (first,) = asked(table)
    later = sorted(SEATS.keys() - {first})
    told = player(table, later[0]).pbem("status -C savannah").out
    assert "you are not asked yet, but the game waits for your orders for this round" in told
    send(table, first)
    said = advance(table)
    assert said.exit == 5
    names = ", ".join(f"{seat} {SEATS[seat].capitalize()}" for seat in later)
    assert f"waiting for orders for the whole round, as the charter says: {names}" in said.err
    for seat in later:
        send(table, seat)
    assert advance(table).exit == 0
    view = table.person("rhea").pbem("show -C savannah")
    assert "turn 2" in view.out.lower()  # the whole game turn was played: development begins again


def test_who_sends_less_is_asked_in_turn(table: Round) -> None:
    (first,) = asked(table)
    later = sorted(SEATS.keys() - {first})
    send(table, first)
    for seat in later:
        send(table, seat, "")
    assert advance(table).exit == 0
    (second,) = asked(table)
    assert second in later


def test_the_referee_may_go_on_and_the_deadline_does(table: Round) -> None:
    (first,) = asked(table)
    send(table, first)
    assert advance(table).exit == 5
    said = advance(table, now=NOW + 25 * 3600)
    assert said.exit == 0, said.text


def test_no_wait(table: Round) -> None:
    (first,) = asked(table)
    send(table, first)
    assert json.loads(advance(table, "--json").out)["data"]["held"] == sorted(
        SEATS.keys() - {first}
    )
    assert advance(table, "--no-wait").exit == 0
    assert asked(table) != [first]
