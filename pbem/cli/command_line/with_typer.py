"""Give the commands to Typer, which reads the lines that `plain_line` leaves to it."""

from __future__ import annotations

from inspect import signature
from typing import Annotated, Any, get_args, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group

from pbem.cli.command_line.commands import PLACES, SECTIONS, load
from pbem.cli.command_line.declarations import Command, Group, Option

MOST_HELP = 200
"""The most columns of a command's summary in the list; the text is wrapped, not cut."""


def for_typer(command: Command) -> Command:
    """Return a function that calls the command and declares its parameters as Typer expects."""

    def call(**values: Any) -> Any:
        return command(**values)

    hints = get_type_hints(command, include_extras=True)
    hints = {name: _translated(hint) for name, hint in hints.items() if name != "return"}
    given = signature(command)
    call.__name__, call.__doc__ = command.__name__, command.__doc__
    call.__annotations__ = hints
    call.__signature__ = given.replace(  # type: ignore[attr-defined]
        parameters=[p.replace(annotation=hints[p.name]) for p in given.parameters.values()]
    )
    return call


def _translated(hint: Any) -> Any:
    typed, declared = get_args(hint)
    make = typer.Option if isinstance(declared, Option) else typer.Argument
    settings = {name: value for name, value in vars(declared).items() if name != "names"}
    return Annotated[typed, make(*declared.names, **settings)]


WIDEST = max(len(name) for name in PLACES)


class WithExamples(TyperCommand):
    """A command whose help ends with examples, which are imported only when the help is printed."""

    whole_name = ""
    """For a command in a group, its name with the name of the group, such as `keys show`."""

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Read the words (see click); every error knows for which command they were typed."""
        try:
            return super().parse_args(ctx, args)
        except Exception as error:
            if getattr(error, "ctx", ctx) is None:
                error.ctx = ctx  # type: ignore[attr-defined]
            raise

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples (see click)."""
        from pbem.cli.help.examples import epilog

        self.epilog = epilog(self.whole_name or str(self.name))
        super().format_epilog(ctx, formatter)


class Outline(TyperCommand):
    """A command whose module is loaded only when the command runs or its help is printed."""

    def __init__(self, name: str, place: str) -> None:
        super().__init__(name, rich_markup_mode=None)
        self.place = place

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the summary of the command for the list (see click)."""
        found = load(self.place)
        self.help = found.help if isinstance(found, Group) else str(found.__doc__)
        return super().get_short_help_str(MOST_HELP)

    def built(self) -> Any:
        """Import the module, and return the complete command with its options."""
        found = load(self.place)
        if isinstance(found, Group):
            return _built_group(str(self.name), found)
        single = typer.Typer(add_completion=False, rich_markup_mode=None)
        single.command(self.name, cls=WithExamples)(for_typer(found))
        return get_command(single)


def _built_group(name: str, group: Group) -> Any:
    whole = typer.Typer(help=group.help, no_args_is_help=True, rich_markup_mode=None)
    for inner, command in group.commands.items():
        whole.command(inner, cls=WithExamples)(for_typer(command))
    built: Any = get_group(whole)
    built.name = name
    for inner, found in built.commands.items():
        found.whole_name = f"{name} {inner}"
        found.short_help = (found.help or "").rstrip(".")
    return built


class Commands(TyperGroup):
    """All commands; the module of each is loaded only when it is called."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name, place in PLACES.items():
            self.add_command(Outline(name, place))

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands in their sections (see click)."""
        for title, names in SECTIONS.items():
            with formatter.section(title):
                rows = [(name, self.commands[name].get_short_help_str()) for name in names]
                formatter.write_dl([(name.ljust(WIDEST), told) for name, told in rows])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that was typed (see click)."""
        name, found, rest = super().resolve_command(ctx, args)
        return name, found.built() if isinstance(found, Outline) else found, rest


app = typer.Typer(
    name="pbem",
    cls=Commands,
    help="A referee for card games by mail or in a shared folder; anyone can audit every turn.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from pbem import __version__

        print(f"pbem {__version__}")
        raise typer.Exit


@app.callback()
def _all(
    version: bool = typer.Option(
        False, "--version", help="Print the version and exit.", callback=_version, is_eager=True
    ),
) -> None:
    """Define the options that are typed before a command, such as `--version`."""
