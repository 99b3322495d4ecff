"""Help, examples and man page come from one source; every example does what it says."""

import json
import re
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.cli.command_list_and_help import COMMANDS, all_examples
from pbem.format.openssh_key_files import write_key
from tests.kit.bot_orders import asked_person, order_file
from tests.kit.named_games import invite
from tests.kit.people import NOW, Person, Round, key_of
from tests.kit.selection import ROOT
from tests.kit.timed_games import begin_with_deputy
from tools.man_page import commands, man_page

NAMES = [*all_examples()]
START = {
    "new": "", "join": "made", "advance": "joined", "games": "", "demo": "", "sim": "",
    "post setup": "", "post show": "", "notify add": "", "notify list": "", "notify remove": "",
    "keys new": "", "keys show": "", "keys import": "", "keys deputy": "", "rules test": "",
    "notice hand-over": "", "notice delay": "timed",
}  # fmt: skip
"""The game in which the examples of a command are typed; `middle` for all others."""
WHO = {"join": "bo", "advance": "rhea", "audit": "eve", "keys new": "zoe", "keys import": "zoe"}
WHO |= {
    "notice invite": "rhea",
    "notice hand-over": "rhea",
    "notice vouch": "bo",
    "notice delay": "bo",
    "notice clock": "bo",
}
SHARED = ("new", "audit savannah", "join -C", "host")
"""Examples that are typed beside the game's folder, not in it."""
LONG = {"demo"}
SERVES = {"learn", "table", "host", "post test", "notify test"}
"""Commands that run until Ctrl-C, or need a mail server; tests of their own type their examples."""
TYPED = [
    pytest.param(name, number, marks=[pytest.mark.long] if name in LONG else [])
    for name in NAMES
    for number in range(2)
    if name not in SERVES
]


def prepare(table: Round, command: str, person: Person, here: Path) -> str:
    """The files that the examples name; what stands behind `<` is returned."""
    match command:
        case "join":
            return invite(table, "b") + "\n"
        case "check" | "submit":
            (here / "my-orders.toml").write_text(order_file(person))
            draft = person.pbem("orders").out.strip()
            Path(draft).write_text(order_file(person))
        case "send":
            assert person.pbem("submit -", order_file(person)).exit == 0
        case "receive":
            bundle = table.person("rhea").pbem("send -C savannah --to a -o mail.eml --all")
            assert bundle.exit == 0, bundle.text
            shutil.move(table.person("rhea").place / "mail.eml", here / "mail.eml")
            return table.person("rhea").pbem("send -C savannah --to a --paste --all").out
        case _ if command.startswith("notice "):
            return prepare_notice(table, command, person)
        case "keys import":
            (here / "id_ed25519").write_bytes(write_key(key_of("zoe the elder")))
            (here / "id_ed25519").chmod(0o600)
        case _ if command.startswith(("post ", "notify ", "host ")):
            prepare_own(table, command, person, here)
        case "rules test":
            case = next((ROOT / "tests" / "rules").rglob("*.toml"))
            shutil.copy(case, here / "cases.toml")
    return ""


def prepare_own(table: Round, command: str, person: Person, here: Path) -> None:
    """A mailbox, addresses for notifications, or the games of a host."""
    match command:
        case "host remove":
            for name in ("4f1c22d0", "9ac0b1e2"):
                kept = here / "games" / (name + "0" * 24)
                shutil.copytree(table.shared / "savannah", kept)
        case "post setup":
            (here / "mail-password").write_text("secret\n")
            (here / "mail-password").chmod(0o600)
        case "post show":
            options = "--address me@gmail.com --password-command true"
            assert person.pbem(f"post setup {options}").exit == 0
        case "notify remove":
            for number in range(2):
                assert person.pbem(f"notify add json://localhost:{number + 1}").exit == 0


def prepare_notice(table: Round, command: str, person: Person) -> str:
    """What must have happened before a notice of this kind; what follows `<` is returned."""
    match command:
        case "notice vouch":
            lost = table.person("eve").pbem("notice key -C savannah --lost --as a --json")
            return str(json.loads(lost.out)["data"]["line"]) + "\n"
        case "notice invite":
            assert table.person("bo").pbem("notice leave -C savannah --yes").exit == 0
            assert person.pbem("advance").exit == 0
        case "notice hand-over":
            begin_with_deputy(table)
        case "notice away":
            assert person.pbem("notice away 2026-12-24..2027-01-02").exit == 0
    return ""


@pytest.mark.sample(6)
@pytest.mark.parametrize(("name", "number"), TYPED, ids=lambda part: str(part))
def test_every_example_in_the_help_runs(
    name: str, number: int, game: Callable[[str], Round], tmp_path: Path
) -> None:
    start = START.get(name, "middle")
    table = game(start) if start else Round(tmp_path)
    typed = [*all_examples()[name]][number].removeprefix("pbem ")
    person = table.person(
        WHO.get(name) or ("ann" if start != "middle" else asked_person(table).name)
    )
    if name in ("keys new", "keys import"):
        shutil.rmtree(person.home)
    if start and not typed.startswith(SHARED):
        person.place = person.place / "savannah"
    text = prepare(table, name, person, person.place)
    pbem = person.really if name == "receive" else person.pbem  # bytes are read there
    clock = NOW - 86400 if name == "notice clock" else NOW
    said = pbem(typed.partition(" < ")[0], text, EDITOR="true", SOURCE_DATE_EPOCH=str(clock))
    assert said.exit == 0, said.text
    assert "Traceback" not in said.text


@pytest.mark.long
@pytest.mark.parametrize(("name", "number"), [("table", 0), ("table", 1), ("learn", 0)])
def test_the_examples_of_table_run_until_ctrl_c(
    name: str, number: int, game: Callable[[str], Round]
) -> None:
    person = game("begun").person("ann")
    typed = [*all_examples()[name]][number].removeprefix("pbem ")
    process = person.start(typed, BROWSER="true")
    assert process.stdout is not None
    assert process.stdout.readline().startswith("your table: http://127.0.0.1:")
    assert "works once" in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=600)
    assert (process.returncode, "pbem table has stopped" in out, err) == (0, True, "")


def test_every_command_has_two_examples() -> None:
    assert sorted(NAMES) == sorted(name for name, _ in commands())
    assert all(len(found) == 2 for found in all_examples().values())


@pytest.mark.parametrize("name", NAMES)
def test_the_help_of_a_command_shows_its_examples(name: str, table: Round) -> None:
    said = table.person("ann").pbem(f"{name} -h")
    assert (said.exit, said.err) == (0, "")
    assert all(typed in said.out for typed in all_examples()[name])
    assert said.out == table.person("ann").pbem(f"{name} --help").out


def test_the_help_has_all_commands_in_five_groups_on_60_lines_of_80_columns(table: Round) -> None:
    """In the order of a person's day, each command on one line."""
    lines = table.person("ann").pbem("--help", COLUMNS="80").out.splitlines()
    assert (len(lines) <= 60, max(map(len, lines)) <= 80) == (True, True)
    groups = [line for line in lines if re.fullmatch("[A-Z][a-z ]+:", line) and line != "Options:"]
    assert groups == ["Play:", "Make games and turns:", "Mail:", "Verify and mend:", "More:"]
    shown = [line for line in lines[lines.index("Play:") :] if re.match("  [a-z]+ {2,}", line)]
    assert [line.split()[0] for line in shown] == list(COMMANDS)
    assert {name.partition(" ")[0] for name in NAMES} == set(COMMANDS)
    for line in shown:
        name, summary = line.split(maxsplit=1)
        assert summary == COMMANDS[name][1]
        assert summary.endswith(".")


def test_the_man_page_is_that_which_its_tool_writes() -> None:
    """Renew it with: python -m tools.man_page > docs/pbem.1"""
    assert (ROOT / "docs" / "pbem.1").read_text("utf-8") == man_page()


@pytest.mark.sample(0)
def test_completion_knows_commands_and_options(table: Round) -> None:
    ann = table.person("ann")
    # it asks which shell it was typed in: the tests may run below none, so one is started
    said = ann.shell("bash -c 'pbem --show-completion; exit $?'")
    assert (said.exit, "complete_bash" in said.out) == (0, True), said
    words = {"_PBEM_COMPLETE": "complete_bash", "COMP_CWORD": "1"}
    assert ann.really("", COMP_WORDS="pbem sho", **words).out.split() == ["show"]
    words["COMP_CWORD"] = "2"
    assert ann.really("", COMP_WORDS="pbem show --tu", **words).out.split() == ["--turn"]

    # the other shells ask in other words
    typed = {"_TYPER_COMPLETE_ARGS": "pbem notice de", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    fish = ann.really("", _PBEM_COMPLETE="complete_fish", **typed).out
    assert [line.split("\t")[0] for line in fish.splitlines()] == ["delay", "deadline"]
    typed = {"_PBEM_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": "pbem sho"}
    assert '"show":' in ann.really("", **typed).out
