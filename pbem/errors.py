"""The base of every error that people read, and the exit codes of commands (docs/errors.md)."""

from __future__ import annotations

from typing import Any, Final

FINDINGS: Final = 1
USAGE: Final = 2
STALE: Final = 3
KEY: Final = 4
NOT_YET: Final = 5
RULES: Final = 6
DISK: Final = 7
BUG: Final = 70


class PbemError(Exception):
    """Something that pbem cannot do, in words: the sentence, what to do about it, the exit code.

    A command that meets one prints it and ends; subclasses are for what must be told apart.
    """

    hint: str = ""
    """The remedy: words to type, or something to do; empty if nothing helps."""
    exit: int = FINDINGS

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence

    def __reduce__(self) -> tuple[Any, ...]:
        """Keep all fields when a worker process sends the error (see pickle)."""
        return Exception.__new__, (type(self), *self.args), self.__dict__

    @property
    def full_sentence(self) -> str:
        """The sentence that a command prints, after the path if the error is about a file."""
        return self.sentence


class CliError(PbemError):
    """An error that ends a command: what is wrong, how to fix it, and the exit code."""

    def __init__(self, sentence: str, hint: str = "", code: int = USAGE) -> None:
        super().__init__(sentence)
        self.hint = hint
        self.exit = code
