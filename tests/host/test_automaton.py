"""Attacks on a host that deals and that agrees to everything: a player with the host's word alone
takes nothing from another player. Commands at real machines, a real host.
"""

import json
import time

import pytest

from tests.host.dealing import FORM, everybody_joins, wait_for_turn, wait_until_logged
from tests.host.host_games import bot_answers
from tests.kit.people import NOW, Person, output_of
from tests.kit.running_host import HostProcess

pytestmark = pytest.mark.host
HOUR, DAY = 3600, 86400


def set_all_clocks(host: HostProcess, people: list[Person], now: int) -> None:
    """Let it be this time on all machines; the host looks at its games again."""
    for who in people:
        who.env["SOURCE_DATE_EPOCH"] = str(now)
    host.restart_at(now)


def turn_after(people: list[Person], last: int) -> int:
    wait_for_turn(people[0].env["PBEM_FOLDER"], last + 1)
    return int(status_in_place(people[0])["turn"])


def status_in_place(who: Person) -> dict:
    said = who.pbem("status --json").checked(0)
    return json.loads(said.out)["data"]


def test_a_player_who_vouches_with_only_the_host_takes_nobodys_seat(dealing_host, table):
    people = everybody_joins(dealing_host, table, FORM | {"players": "Ann,Bo", "game": "origin"})
    ann, bo = people
    address = ann.env["PBEM_FOLDER"]
    wait_for_turn(address, 1)
    said = ann.pbem("notice key --lost --as b --profile theft")
    assert "note: the other players cannot confirm a new key now: a host deals" in said.text
    line = next(one for one in said.out.splitlines() if one.startswith("  b:")).strip()
    assert ann.pbem(["notice", "vouch", "--yes", line]).exit == 0
    bot_answers(ann, address, "a")
    bot_answers(bo, address, "b")
    last = turn_after(people, 1)
    told = output_of(ann, "status")
    assert (
        "Ann confirms a new key for Bo; but Bo cannot get a new key in this way now: a host "
        "deals" in told
    )
    set_all_clocks(dealing_host, people, NOW + 49 * HOUR)
    last = turn_after(people, last)
    assert status_in_place(bo)["waits"] == []
    assert "b Bo (you)" in output_of(bo, "status")
    assert "Bo has a new key" not in output_of(ann, "log")


def silent_bo(host: HostProcess, people: list[Person], present: dict[str, Person]) -> int:
    """Bo misses two deadlines, while the others answer; returns the time."""
    address, now = people[0].env["PBEM_FOLDER"], NOW
    wait_for_turn(address, 1)
    for _ in range(12):
        if status_in_place(people[0])["seats"]["b"]["away"] == "idle":
            return now
        last = status_in_place(people[0])["turn"]
        for seat, who in present.items():
            bot_answers(who, address, seat)
        now += DAY + 60
        set_all_clocks(host, people, now)
        turn_after(people, last)
    raise AssertionError("Bo is not idle")


def nothing_agreed(ann: Person, seconds: float = 1.5) -> None:
    """The host has had the time to agree, and did not."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        told = output_of(ann, "log")
        assert "agreed to a new deadline" not in told
        assert not status_in_place(ann)["over"]
        time.sleep(0.5)


def test_one_player_and_the_host_cannot_shorten_the_deadline_of_a_silent_one(dealing_host, table):
    """24 hours become no 30 minutes, and the game does not end; once Cy agrees too, they do."""
    people = everybody_joins(dealing_host, table, FORM | {"players": "Ann,Bo,Cy", "game": "origin"})
    ann, _, cy = people
    silent_bo(dealing_host, people, {"a": ann, "c": cy})
    address = ann.env["PBEM_FOLDER"]
    output_of(ann, "notice deadline 30m")
    nothing_agreed(ann)
    output_of(cy, "notice deadline 30m")
    wait_until_logged(ann, address, "Ann and Cy agreed to a new deadline: 30 minutes")
    assert (
        "the referee" not in output_of(ann, "log").partition(" agreed to a new deadline")[0][-60:]
    )


def test_one_present_player_and_the_host_cannot_end_the_game(dealing_host, table):
    people = everybody_joins(dealing_host, table, FORM | {"players": "Ann,Bo", "game": "origin"})
    ann, _ = people
    now = silent_bo(dealing_host, people, {"a": ann})
    output_of(ann, "notice deadline 30m")
    output_of(ann, "notice end --no-winner")
    nothing_agreed(ann)
    told = output_of(ann, "status")
    assert "the notice is signed, and takes effect with the next turn" in told
    bot_answers(ann, ann.env["PBEM_FOLDER"], "a")
    set_all_clocks(dealing_host, people, now + 5 * DAY)
    nothing_agreed(ann)
    told = output_of(ann, "status")
    assert (
        "votes cannot end the game now: a host deals this game. While a player is silent, at "
        "least two" in told
    )
