"""What every store can do: list, get, put a new file; and the connections to stores."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, Final, NamedTuple

from pbem.files.disk import MAX_TEMPORARY_SECONDS, TEMPORARY
from pbem.files.file_errors import AwayError

BILLION: Final = 1_000_000_000
"""Nanoseconds in a second."""


class BusyError(AwayError):
    """Another program is writing this file; this one has not written it."""


class Entry(NamedTuple):
    """A file or folder in a list: its last name, kind, size, time, and the store's tag."""

    name: str
    kind: str
    size: int
    mtime_ns: int
    tag: str


class Store(ABC):
    """A folder in a store: list, get, put a new file. No file is ever overwritten.

    All paths are relative to this folder. Methods raise what the store's library raises, and
    FileNotFoundError if there is no such folder or file; `translate_store_errors` turns it into
    plain errors.
    """

    connection: object = None
    """The connection that other folders may use too; it is forgotten if the store is away."""
    ignores_conditions = False
    """Whether the store was seen to overwrite a file although it was asked not to."""
    is_parallel = False
    """Whether several requests may run at the same time."""
    has_flat_names = False
    """Whether names only look like paths, so that a folder exists while a file is in it."""

    @abstractmethod
    def list_entries(self, places: Collection[str]) -> Iterator[tuple[str, Entry]]:
        """Yield path and entry of each file and folder in this folder and in these places."""

    def folder_names(self) -> list[str]:
        """Return the names of the folders in this folder."""
        return [name for name, entry in self.list_entries(()) if entry.kind == "folder"]

    @abstractmethod
    def get(self, path: str, max_bytes: int) -> bytes:
        """Return the bytes of a file, at most `max_bytes` of them."""

    @abstractmethod
    def write_new(self, path: str, data: bytes) -> None:
        """Write a new file. Raises FileExistsError if the name is taken; then nothing changes."""

    @abstractmethod
    def move(self, source: str, target: str) -> None:
        """Rename a file to a name that is free. Raises FileExistsError if it is taken."""

    @abstractmethod
    def remove(self, path: str) -> None:
        """Remove a file."""


def expired_names(entries: Iterable[Entry], now: float) -> list[str]:
    """Return the names of temporary files that killed runs left more than an hour ago."""
    cutoff_ns = int((now - MAX_TEMPORARY_SECONDS) * BILLION)
    return [x.name for x in entries if x.name.startswith(TEMPORARY) and x.mtime_ns < cutoff_ns]


# ---- connections

_CONNECTIONS: Final[dict[tuple[object, ...], Any]] = {}


def connection_for(key: tuple[object, ...], connect: Callable[[], Any]) -> Any:
    """Return this process's connection with this key; the first call makes the connection with
    `connect`.

    Folders that share one save up to a second.
    """
    key = (os.getpid(), *key)
    if key not in _CONNECTIONS:
        _CONNECTIONS[key] = connect()
    return _CONNECTIONS[key]


def forget_connection(connection: object) -> None:
    """Drop a lost connection, so that the next store connects again."""
    for key in [key for key, value in _CONNECTIONS.items() if value is connection]:
        del _CONNECTIONS[key]
