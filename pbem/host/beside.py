"""Little files that a host keeps beside its games, each made once: on a disk or in a store."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Final

from pbem.files import syscalls
from pbem.files.disk import TakenError, create, make_folder, read_if_there, storage_errors
from pbem.files.places import Place
from pbem.files.store import Store, asking
from pbem.files.store_folder import connect

MOST: Final = 1000


def beside(place: Place, folder: str) -> Beside:
    """Return the files in this folder beside the games at a place; `folder` has no game's name."""
    where = place.place_below(folder)
    return Beside(where.path) if where.path else _InStore(where)


class Beside:
    """The little files in one folder beside the games. Methods raise StorageError."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def names(self) -> list[str]:
        """Return the names of all files that are there."""
        make_folder(self._folder, private=True)
        with storage_errors(self._folder):
            return os.listdir(self._folder)

    def make(self, name: str, data: bytes) -> bool:
        """Make a file; return False if there is one with other contents."""
        try:
            create(self._folder / name, data, private=True)
        except TakenError:
            return False
        return True

    def read(self, name: str) -> bytes | None:
        """Return what is in a file; None if it is not there."""
        return read_if_there(self._folder / name)

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        with storage_errors(self._folder), contextlib.suppress(FileNotFoundError):
            syscalls.unlink(self._folder / name)


class _InStore(Beside):
    def __init__(self, where: Place) -> None:
        self._where = where

    def _store(self) -> Store:
        return connect(self._where)

    def names(self) -> list[str]:
        found = list[str]()
        with asking(str(self._where)), contextlib.suppress(FileNotFoundError):
            found = [name for name, _ in self._store().list_entries(())]
        return found

    def make(self, name: str, data: bytes) -> bool:
        with asking(str(self._where)):
            try:
                self._store().write_new(name, data)
            except FileExistsError:
                return self.read(name) == data
        return True

    def read(self, name: str) -> bytes | None:
        data = None
        with asking(str(self._where)), contextlib.suppress(FileNotFoundError):
            data = self._store().get(name, MOST)
        return data

    def remove(self, name: str) -> None:
        with asking(str(self._where)), contextlib.suppress(FileNotFoundError):
            self._store().remove(name)
