"""The commands, and how each of them ends: with an exit code, and every error as a sentence."""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress

from pbem.desk.base import (
    bug,
    drop_output,
    explained,
    flushed,
    is_about_output,
    not_written,
    open_closed_streams,
    print_anything,
    say,
)

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and end the process with its exit code (docs/errors.md)."""
    # these objects live until the end: searching them for garbage would only cost time
    gc.set_threshold(50_000)
    ended: list[int] = []
    if arguments is None:
        atexit.register(_end, ended)  # first, so that it is called after all other such functions
    try:
        code = run(arguments)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # nothing is left that Ctrl-C could interrupt
    except KeyboardInterrupt:  # a second Ctrl-C, while pbem was still handling the first
        code = _interrupted()
    ended.append(code)
    sys.exit(code)


def _end(ended: list[int]) -> None:
    """End the process with this exit code, without freeing each object first, as mypy does.

    All threads have ended then, and all functions that other modules registered have been called.
    """
    if ended:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError):  # `run` flushed the output, and said what was wrong
                stream.flush()
        os._exit(ended[0])


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. Every error is printed as a sentence."""
    open_closed_streams()
    print_anything()
    return flushed(_ended(arguments))


def _ended(arguments: Sequence[str] | None) -> int:
    """Run one command until it ends, in whatever way; return its exit code."""
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
        if type(error).__name__ == "Abort":  # what Typer raises for the same reason
            return _interrupted()
        if is_about_output(error):
            return not_written(error)
        known = explained(error)
        return bug(error) if known is None else known


def _interrupted() -> int:
    """Say that the user interrupted pbem. Nothing needs cleaning up: no file is written halfway."""
    say("interrupted")
    return INTERRUPTED


def _cut_short() -> int:
    """End without an error, because the program that read our output has ended. The exit code
    must not say that the command was carried out, or that an audit found nothing.
    """
    drop_output()
    return INTERRUPTED
