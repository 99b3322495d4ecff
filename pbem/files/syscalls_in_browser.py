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

_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL

TEMPORARY = "/.~pbem-"
"""The beginning of the names of temporary files, which end with each call (see `disk.py`)."""

_changed: dict[str, None] = {}
"""The paths that changed since they were last kept, in order."""


class Change(NamedTuple):
    """A path that changed: `kind` is `f` (a file), `d` (a folder) or `-` (it is gone)."""

    path: str
    kind: str
    data: bytes


def changes() -> list[Change]:
    """Return the changes since the last call, each path as it is now, in the order in which the
    paths first changed; temporary files are left out."""
    path_changes = []
    for path in _changed:
        if TEMPORARY in path:
            continue
        if os.path.isdir(path):
            path_changes.append(Change(path, "d", b""))
        elif os.path.lexists(path):
            path_changes.append(Change(path, "f", Path(path).read_bytes()))
        else:
            path_changes.append(Change(path, "-", b""))
    _changed.clear()
    return path_changes


def _note(path: Path) -> None:
    _changed[str(path)] = None


def create(path: Path, mode: int) -> int:  # noqa: D103
    fd = os.open(path, _FLAGS, mode)
    _note(path)
    return fd


def fsync(fd: int) -> None:  # noqa: D103
    return


def link(source: Path, target: Path) -> None:
    """Raise OSError ENOSYS: this disk has no links."""
    raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS), str(target))


def rename_new(source: Path, target: Path) -> None:  # noqa: D103
    if os.path.lexists(target):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
    replace(source, target)


def replace(source: Path, target: Path) -> None:  # noqa: D103
    os.replace(source, target)
    _note(source)
    if target.is_dir():
        for path in target.rglob("*"):
            _note(path)
            _note(source / path.relative_to(target))
    _note(target)


def unlink(path: Path) -> None:  # noqa: D103
    os.unlink(path)
    _note(path)


def mkdir(path: Path, mode: int) -> None:  # noqa: D103
    os.mkdir(path, mode)
    _note(path)


def remove_tree(path: Path) -> None:  # noqa: D103
    inner_paths = list(path.rglob("*"))
    shutil.rmtree(path)
    for changed_path in (*inner_paths, path):
        _note(changed_path)


def rmdir(path: Path) -> None:  # noqa: D103
    os.rmdir(path)
    _note(path)


def chmod(path: Path, mode: int) -> None:  # noqa: D103
    os.chmod(path, mode)


def sync_folder(path: Path) -> None:  # noqa: D103
    return
