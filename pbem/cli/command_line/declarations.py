"""How commands declare their options and arguments.

A command is a function. Each of its parameters is ``Annotated`` with an `Option` or an `Argument`;
its type says whether it is a flag (``bool``) or takes a text, a whole number, a path, or several
texts. Two readers use these declarations: `plain_line`, which needs no library, and `with_typer`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Command = Callable[..., Any]
"""A command's function; a number that it returns is the exit code."""


class Declared:
    """What options and arguments have in common: their names, and settings that Typer also has."""

    def __init__(
        self,
        *names: str,
        help: str,  # noqa: A002 - Typer's name for it
        metavar: str | None = None,
        autocompletion: Callable[..., list[str]] | None = None,
        show_default: bool = True,
        envvar: str | None = None,
        callback: Callable[[str], str] | None = None,
        min: int | None = None,  # noqa: A002
        max: int | None = None,  # noqa: A002
    ) -> None:
        self.names = names
        self.help = help
        self.metavar = metavar
        self.autocompletion = autocompletion
        self.show_default = show_default
        self.envvar = envvar
        self.callback = callback
        self.min = min
        self.max = max


class Option(Declared):
    """An option, with the names that it has on the command line: `-C`, `--folder`."""


class Argument(Declared):
    """A value that is typed without a name, such as FOLDER in `pbem new FOLDER`."""


class Group:
    """Commands that begin with the same word, such as `pbem keys new` and `pbem keys show`."""

    def __init__(self, help: str) -> None:  # noqa: A002
        self.help = help
        self.commands: dict[str, Command] = {}

    def command(self, name: str) -> Callable[[Command], Command]:
        """Return a decorator that adds a function as the command ``name`` of this group."""

        def add(function: Command) -> Command:
            self.commands[name] = function
            return function

        return add
