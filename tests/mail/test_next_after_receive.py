"""What to type next after `receive`: the same as `pbem status` says."""

import subprocess

import pytest

from tests.cli.drafted import offered_choices
from tests.kit.named_games import made, sit
from tests.kit.people import Person, Round, output_of, stdout_of
from tests.kit.timed_games import answer_with_card, begin_two


def mailed(one: Person, other: Person) -> str:
    """Send orders by mail, and lose them before they come; what the receiver's pbem prints."""
    sent = stdout_of(one, "send -C savannah --paste")
    for found in (one.shared / "savannah" / "orders").glob("0001-b-*"):
        found.unlink()
    (other.home / "mail.pbem").write_text(sent)
    said = other.pbem(["receive", str(other.home / "mail.pbem")])
    assert "new: 1 set of orders" in said.out, said.text
    return said.out


def test_the_referee_waits_for_who_has_not_answered(table: Round) -> None:
    rhea, bo = begin_two(table, "24h"), table.person("bo")
    answer_with_card(table, "b")
    said = mailed(bo, rhea)
    assert said.endswith("\nnext: wait for Ann, then cd savannah && pbem advance\n")
    assert rhea.pbem("status -C savannah").out.endswith("\nnext: wait for Ann, then pbem advance\n")


def test_the_referee_advances_if_all_is_here(table: Round) -> None:
    rhea, bo = begin_two(table, "24h"), table.person("bo")
    answer_with_card(table, "a")
    answer_with_card(table, "b")
    assert mailed(bo, rhea).endswith("\nnext: cd savannah && pbem advance\n")


@pytest.mark.sample(0)
def test_if_status_needs_a_passphrase_it_is_what_comes_next(table: Round) -> None:
    made(table, "--players Ann,Bo --referee Rhea --referee-plays --deadline 24h")
    rhea, bo = table.person("rhea"), sit(table, "b")
    rhea.pbem("advance -C savannah")
    output_of(rhea, "submit --no-advance -C savannah -", f'food = "{offered_choices(rhea)[0]}"')
    assert rhea.pbem("advance -C savannah").exit == 0
    answer_with_card(table, "b")
    for key in rhea.home.glob("profiles/*/key"):
        subprocess.run(["ssh-keygen", "-q", "-p", "-P", "", "-N", "sesame", "-f", key], check=True)
    assert mailed(bo, rhea).endswith("\nnext: cd savannah && pbem status\n")
    assert "this key needs its passphrase" in rhea.pbem("status -C savannah").err


def turn_mailed(rhea: Person, player: Person) -> str:
    """Let the referee mail turn 2 to a player who has only turn 1; what the player's pbem says."""
    sent = stdout_of(rhea, f"send -C savannah --paste --to {player.name[0]}")
    (player.home / "mail.pbem").write_text(sent)
    (rhea.shared / "savannah/turns/0002.toml").unlink()
    return stdout_of(player, ["receive", str(player.home / "mail.pbem")])


def second_turn(table: Round) -> Person:
    """Both have answered, and the referee has made turn 2; returns the referee."""
    rhea = begin_two(table, "24h")
    answer_with_card(table, "a")
    answer_with_card(table, "b")
    assert rhea.pbem("advance -C savannah").exit == 0
    return rhea


@pytest.mark.sample(0)
def test_receive_tells_a_player_to_answer_or_whom_to_wait_for(table: Round) -> None:
    rhea = second_turn(table)
    told = {name: turn_mailed(rhea, table.person(name)) for name in ("ann", "bo")}
    nexts = sorted(text.splitlines()[-1] for text in told.values())
    assert nexts[0] == "next: cd savannah && pbem submit --edit, or pbem play"
    assert nexts[1] in ("next: wait for Ann", "next: wait for Bo")
    for name in told:
        said = table.person(name).pbem("status -C savannah").out.splitlines()[-1]
        assert said.removeprefix("next: ") in told[name]


@pytest.mark.sample(0)
def test_receive_never_asks_for_a_players_passphrase(table: Round) -> None:
    rhea, ann = second_turn(table), table.person("ann")
    for key in ann.home.glob("profiles/*/key"):
        subprocess.run(["ssh-keygen", "-q", "-p", "-P", "", "-N", "sesame", "-f", key], check=True)
    assert turn_mailed(rhea, ann).endswith("\nnext: cd savannah && pbem status\n")
