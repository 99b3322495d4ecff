"""Write files whole or not at all, even if the program is killed at any moment (protocol §2).

The file is written under a temporary name in the same folder and flushed to the disk. Only then
does it get its final name, in one step that fails if that name is taken. A killed run leaves at
most a temporary file, which no reader looks at and which a later run removes.
"""

import contextlib
import errno
import itertools
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pbem.storage import syscalls
from pbem.storage.errors import FileError, StorageError, TakenError, storage_error
from pbem.storage.read_file import Mark, read_file

TEMPORARY: Final = ".~pbem-"
"""The beginning of every temporary name, and of no other name."""
OLD: Final = 3600
"""Seconds after which a temporary file may be removed, because no write takes an hour."""

# these codes mean that the disk cannot make a link; Android uses EACCES
_UNABLE: Final = {errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS}
_NO_LINKS: Final = _UNABLE | {errno.EPERM, errno.EACCES, errno.EMLINK, errno.EXDEV}
_NO_SYNC: Final = _UNABLE | {errno.EROFS, errno.EACCES, errno.EBADF}


def create(path: Path, data: bytes, *, private: bool = False) -> bool:
    """Make a new file; return True if it was made, False if it already existed with these bytes.

    Missing parent folders are made too. With `private`, nobody else may read the file (0600).
    Raises TakenError if the contents differ, FileError `file` if it is a link or a folder,
    StorageError if the system refuses; then nothing has changed.
    """
    make_folder(path.parent, private=private)
    if _is_there(path, data):
        _sync_folder(path.parent)  # the run that made the file may have been killed here
        return False
    with _temporary(path, data, private) as temporary:
        try:
            _give_name(temporary, path)
        except FileExistsError:
            if _is_there(path, data):
                return False
            raise  # somebody removed the file again
        _sync_folder(path.parent)
    return True


def replace(path: Path, data: bytes, *, private: bool = True) -> None:
    """Replace a file: at any moment it has either its old or its new contents, never a part.

    It is only for private files (0600) and, with `private=False`, for a result that the user wants
    replaced: nothing in a game's folder is ever replaced. Raises StorageError.
    """
    make_folder(path.parent, private=private)
    with _temporary(path, data, private) as temporary:
        syscalls.replace(temporary, path)
        _sync_folder(path.parent)


def set_aside(path: Path, mark: Mark) -> Path:
    """Rename a file to the first free name `….aside-1`, `….aside-2`, …; returns the new path.

    Raises FileError `parent` if the file has changed (then it gets its old name back), or
    StorageError.
    """
    with _storage_errors(path):
        new = _rename_aside(path)
        now = Mark.of(os.lstat(new))._replace(ctime_ns=mark.ctime_ns)  # renaming changes that time
        if now != mark:
            syscalls.rename_new(new, path)
            raise FileError("parent", path, "has just changed; try again")
    return new


def _rename_aside(path: Path) -> Path:
    for number in itertools.count(1):
        new = path.with_name(f"{path.name}.aside-{number}")
        try:
            syscalls.rename_new(path, new)
        except FileExistsError:
            continue
        except OSError as error:
            if error.errno not in _UNABLE:
                raise
            if os.path.lexists(new):
                continue
            syscalls.replace(path, new)
        return new
    raise AssertionError("no free file name was found: every number is taken")


def make_folder(path: Path, *, private: bool = False) -> None:
    """Make a folder and the missing folders above it (`private`: 0700). Raises StorageError."""
    with _storage_errors(path):
        missing = []
        while not path.exists():
            missing.append(path)
            path = path.parent
        for folder in reversed(missing):
            with contextlib.suppress(FileExistsError):  # another program made it first
                syscalls.mkdir(folder, 0o700 if private else 0o777)
            _sync_folder(folder.parent)


def sweep(folder: Path, older: float = OLD) -> list[Path]:
    """Remove temporary files at least `older` seconds old that killed runs have left; return
    which."""
    swept = []
    with contextlib.suppress(OSError):  # another run or another user can do this
        for found in folder.iterdir():
            with contextlib.suppress(OSError):
                if found.name.startswith(TEMPORARY) and _age(found) >= older:
                    (syscalls.rmdir if found.is_dir() else syscalls.unlink)(found)
                    swept.append(found)
    return swept


def _age(path: Path) -> float:
    return time.time() - path.lstat().st_mtime


def _is_there(path: Path, data: bytes) -> bool:
    """Return whether a file with this name and these bytes exists.

    Raises TakenError if its bytes are different.
    """
    if not os.path.lexists(path):
        return False
    try:
        same = read_file(path, limit=len(data)) == data
    except FileError as error:
        same = False
        if error.reason != "size":  # a longer file cannot have the same bytes
            raise
    if not same:
        raise TakenError(path)
    return True


@contextlib.contextmanager
def _storage_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise storage_error(error, path) from error


@contextlib.contextmanager
def _temporary(path: Path, data: bytes, private: bool) -> Iterator[Path]:
    """Write the bytes under a temporary name beside `path`; the name is removed afterwards."""
    temporary = path.with_name(f"{TEMPORARY}{os.urandom(8).hex()}")
    with _storage_errors(path):
        try:
            _write(temporary, data, 0o600 if private else 0o666)
            yield temporary
        finally:
            with contextlib.suppress(OSError):
                syscalls.unlink(temporary)


def _write(path: Path, data: bytes, mode: int) -> None:
    fd = syscalls.create(path, mode)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[syscalls.write(fd, rest) :]
        syscalls.fsync(fd)
    finally:
        syscalls.close(fd)


def _give_name(temporary: Path, path: Path) -> None:
    """Rename in one step. Raises FileExistsError if the name is taken."""
    try:
        syscalls.link(temporary, path)
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
    """Rename on a disk where no other way works, such as some cloud drives.

    A lock folder decides which program may do it.
    """
    claim = path.with_name(f"{TEMPORARY}claim-{path.name}")
    try:
        syscalls.mkdir(claim, 0o777)
    except FileExistsError:
        sentence = (
            "another pbem process is writing this file; try again in a moment (if no other pbem is "
            f"running, an earlier one was stopped before it finished: remove {claim.name})"
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
