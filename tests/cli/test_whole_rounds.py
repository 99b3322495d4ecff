"""A round in one wave: orders for the whole round are sent before they are asked for, and waited
for if the charter says so."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.game_folders import turn_file_text
from tests.kit.bot_orders import WHOLE
from tests.kit.named_games import made, sit
from tests.kit.people import NOW, Person, Round

SEATS = {"a": "ann", "b": "bo", "c": "cy"}


@pytest.fixture
def origin_table(tmp_path: Path) -> Round:
    table = Round(tmp_path)
    made(table, "--game origin --players Ann,Bo,Cy --referee Rhea --deadline 24h --wait-for-all")
    for seat in SEATS:
        sit(table, seat)
    assert advance_output(table).exit == 0
    return table


def advance_output(table: Round, more: str = "", now: int = NOW):
    env = {"SOURCE_DATE_EPOCH": str(now)}
    return table.person("rhea").pbem(f"advance -C savannah {more}", **env)


def asked_seats(table: Round) -> list[str]:
    """The seats that the last turn asks."""
    said = table.person("rhea").pbem("status -C savannah --json")
    seats = json.loads(said.out)["data"]["seats"]
    return [seat for seat, told in sorted(seats.items()) if told["asked"]]


def player_in_seat(table: Round, seat: str) -> Person:
    return table.person(SEATS[seat])


def send(table: Round, seat: str, text: str = WHOLE):
    who = player_in_seat(table, seat)
    mine = table.root / f"{seat}.toml"
    mine.write_text(text)
    return who.pbem(["submit", str(mine), "-C", "savannah"]).checked(0)


@pytest.mark.sample(0)
def test_the_referee_waits_for_the_orders_of_those_who_are_asked_later(origin_table: Round) -> None:
    (first,) = asked_seats(origin_table)
    later = sorted(SEATS.keys() - {first})
    told = player_in_seat(origin_table, later[0]).pbem("status -C savannah").out
    assert (
        "you have not been asked yet, but the game is waiting for your orders for this round"
    ) in told
    assert told.endswith("next: pbem submit --edit, or pbem play\n")
    send(origin_table, first)
    people = [SEATS[seat].capitalize() for seat in later]
    who = f"{', '.join(people[:-1])} and {people[-1]}"
    told = player_in_seat(origin_table, first).pbem("status -C savannah").out
    assert f"everyone who was asked has answered; the next turn is waiting for {who}" in told
    assert told.endswith(f"next: wait for {who}\n")
    told = origin_table.person("rhea").pbem("status -C savannah").out
    assert told.endswith(f"next: wait for {who}, then pbem advance\n")
    said = advance_output(origin_table)
    assert said.exit == 5
    names = ", ".join(f"{seat} {SEATS[seat].capitalize()}" for seat in later)
    assert (
        f"this game needs the orders of every player for the whole round; waiting for: {names}"
    ) in said.err
    for seat in later:
        send(origin_table, seat)
    assert advance_output(origin_table).exit == 0
    view = origin_table.person("rhea").pbem("show -C savannah")
    assert "round 2" in view.out.lower()  # the whole round was played: development begins again


@pytest.mark.long
def test_a_player_who_sends_no_orders_for_the_round_is_asked_in_turn(origin_table: Round) -> None:
    (first,) = asked_seats(origin_table)
    later = sorted(SEATS.keys() - {first})
    send(origin_table, first)
    for seat in later:
        send(origin_table, seat, "")
    assert advance_output(origin_table).exit == 0
    (second,) = asked_seats(origin_table)
    assert second in later


def test_a_turn_waits_for_those_who_are_asked_later_until_the_deadline(origin_table: Round) -> None:
    (first,) = asked_seats(origin_table)
    send(origin_table, first)
    assert advance_output(origin_table).exit == 5
    said = advance_output(origin_table, now=NOW + 25 * 3600)
    assert said.exit == 0, said.text


@pytest.mark.sample(0)
def test_with_no_wait_a_turn_is_made_before_all_have_answered(origin_table: Round) -> None:
    (first,) = asked_seats(origin_table)
    send(origin_table, first)
    assert json.loads(advance_output(origin_table, "--json").out)["data"]["held"] == sorted(
        SEATS.keys() - {first}
    )
    assert advance_output(origin_table, "--no-wait").exit == 0
    assert asked_seats(origin_table) != [first]


LATE = NOW + 25 * 3600


def named_silent(table: Round, number: int) -> list[str]:
    found = re.search(
        r"^silent = \[\n(.*?)^\]", turn_file_text(table, number), re.MULTILINE | re.DOTALL
    )
    return re.findall(r'"(.)"', found[1]) if found else []


@pytest.mark.sample(0)
def test_a_silent_player_who_is_not_asked_yet_costs_no_second_deadline(origin_table: Round) -> None:
    """The deadline ends the wait for those who are not asked yet, too: they are absent as well."""
    (first,) = asked_seats(origin_table)
    quiet, heard = (2 * "abc").partition(first)[2][:2]
    send(origin_table, first)
    send(origin_table, heard, "")  # this player wants to see more first
    assert advance_output(origin_table, now=LATE).exit == 0
    assert named_silent(origin_table, 2) == [quiet]
    assert asked_seats(origin_table) == [heard]
    send(origin_table, heard)
    said = advance_output(origin_table, now=LATE + 60)
    assert said.exit == 0, said.text  # the rest of the round goes on without a third deadline
    assert named_silent(origin_table, 3) == []
    assert origin_table.person("rhea").pbem("audit savannah").exit == 0


def test_a_round_in_which_everybody_is_silent_costs_one_deadline(origin_table: Round) -> None:
    said = advance_output(origin_table, now=LATE)
    assert said.exit == 0, said.text
    assert named_silent(origin_table, 2) == ["a", "b", "c"]
    assert any(
        line.startswith('key = "1.extinction')
        for line in turn_file_text(origin_table, 2).splitlines()
    )


@pytest.mark.sample(0)
def test_standing_orders_answer_for_a_player_who_is_not_asked_yet(origin_table: Round) -> None:
    """Orders of an earlier round may answer by their standing lines: then nobody is silent."""
    for seat in SEATS:
        standing = WHOLE.partition("feed")
        send(
            origin_table,
            seat,
            standing[0] + '[always]\ndevelop = ["pass"]\n' + "feed" + standing[2],
        )
    assert advance_output(origin_table).exit == 0
    (now,) = asked_seats(origin_table) or [""]
    assert not now or advance_output(origin_table, now=LATE).exit == 0
    assert named_silent(origin_table, 2) == []
