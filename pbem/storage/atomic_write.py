"""Files that are there whole or not at all, whatever is killed when (protocol §2).

A file is written under a temporary name in the folder it belongs to, brought to the disk, and only
then given its name, in one step that fails if anything has the name. Whoever is killed on the way
leaves at most a temporary file: no reader looks at it, and a later run sweeps it up.
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
"""Every temporary name begins so; nothing else does."""
OLD: Final = 3600
"""Seconds after which a temporary file belongs to nobody: no write takes an hour."""

# what systems say for "this disk cannot do that"; Android refuses links with EACCES
_UNABLE: Final = {errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS}
_NO_LINKS: Final = _UNABLE | {errno.EPERM, errno.EACCES, errno.EMLINK, errno.EXDEV}
_NO_SYNC: Final = _UNABLE | {errno.EROFS, errno.EACCES, errno.EBADF}


def create(path: Path, data: bytes, *, private: bool = False) -> bool:
    """Make a file that was not there; True if it was made, False if these bytes lay there already.

    Folders above it are made where missing. `private`: nobody else may read it (0600).
    Raises TakenError if the name has other contents, FileError `file` if it is a link or a folder,
    StorageError where the system refuses. Then nothing has changed.
    """
    make_folder(path.parent, private=private)
    if _is_there(path, data):
        _sync_folder(path.parent)  # whoever made it may have been killed before this
        return False
    with _temporary(path, data, private) as temporary:
        try:
            _give_name(temporary, path)
        except FileExistsError:
            if _is_there(path, data):
                return False
            raise  # gone again: whoever removed it must be asked
        _sync_folder(path.parent)
    return True


def replace(path: Path, data: bytes) -> None:
    """Write a private file anew (0600): the old contents or the new are there, never a part.

    For what is ours alone; nothing in a shared folder is ever replaced. Raises StorageError.
    """
    make_folder(path.parent, private=True)
    with _temporary(path, data, private=True) as temporary:
        syscalls.replace(temporary, path)
        _sync_folder(path.parent)


def set_aside(path: Path, mark: Mark) -> Path:
    """Give a file the first free name `….aside-1`, `….aside-2`, …; the new path.

    Raises FileError `parent` if it is not the file of this mark any more (then it has its name
    again), StorageError.
    """
    with _said(path):
        new = _rename_aside(path)
        if Mark.of(os.lstat(new)) != mark:
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
    raise AssertionError("numbers do not end")


def make_folder(path: Path, *, private: bool = False) -> None:
    """Make a folder and those above it where missing (`private`: 0700). Raises StorageError."""
    with _said(path):
        missing = []
        while not path.exists():
            missing.append(path)
            path = path.parent
        for folder in reversed(missing):
            with contextlib.suppress(FileExistsError):  # somebody else was quicker
                syscalls.mkdir(folder, 0o700 if private else 0o777)
            _sync_folder(folder.parent)


def sweep(folder: Path, older: float = OLD) -> list[Path]:
    """Remove temporary files that a killed run left here, at least `older` seconds old; which."""
    swept = []
    with contextlib.suppress(OSError):  # tidying may wait: another day, another user
        for found in folder.iterdir():
            with contextlib.suppress(OSError):
                if found.name.startswith(TEMPORARY) and _age(found) >= older:
                    (syscalls.rmdir if found.is_dir() else syscalls.unlink)(found)
                    swept.append(found)
    return swept


def _age(path: Path) -> float:
    return time.time() - path.lstat().st_mtime


def _is_there(path: Path, data: bytes) -> bool:
    """Do these bytes lie under this name? Raises TakenError if others do."""
    if not os.path.lexists(path):
        return False
    try:
        same = read_file(path, limit=len(data)) == data
    except FileError as error:
        same = False
        if error.reason != "size":  # a longer file is simply another
            raise
    if not same:
        raise TakenError(path)
    return True


@contextlib.contextmanager
def _said(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise storage_error(error, path) from error


@contextlib.contextmanager
def _temporary(path: Path, data: bytes, private: bool) -> Iterator[Path]:
    """The bytes on the disk under a temporary name beside `path`, which is gone afterwards."""
    temporary = path.with_name(f"{TEMPORARY}{os.urandom(8).hex()}")
    with _said(path):
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
    """One step, which fails with FileExistsError if anything has the name."""
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
    """Where neither can be had (some cloud drives): a folder, which only one can make, decides."""
    claim = path.with_name(f"{TEMPORARY}claim-{path.name}")
    try:
        syscalls.mkdir(claim, 0o777)
    except FileExistsError:
        sentence = (
            f"another pbem is writing it just now; try again in a moment (if none is running, "
            f"remove {claim.name}: one was killed)"
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
