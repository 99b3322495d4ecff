"""What `pbem` says to type next in a game on a host works when it is copied."""

import re

import pytest

from tests.host.host_games import make_on_host
from tests.host.origin_games import begin_on_host, submit_pass
from tests.kit.people import Person, Round, output_of
from tests.kit.running_host import RunningHost


def hinted_commands(text: str, address: str) -> list[str]:
    """The commands that the last `next:` line names; each names the address."""
    line = re.findall(r"^next: (.*)$", text, re.MULTILINE)[-1]
    found = re.findall(rf"pbem (\w+(?: \w+)? -C {re.escape(address)}(?: --?\w+)*)", line)
    assert line.count("pbem ") == len(found), line
    return found


def type_hint(who: Person, text: str, address: str) -> str:
    """Type the first command that the last `next:` line names."""
    return output_of(who, hinted_commands(text, address)[0])


@pytest.mark.long
def test_what_pbem_says_to_type_next_works_as_printed(table: Round, host: RunningHost):
    address, lines = make_on_host(table, host, "--players Ann,Bo --game origin")
    rhea, ann, bo = (table.person(name) for name in ("rhea", "ann", "bo"))
    [join] = hinted_commands(output_of(ann, f"status -C {address}"), address)
    assert join == f"join -C {address} --invite"
    said = output_of(ann, lines["Ann"])
    assert f"with this key file and the address {address}, you can always continue" in said
    assert "folder" not in said
    assert "when they have joined" in rhea.pbem(f"advance -C {address}").text
    output_of(bo, lines["Bo"])
    said = type_hint(rhea, output_of(rhea, f"status -C {address}"), address)
    assert "made turns/0001.toml" in said
    assert hinted_commands(said, address) == [
        f"advance -C {address}",
        f"advance -C {address} --watch",
    ]
    asked = hinted_commands(output_of(ann, f"status -C {address}"), address)
    assert asked == [f"submit -C {address} --edit", f"play -C {address}"]
    output_of(ann, f"orders -C {address}")
    asked = hinted_commands(output_of(ann, f"status -C {address}"), address)
    assert asked[0] == f"check -C {address}"
    for person in (ann, bo):
        submit_pass(person, address)
    shown = output_of(bo, f"status -C {address}")
    assert shown.endswith("next: wait for the referee\n")
    assert "if they answer every question, the referee makes the next turn" in shown
    assert "turns/0002.toml" in type_hint(rhea, output_of(rhea, f"status -C {address}"), address)


@pytest.mark.long
def test_hints_leave_out_an_address_that_the_environment_names(table: Round, host: RunningHost):
    address, lines = make_on_host(table, host, "--players Ann,Bo --game origin")
    output_of(table.person("ann"), lines["Ann"])
    output_of(table.person("bo"), lines["Bo"])
    said = table.person("rhea").pbem("status", PBEM_FOLDER=address)
    assert said.out.endswith("next: pbem advance\n")


@pytest.mark.long
def test_an_invite_to_an_open_seat_names_the_address_of_the_game(table: Round, host: RunningHost):
    address = begin_on_host(table, host)
    rhea, bo = table.person("rhea"), table.person("bo")
    output_of(bo, f"notice leave --yes -C {address}")
    said = output_of(rhea, f"notice invite b -C {address}")
    assert f"  pbem join -C {address} --name NAME --invite savannah:b:" in said
    assert f"pbem send -C {address} --all --to b" in said


@pytest.mark.long
def test_play_prints_the_next_command_without_a_line_break(table: Round, host: RunningHost):
    address = begin_on_host(table, host, "Ann,Bo")
    said = table.person("ann").pbem(f"play -C {address}", "q\n", COLUMNS="60")
    assert hinted_commands(said.text, address) == [f"play -C {address}"]


@pytest.mark.long
def test_the_hint_that_cancels_a_reported_loss_of_a_key_names_the_address(table, host):
    """Others confirm a new key of Bo's seat; his next step is to cancel that."""
    address = begin_on_host(table, host)
    ann, bo, cy, rhea = (table.person(name) for name in ("ann", "bo", "cy", "rhea"))
    said = output_of(table.person("eve"), f"notice key --lost --as b -C {address}")
    (key_line,) = re.findall(r"^ +(b:\S+)$", said, re.MULTILINE)
    for person in (ann, cy, rhea):
        output_of(person, ["notice", "vouch", "--yes", key_line, "-C", address])
    output_of(rhea, f"advance -C {address}")
    shown = output_of(bo, f"status -C {address}")
    assert hinted_commands(shown, address) == [f"notice end -C {address} --no"]
    type_hint(bo, shown, address)
    assert "notice end" not in output_of(bo, f"status -C {address}").splitlines()[-1]


@pytest.mark.long
def test_the_hint_to_mail_a_notice_names_the_address(table: Round, host: RunningHost):
    address, bo = begin_on_host(table, host, "Ann,Bo"), table.person("bo")
    submit_pass(bo, address)
    output_of(bo, f"send -C {address}")
    said = output_of(bo, f"notice end --draw -C {address}")
    assert hinted_commands(said, address) == [f"send -C {address}"]
    type_hint(bo, said, address)
