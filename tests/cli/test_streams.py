"""Output that nobody reads, a full disk, closed streams, and typed bytes that are no text."""

import os
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import IO
from unittest.mock import patch

import pytest

from pbem.errors import CliError
from pbem.person.keyring import ask_on_terminal
from tests.kit.people import PBEM, Person, Round

Start = Callable[[str], Round]
FULL = Path("/dev/full")
NO_ROOM = "error: the output: the disk is full; make room and try again\n"
at_once = pytest.mark.parametrize("at_once", ["", "1"], ids=["buffered", "at once"])
"""Whether Python prints each text at once; if not, it prints when the command has ended."""


def exit_and_errors(
    person: Person, line: str, at_once: str, out: IO[bytes] | int, err: IO[bytes] | int
) -> tuple[int, str]:
    """The exit code of a real command, and its standard error if that is a pipe."""
    done = subprocess.run(
        [PBEM, *shlex.split(line)], cwd=person.place, stdout=out, stderr=err,
        env=person.environ({"PYTHONUNBUFFERED": at_once}), stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    return done.returncode, (done.stderr or b"").decode()


def unread(person: Person, line: str, at_once: str) -> tuple[int, str]:
    """The same, while the program that should read the output has ended."""
    read, write = os.pipe()
    os.close(read)
    with open(write, "wb") as pipe:
        return exit_and_errors(person, line, at_once, pipe, subprocess.PIPE)


@pytest.mark.sample(0)
def test_output_into_a_closed_pipe_is_no_error(game: Start) -> None:
    table = game("middle")
    said = table.person("eve").shell("pbem log -C savannah | head -1; pbem show -C savannah | true")
    assert (said.exit, said.err) == (0, "")
    assert said.out.count("\n") == 1


@pytest.mark.sample(0)
def test_a_command_keeps_its_exit_code_if_nobody_reads_its_output(game: Start) -> None:
    eve = game("middle").person("eve")
    assert unread(eve, "status -C savannah", "") == (0, "")
    (eve.place / "savannah/turns/0002.toml").write_text("damaged")
    assert unread(eve, "audit savannah", "")[0] not in (0, 130)


@pytest.mark.sample(0)
@pytest.mark.parametrize("line", ["log -C savannah", "audit savannah savannah", "log -h"])
def test_a_command_cut_short_by_a_closed_pipe_does_not_end_with_success(game, line):
    assert unread(game("middle").person("eve"), line, "1") == (130, "")


@pytest.mark.sample(0)
@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
@at_once
@pytest.mark.parametrize("line", ["status -C savannah", "log -C savannah", "log -h", "--version"])
def test_output_to_a_full_disk_is_an_error(game: Start, line: str, at_once: str) -> None:
    with FULL.open("wb") as full:
        assert exit_and_errors(game("middle").person("eve"), line, at_once, full, -1) == (
            7,
            NO_ROOM,
        )


@pytest.mark.sample(0)
@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
@at_once
def test_an_error_that_cannot_be_printed_keeps_its_exit_code(game: Start, at_once: str) -> None:
    with FULL.open("wb") as full:
        eve = game("middle").person("eve")
        assert exit_and_errors(eve, "check nothing -C savannah", at_once, -1, full)[0] == 4
        assert exit_and_errors(eve, "chek", at_once, -1, full)[0] == 2


@pytest.mark.sample(0)
@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("status >&-", 0),
        ("status <&- >&- 2>&-", 0),
        ("--help >&-", 0),
        ("receive - <&-", 4),
        ("tell - <&-", 2),
        ("chek 2>&-", 2),
    ],
)
def test_commands_work_with_closed_input_output_or_errors(game, line, code):
    eve = game("middle").person("eve")
    eve.place /= "savannah"
    said = eve.shell(f"pbem {line}")
    assert (said.exit, said.out) == (code, "")
    assert not {"Traceback", "bug"} & set(said.err.split())


def test_a_passphrase_that_is_not_utf_8_is_refused() -> None:
    """The terminal sends an é as it is in Latin-1."""
    with (
        patch("sys.stdin.isatty", return_value=True, create=True),
        patch("getpass.getpass", side_effect=UnicodeDecodeError("utf-8", b"\xe9", 0, 1, "odd")),
        pytest.raises(CliError, match="not UTF-8"),
    ):
        ask_on_terminal("default")


@pytest.mark.long
def test_a_typed_answer_that_is_not_utf_8_does_not_lose_the_draft(game: Start) -> None:
    bo = game("begun").person("bo")
    done = subprocess.run(
        [PBEM, "play", "-C", "savannah"], cwd=bo.place, input=b"\xe9\nq\n",
        env=bo.environ({}), capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert b"your draft is kept" in done.stderr
