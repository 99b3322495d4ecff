"""A lock, so that only one of a person's commands on a machine works at a time.

No data depends on the lock: two writers are safe without it, because creating a file fails if the
file exists.
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
    """Take the lock file at `path`; yields False if another process has the lock.

    The system releases the lock when the process ends or is killed. Raises StorageError.
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
