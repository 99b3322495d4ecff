"""Little files that are made once and never changed, on a disk or in a store: in a home, or beside
the games of a host."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Final

from pbem.files import syscalls
from pbem.files.disk import create, read_if_there, remove_old_temporary_files
from pbem.files.file_errors import TakenError, storage_errors
from pbem.files.game_folder_places import Place
from pbem.files.open_store import connect
from pbem.files.store_errors import translate_store_errors
from pbem.files.store_interface import Store

MAX_FILE_BYTES: Final = 4000
"""The most bytes that are read of such a file in a store."""


def files_beside(place: Place, folder: str) -> WriteOnceFiles:
    """Return the little files in a folder beside the games at a place. No game's folder has this
    name."""
    location = place.place_below(folder)
    return WriteOnceFiles(location.path) if location.path else _StoredWriteOnceFiles(location)


class WriteOnceFiles:
    """The little files in one folder on a disk. Methods raise StorageError."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def location(self) -> str:
        """The folder, as an error names it."""
        return str(self._folder)

    def names(self) -> list[str]:
        """Return the names of all files in the folder; none if there is no folder."""
        with storage_errors(self._folder), contextlib.suppress(FileNotFoundError):
            return os.listdir(self._folder)
        return []

    def make(self, name: str, data: bytes) -> bool:
        """Make a file; return False if there is one with other contents."""
        try:
            create(self._folder / name, data, private=True)
        except TakenError:
            return False
        return True

    def read(self, name: str) -> bytes | None:
        """Return the contents of a file; None if it is not there."""
        return read_if_there(self._folder / name)

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        with storage_errors(self._folder), contextlib.suppress(FileNotFoundError):
            syscalls.unlink(self._folder / name)

    def sweep(self) -> None:
        """Remove the unfinished files of killed hosts."""
        remove_old_temporary_files(self._folder)


class _StoredWriteOnceFiles(WriteOnceFiles):
    """The little files in a folder of a store."""

    def __init__(self, location: Place) -> None:
        self._location = location

    @property
    def location(self) -> str:
        return str(self._location)

    def _store(self) -> Store:
        return connect(self._location)

    def names(self) -> list[str]:
        names = list[str]()
        with translate_store_errors(str(self._location)), contextlib.suppress(FileNotFoundError):
            names = [name for name, _ in self._store().list_entries(())]
        return names

    def make(self, name: str, data: bytes) -> bool:
        with translate_store_errors(str(self._location)):
            try:
                self._store().write_new(name, data)
            except FileExistsError:
                return self.read(name) == data
        return True

    def read(self, name: str) -> bytes | None:
        data = None
        with translate_store_errors(str(self._location)), contextlib.suppress(FileNotFoundError):
            data = self._store().get(name, MAX_FILE_BYTES)
        return data

    def sweep(self) -> None:
        """Do nothing: a store has each file whole, or not at all."""

    def remove(self, name: str) -> None:
        with translate_store_errors(str(self._location)), contextlib.suppress(FileNotFoundError):
            self._store().remove(name)
