"""The commands. Each imports what it needs only when it runs, so that pbem starts fast."""

from __future__ import annotations

import gc
import io
import signal
import sys
from collections.abc import Sequence

from pbem.cli.help.help_page import stored_page

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and exit with its code (interface, *exit*)."""
    gc.set_threshold(50_000)  # start-up objects stay: searching them for garbage costs time
    try:
        code = run(arguments)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # nothing is left to interrupt
        gc.freeze()  # otherwise the interpreter searches all objects again before it ends
    except KeyboardInterrupt:  # a second one, while the first was handled
        code = _interrupted()
    sys.exit(code)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. Every error becomes a sentence."""
    _print_anything()
    try:
        if page := stored_page(sys.argv[1:] if arguments is None else arguments):
            print(page, end="")
            return 0
        from pbem.cli.app import app

        typed = None if arguments is None else list(arguments)
        code = app(args=typed, prog_name="pbem", standalone_mode=False)
        if code == INTERRUPTED:
            return _interrupted()
        return code if isinstance(code, int) else 0
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0
    except KeyboardInterrupt:
        return _interrupted()
    except BrokenPipeError:
        return _quietly()
    except Exception as error:  # noqa: BLE001 - the one place where a bug becomes a sentence
        from pbem.cli.failure import bug, explained

        if type(error).__name__ == "Abort":  # the input ended at a prompt
            return _interrupted()
        known = explained(error)
        return bug(error) if known is None else known


def _interrupted() -> int:
    """Print one line. Nothing needs cleaning up: files are written completely or not at all."""
    print("interrupted", file=sys.stderr)
    return INTERRUPTED


def _print_anything() -> None:
    """Escape characters that the terminal cannot encode, so that printing never fails."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _quietly() -> int:
    """Exit without an error, because nobody reads our output any more."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
