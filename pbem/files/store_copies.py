"""Copies of one game's files that came from a store, in the home or only in memory."""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path
from typing import Final

from pbem.files import syscalls
from pbem.files.disk import Mark, read_file, replace
from pbem.files.file_errors import StorageError, storage_errors
from pbem.format.canonical_toml import MAX_BYTES
from pbem.format.record_error import RecordError

_IGNORES: Final = "ignores-conditions"
_CHECKSUM: Final = 32
"""The length of a SHA-256 hash."""


class Copies:
    """The copies of one game's files, in a folder of the home or only in memory.

    A copy is named by the file's path and mark, and begins with a checksum; it is checked as a file
    of the store is.
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._copies_in_memory: dict[str, bytes] = {}

    def get(self, path: str, mark: Mark) -> bytes | None:
        """Return the undamaged copy of a file with this mark; None if the copy is missing or
        damaged."""
        name = _name(path, mark)
        if self.folder is None:
            return self._copies_in_memory.get(name)
        with contextlib.suppress(StorageError, RecordError):
            copy = read_file(self.folder / name, MAX_BYTES + _CHECKSUM)
            data = copy[_CHECKSUM:]
            if copy == _with_checksum(data):
                return data
        return None

    def keep(self, path: str, mark: Mark, data: bytes) -> None:
        """Store a copy; ignores disk errors, because everything works without copies."""
        if self.folder is None:
            self._copies_in_memory[_name(path, mark)] = data
            return
        with contextlib.suppress(StorageError):
            replace(self.folder / _name(path, mark), _with_checksum(data))

    def drop(self, path: str, mark: Mark) -> bool:
        """Delete the copy of a file that the store still has; return whether there was one. Raises
        StorageError."""
        copy = self.folder / _name(path, mark) if self.folder else None
        if copy is None or not copy.exists():
            return False
        with storage_errors(copy):
            syscalls.unlink(copy)
        return True

    @property
    def ignores_conditions(self) -> bool:
        """Whether the store was seen to overwrite a file although it was asked not to."""
        return self.folder is not None and (self.folder / _IGNORES).exists()

    def note_ignores_conditions(self) -> None:
        """Note that the store overwrites files although it is asked not to; ignores disk errors."""
        with contextlib.suppress(StorageError):
            if self.folder and not self.ignores_conditions:
                replace(self.folder / _IGNORES, b"")


def _with_checksum(data: bytes) -> bytes:
    return hashlib.sha256(data).digest() + data


def _name(path: str, mark: Mark) -> str:
    digest = hashlib.sha256(f"{path} {mark.size} {mark.mtime_ns} {mark.inode}".encode())
    return f"{path.replace('/', '-')}-{digest.hexdigest()[:16]}"
