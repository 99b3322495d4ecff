"""Build each command only when it is called: building all of them takes as long as starting
Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group

MOST_HELP = 200
"""The most columns of a command's summary in the list; the text is wrapped, not cut."""


def load(place: str) -> Callable[..., Any] | typer.Typer:
    """Import the object at ``module:name``: a command's function, or a Typer that contains
    commands."""
    module, _, name = place.partition(":")
    found: Callable[..., Any] | typer.Typer = getattr(import_module(module), name)
    return found


class WithExamples(TyperCommand):
    """A command whose help ends with examples, which are imported only when the help is printed."""

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples (see click)."""
        from pbem.cli.help.examples import epilog

        self.epilog = epilog(str(self.name))
        super().format_epilog(ctx, formatter)


class Outline(TyperCommand):
    """A command whose module is loaded only when the command runs or its help is printed."""

    def __init__(self, name: str, place: str) -> None:
        super().__init__(name, rich_markup_mode=None)
        self.place = place

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the summary of the command for the list (see click)."""
        found = load(self.place)
        said = found.info.help if isinstance(found, typer.Typer) else found.__doc__
        self.help = str(said)
        return super().get_short_help_str(MOST_HELP)

    def built(self) -> Any:
        """Import the module, and return the complete command with its options."""
        found = load(self.place)
        if isinstance(found, typer.Typer):
            from pbem.cli.help.examples import epilog

            group = get_group(found)
            group.name = self.name
            for name, command in group.commands.items():
                command.epilog = epilog(f"{self.name} {name}")
                command.short_help = (command.help or "").rstrip(".")
            return group
        single = typer.Typer(add_completion=False, rich_markup_mode=None)
        single.command(self.name, cls=WithExamples)(found)
        return get_command(single)


class LazyGroup(TyperGroup):
    """A group of commands whose modules are loaded only when one of them is called."""

    places: ClassVar[Mapping[str, str]]
    """For each command, the ``module:name`` that `load` imports."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name, place in self.places.items():
            self.add_command(Outline(name, place))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that was typed (see click)."""
        name, found, rest = super().resolve_command(ctx, args)
        return name, found.built() if isinstance(found, Outline) else found, rest
