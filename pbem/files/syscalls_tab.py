"""The calls of `syscalls` that differ in a browser tab: the disk is in memory, and forgets.

Each call notes which paths it changed. `changes` returns them with their contents, and the worker
writes them to the browser's storage in one transaction, before anybody else
hears of them. One program runs here at a time, so looking before a change is enough to refuse a
name that is taken.
"""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path
from typing import NamedTuple

__all__ = [
    "chmod", "create", "fsync", "link", "mkdir", "remove_tree", "rename_new", "replace", "rmdir",
    "sync_folder", "unlink",
]  # fmt: skip

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL

TEMPORARY = "/.~pbem-"
"""How the names of files begin that are gone after each call (`pbem/files/disk.py`)."""

_changed: dict[str, None] = {}
"""The paths that changed since they were last kept, in order."""


class Change(NamedTuple):
    """A path that changed: `kind` is `f` (a file), `d` (a folder) or `-` (it is gone)."""

    path: str
    kind: str
    data: bytes


def changes() -> list[Change]:
    """Return what changed since the last call, as it is now; the first change comes first."""
    found = []
    for path in _changed:
        if TEMPORARY in path:
            continue
        if os.path.isdir(path):
            found.append(Change(path, "d", b""))
        elif os.path.lexists(path):
            found.append(Change(path, "f", Path(path).read_bytes()))
        else:
            found.append(Change(path, "-", b""))
    _changed.clear()
    return found


def _note(path: Path) -> None:
    _changed[str(path)] = None


def create(path: Path, mode: int) -> int:  # noqa: D103
    fd = os.open(path, _NEW, mode)
    _note(path)
    return fd


def fsync(fd: int) -> None:  # noqa: D103
    return


def link(old: Path, new: Path) -> None:
    """Raise OSError ENOSYS: this disk has no links."""
    raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS), str(new))


def rename_new(old: Path, new: Path) -> None:  # noqa: D103
    if os.path.lexists(new):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(new))
    replace(old, new)


def replace(old: Path, new: Path) -> None:  # noqa: D103
    os.replace(old, new)
    _note(old)
    if new.is_dir():
        for path in new.rglob("*"):
            _note(path)
            _note(old / path.relative_to(new))
    _note(new)


def unlink(path: Path) -> None:  # noqa: D103
    os.unlink(path)
    _note(path)


def mkdir(path: Path, mode: int) -> None:  # noqa: D103
    os.mkdir(path, mode)
    _note(path)


def remove_tree(path: Path) -> None:  # noqa: D103
    inside = list(path.rglob("*"))
    shutil.rmtree(path)
    for one in (*inside, path):
        _note(one)


def rmdir(path: Path) -> None:  # noqa: D103
    os.rmdir(path)
    _note(path)


def chmod(path: Path, mode: int) -> None:  # noqa: D103
    os.chmod(path, mode)


def sync_folder(path: Path) -> None:  # noqa: D103
    return
