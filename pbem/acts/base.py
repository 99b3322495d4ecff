"""What every command needs: errors as sentences with an exit code, JSON, progress."""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from pbem.errors import CliError, PbemError
from pbem.files.disk import create, storage_error
from pbem.files.syscalls import temporary_folder
from pbem.terminal.terminal import clean, with_tilde

# ---- End a command that failed: print a sentence, and exit with the right code


def not_an_address(typed: str) -> CliError:
    """Return the error for a text that was typed where an email address is needed."""
    told = f"{typed[:80]!r} is not an email address"
    return CliError(told, "an address has only ASCII letters, as in bo@example.org")


def complain(sentence: str, hint: str = "") -> None:
    """Print an error on standard error, and how to fix it."""
    told, cure = with_tilde(clean(sentence)), with_tilde(clean(hint))
    lines = [f"error: {told}", *([f"  try: {cure}"] if hint else [])]
    with suppress(OSError):  # if nobody can read this, the exit code still says what happened
        print("\n".join(lines), file=sys.stderr)


def print_known_error(error: Exception) -> int | None:
    """Print an error of a known kind and return its exit code; return None for a bug."""
    if hasattr(error, "format_message"):
        return _typed_wrong(error)
    known = _about_a_path(error)
    if not isinstance(known, PbemError):
        return None
    complain(known.full_sentence, known.hint)
    return known.exit


def sentence_of(error: Exception) -> str | None:
    """Return the sentence that describes an error of a known kind; None for a bug."""
    known = _about_a_path(error)
    return known.full_sentence if isinstance(known, PbemError) else None


def _about_a_path(error: Exception) -> Exception:
    """People may type any path, also one that the system cannot even look up: its name is too long,
    or a folder above it is closed."""
    if isinstance(error, OSError) and isinstance(error.filename, str | bytes):
        return storage_error(error, os.fsdecode(error.filename))
    return error


def _typed_wrong(error: Any) -> int:
    if type(error).__name__ == "NoArgsIsHelpError":
        error.show()
        return int(error.exit_code)
    context = getattr(error, "ctx", None)
    hint = f"{context.command_path if context else 'pbem'} -h"
    if hint == "pbem -h" and type(error).__name__ == "NoSuchOption":
        hint += "; a command's options come after it, as in: pbem status -C FOLDER"
    complain(error.format_message(), hint)
    return int(error.exit_code)


def bug_sentence(error: Exception) -> str:
    """Write a bug's traceback to a file, and say where it is."""
    text = "".join(traceback.format_exception(error))
    path = temporary_folder("pbem-") / "traceback.txt"
    create(path, text.encode("utf-8", "replace"))
    return f"this is a bug in pbem ({type(error).__name__}); the details are in {path}"


# ---- The common envelope of all `--json` output: `{"pbem": 1, "command": …, "data": …}` on one
# line
#
# `log` and `since` add the key `messages`, which is beside `data` because messages are not part of
# the game.


def print_data(command: str, data: Any, **more: Any) -> None:
    """Print data for programs; `more` are further keys, which are printed after `data`."""
    print(json.dumps({"pbem": 1, "command": command, "data": data} | more, sort_keys=True))


# ---- Show a progress bar on standard error, if standard error is a terminal


@contextmanager
def progress(total: int, done: int = 0) -> Iterator[Callable[[int], None]]:
    """Show the bar; yields a function that you call with the number of steps done.

    The bar disappears at the end.
    """
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(compact=True))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total, completed=done)
        yield lambda done: bar.update(task, completed=done)
