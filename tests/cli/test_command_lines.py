"""A plain command line is read without Typer: it must mean what it means to Typer."""

import inspect
import os
import re
import shlex
from functools import cache, wraps
from typing import Any
from unittest import mock

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from pbem.cli import run
from pbem.cli.command_line.commands import PLACES, load
from pbem.cli.command_line.declarations import Command, Group
from pbem.cli.command_line.plain_line import PlainLine, plain_call
from pbem.cli.command_line.with_typer import for_typer
from pbem.cli.failure import CliError
from pbem.cli.help.examples import EXAMPLES
from pbem.cli.manual import commands

VALUES = ("a", "b", "0", "7", "007", "-1", "99999", "²", "-", "", "a b", "2026-11-25T20:00Z", ".")
ODD = ("--", "-h", "--help", "--unknown", "-x", "--json=1", "-C=here", "-Chere", "-jC")


def command_of(name: str) -> Command:
    first, _, inner = name.partition(" ")
    found = load(PLACES[first])
    return found.commands[inner] if isinstance(found, Group) else found


NAMES = [name for name, _ in commands()]


@cache
def recorded(name: str) -> tuple[Any, list[dict[str, Any]]]:
    """The command as Typer has it, and the list of the values that Typer calls it with."""
    seen: list[dict[str, Any]] = []
    command = command_of(name)

    @wraps(command)
    def record(**values: Any) -> None:
        seen.append(values)

    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command()(for_typer(record))
    return typer.main.get_command(app), seen


def typers(name: str, words: list[str]) -> dict[str, Any] | str | None:
    """What Typer reads: the values, or the sentence of our own error, or None for a mistake."""
    command, seen = recorded(name)
    seen.clear()
    try:
        command(args=words, prog_name="pbem", standalone_mode=False)
    except CliError as error:
        return str(error)
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        return None
    return seen[-1] if seen else None


def plainly(name: str, words: list[str]) -> dict[str, Any] | str | None:
    try:
        call: Any = plain_call([*name.split(), *words])
    except CliError as error:
        return str(error)
    if call is None:
        return None
    parameters = inspect.signature(command_of(name)).parameters.values()
    assert call.func is command_of(name)
    return {p.name: p.default for p in parameters} | call.keywords


@st.composite
def lines(draw: st.DrawFn, name: str) -> list[str]:
    """Words for a command: mostly its own options, with values that may fit."""
    options = PlainLine(command_of(name)).options
    flags = [o for o, p in options.items() if p.kind is bool]
    valued = [o for o, p in options.items() if p.kind is not bool]
    kinds = [st.sampled_from(VALUES).map(lambda value: [value])] * 2
    kinds += [st.sampled_from(flags).map(lambda flag: [flag])] if flags else []
    if valued:
        pair = st.tuples(st.sampled_from(valued), st.sampled_from(VALUES))
        kinds += [pair.map(list), pair.map(list), pair.map(lambda two: ["=".join(two)])]
        kinds += [st.sampled_from(valued).map(lambda option: [option])]
    kinds += [st.sampled_from(ODD).map(lambda odd: [odd])]
    return [word for words in draw(st.lists(st.one_of(kinds), max_size=5)) for word in words]


@pytest.mark.parametrize("name", NAMES)
@given(st.data())
def test_a_plain_line_means_what_it_means_to_typer(name: str, data: st.DataObject) -> None:
    words = data.draw(lines(name))
    with mock.patch.dict(os.environ):
        mine, theirs = plainly(name, words), typers(name, words)
    assert mine is None or mine == theirs


@pytest.mark.parametrize("name", NAMES)
def test_every_example_in_the_help_is_a_plain_line(name: str) -> None:
    for typed, _ in EXAMPLES[name]:
        words = shlex.split(re.split(" [<>] ", typed)[0])[1:]
        rest = words[len(name.split()) :]
        with mock.patch.dict(os.environ):
            mine = plainly(name, rest)
            assert mine is not None
            assert mine == typers(name, rest)


@pytest.mark.parametrize(
    "typed",
    [
        "", "--help", "--version", "chek", "check -h", "check --strikt", "check --as", "check a b",
        "check --as=a --as=b", "check --as -C", "check -Chere", "check -- a", "check --strict=1",
        "log --turn x", "log --turn -1", "show --width 9", "notice", "notice -h", "notice awya",
        "delay 24h", "notice delay", "receive", "tell ''", "notify remove one",
    ],
)  # fmt: skip
def test_typer_reads_what_is_not_plain(typed: str) -> None:
    assert plain_call(shlex.split(typed)) is None


def test_typer_reads_a_line_whose_value_may_be_in_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words = ["new", "savannah", "--players", "Ann,Bo"]
    assert plain_call(words)
    monkeypatch.setenv("PBEM_TABLE", "0" * 32)
    assert plain_call(words) is None


@pytest.mark.parametrize(
    ("typed", "hint"),
    [("status --as", "pbem status -h"), ("keys new --profile", "pbem keys new -h"),
     ("log --turn x", "pbem log -h"), ("status --bs", "did you mean --as, --json?")],
)  # fmt: skip
def test_a_mistake_is_explained_for_the_command_that_was_typed(
    typed: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(shlex.split(typed)) == 2
    assert capsys.readouterr().err.splitlines()[1] == f"  try: {hint}"
