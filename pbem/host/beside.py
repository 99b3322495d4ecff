"""Little files that a host keeps beside its games, each made once: on a disk or in a store."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Final

from pbem.files import syscalls
from pbem.files.disk import TakenError, create, make_folder, read_if_there, storage_error
from pbem.files.folder import Place, StoreAddress
from pbem.files.store import FileSystemStore, asking
from pbem.files.store_folder import connect

MOST: Final = 1000
"""The most bytes of such a file."""


class Beside(ABC):
    """The little files in one folder beside the games. Methods raise StorageError."""

    @abstractmethod
    def names(self) -> list[str]:
        """Return the names of all files that are there."""

    @abstractmethod
    def make(self, name: str, data: bytes) -> bool:
        """Make a file; return False if there is one with other contents."""

    @abstractmethod
    def read(self, name: str) -> bytes | None:
        """Return what is in a file; None if it is not there."""

    @abstractmethod
    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""


def beside(place: Place, folder: str) -> Beside:
    """Return the files in this folder beside the games at a place; `folder` has no game's name."""
    if isinstance(place, Path):
        return _OnDisk(place / folder)
    return _InStore(StoreAddress(place.scheme, f"{place.rest}/{folder}"))


class _OnDisk(Beside):
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def names(self) -> list[str]:
        make_folder(self._folder, private=True)
        try:
            return os.listdir(self._folder)
        except OSError as error:
            raise storage_error(error, self._folder) from error

    def make(self, name: str, data: bytes) -> bool:
        try:
            create(self._folder / name, data, private=True)
        except TakenError:
            return False
        return True

    def read(self, name: str) -> bytes | None:
        return read_if_there(self._folder / name)

    def remove(self, name: str) -> None:
        try:
            syscalls.unlink(self._folder / name)
        except FileNotFoundError:
            return
        except OSError as error:
            raise storage_error(error, self._folder) from error


class _InStore(Beside):
    def __init__(self, where: StoreAddress) -> None:
        self._where = where

    def _store(self) -> FileSystemStore:
        store = connect(self._where)
        assert isinstance(store, FileSystemStore), "no host keeps its games on another host"
        return store

    def names(self) -> list[str]:
        with asking(str(self._where)):
            try:
                return [one.name for one in self._store().list("")]
            except FileNotFoundError:
                return []

    def make(self, name: str, data: bytes) -> bool:
        with asking(str(self._where)):
            try:
                self._store().put_new(name, data)
            except FileExistsError:
                return self.read(name) == data
        return True

    def read(self, name: str) -> bytes | None:
        with asking(str(self._where)):
            try:
                return self._store().get(name, MOST)
            except FileNotFoundError:
                return None

    def remove(self, name: str) -> None:
        with asking(str(self._where)):
            try:
                self._store().remove(name)
            except FileNotFoundError:
                return
