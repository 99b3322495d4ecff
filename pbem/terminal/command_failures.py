"""The end of a command that failed: its error as a sentence, and its exit code."""

from __future__ import annotations

import os
import sys
import traceback
from contextlib import suppress
from typing import Any

from pbem.errors import RULES, CliError, PbemError
from pbem.files.disk import create
from pbem.files.file_errors import storage_error
from pbem.files.syscalls import temporary_folder
from pbem.terminal.clean_text import clean
from pbem.terminal.commands_and_paths_to_type import with_tilde


def complain(sentence: str, hint: str = "") -> None:
    """Print an error on standard error, and how to fix it."""
    lines = [f"error: {with_tilde(clean(sentence))}"]
    lines += [f"  try: {with_tilde(clean(hint))}"] if hint else []
    with suppress(OSError):  # if nobody can read this, the exit code still says what happened
        print("\n".join(lines), file=sys.stderr)


def print_known_error(error: Exception) -> int | None:
    """Print an error of a known kind and return its exit code; return None for a bug."""
    if hasattr(error, "format_message"):
        return _print_usage_error(error)
    known_error = _translate_error(error)
    if not isinstance(known_error, PbemError):
        return None
    complain(known_error.full_sentence, known_error.hint)
    return known_error.exit


def sentence_of(error: Exception) -> str | None:
    """Return the sentence that describes an error of a known kind; None for a bug."""
    known_error = _translate_error(error)
    return known_error.full_sentence if isinstance(known_error, PbemError) else None


def _translate_error(error: Exception) -> Exception:
    """Return an error of the system about a path as a StorageError, a fault in the package of a
    ruleset as a CliError, and any other error as it is.

    People may type any path, also one that the system cannot even look up: its name is too long, or
    a folder above it is closed.
    """
    if isinstance(error, PbemError):
        return error
    from games.package_faults import PackageFault, fault_sentence  # importing it takes long

    sentence = str(error) if isinstance(error, PackageFault) else fault_sentence(error)
    if sentence:
        return CliError(
            sentence, "repair the package, or ask its author to, then repeat the command", RULES
        )
    if isinstance(error, OSError) and isinstance(error.filename, str | bytes):
        return storage_error(error, os.fsdecode(error.filename))
    return error


def _print_usage_error(error: Any) -> int:
    """Print an error that Typer found in a command line; return its exit code."""
    if type(error).__name__ == "NoArgsIsHelpError":
        error.show()
        return int(error.exit_code)
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "pbem"
    is_before_command = command == "pbem" and type(error).__name__ == "NoSuchOption"
    place_of_options = "; write options after the command, as in: pbem status -C FOLDER"
    complain(error.format_message(), f"{command} -h{place_of_options if is_before_command else ''}")
    return int(error.exit_code)


def bug_sentence(error: Exception) -> str:
    """Write a bug's traceback to a file, and say where it is."""
    trace = "".join(traceback.format_exception(error))
    path = temporary_folder("pbem-") / "traceback.txt"
    create(path, trace.encode("utf-8", "replace"))
    from games.package_faults import foreign_packages

    name = type(error).__name__
    if package := next(iter(foreign_packages.values()), ""):
        return (
            f"{name}: {error}; the package {package} or pbem itself has a fault; the details are "
            f"in {path}"
        )
    return f"this is a bug in pbem ({name}); the details are in {path}"
