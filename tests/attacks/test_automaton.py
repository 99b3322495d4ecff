"""Attacks with a referee that is no person: on a host that deals, one player and the host, which
agrees to whatever players agreed to, take a seat, a deadline or the game from another.

Rhea runs the host, and its key signs whatever somebody could want of it.
"""

from dataclasses import replace

import pytest

from pbem.judge.notice_kinds import SetClock, SetDeadline, Vote, Vouch
from pbem.records.notice import NO_WINNER
from tests.attacks.waiting_acts import (
    STOLEN,
    THIEF,
    exit_of_advance,
    key_of_seat,
    name_of_seat,
    say_notice,
)
from tests.kit.named_games import made, session_of, sit
from tests.kit.people import NOW, Person, Round, key_of
from tests.kit.timed_games import DAY, HOUR, play_on, status_data
from tests.notices.forging import forge, put_notice, with_listed_notices

HOST_DEALS = "a host deals this game"


def hosts_game(table: Round, players: str = "Ann,Bo", more: str = "") -> Person:
    """A game that a host deals, with a deadline of 24 hours; returns whoever runs the host."""
    options = f"--players {players} --referee Rhea --deadline 24h --idle-after 1 {more}"
    made(table, options, automaton=True)
    for seat in "abc"[: players.count(",") + 1]:
        sit(table, seat)
    rhea = table.person("rhea")
    assert exit_of_advance(table, NOW) == 0
    return rhea


def silent_days(table: Round, present: str, days: int = 1) -> int:
    """Play on without the others for some days; return the time."""
    for day in range(1, days + 1):
        play_on(table, present, turns=1, now=NOW + day * (DAY + 1))
    return NOW + days * (DAY + 1)


def agrees(table: Round, now: int) -> list[str]:
    """The host agrees to what all others have agreed to, and makes a turn; returns to what."""
    import os
    from unittest.mock import patch

    from pbem.host.dealing_host_passes import agree_last
    from pbem.wording.notices import what_you_declared

    with patch.dict(os.environ, SOURCE_DATE_EPOCH=str(now)):
        session = session_of(table.person("rhea"))
        said = [what_you_declared(session, declared.record) for declared in agree_last(session)]
    exit_of_advance(table, now)
    return said


def refuses(table: Round, saying: Vouch | SetDeadline, present: str, now: int) -> None:
    """The host's key signs a notice nevertheless, and a turn lists it: everybody refuses that."""
    signed = put_notice(table, "referee", saying, key_of("rhea"))
    play_on(table, present, turns=1, now=now)
    said = forge(table, with_listed_notices(signed))
    assert said.exit == 1, said.text
    assert HOST_DEALS in said.out, said.text


@pytest.mark.sample(0)
def test_one_player_and_a_dealing_host_cannot_take_anothers_seat(table: Round) -> None:
    hosts_game(table)
    old, ann = key_of_seat(table, "b"), table.person("ann")
    lost = ann.pbem("notice key --lost --as b --profile theft -C savannah")
    assert f"note: the other players cannot confirm a new key now: {HOST_DEALS}" in lost.text
    line = lost.out.split("\n")[2].strip()
    assert ann.pbem(["notice", "vouch", "--yes", line, "-C", "savannah"]).exit == 0
    assert agrees(table, NOW + HOUR) == []
    play_on(table, "ab", turns=1, now=NOW + HOUR)
    told = ann.pbem("status -C savannah").out
    assert (
        f"Ann confirms a new key for Bo; but Bo cannot get a new key in this way now: "
        f"{HOST_DEALS}" in told
    )
    exit_of_advance(table, NOW + 49 * HOUR)
    assert (key_of_seat(table, "b"), status_data(ann)["waits"]) == (old, [])
    stolen = session_of(ann).game_folder.standing.vouched["a", "b"]
    refuses(table, Vouch("b", *stolen), "ab", NOW + 49 * HOUR)


@pytest.mark.sample(0)
def test_the_only_present_player_cannot_take_anothers_seat_where_a_host_deals(table: Round) -> None:
    """Cy is silent; so only Ann could vouch for the key of Bo, who is here."""
    hosts_game(table, "Ann,Bo,Cy")
    now = silent_days(table, "ab", 1)
    put_notice(table, "a", STOLEN, key_of("ann"))
    assert agrees(table, now) == []
    refuses(table, STOLEN, "ab", now)


def test_two_players_can_vouch_for_a_new_key_where_a_host_deals(table: Round) -> None:
    hosts_game(table, "Ann,Bo,Cy")
    for seat in "ac":
        put_notice(table, seat, STOLEN, key_of({"a": "ann", "c": "cy"}[seat]))
    assert agrees(table, NOW + 1) == ["you confirm the new key for Bo, in seat b"]
    (wait,) = status_data(table.person("ann"))["waits"]
    assert wait["told"] == "Bo gets a new key, which Ann and Cy have confirmed", "a host is nobody"
    exit_of_advance(table, wait["until"])
    assert key_of_seat(table, "b") == THIEF.public


@pytest.mark.sample(0)
def test_one_player_and_a_dealing_host_cannot_set_a_deadline_for_the_silent(table: Round) -> None:
    rhea = hosts_game(table)
    now = silent_days(table, "a")
    assert table.person("ann").pbem("notice deadline 30m -C savannah").exit == 0
    assert agrees(table, now + 60) == []
    said = rhea.pbem("notice deadline 30m -C savannah", SOURCE_DATE_EPOCH=str(now + 60))
    assert said.exit == 2
    assert f"{HOST_DEALS}. While a player is silent, at least two players must agree" in said.err
    refuses(table, SetDeadline("30 minutes"), "a", now + 60)


@pytest.mark.sample(0)
def test_one_player_and_a_dealing_host_cannot_set_the_clock_back(table: Round) -> None:
    hosts_game(table)
    say_notice(
        table, "a", "deadline 3d"
    )  # a turn for the far date is made because something happens
    play_on(table, "ab", turns=1, now=NOW + 30 * DAY)
    put_notice(table, "a", SetClock(NOW + HOUR), key_of("ann"))
    assert agrees(table, NOW + HOUR) == []
    told = table.person("rhea").pbem("notice clock -C savannah", SOURCE_DATE_EPOCH=str(NOW + HOUR))
    assert "2 of the players with keys of their own must say that the date is wrong" in told.err
    put_notice(table, "b", SetClock(NOW + HOUR), key_of("bo"))
    assert agrees(table, NOW + HOUR) != []
    assert status_data(table.person("ann"))["deadline"] < NOW + 3 * DAY


@pytest.mark.sample(0)
def test_one_player_and_a_dealing_host_cannot_end_a_game_without_a_winner(table: Round) -> None:
    hosts_game(table)
    now = silent_days(table, "a")
    say_notice(table, "a", "end --no-winner")
    assert agrees(table, now + 60) == []
    play_on(table, "a", turns=1, now=now + 60)
    told = table.person("ann").pbem("status -C savannah").out
    assert f"votes cannot end the game now: {HOST_DEALS}" in told
    assert status_data(table.person("ann"))["waits"] == []
    exit_of_advance(table, now + 5 * DAY)
    assert not status_data(table.person("ann"))["over"]
    put_notice(table, "referee", Vote(NO_WINNER), key_of("rhea"))
    play_on(table, "a", turns=1, now=now + 5 * DAY)
    forged = forge(table, lambda turn: replace(turn, over=True, deadline=0, awaited=(), own=()))
    assert forged.exit == 1


@pytest.mark.sample(0)
@pytest.mark.parametrize("words", ["end", "end --draw", "end --no-winner"])
def test_two_players_can_end_a_game_when_the_silent_one_had_time(table: Round, words: str) -> None:
    hosts_game(table, "Ann,Bo,Cy")
    now = silent_days(table, "ac")
    for seat in "ac":
        say_notice(table, seat, words)
    agrees(table, now + 60)
    (wait,) = status_data(table.person("ann"))["waits"]
    assert (wait["cancels"], wait["until"]) == (["b"], now + 60 + 2 * DAY)
    agrees(table, wait["until"])
    assert status_data(table.person("ann"))["over"]


@pytest.mark.sample(0)
def test_a_player_seated_by_the_host_does_not_count_as_a_second_player(table: Round) -> None:
    """Ann has the page with the links: Flo, in the seat that Cy left, may be Ann."""
    rhea = hosts_game(table, "Ann,Bo,Cy")
    say_notice(table, "c", "leave --yes")
    said = rhea.pbem("notice invite c -C savannah")
    line = said.out.split("--invite ")[1].split()[0]
    exit_of_advance(table, NOW + 60)
    flo = table.person("flo")
    assert flo.pbem(["join", "-C", "savannah", "--name", "Flo", "--invite", line]).exit == 0
    exit_of_advance(table, NOW + 60)
    exit_of_advance(table, NOW + 60)
    assert name_of_seat(table, "c") == "Flo"
    now = NOW + 60 + DAY + 1
    play_on(table, "a", turns=1, now=now, others={"c": "flo"})
    for who in (table.person("ann"), flo):
        assert who.pbem("notice deadline 30m -C savannah").exit == 0
    assert agrees(table, now + 60) == []
    refuses(table, SetDeadline("30 minutes"), "a", now + 2 * DAY)


@pytest.mark.sample(0)
def test_a_player_alone_with_bots_on_a_host_decides_alone(table: Round) -> None:
    hosts_game(table, "Ann", "--bots greedy:2")
    assert table.person("ann").pbem("notice deadline 30m -C savannah").exit == 0
    assert agrees(table, NOW + 60) == ["a new deadline is agreed: 30 minutes"]
    say_notice(table, "a", "end --no-winner")
    exit_of_advance(table, NOW + 120)
    assert status_data(table.person("ann"))["ended"] == "no winner"
