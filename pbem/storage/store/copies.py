"""Copies of a store's files in the home, so that no file is fetched twice.

A copy is named by the file's path and mark. It is used only for a file that the store lists with
the same mark, and it must pass the same checks as a file from the store.
"""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path
from typing import Final

from pbem.format.errors import RecordError
from pbem.storage import syscalls
from pbem.storage.atomic_write import replace
from pbem.storage.errors import StorageError, storage_error
from pbem.storage.read_file import Mark, read_file

_PROVEN: Final = "write-once"
_SAID: Final = {b"yes\n": True, b"no\n": False}


class Copies:
    """The copies of one game's files, in a folder of the home or only in memory."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._fresh: dict[str, bytes] = {}

    def get(self, path: str, mark: Mark) -> bytes | None:
        """Return the copy of a file with this mark; None if there is none."""
        name = _name(path, mark)
        data = self._fresh.get(name)
        if data is None and self.folder:
            with contextlib.suppress(StorageError, RecordError):
                data = read_file(self.folder / name)
        return data if data is not None and len(data) == mark.size else None

    def keep(self, path: str, mark: Mark, data: bytes) -> None:
        """Store a copy; ignores disk errors, because everything works without copies."""
        if self.folder is None:
            self._fresh[_name(path, mark)] = data
            return
        with contextlib.suppress(StorageError):
            replace(self.folder / _name(path, mark), data)

    def drop(self, path: str, mark: Mark) -> bool:
        """Delete the copy of a file that the store still has; return whether there was one.

        Raises StorageError.
        """
        copy = self.folder / _name(path, mark) if self.folder else None
        if copy is None or not copy.exists():
            return False
        try:
            syscalls.unlink(copy)
        except OSError as error:
            raise storage_error(error, copy) from error
        return True

    @property
    def proven(self) -> bool | None:
        """Return whether the store itself refuses to overwrite files; None if that is not known."""
        with contextlib.suppress(StorageError, RecordError):
            return _SAID.get(read_file(self.folder / _PROVEN)) if self.folder else None
        return None

    def note_proven(self, proven: bool) -> None:
        """Note whether the store itself refuses to overwrite files; ignores disk errors."""
        with contextlib.suppress(StorageError):
            if self.folder and self.proven is not proven:
                replace(self.folder / _PROVEN, b"yes\n" if proven else b"no\n")


def _name(path: str, mark: Mark) -> str:
    of = hashlib.sha256(f"{path} {mark.size} {mark.mtime_ns} {mark.inode}".encode())
    return f"{path.replace('/', '-')}-{of.hexdigest()[:16]}"
