"""The system calls that change a disk, one function for each, so that tests can stop at any call.

Nothing is decided here. Callers write the functions' names in full (`syscalls.write`), because a
crash test replaces them. In a browser tab, the files are in memory, and
`pbem/files/syscalls_in_browser.py` replaces the calls that differ there.
"""

from __future__ import annotations

import errno
import functools
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TextIO, cast

_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL
_FLAGS |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def create(path: Path, mode: int) -> int:
    """Make a new file and open it for writing. Raises OSError EEXIST if the name is taken."""
    return os.open(path, _FLAGS, mode)


def write(fd: int, data: memoryview) -> int:
    """Write some of the bytes; return how many were written."""
    return os.write(fd, data)


def fsync(fd: int) -> None:
    """Wait until the bytes are on the disk."""
    os.fsync(fd)


def close(fd: int) -> None:
    """Close a file; network drives report late errors here."""
    os.close(fd)


def link(source: Path, target: Path) -> None:
    """Give a file a second name. Raises OSError EEXIST if that name is taken."""
    os.link(source, target)


def rename_new(source: Path, target: Path) -> None:
    """Rename a file. Raises OSError EEXIST if the name is taken, ENOTSUP if the disk cannot
    check."""
    if os.name == "nt":
        os.rename(source, target)  # Windows itself refuses a taken name
        return
    call = _exclusive_rename()
    if call is None:
        raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP), str(target))
    if code := call(os.fsencode(source), os.fsencode(target)):
        raise OSError(code, os.strerror(code), str(target))


@functools.cache
def _exclusive_rename() -> Callable[[bytes, bytes], int] | None:
    """Return a function that renames a file to a name that must be free, from source and target;
    it returns 0 or an errno. It uses Linux's renameat2 or macOS's renamex_np, which Python lacks;
    None if the system has neither."""
    import ctypes  # the import takes milliseconds, and most disks do not need it

    libc = ctypes.CDLL(None, use_errno=True)
    name = "renamex_np" if sys.platform == "darwin" else "renameat2"
    call = getattr(libc, name, None)
    if call is None:
        return None

    def rename(source: bytes, target: bytes) -> int:
        if sys.platform == "darwin":
            has_failed = call(source, target, 4)  # RENAME_EXCL
        else:
            has_failed = call(-100, source, -100, target, 1)  # AT_FDCWD, RENAME_NOREPLACE
        return ctypes.get_errno() if has_failed else 0

    return rename


def replace(source: Path, target: Path) -> None:
    """Rename, replacing any file that has the new name."""
    os.replace(source, target)


def unlink(path: Path) -> None:
    """Remove a file's name."""
    os.unlink(path)


def mkdir(path: Path, mode: int) -> None:
    """Make a new folder. Raises OSError EEXIST if the name is taken."""
    os.mkdir(path, mode)


def remove_tree(path: Path) -> None:
    """Remove a folder with everything in it."""
    shutil.rmtree(path)


def rmdir(path: Path) -> None:
    """Remove an empty folder."""
    os.rmdir(path)


def chmod(path: Path, mode: int) -> None:
    """Change who may read, write and enter a file or folder."""
    os.chmod(path, mode)


def sync_folder(path: Path) -> None:
    """Wait until the names in a folder are on the disk (Windows has no such call)."""
    if os.name == "nt":
        return
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def temporary_folder(prefix: str) -> Path:
    """Make a new private folder where the system keeps temporary files."""
    import tempfile

    return Path(tempfile.mkdtemp(prefix=prefix))


def free_bytes(folder: Path) -> int:
    """Return how many bytes this user may still write to the disk of a folder."""
    return shutil.disk_usage(folder).free


def find_program(name: str) -> str:
    """Find the full path of a program as the shell would; empty if there is none."""
    import shutil  # it can change a disk, so no other module may import it

    return shutil.which(name) or ""


def open_null_device(mode: str) -> TextIO:
    """Open the null device, for reading (`r`) or writing (`w`) text."""
    return cast("TextIO", os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))


HAS_THREADS = sys.platform != "emscripten"
"""Whether this Python can start threads; a browser tab cannot."""

if sys.platform == "emscripten":
    from pbem.files.syscalls_in_browser import *  # noqa: F403
