"""The commands. Every body imports what it needs when it runs: start-up is measured."""

from __future__ import annotations

import gc
import io
import signal
import sys
from collections.abc import Sequence

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and exit with its code (interface, *exit*)."""
    gc.set_threshold(50_000)  # what starting up makes stays: looking for rubbish in it takes time
    try:
        code = run(arguments)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is done: nothing to be interrupted
        gc.freeze()  # nor need the interpreter look through all of it once more before it ends
    except KeyboardInterrupt:  # a second one, while the first was answered
        code = _interrupted()
    sys.exit(code)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command; its exit code. Nothing but a sentence leaves it, whatever happens."""
    _print_anything()
    try:
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

        if type(error).__name__ == "Abort":  # the end of what was typed, where a prompt waited
            return _interrupted()
        known = explained(error)
        return bug(error) if known is None else known


def _interrupted() -> int:
    """One line, whatever was going on; files are written whole or not at all."""
    print("interrupted", file=sys.stderr)
    return INTERRUPTED


def _print_anything() -> None:
    """A name that the terminal's encoding lacks is escaped; it ends no command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _quietly() -> int:
    """Whoever read our output has gone: no complaint, and none at exit either."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
