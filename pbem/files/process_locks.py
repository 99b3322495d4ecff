"""Locks between processes: lock files, which the system releases when their holder ends."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pbem.files.disk import make_folder
from pbem.files.file_errors import StorageError, storage_errors

MAX_WAIT_SECONDS: Final = 20.0
"""How long a command waits until another one has changed its notes, which takes milliseconds."""
_RETRY_SECONDS: Final = 0.005


@contextlib.contextmanager
def lock(path: Path, wait_seconds: float = 0.0) -> Iterator[bool]:
    """Take the lock file at `path`; yield False if another holder keeps it for so long. Raises
    StorageError.

    A disk without locks gives the lock to everybody. So game folders never depend on it: creating
    a file there fails if the file exists.
    """
    make_folder(path.parent, private=True)
    with storage_errors(path):
        fd = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        end = time.monotonic() + wait_seconds
        while not (is_taken := _take(fd)) and time.monotonic() < end:
            time.sleep(_RETRY_SECONDS)
        yield is_taken
    finally:
        os.close(fd)


@contextlib.contextmanager
def changing(folder: Path) -> Iterator[None]:
    """Hold the one lock under which the small files of a folder are read, edited and replaced.

    Raises StorageError, also if another command keeps the lock.
    """
    path = folder / "notes.lock"
    with lock(path, MAX_WAIT_SECONDS) as is_taken:
        if not is_taken:
            sentence = (
                "another pbem command is still changing the files here; end that command, and try "
                "again"
            )
            raise StorageError(path, sentence)
        yield


if sys.platform == "win32":

    def _take(fd: int) -> bool:
        """Try to lock an open file without waiting; return whether that worked."""
        import msvcrt

        with contextlib.suppress(OSError):
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
            return True  # Windows reports this if the lock is ours
        return False  # another process has the lock

else:

    def _take(fd: int) -> bool:
        import fcntl

        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return True  # the disk has no locks: continue without one
        return True
