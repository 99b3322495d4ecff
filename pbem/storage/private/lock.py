"""A lock between the commands of one person on one machine: a courtesy; nothing relies on it.

Two writers are safe without it, because creating a file fails if it is there.
"""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from pbem.storage.atomic_write import make_folder
from pbem.storage.errors import storage_error


@contextlib.contextmanager
def lock(path: Path) -> Iterator[bool]:
    """Hold the lock file at `path`; yields False if another process holds it.

    The system releases it when the holder ends, killed or not. Raises StorageError.
    """
    make_folder(path.parent, private=True)
    try:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    except OSError as error:
        raise storage_error(error, path) from error
    try:
        yield _take(fd)
    finally:
        os.close(fd)


if sys.platform == "win32":

    def _take(fd: int) -> bool:
        import msvcrt

        with contextlib.suppress(OSError):
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
            return True  # ours, as far as Windows says
        return False  # another's

else:

    def _take(fd: int) -> bool:
        import fcntl

        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return True  # the disk has no locks: go on without the courtesy
        return True
