"""The real command in real processes: interrupts, pipes, terminals, encodings, and our own bugs."""

import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from pbem.acts import advance
from pbem.files.file_errors import StorageError
from tests.cli.terminal import type_passphrase
from tests.kit.named_games import invite, sit
from tests.kit.people import Round

Start = Callable[[str], Round]


def printed_until_made(watch: "subprocess.Popen[str]", name: str) -> str:
    """What a watching command prints until it tells that it made this file."""
    assert watch.stdout is not None
    lines = ""
    while f"made {name}" not in lines:
        line = watch.stdout.readline()
        assert line, lines
        lines += line
    return lines


@pytest.mark.long
def test_watch_makes_turns_as_orders_come_and_ends_when_interrupted(game: Start) -> None:
    table = game("joined")
    watch = table.person("rhea").start("advance --watch -C savannah")
    seen = printed_until_made(watch, "turns/0001.toml")
    answer_turn_1(table)
    seen += printed_until_made(watch, "turns/0002.toml")
    watch.send_signal(signal.SIGINT)
    out, err = watch.communicate()
    assert (watch.returncode, "Traceback" in out + err) == (130, False), err
    assert (seen + out).count("made turns/") == 2


def answer_turn_1(table: Round) -> None:
    """Ann and Bo answer the first turn."""
    for who in ("ann", "bo"):
        person = table.person(who)
        draft = Path(person.pbem("orders -C savannah").out.strip())
        typed = draft.read_text("utf-8").replace("    # ", "    ", 1)
        assert person.pbem("submit -C savannah -", typed).exit == 0


@pytest.mark.sample(3)
@pytest.mark.parametrize("options", ["--watch", "", "--json"])
@pytest.mark.parametrize("times", [1, 2])
def test_one_ctrl_c_lets_advance_tell_of_its_turn_and_two_do_not(game, options, times):
    table = game("joined")
    truly = advance.publish

    def publish(*record: Any) -> list[str]:
        notes = truly(*record)
        for _ in range(times):
            signal.raise_signal(signal.SIGINT)
        return notes

    with patch.object(advance, "publish", publish):
        said = table.person("rhea").pbem(f"advance {options} -C savannah")
    assert (said.exit, said.err.splitlines()[-1]) == (130, "interrupted")
    assert ("turns/0001.toml" in said.out) == (times == 1)
    assert (table.shared / "savannah/turns/0001.toml").exists()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert table.person("rhea").pbem("advance -C savannah").exit == 5


def test_ctrl_c_does_not_hide_an_error(game: Start) -> None:
    """The turn could not be written: that is said, and Ctrl-C has nothing left to end."""
    table = game("joined")

    def publish(*_: object) -> list[str]:
        signal.raise_signal(signal.SIGINT)
        raise StorageError("turns", "the disk is full")

    with patch.object(advance, "publish", publish):
        said = table.person("rhea").pbem("advance --watch -C savannah")
    assert (said.exit, "the disk is full" in said.err) == (7, True), said


@pytest.mark.long
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_names_that_the_terminal_cannot_write_are_escaped(table: Round, encoding: str) -> None:
    rhea = table.person("rhea")
    made = rhea.really("new x --players Łucja,Ёж", PYTHONIOENCODING=encoding)
    assert (made.exit, "pbem join --invite" in made.out) == (0, True), made
    rhea.really("status -C x", PYTHONIOENCODING=encoding).checked(0, out="u0141ucja")


def test_a_bug_in_pbem_prints_one_line_and_writes_a_report(game: Start) -> None:
    table = game("begun")
    with patch("pbem.wording.game_status.turn_title", side_effect=ZeroDivisionError("oh")):
        said = table.person("ann").pbem("status -C savannah")
    assert (said.exit, said.out) == (70, "")
    assert said.err.count("\n") == 1
    path = Path(said.err.strip().rpartition(" ")[2])
    assert "ZeroDivisionError: oh" in path.read_text("utf-8")


def test_ctrl_c_in_a_command_prints_one_line_and_no_traceback(game: Start) -> None:
    table = game("begun")
    with patch("pbem.wording.game_status.turn_title", side_effect=KeyboardInterrupt):
        said = table.person("ann").pbem("status -C savannah")
    assert (said.exit, said.out, said.err) == (130, "", "interrupted\n")


@pytest.mark.sample(0)
@pytest.mark.parametrize(("typed", "code"), [("open sesame", 0), ("shut", 4)])
def test_a_passphrase_is_asked_for_on_a_terminal(game: Start, typed: str, code: int) -> None:
    ended, seen = type_passphrase(game("made"), typed)
    assert ended == code, seen
    assert ("the passphrase is wrong" in seen) == bool(code)
    assert typed not in seen


def test_a_pbem_home_inside_the_game_folder_is_refused(game: Start) -> None:
    table = game("made")
    ann = table.person("ann")
    ann.home = table.shared / "savannah/mine"
    for line in ("status", f"join --invite {invite(table, 'a')}"):
        said = ann.pbem(f"{line} -C savannah")
        assert (said.exit, "is inside the game folder, which others see" in said.err) == (7, True)
    assert sorted(p.name for p in (table.shared / "savannah").iterdir()) == ["game.toml"]


def test_a_pbem_home_that_cannot_be_made_is_named(table: Round) -> None:
    nobody = table.person("ann")
    (table.root / "file").write_text("")
    nobody.home = table.root / "file/home"
    nobody.pbem("keys new").checked(7, err="file")


@pytest.mark.long
def test_after_99_revisions_a_player_can_seal_no_more_orders(game: Start) -> None:
    table = game("begun")
    ann = table.person("ann")
    for number in range(99):
        text = "" if number % 2 else 'always = {feed = "* eats"}'
        assert f"revision {number + 1})" in ann.pbem("submit -C savannah -", text).out
    said = ann.pbem("submit -C savannah -", 'always = {think = "done"}')
    assert (said.exit, "already sealed orders 99 times" in said.err) == (2, True)


@pytest.mark.sample(0)
def test_the_json_of_every_command_is_one_line_in_the_same_envelope(game: Start) -> None:
    import json

    table = game("middle")
    ann = table.person("ann")
    for line in ("status", "show", "log", "check -"):
        said = ann.pbem(f"{line} --json -C savannah")
        data = json.loads(said.out)
        beside = {"messages"} if line == "log" else set()
        assert (said.out.count("\n"), set(data)) == (1, {"pbem", "command", "data"} | beside)
        assert (data["pbem"], data["command"]) == (1, line.split()[0])
    assert json.loads(ann.pbem("audit savannah --json").out)["data"]["exit"] == 0
    assert json.loads(table.person("rhea").pbem("advance -C savannah --json").out)


def test_an_invite_broken_and_spaced_by_a_mail_program_is_taken(game: Start) -> None:
    table = game("made")
    line = invite(table, "a")
    broken = f"  {line[:30]}\u00a0 {line[30:70]} {line[70:].upper()} "
    table.person("ann").pbem(["join", "-C", "savannah", "--invite", broken]).checked(0)
    sit(table, "b")
