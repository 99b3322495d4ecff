"""Read one file safely; write files whole or not at all, even if pbem is killed. The fingerprint of
a folder shows whether a file in it has changed.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import itertools
import os
import stat
import time
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from pbem.files import syscalls
from pbem.files.file_errors import (
    LINK_CLAUSE,
    FileError,
    StorageError,
    TakenError,
    storage_error,
    storage_errors,
    too_long_clause,
)
from pbem.format.canonical_toml import MAX_BYTES

# ---- reading

# without O_NONBLOCK, a pipe in a file's place would block for ever
_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_READ |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


class Mark(NamedTuple):
    """A file's size, times and inode: they show whether it changed, without opening it."""

    size: int
    mtime_ns: int
    inode: int
    """0 on Windows if the mark comes from the list of a folder, and for a store it is made up."""
    ctime_ns: int = 0
    """The time of the file's last change of any kind; no program can set this time. On Windows, the
    time when the file was made; 0 for a store, which has no such time."""

    @classmethod
    def from_status(cls, status: os.stat_result) -> Mark:
        """Make the mark of a file from the result of `stat`."""
        return cls(status.st_size, status.st_mtime_ns, status.st_ino, status.st_ctime_ns)


def read_file(path: Path, limit: int = MAX_BYTES) -> bytes:
    """Read the bytes of a regular file (protocol §10, the first row).

    Raises FileError `file` for links, folders, pipes, devices, and `size` beyond `limit` bytes;
    StorageError, also if there is no such file.
    """
    with storage_errors(path):
        _check_status(os.lstat(path), path, limit)
        fd = os.open(path, _READ)
        try:
            _check_status(os.fstat(fd), path, limit)  # the file may have been replaced in between
            parts: list[bytes] = []
            bytes_left = limit + 1
            while bytes_left and (part := os.read(fd, min(bytes_left, _READ_BYTES))):
                parts.append(part)
                bytes_left -= len(part)
            if not bytes_left:
                raise FileError("size", path, too_long_clause(limit))
            return b"".join(parts)
        finally:
            os.close(fd)


def read_if_there(path: Path, limit: int = MAX_BYTES) -> bytes | None:
    """Read a file as `read_file` does; None if there is no such file."""
    try:
        return read_file(path, limit)
    except StorageError as error:
        if error.is_missing:
            return None
        raise


def _check_status(status: os.stat_result, path: Path, limit: int) -> None:
    """Raise FileError unless this is the status of a regular file of at most `limit` bytes."""
    if stat.S_ISLNK(status.st_mode):
        raise FileError("file", path, LINK_CLAUSE)
    if not stat.S_ISREG(status.st_mode):
        kind = "a folder" if stat.S_ISDIR(status.st_mode) else "not a regular file"
        raise FileError("file", path, f"is {kind}")
    if status.st_size > limit:
        raise FileError("size", path, too_long_clause(limit))


_READ_BYTES: Final = 1 << 20
"""`os.read` first makes room for all that it may read; in a tab, such room is never given back."""


# ---- writing

TEMPORARY: Final = ".~pbem-"
"""The beginning of every temporary name, and of no other name."""
MAX_TEMPORARY_SECONDS: Final = 3600
"""Seconds after which a temporary file may be removed, because no write takes an hour."""

# these codes mean that the disk cannot make a link; Android uses EACCES
_UNABLE: Final = {errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS}
_NO_LINKS: Final = _UNABLE | {errno.EPERM, errno.EACCES, errno.EMLINK, errno.EXDEV}
_NO_SYNC: Final = _UNABLE | {errno.EROFS, errno.EACCES, errno.EBADF}


def create(path: Path, data: bytes, *, private: bool = False) -> bool:
    """Make a new file, and its folders; return False if it already existed with these bytes.

    It is written under a temporary name and flushed; then it gets its name in one step, which fails
    if the name is taken. A killed run leaves at most a temporary file, which a later run removes.

    With `private`, nobody else may read it (0600). Raises TakenError if the contents differ,
    FileError `file` for a link or folder, StorageError; then nothing has changed.
    """
    make_folder(path.parent, private=private)
    if _is_written(path, data):
        _sync_folder(path.parent)  # the run that made the file may have been killed here
        return False
    with _temporary(path, data, private) as temporary:
        try:
            _give_name(temporary, path)
        except FileExistsError:
            if _is_written(path, data):
                return False
            raise  # somebody removed the file again
        _sync_folder(path.parent)
    return True


def replace(path: Path, data: bytes, *, private: bool = True) -> None:
    """Replace a file: at any moment it has either its old or its new contents, never a part.

    It is for private files (0600) and, with `private=False`, for a result that the user wants
    replaced, never for a game's folder. Raises StorageError.
    """
    make_folder(path.parent, private=private)
    with _temporary(path, data, private) as temporary:
        syscalls.replace(temporary, path)
        _sync_folder(path.parent)


def set_aside(path: Path, mark: Mark) -> Path:
    """Rename a file to the first free name `….aside-1`, `….aside-2`, …; returns the new path.

    `mark` is the file's mark when it was looked at. Raises FileError `parent` if the file has
    changed since (then it gets its old name back), StorageError.
    """
    with storage_errors(path):
        aside_path = _rename_aside(path)
        aside_mark = Mark.from_status(os.lstat(aside_path))
        inode = mark.inode and aside_mark.inode  # 0 if the mark has no inode to compare
        # renaming changes the time of the last change
        if aside_mark._replace(ctime_ns=mark.ctime_ns, inode=inode) != mark:
            _rename_to_free(aside_path, path)
            raise FileError("parent", path, "has just changed; try again")
    return aside_path


def _rename_aside(path: Path) -> Path:
    """Rename a file to the first free name beside it; return the new path. Raises OSError."""
    for number in itertools.count(1):
        aside_path = path.with_name(f"{path.name}.aside-{number}")
        with contextlib.suppress(FileExistsError):
            _rename_to_free(path, aside_path)
            return aside_path
    raise AssertionError("pbem found no free name for this file, because every number is taken")


def _rename_to_free(path: Path, new_path: Path) -> None:
    """Rename a file. Raises FileExistsError if the new name is taken, or another OSError."""
    try:
        syscalls.rename_new(path, new_path)
    except OSError as error:
        if error.errno not in _UNABLE:
            raise
        # this disk cannot refuse a taken name, so look first
        if os.path.lexists(new_path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), new_path) from None
        syscalls.replace(path, new_path)


def make_folder(path: Path, *, private: bool = False) -> None:
    """Make a folder and the missing folders above it (`private`: 0700). Raises StorageError."""
    with storage_errors(path):
        missing_folders = []
        while not path.exists():
            missing_folders.append(path)
            path = path.parent
        for folder in reversed(missing_folders):
            with contextlib.suppress(FileExistsError):  # another program made it first
                syscalls.mkdir(folder, 0o700 if private else 0o777)
            _sync_folder(folder.parent)


def remove_folder(path: Path) -> None:
    """Remove a folder with everything in it; no half of it stays under its name. Raises
    StorageError."""
    removed_path = path.with_name(f"{TEMPORARY}removed-{path.name}")
    with storage_errors(path):
        syscalls.replace(path, removed_path)
        syscalls.remove_tree(removed_path)


def remove_old_temporary_files(
    folder: Path, min_age_seconds: float = MAX_TEMPORARY_SECONDS
) -> list[Path]:
    """Remove temporary files of killed runs, at least `min_age_seconds` old; return their paths."""
    swept = []
    with contextlib.suppress(OSError):  # another run or another user can do this
        for path in folder.iterdir():
            with contextlib.suppress(OSError):
                age = time.time() - path.lstat().st_mtime
                if path.name.startswith(TEMPORARY) and age >= min_age_seconds:
                    (syscalls.rmdir if path.is_dir() else syscalls.unlink)(path)
                    swept.append(path)
    return swept


def _is_written(path: Path, data: bytes) -> bool:
    """Return whether this file, with these bytes, exists. Raises TakenError for other bytes."""
    if not os.path.lexists(path):
        return False
    try:
        has_same_content = read_file(path, limit=len(data)) == data
    except FileError as error:
        has_same_content = False
        if error.reason != "size":  # a longer file cannot have the same bytes
            raise
    if not has_same_content:
        raise TakenError(path)
    return True


@contextlib.contextmanager
def _temporary(path: Path, data: bytes, private: bool) -> Iterator[Path]:
    """Write a temporary file beside `path`, and yield its path; afterwards remove it, if it still
    has that name. Raises StorageError, also for system errors in the block."""
    temporary = path.with_name(f"{TEMPORARY}{os.urandom(8).hex()}")
    with storage_errors(path):
        try:
            _write(temporary, data, 0o600 if private else 0o666)
            yield temporary
        finally:
            with contextlib.suppress(OSError):
                syscalls.unlink(temporary)


def _write(path: Path, data: bytes, mode: int) -> None:
    """Make a new file with these bytes, and wait until they are on the disk. Raises OSError."""
    fd = syscalls.create(path, mode)
    try:
        unwritten = memoryview(data)
        while unwritten:
            unwritten = unwritten[syscalls.write(fd, unwritten) :]
        syscalls.fsync(fd)
    finally:
        syscalls.close(fd)


def _give_name(temporary: Path, path: Path) -> None:
    """Give a temporary file its name in one step, by the first way that this disk has. Raises
    FileExistsError if the name is taken, OSError, StorageError."""
    try:
        syscalls.link(temporary, path)  # the temporary name is removed later
        return
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
    try:
        syscalls.rename_new(temporary, path)
    except OSError as error:
        if error.errno not in _UNABLE:
            raise
        _claim_and_rename(temporary, path)


def _claim_and_rename(temporary: Path, path: Path) -> None:
    """Rename on a disk where only a lock folder can decide who may, such as some cloud drives."""
    claim = path.with_name(f"{TEMPORARY}claim-{path.name}")
    try:
        syscalls.mkdir(claim, 0o777)
    except FileExistsError:
        sentence = (
            "another pbem process is writing this file; try again in a moment. If no other pbem is "
            f"running, remove {claim.name}"
        )
        raise StorageError(path, sentence) from None
    try:
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
        syscalls.replace(temporary, path)
    finally:
        syscalls.rmdir(claim)


def _sync_folder(path: Path) -> None:
    try:
        syscalls.sync_folder(path)
    except OSError as error:
        if error.errno not in _NO_SYNC:
            raise storage_error(error, path) from error


def free_bytes(folder: Path) -> int:
    """Return the number of bytes that this user may still write to the disk of a folder, which may
    be missing yet. Raises StorageError."""
    with storage_errors(folder):
        folder = next(
            existing_folder
            for existing_folder in (folder.absolute(), *folder.absolute().parents)
            if existing_folder.exists()
        )
        return syscalls.free_bytes(folder)


MAX_FINGERPRINT_DEPTH: Final = 3
"""The number of levels of folders in a fingerprint: game folders and homes have no more."""


def folder_fingerprint(root: Path, skip: Collection[str] = ()) -> str:
    """Return a hash, in hex, of name, size, times and inode of every file below the folder, without
    the names in `skip`; a missing folder has one too."""
    lines = sorted(_fingerprint_lines(root, "", skip, MAX_FINGERPRINT_DEPTH))
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def _fingerprint_lines(
    folder: Path | str, prefix: str, skip: Collection[str], depth: int
) -> Iterator[str]:
    """Yield a line for each file and folder, `depth` levels down; for a folder that cannot be
    listed, a line with the number of the system's error. `prefix` begins each path."""
    try:
        entries = list(os.scandir(folder))
    except OSError as error:
        yield f"{prefix} {error.errno}"
        return
    for entry in entries:
        if entry.name in skip:
            continue
        if depth > 1 and entry.is_dir(follow_symlinks=False):
            yield f"{prefix}{entry.name}/"
            yield from _fingerprint_lines(entry.path, f"{prefix}{entry.name}/", skip, depth - 1)
            continue
        status = entry.stat(follow_symlinks=False)
        times = f"{status.st_mtime_ns} {status.st_ctime_ns}"
        yield f"{prefix}{entry.name} {status.st_size} {times} {status.st_ino} {status.st_mode}"
