"""The command line: every command with its place and its summary, given to Typer.

A command's module is imported only when somebody calls the command or asks for its help: importing
all of them would take as long as starting Python several times.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group

from pbem import __version__


def _data(name: str) -> str:
    """Return the text of a file beside this module, which may be in a zip archive. What reads the
    data of games is not used here: it would import their package for `pbem --help`."""
    loader: Any = globals()["__loader__"]
    data: bytes = loader.get_data(str(Path(__file__).with_name(name)))
    return data.decode()


def _sections() -> dict[str, dict[str, tuple[str, str]]]:
    """Read `commands.txt`: for each section of `pbem --help`, its commands, each with its
    ``module:name`` in this package, and its summary."""
    sections: dict[str, dict[str, tuple[str, str]]] = {}
    for block in _data("commands.txt").split("\n\n"):
        heading, *rows = block.splitlines()
        for name, place, summary in (row.split(maxsplit=2) for row in rows):
            sections.setdefault(heading, {})[name] = place, summary
    return sections


SECTIONS: Final = _sections()
COMMANDS: Final = {name: found for section in SECTIONS.values() for name, found in section.items()}


class Commands(TyperGroup):
    """All commands; the module of each is loaded only when the command is looked up."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands: Any = dict.fromkeys(COMMANDS)  # what Typer suggests if a name was mistyped

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands, in the order of the help (see click)."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import the command with this name; None if there is none (see click)."""
        return load(cmd_name) if cmd_name in COMMANDS else None

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands for the help, without importing them (see click)."""
        width = max(map(len, COMMANDS))
        for heading, commands in SECTIONS.items():
            with formatter.section(heading):
                rows = [(name.ljust(width), summary) for name, (_, summary) in commands.items()]
                formatter.write_dl(rows)


@cache
def all_examples() -> dict[str, dict[str, str]]:
    """Return, for each command, the lines that people may type, and what each of them does.

    In `examples.txt`, each block has a command's name, then two examples: what is typed, and below
    it what it does. `{game}` stands for the name of the first ruleset.
    """
    from games.registry import default_name  # only help needs it

    text = _data("examples.txt").replace("{game}", default_name())
    blocks = text.strip().split("\n\n")
    rows = ([line.strip() for line in block.splitlines()] for block in blocks)
    return {name: dict(zip(rest[::2], rest[1::2], strict=True)) for name, *rest in rows}


class WithExamples(TyperCommand):
    """A command whose help ends with examples, and whose name each mistake in its line carries."""

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Read the words that were typed (see click)."""
        try:
            return super().parse_args(ctx, args)
        except Exception as error:
            if getattr(error, "ctx", ctx) is None:
                error.ctx = ctx  # type: ignore[attr-defined]
            raise

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples (see click)."""
        self.epilog = _examples(ctx)
        super().format_epilog(ctx, formatter)


class GroupWithExamples(TyperGroup):
    """A group of commands that is a command too, so that its help ends with examples."""

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples (see click)."""
        self.epilog = _examples(ctx)
        super().format_epilog(ctx, formatter)


def _examples(ctx: Any) -> str:
    examples = all_examples().get(ctx.command_path.partition(" ")[2], {}).items()
    lines = [line for typed, does in examples for line in (f"  {typed}", f"      {does}")]
    return "\n".join(["\b", "Examples:", *lines]) if lines else ""


def load(name: str) -> Any:
    """Import a command, or a group of commands, and return what Typer makes of it."""
    place, summary = COMMANDS[name]
    module, _, attribute = place.partition(":")
    found = getattr(import_module(f"pbem.cli.{module}"), attribute)
    if isinstance(found, typer.Typer):
        found.info.help, found.info.cls = summary, GroupWithExamples
        for inner in found.registered_commands:
            inner.cls = WithExamples
            inner.short_help = str(inner.callback.__doc__).rstrip(".")  # whole, not cut
        group = get_group(found)
        group.name = name
        return group
    single = typer.Typer(add_completion=False, rich_markup_mode=None)
    single.command(name, cls=WithExamples)(found)
    return get_command(single)


app = typer.Typer(
    name="pbem",
    cls=Commands,
    help="A referee for games by email and in shared folders. Players write sealed order files, "
    "the referee publishes signed turn files, and anybody can audit the game.",
    epilog="pbem COMMAND -h explains a command, with examples. To begin: pbem learn",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"pbem {__version__}")
        raise typer.Exit


@app.callback()
def _all(
    version: bool = typer.Option(
        False, "--version", help="Print the version and exit.", callback=_version, is_eager=True
    ),
) -> None:
    """Define the options that are typed before a command, such as `--version`."""
