"""A game folder in a store: the same as one on a disk, with copies in the home."""

from __future__ import annotations

import contextlib
import hashlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, TypeVar

from pbem.errors import PbemError
from pbem.files import syscalls
from pbem.files.disk import Mark
from pbem.files.file_errors import (
    LINK_CLAUSE,
    AwayError,
    FileError,
    StorageError,
    TakenError,
    too_long_clause,
)
from pbem.files.game_folder import PLACES, Listing, RecordFile, SharedFolder, listing_of
from pbem.files.game_folder_places import HostPlace, StorePlace
from pbem.files.open_store import connect
from pbem.files.record_file_names import Name, check_record_path, parse_name
from pbem.files.store_copies import Copies
from pbem.files.store_errors import code_of, translate_store_errors
from pbem.files.store_interface import BusyError, Entry, Store, expired_names, forget_connection
from pbem.files.stray_files import StrayFile, classify_stray
from pbem.format.canonical_toml import MAX_BYTES

MAX_FETCHED_TOGETHER: Final = 64
"""The most files that are fetched together: a needed file, and others from its folder."""
THREADS: Final = 8
MAX_AHEAD_BYTES: Final = 1 << 18
"""The most bytes of a file that is fetched before it is needed."""

OTHER_SIZE: Final = "the store sends a different number of bytes than it lists; try again"

T = TypeVar("T")
Item = TypeVar("Item")
Outcome = TypeVar("Outcome")


def side_by_side(ask: Callable[[Item], Outcome], items: Sequence[Item]) -> list[Outcome]:
    """Call a function for each item, several at the same time; one after the other in a browser
    tab, which has no threads."""
    if len(items) < 2 or not syscalls.HAS_THREADS:
        return [ask(item) for item in items]
    with ThreadPoolExecutor(min(len(items), THREADS)) as pool:
        return list(pool.map(ask, items))


class StoreFolder(SharedFolder):
    """A game folder in a store. Nothing is asked of the store until a method is called."""

    pause = 10.0

    place: StorePlace | HostPlace

    def __init__(self, place: StorePlace | HostPlace, copies: Path | None = None) -> None:
        """`copies` is the folder for copies of files; None keeps them in memory."""
        self.place = place
        self._copies = Copies(copies)
        self._connected: Store | None = None
        self._thread = 0
        """The thread that the connection is for; 0 if all threads may use it."""
        self._entries: dict[str, Entry] = {}
        """The files that the last scan found, by path."""

    def scan(self) -> Listing:
        """List what the store has now, and remember it for later reads. Raises StorageError."""
        files, strays = list[RecordFile](), list[StrayFile]()
        entries = self._list_entries()
        # a bucket can have a file and a "folder" with the same name: the file counts
        self._entries = dict(sorted(entries or [], key=lambda pair: pair[1].kind == "file"))
        for path, entry in self._entries.items():
            name, is_folder = parse_name(path), entry.kind == "folder"
            if name and is_folder and self._store.has_flat_names:
                strays.append(StrayFile(path, "folder"))
            elif name:
                files.append(RecordFile(name, mark_of(entry)))
            elif not (is_folder and path in PLACES):
                strays.append(
                    classify_stray(path, is_folder=is_folder, is_link=entry.kind == "link")
                )
        return listing_of(files, strays, entries is not None)

    def _list_entries(self) -> list[tuple[str, Entry]] | None:
        """List everything, each with its path; None if there is no such folder."""
        with self._translate_errors():
            try:
                return list(self._store.list_entries(PLACES))
            except FileNotFoundError as error:
                if code_of(error) == "NoSuchBucket":
                    raise
        return None

    def folders_inside(self) -> Iterator[str]:
        with self._translate_errors(), contextlib.suppress(FileNotFoundError):
            yield from self._store.folder_names()

    def remove(self, files: Iterable[RecordFile]) -> None:
        for file in files:
            with self._translate_errors(file.path):
                self._store.remove(file.path)

    def fingerprint(self) -> str:
        self.scan()
        lines = (f"{path} {x.kind} {mark_of(x)}" for path, x in sorted(self._entries.items()))
        return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest()

    def read(self, record: RecordFile | Name | str) -> bytes:
        """Return the bytes of a record. For a file that a scan found (RecordFile) a copy in the
        home will do; other files are fetched. Raises FileError `name`, `file`, `size`;
        StorageError."""
        path = record if isinstance(record, str) else record.path
        check_record_path(path)
        if not isinstance(record, RecordFile):
            return self._fetch(path)
        data = self._copies.get(path, record.mark)
        if data is None:
            self._fetch_ahead(path)
            data = self._copies.get(path, record.mark)
        if data is None:
            data = self._fetch(path)
            self._copies.keep(path, record.mark, data)
        return data

    def read_stray(self, path: str) -> bytes:
        return self._fetch(path)

    def _fetch(self, path: str) -> bytes:
        """Get a file from the store, by its entry in the last scan. Raises FileError `file` or
        `size`, AwayError if it is longer or shorter than listed, StorageError."""
        self._refuse_link(path)
        entry = self._entries.get(path)
        if entry is not None and entry.kind != "file":
            problems = {
                "link": LINK_CLAUSE,
                "folder": "is a folder",
            }
            problem = problems.get(entry.kind, "is not a regular file")
            raise FileError("file", self._shown_path(path), problem)
        too_long = too_long_clause(MAX_BYTES)
        if entry is not None and entry.size > MAX_BYTES:
            raise FileError("size", self._shown_path(path), too_long)
        if entry is not None and not entry.size:
            return b""  # no store can send a part of an empty file
        with self._translate_errors(path):
            data = self._store.get(path, (MAX_BYTES if entry is None else entry.size) + 1)
        if entry is not None and len(data) != entry.size:
            raise AwayError(self._shown_path(path), OTHER_SIZE)
        if len(data) > MAX_BYTES:
            raise FileError("size", self._shown_path(path), too_long)
        return data

    def _refuse_link(self, path: str) -> None:
        place = path.rpartition("/")[0]
        if place in self._entries and self._entries[place].kind == "link":
            raise FileError("file", self._shown_path(path), f"{place} {LINK_CLAUSE}")

    def _fetch_ahead(self, path: str) -> None:
        """Copy a file, and small files after it in its folder, side by side if the store can.
        Raises AwayError."""
        place = path.rpartition("/")[0]
        small_paths = [
            other_path
            for other_path, entry in self._entries.items()
            if other_path.rpartition("/")[0] == place
            and entry.kind == "file"
            and entry.size <= MAX_AHEAD_BYTES
            if parse_name(other_path) and self._copies.get(other_path, mark_of(entry)) is None
        ]
        next_paths = [other_path for other_path in small_paths if other_path >= path]
        if self._store.is_parallel:
            chosen_paths = next_paths[:MAX_FETCHED_TOGETHER]
        else:
            chosen_paths = [path] if path in next_paths else []

        is_away = threading.Event()

        def fetch(other_path: str) -> bytes | None:
            """Return the bytes of one file; None if they cannot be had now. Raises AwayError for
            the file that is needed."""
            try:
                return None if is_away.is_set() else self._fetch(other_path)
            except AwayError:
                is_away.set()  # each other file would take as long
                if other_path == path:
                    raise
            except PbemError:  # reported by the read that needs that file
                pass
            return None

        for other_path, data in zip(chosen_paths, side_by_side(fetch, chosen_paths), strict=True):
            if data is not None:
                self._copies.keep(other_path, mark_of(self._entries[other_path]), data)

    def create(self, record: Name | str, data: bytes) -> bool:
        """Write a new record; return True if it is new, False if the store already had these bytes.
        Raises FileError `name` or `file`, TakenError for other bytes, StorageError.

        If an answer is lost, look whether the file is there. Old temporary files beside it are
        removed.
        """
        path = record if isinstance(record, str) else record.path
        check_record_path(path)
        self._refuse_link(path)
        place = path.rpartition("/")[0]
        prefix = f"{place}/" if place else ""
        entries_here = [
            entry
            for entry_path, entry in self._entries.items()
            if entry_path == f"{prefix}{entry.name}"
        ]
        for name in expired_names(entries_here, time.time()):
            with contextlib.suppress(Exception):  # another run can do this
                self._store.remove(f"{prefix}{name}")
        try:
            with self._translate_errors(path):
                self._store.write_new(path, data)
        except FileExistsError:
            return self._is_there(path, data)
        except BusyError:  # the file may be there by now, and is not this program's
            with contextlib.suppress(StorageError):
                return self._is_there(path, data)
            raise
        except AwayError:  # the answer may be lost, but not the file
            with contextlib.suppress(StorageError):  # the store cannot be asked
                self._is_there(path, data)
                return True
            raise
        finally:
            if self._connected is not None and self._connected.ignores_conditions:
                self._copies.note_ignores_conditions()
        return True

    def _is_there(self, path: str, data: bytes) -> bool:
        """Return False (nothing was written) if the file has these bytes. Raises TakenError,
        StorageError."""
        self._entries.pop(path, None)  # the file may be newer than the last scan
        try:
            has_same_content = self._fetch(path) == data
        except FileError as error:
            if error.reason != "size":
                raise
            has_same_content = False
        if not has_same_content:
            raise TakenError(self._shown_path(path))
        return False

    def set_aside(self, file: RecordFile) -> str:
        """Rename a file to the first free name `….aside-1`, …; return the new path. Raises
        FileError `parent` if it has changed since the scan that found it, StorageError."""
        self.scan()
        entry = self._entries.get(file.path)
        if entry is None or mark_of(entry) != file.mark:
            raise FileError("parent", self._shown_path(file.path), "has just changed; try again")
        number = 1
        while True:
            aside_path = f"{file.path}.aside-{number}"
            try:
                with self._translate_errors(file.path):
                    self._store.move(file.path, aside_path)
                return aside_path
            except FileExistsError:
                number += 1

    @property
    def folder_beside(self) -> Path:
        return Path.cwd()

    def contains(self, path: Path) -> bool:
        return False

    def bypass_copies(self) -> None:
        self._copies = Copies(None)

    def drop_copies(self) -> int:
        # a copy of a file that the store no longer has stays: nobody could fetch it again
        self.scan()
        files = [(path, entry) for path, entry in self._entries.items() if entry.kind == "file"]
        return sum(self._copies.drop(path, mark_of(entry)) for path, entry in files)

    @property
    def _store(self) -> Store:
        thread = 0 if self.place.has_shared_connection else threading.get_ident()
        if self._connected is None or self._thread != thread:
            self._connected = self._open_store()
            self._thread = thread
        return self._connected

    def _open_store(self) -> Store:
        return connect(self.place, self._copies.ignores_conditions)

    @contextlib.contextmanager
    def _translate_errors(self, path: str = "") -> Iterator[None]:
        """Ask the store in the block: its errors are raised as StorageError about `path`. After an
        AwayError the next request connects again."""
        try:
            with translate_store_errors(self._shown_path(path)):
                yield
        except AwayError:
            if self._connected is not None:
                forget_connection(self._connected.connection)
            self._connected = None
            raise

    def _shown_path(self, path: str) -> str:
        return f"{self.place}/{path}" if path else str(self.place)


def mark_of(entry: Entry) -> Mark:
    """Return what shows whether a file of a store changed."""
    tag = int.from_bytes(hashlib.sha256(f"{entry.kind} {entry.tag}".encode()).digest()[:6], "big")
    return Mark(entry.size, entry.mtime_ns, tag)
