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
from pbem.files.disk import StorageError, storage_error
from pbem.files.syscalls import nowhere
from pbem.terminal.failures import bug_sentence, complain, print_known_error
from pbem.terminal.terminal import say

INTERRUPTED = 130
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What the system says if the output cannot be written."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and end the process with its exit code (docs/errors.md)."""
    # these objects live until the end: searching them for garbage would only cost time
    gc.set_threshold(50_000)
    exit_codes: list[int] = []
    if arguments is None:
        atexit.register(_end, exit_codes)  # first, so that it is called after all other functions
    try:
        code = run(arguments)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # nothing is left that Ctrl-C could interrupt
    except KeyboardInterrupt:  # a second Ctrl-C, while pbem was still handling the first
        code = _interrupted()
    exit_codes.append(code)
    sys.exit(code)


def _end(exit_codes: list[int]) -> None:
    """End without freeing each object first, as mypy does. All threads have ended then, and all
    functions that other modules registered have been called."""
    if exit_codes:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError):  # `run` flushed the output, and said what was wrong
                stream.flush()
        os._exit(exit_codes[0])


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. Every error is printed as a sentence."""
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # escape what the terminal cannot encode, so that printing never fails
            stream.reconfigure(errors="backslashreplace")
    code = _ended(arguments)
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()  # nobody reads it any more: the command has ended
    except OSError as error:
        return _not_written(error)
    return code


def _ended(arguments: Sequence[str] | None) -> int:
    try:
        from pbem.cli.app import app  # here, so that Ctrl-C during the long import is caught

        code = app(args=arguments, prog_name="pbem", standalone_mode=False)
        if code == INTERRUPTED:
            return _interrupted()
        return code if isinstance(code, int) else 0
    except SystemExit as stop:
        if isinstance(stop.__context__, BrokenPipeError):  # Typer's way to end
            return _cut_short()
        return stop.code if isinstance(stop.code, int) else 0
    except KeyboardInterrupt:
        return _interrupted()
    except EOFError:  # the input ended at a prompt
        say("")
        return _interrupted()
    except BrokenPipeError:
        return _cut_short()
    except Exception as error:  # noqa: BLE001 - the one place where a bug becomes a sentence
        return _failed(error)


def _failed(error: Exception) -> int:
    if type(error).__name__ == "Abort":  # what Typer raises if the user interrupts a prompt
        return _interrupted()
    # an error of a file has its name; one without a name is about the output
    if isinstance(error, OSError) and error.errno in FULL and error.filename is None:
        return _not_written(error)
    code = print_known_error(error)
    if code is None:
        complain(bug_sentence(error))
        return BUG
    return code


def _interrupted() -> int:
    """Say that the user interrupted pbem. Nothing needs cleaning up: no file is written halfway."""
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
            setattr(sys, name, nowhere(mode))


def _cut_short() -> int:
    """End without an error, because the program that read our output has ended. The exit code
    must not say that the command was carried out, or that an audit found nothing.
    """
    _drop_output()
    return INTERRUPTED


def _not_written(error: OSError) -> int:
    _drop_output()
    print_known_error(storage_error(error, "the output"))
    return StorageError.exit


def _drop_output() -> None:
    """Send the rest of the output nowhere, so that flushing it does not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
