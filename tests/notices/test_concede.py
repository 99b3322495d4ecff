"""Somebody concedes: at the front door, in the audit, from a checkpoint and by mail."""

import json

import pytest

from tests.kit.people import Person, Round, Said, stdout_of
from tests.kit.timed_games import answer_with_card, begin_three, begin_two, play_on, status_data


@pytest.mark.sample(0)
def test_a_game_goes_on_without_the_player_who_concedes(table: Round) -> None:
    rhea, bo = begin_three(table), table.person("bo")
    said = bo.pbem("notice concede -C savannah")
    assert said.exit == 2
    assert "you cannot take a concession back" in said.err
    said = stdout_of(bo, "notice concede -C savannah --yes")
    assert "the notice takes effect when Rhea makes a turn that contains it" in said
    told = rhea.pbem("status -C savannah").out
    assert (
        "the notice is signed, and takes effect with the next turn: “Bo concedes the game" in told
    )
    again = bo.pbem("notice concede -C savannah --yes")
    assert (again.exit, "SIGNED here already, as" in again.out) == (0, True), again
    play_on(table, "ac", turns=3)
    again = bo.pbem("notice concede -C savannah --yes")
    assert again.exit == 2
    assert "the seat has conceded" in again.err
    assert status_data(rhea)["seats"]["b"]["ready"] == "CONCEDED"
    told = bo.pbem("status -C savannah").out
    assert "you have conceded" in told
    assert "  Bo concedes the game" in bo.pbem("log -C savannah").out
    rows = json.loads(bo.pbem("log -C savannah --json").out)["notices"]
    assert rows == [{"turn": 2, "from": "b", "about": "concede", "text": "Bo concedes the game"}]


@pytest.mark.sample(0)
def test_a_game_in_which_somebody_concedes_ends_and_is_proven(table: Round) -> None:
    rhea = begin_two(table, "24h")
    assert table.person("bo").pbem("notice concede -C savannah --yes").exit == 0
    play_on(table, "a", turns=6)
    assert table.person("ann").pbem("notice end -C savannah").exit == 0  # nobody else plays
    assert rhea.pbem("advance -C savannah").exit == 0
    assert status_data(rhea)["over"]
    told = table.person("ann").pbem("status -C savannah").out
    assert "2. b Bo:" in told
    assert "Ann wins" in told
    said = rhea.pbem("audit savannah")
    assert (said.exit, "Proven" in said.out) == (0, True), said.text


@pytest.mark.long
def test_orders_of_a_seat_that_conceded_do_not_count(table: Round) -> None:
    rhea = begin_three(table)
    answer_with_card(table, "b")
    assert table.person("bo").pbem("notice concede -C savannah --yes").exit == 0
    for seat in "ac":
        answer_with_card(table, seat)
    assert rhea.pbem("advance -C savannah").exit == 0
    turn = (table.shared / "savannah" / "turns" / "0002.toml").read_text()
    assert 'about = "concede"' in turn
    assert turn.count('status = "accepted"') == 2
    assert rhea.pbem("audit savannah").exit == 0


@pytest.mark.sample(0)
def test_a_notice_goes_by_mail_both_ways(table: Round) -> None:
    rhea, bo = begin_two(table, "24h"), table.person("bo")
    assert bo.pbem("notice concede -C savannah --yes").exit == 0
    mail_and_lose(bo, rhea, "send -C savannah --paste")
    answer_with_card(table, "a")
    assert rhea.pbem("advance -C savannah").exit == 0
    said = mail_and_lose(rhea, table.person("ann"), "send -C savannah --to Ann --paste")
    assert said.exit == 0, said.text
    assert rhea.pbem("audit savannah").exit == 0


def mail_and_lose(one: Person, other: Person, command: str) -> Said:
    """Send the notices that are here by mail, and lose them before they come."""
    sent = stdout_of(one, command)
    for found in (one.place / "savannah" / "notices").iterdir():
        found.unlink()
    (other.home / "mail.pbem").write_text(sent)
    said = other.pbem(["receive", str(other.home / "mail.pbem"), "-C", "savannah"])
    assert "1 notice" in said.out, said.text
    return said


def test_a_listed_notice_that_is_missing_is_named(table: Round) -> None:
    rhea = begin_two(table, "24h")
    assert table.person("bo").pbem("notice concede -C savannah --yes").exit == 0
    answer_with_card(table, "a")
    assert rhea.pbem("advance -C savannah").exit == 0
    (found,) = (table.shared / "savannah" / "notices").iterdir()
    found.unlink()
    said = rhea.pbem("audit savannah")
    assert said.exit == 5
    path = f"notices/*-{found.stem[-6:]}.toml"
    assert f"{path}: this file is missing, although turn 2 lists it: a notice of Bo" in said.out
