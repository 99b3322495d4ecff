"""The command line: every command with its place and its summary, given to Typer.

A command's module is imported only when somebody calls the command or asks for its help: importing
all of them would take as long as starting Python several times.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group

from pbem import __version__


def _read_text(name: str) -> str:
    """Return the text of a file beside this module, which may be in a zip archive. The function
    that reads the data of games would import their package for `pbem --help`."""
    loader: Any = globals()["__loader__"]
    content: bytes = loader.get_data(str(Path(__file__).with_name(name)))
    return content.decode()


class ListedCommand(NamedTuple):
    """A row of `commands.txt`."""

    location: str
    """The module in this package and the name in it, such as `log_and_since:show_since`."""
    summary: str
    """The command's line in `pbem --help`."""


def _read_sections() -> dict[str, dict[str, ListedCommand]]:
    """Read `commands.txt`: return the sections of `pbem --help` by heading, each with its commands
    by name."""
    sections: dict[str, dict[str, ListedCommand]] = {}
    for block in _read_text("commands.txt").split("\n\n"):
        heading, *rows = block.splitlines()
        for name, location, summary in (row.split(maxsplit=2) for row in rows):
            sections.setdefault(heading, {})[name] = ListedCommand(location, summary)
    return sections


SECTIONS: Final = _read_sections()
COMMANDS: Final = {
    name: command for section in SECTIONS.values() for name, command in section.items()
}


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
                rows = [(name.ljust(width), c.summary) for name, c in commands.items()]
                formatter.write_dl(rows)


@cache
def all_examples() -> dict[str, dict[str, str]]:
    """Return, for each command, the lines that people may type, and what each of them does.

    In `examples.txt`, each block has a command's name, then two examples: what is typed, and below
    it what it does. `{game}` stands for the name of the first ruleset.
    """
    from games.registry import default_name  # only help needs it

    text = _read_text("examples.txt").replace("{game}", default_name())
    examples = dict[str, dict[str, str]]()
    for block in text.strip().split("\n\n"):
        command, *lines = (line.strip() for line in block.splitlines())
        examples[command] = dict(zip(lines[::2], lines[1::2], strict=True))
    return examples


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
    """Return the end of a command's help: its examples; empty if it has none."""
    command = ctx.command_path.partition(" ")[2]
    lines = list[str]()
    for example, explanation in all_examples().get(command, {}).items():
        lines += [f"  {example}", f"      {explanation}"]
    return "\n".join(["\b", "Examples:", *lines]) if lines else ""  # \b: click wraps no line here


def load(name: str) -> Any:
    """Import a command, or a group of commands, and return what Typer makes of it."""
    location, summary = COMMANDS[name]
    module, _, attribute = location.partition(":")
    command = getattr(import_module(f"pbem.cli.{module}"), attribute)
    if isinstance(command, typer.Typer):
        command.info.help, command.info.cls = summary, GroupWithExamples
        for subcommand in command.registered_commands:
            subcommand.cls = WithExamples
            subcommand.short_help = str(subcommand.callback.__doc__).rstrip(".")  # whole, not cut
        group = get_group(command)
        group.name = name
        return group
    single = typer.Typer(add_completion=False, rich_markup_mode=None)
    single.command(name, cls=WithExamples)(command)
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


def _print_version(is_asked: bool) -> None:
    if is_asked:
        print(f"pbem {__version__}")
        raise typer.Exit


@app.callback()
def _global_options(
    version: bool = typer.Option(
        False,
        "--version",
        help="Print the version and exit.",
        callback=_print_version,
        is_eager=True,
    ),
) -> None:
    """Define the options that are typed before a command, such as `--version`."""
