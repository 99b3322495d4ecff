"""Where two commands once named different next steps, they name the same one."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit.named_games import invite, made, sit
from tests.kit.people import Person, Round, output_of, stdout_of
from tests.kit.timed_games import answer_all, begin_two
from tests.mail.meeting import Meeting

SEND = "next: pbem send, then mail the referee the file that it wrote"


def last_printed_line(person: Person, command: str) -> str:
    return stdout_of(person, command).splitlines()[-1]


def line_after_receiving(table: Round, person: Person) -> str:
    """What `receive` says is next, after mail that brings nothing new."""
    sent = stdout_of(table.person("rhea"), "send -C savannah --all --to a --paste")
    (table.root / "mail.pbem").write_text(sent)
    said = person.pbem(["receive", "-C", "savannah", str(table.root / "mail.pbem")]).checked(0)
    return said.out.splitlines()[-1]


@pytest.mark.sample(0)
def test_who_lacks_a_turn_gets_it_before_anything_else(table: Round) -> None:
    """`submit` refuses orders there; `status` and `list` called for them all the same."""
    begin_two(table, "24h")
    for _ in range(3):
        answer_all(table, "ab")
        assert table.person("rhea").pbem("advance -C savannah").exit == 0
    ann = table.person("ann")
    shutil.rmtree(ann.home / "games")  # this computer has seen no turn
    (table.shared / "savannah/turns/0003.toml").unlink()
    step = "ask Rhea for the bundle that `pbem send --all` writes, and read it with `pbem receive`"
    assert last_printed_line(ann, "status -C savannah") == f"next: {step}"
    assert ann.pbem("submit -C savannah -").exit == 5
    (game,) = json.loads(stdout_of(ann, "list --json"))["data"]
    assert (game["asked"], game["state"].endswith(f"; next: {step}")) == (False, True)


def test_status_and_advance_ask_which_join_is_right(table: Round) -> None:
    made(table)
    line = ["join", "-C", "savannah", "--invite", invite(table, "a")]
    for name in ("ann", "eve"):
        assert table.person(name).pbem([*line, "--name", name.title()]).exit == 0
    sit(table, "b")
    rhea = table.person("rhea")
    step = "next: pbem advance --accept DIGITS, with the digits of the right join"
    assert rhea.pbem("advance -C savannah").text.splitlines()[-1] == step
    assert last_printed_line(rhea, "status -C savannah") == step
    assert step in " ".join(output_of(rhea, "list").split())


def test_receive_and_status_say_that_the_key_is_lost(game: Callable[[str], Round]) -> None:
    table = game("begun")
    bo = table.person("bo")
    assert bo.pbem("submit -C savannah -").exit == 0
    shutil.rmtree(bo.home / "profiles")
    step = "pbem keys import FILE (FILE is your copy of the key file)"
    assert last_printed_line(bo, "status -C savannah") == f"next: {step}"
    assert line_after_receiving(table, bo) == f"next: cd savannah && {step}"


@pytest.mark.sample(0)
def test_a_spectator_may_audit_a_game_that_is_over(game: Callable[[str], Round]) -> None:
    table = game("over")
    eve = table.person("eve")
    assert last_printed_line(eve, "status -C savannah") == "next: pbem audit"
    assert line_after_receiving(table, eve) == "next: cd savannah && pbem audit"


@pytest.mark.sample(0)
def test_a_notice_that_was_not_mailed_is_still_to_be_sent(tmp_path: Path) -> None:
    meeting = Meeting(tmp_path)
    meeting.begin()
    assert meeting.rhea.pbem("advance").exit == 0
    meeting.mail(meeting.rhea, "send", meeting.cy)
    card = '[always]\nfood = ["the card with the least food"]'
    assert meeting.cy.pbem("submit -", card).exit == 0
    meeting.mail(meeting.cy, "send", meeting.rhea)
    assert last_printed_line(meeting.cy, "status") == "next: wait for Bo"
    assert SEND in output_of(meeting.cy, "notice key")
    assert last_printed_line(meeting.cy, "status") == SEND
    meeting.mail(meeting.cy, "send", meeting.rhea)
    assert last_printed_line(meeting.cy, "status") == "next: wait for Bo"
