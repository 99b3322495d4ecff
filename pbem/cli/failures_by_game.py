"""Do one thing in several games: what goes wrong in one does not stop the others."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from pbem.errors import BUG, DISK, FINDINGS, KEY, NOT_YET, RULES, STALE, USAGE, PbemError
from pbem.terminal.clean_text import clean
from pbem.terminal.command_failures import sentence_of
from pbem.terminal.printing import say


class Failure(NamedTuple):
    """The error that ended a command in one game."""

    folder: str
    """The folder as it was named; empty for the current folder."""
    sentence: str
    exit: int
    """The exit code of the error."""


@contextmanager
def collect_failure(
    failures: list[Failure], folder: str | None, *, is_quiet: bool = False
) -> Iterator[None]:
    """Add an error of the block to `failures` and go on; print the error unless `is_quiet`."""
    try:
        yield
    except PbemError as error:
        failure = Failure(clean(folder or ""), clean(sentence_of(error) or ""), error.exit)
        failures.append(failure)
        if not is_quiet:
            label = "" if failure.exit == NOT_YET else "error: "
            say(f"{failure.folder}: {label}{failure.sentence}")


EXIT_CODES_WORST_FIRST = (BUG, RULES, KEY, STALE, DISK, USAGE, FINDINGS, NOT_YET)
"""The exit codes (docs/errors.md): the first tells most about what went wrong in a game."""


def worst_exit_code(codes: Collection[int]) -> int:
    """Return the exit code that tells most about what went wrong in several games; 0 if nothing
    did."""
    return next((code for code in EXIT_CODES_WORST_FIRST if code in codes), 0)
