"""People who play on with bots' answers, so that a test can get to the moment it is about."""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pbem.desk.advance import bot_texts
from pbem.desk.orders import send
from tests.kit.named_games import SEATS, made, session_of, sit
from tests.kit.people import NOW, Person, Round

NOBODY: Mapping[str, str] = MappingProxyType({})


def three(table: Round, more: str = "") -> Person:
    """Ann, Bo and Cy, asked by turn 1; returns the referee."""
    made(table, f"--players Ann,Bo,Cy --referee Rhea --deadline 24h {more}")
    for seat in "abc":
        sit(table, seat)
    rhea = table.person("rhea")
    assert rhea.pbem("advance -C savannah").exit == 0
    return rhea


def answer_all(table: Round, seats: str, others: Mapping[str, str] = NOBODY) -> None:
    """Each of these seats answers whatever it is asked; `others`: seats with new players."""
    for seat in [*seats, *others]:
        person = session_of(table.person(others.get(seat, SEATS.get(seat, ""))))
        person.refresh()
        reader = person.reader(seat)
        if seat in reader.chain.awaited and not reader.chain.over:
            send(person, reader, seat, bot_texts(reader, "greedy"))


def play_on(
    table: Round, seats: str, turns: int = 500, now: int = NOW, others: Mapping[str, str] = NOBODY
) -> None:
    """Make so many turns, or play to the end; these seats answer, nobody else does."""
    rhea = table.person("rhea")
    for _ in range(turns):
        answer_all(table, seats, others)
        said = rhea.pbem(f"advance -C savannah --json --now {now}")
        assert said.exit == 0, said.text
        if json.loads(said.out)["data"]["over"]:
            return
    assert turns < 500


def status_data(person: Person) -> dict[str, Any]:
    """What `status --json` says."""
    said = person.pbem("status -C savannah --json")
    assert said.exit == 0, said.text
    data: dict[str, Any] = json.loads(said.out)["data"]
    return data
