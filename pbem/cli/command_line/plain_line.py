"""Read a plain command line without Typer, whose import takes longer than most commands.

A line is plain if every word in it is known and complete: a command, its options with their values,
its arguments. Anything else is left to Typer: help, mistakes, completion, and rare ways to write
options. So only one reader explains mistakes. Both readers use the same declarations, and tests
compare the values that they find.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_type_hints

from pbem.cli.command_line.commands import PLACES, load
from pbem.cli.command_line.declarations import Argument, Command, Declared, Group


class NotPlainError(Exception):
    """Typer must read this command line."""


def plain_call(words: Sequence[str]) -> Callable[[], Any] | None:
    """Return the call that a plain command line asks for, or None if Typer must read the line."""
    name, *rest = words or ("",)
    if name not in PLACES:
        return None
    found = load(PLACES[name])
    if isinstance(found, Group):
        name, *rest = rest or ("",)
        if name not in found.commands:
            return None
        found = found.commands[name]
    try:
        return partial(found, **PlainLine(found).read(rest))
    except NotPlainError:
        return None


class PlainLine:
    """The values that a plain line gives to the parameters of a command."""

    def __init__(self, command: Command) -> None:
        self.command = command
        self.values: dict[str, Any] = {}
        hints = get_type_hints(command, include_extras=True)
        hints.pop("return", None)
        self.parameters = [Parameter(name, hint) for name, hint in hints.items()]
        self.options = {name: one for one in self.parameters for name in one.declared.names}
        self.arguments = [x for x in self.parameters if isinstance(x.declared, Argument)]

    def read(self, words: Sequence[str]) -> dict[str, Any]:
        """Return the values by the names of the parameters.

        Raises NotPlainError, and CliError for a value that the callback of its option refuses.
        """
        left = iter(words)
        unnamed = []
        for word in left:
            if _looks_like_option(word):
                self._option(word, left)
            else:
                unnamed.append(word)
        self._place(unnamed)
        self._check_complete()
        for one in self.parameters:
            if one.declared.callback and one.name in self.values:
                self.values[one.name] = one.declared.callback(self.values[one.name])
        return self.values

    def _option(self, word: str, left: Iterator[str]) -> None:
        name, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
        option = self.options.get(name)
        if option is None or (option.kind is bool and equals):
            raise NotPlainError
        if option.kind is bool:
            self._set(option, True)
            return
        if not equals:
            value = next(left, "")
        if _looks_like_option(value):
            raise NotPlainError
        self._set(option, option.read(value))

    def _set(self, parameter: Parameter, value: Any) -> None:
        if parameter.kind is list:
            self.values.setdefault(parameter.name, []).append(value)
        elif parameter.name in self.values:
            raise NotPlainError
        else:
            self.values[parameter.name] = value

    def _place(self, unnamed: list[str]) -> None:
        """Give the words without a name to the arguments, in order."""
        arguments = self.arguments
        if len(arguments) == 1 and arguments[0].kind is list:
            arguments = arguments * len(unnamed)
        if len(unnamed) > len(arguments):
            raise NotPlainError
        for argument, word in zip(arguments, unnamed, strict=False):
            self._set(argument, argument.read(word))

    def _check_complete(self) -> None:
        """Raise NotPlainError if a required value is missing or may be in the environment."""
        code, defaults = self.command.__code__, self.command.__defaults__ or ()
        required = code.co_varnames[: code.co_argcount - len(defaults)]
        if any(name not in self.values for name in required):
            raise NotPlainError
        if any((one.declared.envvar or "") in os.environ for one in self.parameters):
            raise NotPlainError


class Parameter:
    """A parameter of a command's function: its name, its type, and how it is declared."""

    def __init__(self, name: str, hint: Any) -> None:
        self.name = name
        typed, self.declared = _parts(hint)
        (self.each,) = get_args(typed) or (typed,)  # str for list[str]
        self.kind = typed if self.each is typed else list

    def read(self, text: str) -> Any:
        """Return the value that a text stands for. Raises NotPlainError."""
        if not text:
            raise NotPlainError
        return _READERS[self.each](text, self.declared)


def _looks_like_option(word: str) -> bool:
    return word.startswith("-") and word != "-"


def _parts(hint: Any) -> tuple[Any, Declared]:
    """Return the type without None, and the declaration."""
    typed, declared = get_args(hint)
    if isinstance(typed, UnionType):
        (typed,) = [member for member in get_args(typed) if member is not type(None)]
    return typed, declared


def _number(text: str, declared: Declared) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < MOST_DIGITS):
        raise NotPlainError
    number = int(text)
    least = number if declared.min is None else declared.min
    most = number if declared.max is None else declared.max
    if not least <= number <= most:
        raise NotPlainError
    return number


def _path(text: str, declared: Declared) -> Path:
    if os.path.exists(text) and not os.access(text, os.R_OK):
        raise NotPlainError
    return Path(text)


MOST_DIGITS = 20
_READERS: dict[Any, Callable[[str, Declared], Any]] = {
    str: lambda text, declared: text,
    int: _number,
    Path: _path,
}
