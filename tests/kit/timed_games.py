"""Games with a deadline, in which a test sets the clock; bots answer for people until the moment
that a test is about.

For example:

    rhea = begin_two(table, "24h")  # Ann and Bo, asked by turn 1
    answer_with_card(table, "a")
    answer_with_card(table, "b", now=NOW + 2 * HOUR)
    assert rhea.pbem(f"advance -C savannah --now {NOW + 3 * HOUR}").exit == 0
    assert status_data(rhea)["turn"] == 2
"""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from tests.kit.named_games import SEATS, answer_as_bot, made, session_of, sit
from tests.kit.people import NOW, Person, Round

NOBODY: Mapping[str, str] = MappingProxyType({})


def begin_three(table: Round, more: str = "") -> Person:
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
        answer_as_bot(person, seat)


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


HOUR, DAY = 3600, 86400


def charter_text(table: Round) -> str:
    return (table.shared / "savannah" / "game.toml").read_text()


def begin_two(table: Round, deadline: str, more: str = "") -> Person:
    """Turn 1 asks Ann and Bo; returns the referee."""
    made(table, f"--players Ann,Bo --referee Rhea --deadline '{deadline}' {more}")
    for seat in "ab":
        sit(table, seat)
    rhea = table.person("rhea")
    assert rhea.pbem("advance -C savannah").exit == 0
    return rhea


def answer_with_card(table: Round, seat: str, now: int = NOW, card: int = 0) -> None:
    """Food: this card of the hand."""
    person = table.person(SEATS[seat])
    assert person.pbem("orders -C savannah").exit == 0
    (draft,) = person.home.glob(f"games/*/drafts/*-{seat}.toml")
    hand = [line.strip(" #,") for line in draft.read_text().splitlines() if line[:7] == '    # "']
    said = person.pbem(
        "submit -C savannah -", f"food = [{hand[card]}]\n", SOURCE_DATE_EPOCH=str(now)
    )
    assert said.exit == 0, said.text


def begin_with_deputy(table: Round, more: str = "") -> Person:
    """Ann and Bo, asked by turn 1; Rhea deals, and Flo is her deputy. Returns Flo."""
    flo = table.person("flo")
    said = flo.pbem("keys deputy")
    assert said.exit == 0, said.text
    line = said.out.strip()
    made(table, f"--players Ann,Bo --referee Rhea --deadline 24h --deputy Flo={line} {more}")
    for seat in "ab":
        sit(table, seat)
    assert table.person("rhea").pbem("advance -C savannah").exit == 0
    return flo


def invite_line(rhea: Person, seat: str) -> str:
    said = rhea.pbem(f"notice invite {seat} -C savannah --json")
    assert said.exit == 0, said.text
    return str(json.loads(said.out)["data"]["invite"])


def take_over(table: Round, name: str, seat: str) -> Person:
    """A new player takes over a seat that is open; returns them."""
    rhea, new = table.person("rhea"), table.person(name)
    line = invite_line(rhea, seat)
    said = new.pbem(["join", "-C", "savannah", "--name", name.title(), "--invite", line])
    assert said.exit == 0, said.text
    return new
