"""What becomes of players who stay silent for long, at the front door."""

import json

import pytest

from tests.kit.people import NOW, Person, Round
from tests.kit.timed_games import begin_three, play_on, status_data

DAY = 86400
BOT, REMOVE = "--silent-seat bot", "--silent-seat remove"


def play_until_status(table: Round, ready: str, seats: str = "ab") -> int:
    """Play until `status` says this of Cy, who is silent; returns the time."""
    now = NOW
    for _ in range(60):
        if f"c Cy: {ready}" in table.person("ann").pbem("status -C savannah").out:
            return now
        now += DAY + 60
        play_on(table, seats, turns=1, now=now)
    raise AssertionError(f"Cy is never {ready}")


def sound(person: Person) -> bool:
    """Whether Cy's seat is in order for its owner, apart from the dates, which the test invents."""
    said = json.loads(person.pbem("audit savannah --as c --json").out)["data"]
    return {finding["grade"] for finding in said["findings"]} <= {"ask"} and said["turns"] > 9


def test_new_and_join_say_what_the_charter_does(table: Round) -> None:
    rhea = table.person("rhea")
    said = rhea.pbem(f"new savannah --players Ann,Bo {BOT}")
    told = "if players miss 2 deadlines in a row and stay silent for 1 more round, "
    assert f"{told}the greedy bot plays for them until they come back" in said.out
    invite = next(line for line in said.out.splitlines() if "savannah:a:" in line).split("pbem ")[1]
    assert told in table.person("ann").pbem(f"{invite} -C savannah").out
    assert 'silent_seat = "bot"' in (table.shared / "savannah" / "game.toml").read_text()
    said = rhea.pbem(f"new other --players Ann,Bo {REMOVE} --idle-after 1 --open-after 3")
    told = "if players miss a deadline and stay silent for 3 more rounds, "
    assert f"{told}they are removed from the game and ranked last" in said.out
    rhea.pbem("new third --players Ann,Bo --silent-seat defaults")
    assert "silent_seat" not in (table.shared / "third" / "game.toml").read_text()


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("--silent-seat robot", "--silent-seat cannot be 'robot'"),
        (f"{BOT} --open-after 0", "bot needs --idle-after and --open-after above 0"),
        (f"{REMOVE} --idle-after 0", "remove needs --idle-after and --open-after above 0"),
        (f"{BOT} --deadline never", "needs a deadline: without a deadline, nobody is ever silent"),
    ],
)
def test_new_refuses_impossible_rules_about_silent_seats(table, typed, told):
    said = table.person("rhea").pbem(f"new savannah --players Ann,Bo {typed}")
    assert said.exit == 2, said.text
    assert told in said.err
    assert not (table.shared / "savannah").exists()


# ---------------------------------------------------------------- a bot plays on
@pytest.mark.long
def test_a_bot_plays_for_cy_until_cy_comes_back(table: Round) -> None:
    begin_three(table, BOT)
    ann, cy = table.person("ann"), table.person("cy")
    now = play_until_status(table, "IDLE")
    told = "after one whole round without orders, a bot plays on"
    assert told in ann.pbem("status -C savannah").out
    now = play_until_status(table, "OPEN")
    open_ = (
        "Cy's seat is open for somebody else. Until somebody takes the seat, the greedy bot plays "
        "this seat"
    )
    assert open_ in ann.pbem("status -C savannah").out
    assert "when you send none, the greedy bot plays for you" in cy.pbem("status -C savannah").out
    play_on(table, "ab", turns=4, now=now)
    assert "(chosen by a bot)" in ann.pbem("log -C savannah").out
    sentence = "While seat c was open, a bot answered 14 questions for it, as game.toml says"
    assert sentence in ann.pbem("audit savannah").out
    assert sound(cy)
    assert cy.pbem(["submit", "-C", "savannah", "-"], "food = []\n").exit == 0
    play_on(table, "ab", turns=1, now=now)
    assert "c Cy: OPEN" not in ann.pbem("status -C savannah").out
    before = len(json.loads(ann.pbem("log -C savannah --json").out)["data"])
    play_on(table, "abc", turns=3, now=now)
    log = json.loads(ann.pbem("log -C savannah --json").out)["data"][before:]
    assert not [one for one in log if one["by"] == "bot"]
    assert table.person("rhea").pbem("audit savannah").exit == 0


@pytest.mark.long
def test_a_new_player_can_still_take_the_seat(table: Round) -> None:
    rhea = begin_three(table, BOT)
    now = play_until_status(table, "OPEN")
    said = rhea.pbem("notice invite c -C savannah")
    invite = next(line for line in said.out.splitlines() if "--invite" in line).split("pbem ")[1]
    flo = table.person("flo")
    assert flo.pbem(invite.replace("NAME", "Flo") + " -C savannah").exit == 0
    assert rhea.pbem(f"advance -C savannah --now {now + 60}").exit == 0
    assert "only Cy can still prevent" in flo.pbem("status -C savannah").out
    for day in range(1, 6):  # Cy can still act, until the waiting time has passed
        play_on(table, "ab", turns=1, now=now + day * (DAY + 60))
    assert "c Flo" in flo.pbem("status -C savannah").out
    assert sound(flo)


@pytest.mark.sample(0)
def test_who_leaves_is_played_by_the_bot_immediately(table: Round) -> None:
    begin_three(table, BOT)
    assert table.person("cy").pbem("notice leave -C savannah --yes").exit == 0
    play_on(table, "ab", turns=3)
    assert "(chosen by a bot)" in table.person("ann").pbem("log -C savannah").out
    assert table.person("rhea").pbem("audit savannah").exit == 0


# ---------------------------------------------------------------- removal
@pytest.mark.long
def test_cy_is_removed_and_does_not_come_back(table: Round) -> None:
    rhea = begin_three(table, REMOVE)
    ann, cy = table.person("ann"), table.person("cy")
    play_until_status(table, "IDLE")
    told = "after one whole round without orders, the seat is removed from the game"
    assert told in ann.pbem("status -C savannah").out
    play_until_status(table, "REMOVED")
    told = "Cy was silent for too long and removed from the game: "
    assert told in ann.pbem("status -C savannah").out
    assert "you were silent for too long and removed" in cy.pbem("status -C savannah").out
    assert (
        "Cy was silent for too long and is removed from the game" in ann.pbem("log -C savannah").out
    )
    assert "you were removed" in cy.pbem("list").out
    assert rhea.pbem("notice invite c -C savannah").exit == 5
    said = cy.pbem("notice concede -C savannah --yes")
    assert (
        "the seat was removed from the game, because its player was silent for too long" in said.err
    )
    said = cy.pbem(["submit", "-C", "savannah", "-"], "food = []\n")
    assert said.exit == 3
    assert "your seat was removed from the game, because it was silent for too long" in said.err
    for seat in "ab":
        name = {"a": "ann", "b": "bo"}[seat]
        assert table.person(name).pbem("notice end -C savannah").exit == 0
    play_on(table, "ab")
    said = ann.pbem("status -C savannah")
    assert "3. c Cy: " in said.out
    assert ", removed" in said.out
    assert status_data(ann)["over"]
    assert rhea.pbem("audit savannah").exit == 0


def test_where_silent_seats_are_removed_players_may_concede_but_not_leave(table: Round) -> None:
    begin_three(table, REMOVE)
    said = table.person("cy").pbem("notice leave -C savannah --yes")
    assert "so that nobody can take over a seat, but you can concede" in said.err
