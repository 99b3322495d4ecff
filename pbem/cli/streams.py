"""Standard input, output and error, which may be closed, full, or read by a program that ends."""

from __future__ import annotations

import errno
import io
import os
import sys

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def open_closed_streams() -> None:
    """Replace streams that were closed before pbem started: Python has None for these."""
    if None not in (sys.stdin, sys.stdout, sys.stderr):
        return
    from pbem.storage.syscalls import nowhere

    # in this order, so that each gets its own number, which no other file can then get
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, nowhere(mode))


def print_anything() -> None:
    """Make output escape characters that the terminal cannot encode, so that printing never
    fails."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def flushed(code: int) -> int:
    """Write what is still in the buffer of standard output; return the exit code of the command,
    or 7 if the output could not be written.

    If nobody reads the output any more, the code stays: the command has ended.
    """
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        drop_output()
    except OSError as error:
        return not_written(error)
    return code


def is_about_output(error: Exception) -> bool:
    """Return whether an error means that printing failed. (Errors of files are StorageErrors.)"""
    return isinstance(error, OSError) and error.errno in FULL and error.filename is None


def not_written(error: Exception) -> int:
    """Say that the output could not be written; return the exit code."""
    from pbem.cli.failure import explained
    from pbem.storage.errors import StorageError, storage_error

    drop_output()
    assert isinstance(error, OSError)
    explained(storage_error(error, "the output"))
    return StorageError.exit


def drop_output() -> None:
    """Send the rest of the output nowhere, so that flushing it does not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
