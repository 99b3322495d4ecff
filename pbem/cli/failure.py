"""End a command that failed: print a sentence, and exit with the right code."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Any

FINDINGS = 1
USAGE = 2
STALE = 3
KEY = 4
NOT_YET = 5
BUG = 70
QUOTE = "'"


class CliError(Exception):
    """An error that ends a command: what is wrong, how to fix it, and the exit code."""

    def __init__(self, sentence: str, hint: str = "", code: int = USAGE) -> None:
        super().__init__(sentence)
        self.hint = hint
        self.exit = code


def not_an_address(typed: str) -> CliError:
    """Return the error for a text that was typed where an email address is needed."""
    told = f"{typed[:80]!r} is not an email address"
    return CliError(told, "an address has only ASCII letters, as in bo@example.org")


def complain(sentence: str, hint: str = "") -> None:
    """Print an error on standard error, and how to fix it."""
    from pbem.screen.terminal import clean

    lines = [f"error: {clean(sentence)}", *([f"  try: {clean(hint)}"] if hint else [])]
    with suppress(OSError):  # if nobody can read this, the exit code still says what happened
        print("\n".join(lines), file=sys.stderr)


def say(sentence: str) -> None:
    """Print a sentence for the user on standard error, where no program reads it as output."""
    with suppress(OSError):  # as above
        print(sentence, file=sys.stderr)


def explained(error: Exception) -> int | None:
    """Print an error of a known kind and return its exit code; return None for a bug."""
    if hasattr(error, "format_message"):
        return _typed_wrong(error)
    error = _about_a_path(error)
    sentence = sentence_of(error)
    if sentence is None:
        return None
    complain(sentence, getattr(error, "hint", ""))
    return int(getattr(error, "exit", FINDINGS))


def sentence_of(error: Exception) -> str | None:
    """Return the sentence that describes an error of a known kind; None for a bug."""
    from pbem.format.errors import RecordError
    from pbem.play.checking.game_folder import NoGameError
    from pbem.storage.errors import FileError, StorageError

    error = _about_a_path(error)
    if isinstance(error, FileError):
        return f"{error.path}: {error.sentence}"
    if isinstance(error, RecordError):
        return error.sentence
    if isinstance(error, CliError | StorageError | NoGameError):
        return str(error)
    return None


def _about_a_path(error: Exception) -> Exception:
    """Turn the system's error about a path into a StorageError; return any other error as it is.

    People may type any path, also one that the system cannot even look up: its name is too long, or
    a folder above it is closed.
    """
    from pbem.storage.errors import storage_error

    if isinstance(error, OSError) and isinstance(error.filename, str | bytes):
        return storage_error(error, os.fsdecode(error.filename))
    return error


def _typed_wrong(error: Any) -> int:
    """Explain a mistake in the command line in plain words; if nothing was typed, print the
    help."""
    import re

    if type(error).__name__ == "NoArgsIsHelpError":
        error.show()
        return int(error.exit_code)
    text = error.format_message().strip().rstrip(".")
    text = text.replace("a valid int range", "a whole number").replace(
        "a valid int", "a whole number"
    )
    meant = re.search(r"(?:\. Did you mean|\(Possible options:) (.*?)\)?\??$", text)
    sentence = text[: meant.start()].strip() if meant else text
    ctx = getattr(error, "ctx", None)
    hint = (
        f"did you mean {meant[1].replace(QUOTE, '')}?"
        if meant
        else f"{ctx.command_path} -h"
        if ctx
        else "pbem -h"
    )
    hint = _folder_hint(error, ctx) or hint
    complain(f"{sentence[:1].lower()}{sentence[1:]}", hint)
    return int(error.exit_code)


def _folder_hint(error: Any, ctx: Any) -> str:
    """Say how this command takes the game folder, if somebody typed it as for another command."""
    from pathlib import Path

    opts = {opt for param in ctx.command.params for opt in param.opts} if ctx else set()
    if getattr(error, "option_name", "") in ("-C", "--folder") and opts & {"folder", "folders"}:
        return f"{ctx.command_path} FOLDER"
    text = error.format_message()
    typed = text.rpartition(" (")[2].removesuffix(")")
    if "-C" in opts and "extra argument" in text and Path(typed, "game.toml").exists():
        return f"{ctx.command_path} -C {typed}"
    return ""


def bug(error: Exception) -> int:
    """Report a bug: print one line, and write the traceback to a file."""
    complain(bug_sentence(error))
    return BUG


def bug_sentence(error: Exception) -> str:
    """Write a bug's traceback to a file, and say where it is."""
    import traceback

    from pbem.storage.atomic_write import create
    from pbem.storage.syscalls import temporary_folder

    text = "".join(traceback.format_exception(error))
    path = temporary_folder("pbem-") / "traceback.txt"
    create(path, text.encode("utf-8", "replace"))
    return f"this is a bug in pbem ({type(error).__name__}); the details are in {path}"
