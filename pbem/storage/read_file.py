"""Read one file in a folder where others can write: a regular file, not a link, not too long."""

import os
import stat
from pathlib import Path
from typing import NamedTuple

from pbem.format.record_size import MAX_BYTES
from pbem.storage.errors import FileError, StorageError, storage_error

# without O_NONBLOCK, a pipe in a file's place would block for ever
_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_READ |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


class Mark(NamedTuple):
    """A file's size, times and inode: they show whether it changed, without opening it."""

    size: int
    mtime_ns: int
    inode: int
    ctime_ns: int = 0
    """When the file was last changed in any way, as the system noted it: no program can set this
    time. On Windows it is when the file was made; a store has no such time, and it is 0."""

    @classmethod
    def of(cls, found: os.stat_result) -> "Mark":
        """Make the mark of a file from the result of `stat`."""
        return cls(found.st_size, found.st_mtime_ns, found.st_ino, found.st_ctime_ns)


def read_file(path: Path, limit: int = MAX_BYTES) -> bytes:
    """Read the bytes of a regular file (protocol §6, the first two checks).

    Raises FileError `file` for links, folders, pipes, devices, and `size` beyond `limit` bytes;
    StorageError if the system refuses (not there, no permission, not downloaded).
    """
    try:
        _refuse(os.lstat(path), path, limit)
        fd = os.open(path, _READ)
        try:
            _refuse(os.fstat(fd), path, limit)  # the file may have been replaced in between
            return _read_all(fd, path, limit)
        finally:
            os.close(fd)
    except OSError as error:
        raise storage_error(error, path) from error


def read_if_there(path: Path, limit: int = MAX_BYTES) -> bytes | None:
    """Read a file as `read_file` does; None if there is no such file."""
    try:
        return read_file(path, limit)
    except StorageError as error:
        if error.missing:
            return None
        raise


def _refuse(found: os.stat_result, path: Path, limit: int) -> None:
    if stat.S_ISLNK(found.st_mode):
        raise FileError("file", path, "is a link; put the file itself in its place")
    if not stat.S_ISREG(found.st_mode):
        kind = "a folder" if stat.S_ISDIR(found.st_mode) else "not a regular file"
        raise FileError("file", path, f"is {kind}")
    if found.st_size > limit:
        raise FileError("size", path, f"is longer than any record: it has over {limit} bytes")


def _read_all(fd: int, path: Path, limit: int) -> bytes:
    parts: list[bytes] = []
    left = limit + 1
    while left and (part := os.read(fd, left)):
        parts.append(part)
        left -= len(part)
    if not left:
        raise FileError("size", path, f"is longer than any record: it has over {limit} bytes")
    return b"".join(parts)
