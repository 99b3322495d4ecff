"""The commands, and how each of them ends: with an exit code, and every error as a sentence."""

from __future__ import annotations

import atexit
import errno
import gc
import io
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress

from pbem.errors import BUG
from pbem.files.file_errors import StorageError, storage_error
from pbem.files.syscalls import open_null_device
from pbem.terminal.command_failures import bug_sentence, complain, print_known_error
from pbem.terminal.printing import say

INTERRUPTED = 130
"""The exit code of an interrupted command (docs/errors.md)."""
OUTPUT_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""The error numbers of the system for output that cannot be written."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and end the process with its exit code (docs/errors.md).

    `arguments` are the words after `pbem`; without them, those of the process are used.
    """
    # these objects live until the end: searching them for garbage would only cost time
    gc.set_threshold(50_000)
    exit_codes: list[int] = []
    if arguments is None:
        atexit.register(
            _exit_at_once, exit_codes
        )  # first, so that it is called after all other functions
    try:
        code = run_command(arguments)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # nothing is left that Ctrl-C could interrupt
    except KeyboardInterrupt:  # a second Ctrl-C, while pbem was still handling the first
        code = _report_interrupt()
    exit_codes.append(code)
    sys.exit(code)


def _exit_at_once(exit_codes: list[int]) -> None:
    """End the process without freeing each object first, as mypy does. All threads have ended
    then, and all functions that other modules registered have been called.

    `exit_codes` is empty if `main` did not come to its end: then Python ends the process.
    """
    if exit_codes:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError):  # `run_command` flushed the output, and said what was wrong
                stream.flush()
        os._exit(exit_codes[0])


def run_command(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. Every error is printed as a sentence."""
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # escape what the terminal cannot encode, so that printing never fails
            stream.reconfigure(errors="backslashreplace")
    code = _run_with_typer(arguments)
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()  # nobody reads it any more: the command has ended
    except OSError as error:
        return _report_output_error(error)
    return code


def _run_with_typer(arguments: Sequence[str] | None) -> int:
    """Let Typer carry out the command, and return its exit code; print any error."""
    try:
        # here, so that Ctrl-C during the long import is caught
        from pbem.cli.command_list_and_help import app

        code = app(args=arguments, prog_name="pbem", standalone_mode=False)
        if code == INTERRUPTED:
            return _report_interrupt()
        return code if isinstance(code, int) else 0
    except SystemExit as stop:
        if isinstance(stop.__context__, BrokenPipeError):  # Typer's way to end
            return _end_unread()
        return stop.code if isinstance(stop.code, int) else 0
    except KeyboardInterrupt:
        return _report_interrupt()
    except EOFError:  # the input ended at a prompt
        say("")
        return _report_interrupt()
    except BrokenPipeError:
        return _end_unread()
    except Exception as error:  # noqa: BLE001 - the one place where a bug becomes a sentence
        return _report_error(error)


def _report_error(error: Exception) -> int:
    """Print an error as a sentence, and return its exit code: an error known to pbem, full output,
    or a bug in pbem."""
    if type(error).__name__ == "Abort":  # what Typer raises if the user interrupts a prompt
        return _report_interrupt()
    # an error of a file has its name; one without a name is about the output
    if isinstance(error, OSError) and error.errno in OUTPUT_ERRORS and error.filename is None:
        return _report_output_error(error)
    code = print_known_error(error)
    if code is None:
        complain(bug_sentence(error))
        return BUG
    return code


def _report_interrupt() -> int:
    """Say that the user interrupted pbem, and return the exit code. Nothing needs cleaning up: no
    file is written halfway."""
    say("interrupted")
    return INTERRUPTED


# ---- Standard streams, which may be closed, full, or read by a program that ends


def _open_closed_streams() -> None:
    """Replace streams that were closed before pbem started: Python has None for these."""
    if None not in (sys.stdin, sys.stdout, sys.stderr):
        return
    # in this order, so that each gets its own number, which no other file can then get
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open_null_device(mode))


def _end_unread() -> int:
    """Drop the output, because the program that read it has ended; print no error. The exit code
    returned must not say that the command was carried out, or that an audit found nothing."""
    _drop_output()
    return INTERRUPTED


def _report_output_error(error: OSError) -> int:
    """Print why the output cannot be written, and return the exit code."""
    _drop_output()
    print_known_error(storage_error(error, "the output"))
    return StorageError.exit


def _drop_output() -> None:
    """Send the rest of the output nowhere, so that flushing it does not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
