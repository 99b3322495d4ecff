"""Somebody new takes over a seat that was given up."""

import json
import re

import pytest

from pbem.person.own_and_pending_joins import own_joins, own_seat
from tests.kit.named_games import session_of
from tests.kit.people import NOW, Person, Round, output_of, stdout_of
from tests.kit.timed_games import begin_three, invite_line, play_on, status_data, take_over
from tests.notices.forging import turn_records


@pytest.mark.sample(0)
def test_a_new_player_takes_over_a_seat_that_was_given_up(table: Round) -> None:
    rhea, cy = begin_three(table), table.person("cy")
    play_on(table, "abc", turns=4)
    assert rhea.pbem("notice invite c -C savannah").exit == 5
    assert cy.pbem("notice leave -C savannah --yes").exit == 0
    play_on(table, "ab", turns=1)
    assert status_data(rhea)["seats"]["c"]["ready"] == "OPEN"
    held = cards_received(cy)
    assert (
        "seat c is open; to invite a new player: pbem notice invite c"
        in rhea.pbem("status -C savannah").out
    )
    flo = take_over(table, "flo", "c")
    said = flo.pbem("status -C savannah").out
    assert "you have joined seat c (" in said
    assert "): the seat is yours as soon as Rhea makes the next turn" in said
    assert "not accepted" not in said
    assert rhea.pbem("advance -C savannah").exit == 0
    assert "as soon as Rhea makes the next turn" not in flo.pbem("status -C savannah").out
    seats = status_data(flo)
    assert (seats["seat"], seats["seats"]["c"]["name"]) == ("c", "Flo")
    assert held
    assert cards_received(flo) == held
    told = flo.pbem("log -C savannah").out
    assert "a new player takes over seat c from Cy" in told
    assert "Cy gives up seat c" in told
    said = cy.pbem("orders -C savannah")
    assert said.exit == 4, said.text
    play_on(table, "ab", turns=2, others={"c": "flo"})
    assert status_data(flo)["seats"]["c"]["ready"] in ("MISSING", "ACCEPTED", "-")
    said = stdout_of(flo, "audit savannah --as c")
    assert "a new player takes over seat c from Cy" in said


def cards_received(person: Person) -> list[str]:
    """The cards that came to the seat of somebody, in brackets as only they can read them."""
    session = session_of(person)
    log = session.readers.seat("c").own_log
    return [entry.text for entry in log if "[" in entry.text and "[?]" not in entry.text]


@pytest.mark.long
def test_an_invite_used_by_two_people_gives_the_seat_to_neither_until_the_referee_decides(table):
    rhea, cy = begin_three(table), table.person("cy")
    assert cy.pbem("notice leave -C savannah --yes").exit == 0
    play_on(table, "ab", turns=1)
    line = invite_line(rhea, "c")
    digits = {}
    for name in ("flo", "eve"):
        person = table.person(name)
        said = person.pbem(["join", "-C", "savannah", "--name", name.title(), "--invite", line])
        assert said.exit == 0, said.text
        shown = person.pbem("status -C savannah").text
        (digits[name],) = set(re.findall(r"c-([0-9a-f]{6})\.toml|\(([0-9a-f]{6})\)", shown)[0]) - {
            ""
        }
    said = rhea.pbem("advance -C savannah")
    assert "seat c (Cy) has 2 joins" in said.text
    assert "phone the person you invited" in said.text
    assert f"Flo ({digits['flo']})" in said.text
    assert "next: pbem advance --accept DIGITS" in said.text
    assert status_data(rhea)["seats"]["c"]["name"] == "Cy"
    told = json.loads(rhea.pbem("advance -C savannah --json").out)["data"]["contested"]
    assert {one["id"][:6] for one in told["c"]} == {*digits.values()}
    said = output_of(rhea, f"advance -C savannah --accept {digits['flo']}")
    assert "have no effect" not in said
    assert status_data(rhea)["seats"]["c"]["name"] == "Flo"
    assert rhea.pbem("audit savannah").exit == 0


@pytest.mark.sample(0)
def test_an_invite_that_is_used_up_gives_nobody_else_the_seat(table: Round) -> None:
    """Eve joined with Flo's invite. Once a turn has taken Flo in, no join of Eve waits for one."""
    rhea, cy = begin_three(table), table.person("cy")
    assert cy.pbem("notice leave -C savannah --yes").exit == 0
    play_on(table, "ab", turns=1)
    line = invite_line(rhea, "c")
    for name in ("flo", "eve"):
        output_of(table.person(name), ["join", "-C", "savannah", "--invite", line, "--name", name])
    flo, eve = (session_of(table.person(name)) for name in ("flo", "eve"))
    assert [join and join.seat for join in map(own_seat, (flo, eve))] == ["c", "c"]
    (digits,) = {file.name.short_id for file in flo.listing.joins} & {
        record_id.hex()[:6] for record_id in own_joins(flo)
    }
    assert rhea.pbem(f"advance -C savannah --accept {digits}").exit == 0
    flo.refresh()
    eve.refresh()
    assert own_seat(flo) == flo.roster["c"]
    assert own_seat(eve) is None


@pytest.mark.sample(0)
def test_an_absence_of_the_old_player_is_not_the_new_players(table: Round) -> None:
    rhea = begin_three(table)
    bo = table.person("bo")
    assert bo.pbem("notice away -C savannah 2023-11-14..2024-01-20").exit == 0
    assert bo.pbem("notice leave -C savannah --yes").exit == 0
    play_on(table, "ac", turns=1)
    line = ["join", "-C", "savannah", "--name", "Flo", "--invite", invite_line(rhea, "b")]
    assert table.person("flo").pbem(line).exit == 0
    assert rhea.pbem("advance -C savannah").exit == 0
    seat = status_data(rhea)["seats"]["b"]
    assert (seat["name"], seat["away"]) == ("Flo", "")


def all_leave(table: Round) -> None:
    """Ann, Bo and Cy give up their seats in the middle of a round, while Bo is asked."""
    begin_three(table)
    play_on(table, "abc", turns=4)
    for name in ("ann", "bo", "cy"):
        assert table.person(name).pbem("notice leave -C savannah --yes").exit == 0


@pytest.mark.long
def test_if_all_players_leave_the_game_waits_for_new_ones(table: Round) -> None:
    all_leave(table)
    rhea, day = table.person("rhea"), 86_400
    assert rhea.pbem("advance -C savannah").exit == 0
    quiet = turn_records(table)[-1].content
    assert (quiet.log, len(quiet.notices), quiet.over) == ((), 3, False)
    assert rhea.pbem("advance -C savannah").exit == 5, "nobody plays on without them"
    told = rhea.pbem("status -C savannah").out
    for seat in "abc":
        assert f"seat {seat} is open; to invite a new player: pbem notice invite {seat}" in told
    # one deadline in each round
    assert rhea.pbem(f"advance -C savannah --now {NOW + day}").exit == 0
    assert rhea.pbem(f"advance -C savannah --now {NOW + day}").exit == 5
    last = turn_records(table)[-1].content
    assert (last.silent, last.over, last.awaited[0].seat) == (("b",), False, "a")
    flo = take_over(table, "flo", "b")
    assert rhea.pbem(f"advance -C savannah --now {NOW + day}").exit == 0
    seats = status_data(flo)["seats"]
    assert [seats[seat]["ready"] for seat in "abc"] == ["OPEN", "MISSING", "OPEN"]
    play_on(table, "", now=NOW + day, others={"b": "flo"})
    said = stdout_of(rhea, "audit savannah")
    assert "Proven" in said


@pytest.mark.long
def test_if_all_players_have_left_the_referee_can_end_the_game(table: Round) -> None:
    all_leave(table)
    rhea = table.person("rhea")
    assert rhea.pbem("advance -C savannah").exit == 0
    assert rhea.pbem("notice end --no-winner -C savannah").exit == 0
    said = output_of(rhea, "advance -C savannah")
    end = "Rhea voted to end the game without a winner, and nobody else had to agree"
    assert f"the game is over: {end}" in said
    assert rhea.pbem("audit savannah").exit == 0
