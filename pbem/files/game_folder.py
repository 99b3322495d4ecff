"""A game folder, shared with others: list, read and write its files (protocol §4)."""

from __future__ import annotations

import contextlib
import os
import stat
import time
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Final, Literal, NamedTuple

from pbem.errors import PbemError
from pbem.files.disk import (
    Mark,
    create,
    folder_fingerprint,
    read_file,
    remove_folder,
    remove_old_temporary_files,
    set_aside,
)
from pbem.files.file_errors import LINK_CLAUSE, FileError, storage_errors
from pbem.files.game_folder_places import DiskPlace, Place
from pbem.files.record_file_names import Name, check_record_path, parse_name
from pbem.files.stray_files import StrayFile, classify_stray

PLACES: Final = ("seats", "turns", "orders", "press", "notices", "deals")
"""The folders inside a game's folder that contain records."""

State = Literal["missing", "empty", "foreign", "waiting", "game"]


class RecordFile(NamedTuple):
    """A file with the name of a record; only its contents tell what it really is."""

    name: Name
    mark: Mark

    @property
    def path(self) -> str:
        """The path inside the game's folder, with slashes."""
        return self.name.path


def files_with_ids(files: Iterable[RecordFile], ids: Collection[bytes]) -> list[RecordFile]:
    """Return the files that may be records with these ids: a name has only six of an id's
    digits."""
    short_ids = {ident.hex()[:6] for ident in ids}
    return [file for file in files if file.name.short_id in short_ids]


class Listing(NamedTuple):
    """All files in a game folder; records are sorted by path."""

    charter: RecordFile | None
    joins: tuple[RecordFile, ...]
    turns: tuple[RecordFile, ...]
    orders: tuple[RecordFile, ...]
    final: RecordFile | None
    strays: tuple[StrayFile, ...]
    exists: bool = True
    press: tuple[RecordFile, ...] = ()
    """The messages; they are not part of the game, so nothing that is cached about it uses them."""
    notices: tuple[RecordFile, ...] = ()
    deals: tuple[RecordFile, ...] = ()

    @property
    def records(self) -> tuple[RecordFile, ...]:
        """Every file with the name of a record, except messages."""
        charter, final = ((file,) if file else () for file in (self.charter, self.final))
        return (
            *charter, *self.joins, *self.turns, *self.orders, *self.notices, *self.deals, *final,
        )  # fmt: skip

    @property
    def marks(self) -> dict[str, Mark]:
        """The mark (size, times, inode) of every record file, by path."""
        return {file.path: file.mark for file in self.records}

    @property
    def state(self) -> State:
        """The state of this folder for a command that needs a game.

        `missing`: no such folder. `empty`: only files of the system. `foreign`: other files.
        `waiting`: records, but no charter yet (still syncing). `game`: a charter.
        """
        if not self.exists:
            return "missing"
        if self.charter:
            return "game"
        if self.records or self.press:
            return "waiting"
        return "empty" if all(x.kind in ("system", "temporary") for x in self.strays) else "foreign"

    @property
    def gaps(self) -> list[int]:
        """The numbers of missing turns that come before a turn that is here."""
        turns = [file.name.turn for file in self.turns]
        return sorted(set(range(1, max(turns, default=0))) - set(turns))

    @property
    def reached(self) -> int:
        """The number of turns without a gap, from turn 1 on, judging by file names."""
        gaps = self.gaps
        return gaps[0] - 1 if gaps else len(self.turns)

    @property
    def copies(self) -> tuple[StrayFile, ...]:
        """The conflict copies that sync programs made."""
        return tuple(x for x in self.strays if x.kind == "copy")


class SharedFolder(ABC):
    """A game folder, on a disk or in a store. Nothing is opened until a method is called.

    Nothing in it is trusted. Records are found by name, only in their places, and links are not
    followed; all other files are strays. Records never change, so files are only created.
    """

    place: Place
    """The place of the folder."""
    pause: float = 1.0
    """Seconds between two looks at the folder by a command that waits for changes."""
    on_page: tuple[str, str] = ("", "")
    """The result of `page`, for a host that opens its own games."""

    @abstractmethod
    def scan(self) -> Listing:
        """List what is here now, by names and marks, without opening files. Raises StorageError.

        A folder on a host first sends the files that wait for the host, and again those that the
        host has lost.
        """

    @abstractmethod
    def read(self, record: RecordFile | Name | str) -> bytes:
        """Read the bytes of a record file, without checking them.

        Raises FileError `name` for a path that no record can have, `file` for a link, a folder or
        the like, `size` beyond 1 MiB; StorageError.
        """

    def has(self, record: RecordFile | Name | str, data: bytes) -> bool:
        """Return whether a record file can be read and has these bytes."""
        try:
            return self.read(record) == data
        except PbemError:
            return False

    @abstractmethod
    def read_stray(self, path: str) -> bytes:
        """Read the bytes of a file that is not a record. Raises what `read` raises."""

    @abstractmethod
    def create(self, record: Name | str, data: bytes) -> bool:
        """Write a whole record in its place; return True if it is new, False if it already existed.

        Raises FileError `name`, TakenError if the file has different contents, StorageError.
        """

    def keep_back(self, record: Name, data: bytes) -> None:
        """Write a new record that is delivered by `release_kept_back`; at once, if the folder
        cannot keep it back. Raises what `create` raises."""
        self.create(record, data)

    def kept_back_paths(self) -> list[str]:
        """Return the paths of the records that are kept back."""
        return []

    def release_kept_back(self) -> None:
        """Deliver the records that are kept back; what cannot be sent now waits. Raises
        StorageError."""
        return

    @abstractmethod
    def set_aside(self, file: RecordFile) -> str:
        """Rename the file in a record's place, so that the place is free; returns the new path.

        Raises FileError `parent` if the file has changed since it was found, StorageError.
        """

    @abstractmethod
    def remove(self, files: Iterable[RecordFile]) -> None:
        """Remove the game, whose files are these, in this order. Raises StorageError."""

    @abstractmethod
    def fingerprint(self) -> str:
        """Return a text that changes whenever a file in the folder changes. Raises StorageError."""

    @property
    @abstractmethod
    def folder_beside(self) -> Path:
        """The folder on this computer for files that belong beside the game folder."""

    @abstractmethod
    def contains(self, path: Path) -> bool:
        """Return whether a file with this path is in the folder, even if links lead there."""

    def folders_inside(self) -> Iterator[str]:
        """Yield the names of the folders inside this one. Raises StorageError."""
        yield from ()

    def games_below(self) -> list[str]:
        """Return the names of at most three folders inside this one that contain a game."""
        return []

    def may_be_written(self) -> bool:
        """Return whether this user may write here, as far as can be told without writing."""
        return True

    def page(self) -> tuple[str, str]:
        """Return the address of the page that plays this game in a browser, and the game's digits
        there; empty if no host serves such a page."""
        return self.on_page

    def link(self, kind: str, secret: str = "") -> str:
        """Return the link that opens this game in a browser, for people without pbem: `game`, or
        `join` with an invite. Empty if no host serves a page that plays."""
        page, digits = self.page()
        return page and f"{page}g/{digits}/play" + (f"#{kind}={secret}" if secret else "")

    def note_doubt(self, record: RecordFile) -> None:
        """Take note that a file is no record of this game: it may be a copy, and the place may have
        better bytes by now."""
        return

    def drop_copies(self) -> int:
        """Delete the copies in the home of files that are in their place; return how many. Raises
        StorageError."""
        return 0

    def bypass_copies(self) -> None:
        """Read every file from its place from now on, not from a copy in the home."""
        return

    def check_reached(self) -> None:
        """Raise AwayError if the last scan could only tell what was there before."""
        return

    def wait_for_news(self, seconds: float) -> bool:
        """Wait until there is news, at most this long; return whether there may be news.
        Raises StorageError."""
        time.sleep(seconds)
        return True


class Folder(SharedFolder):
    """A game folder on a disk."""

    def __init__(self, root: Path) -> None:
        self.root, self.place = root, DiskPlace(root)

    def scan(self) -> Listing:
        files: list[RecordFile] = []
        strays: list[StrayFile] = []
        exists = _scan_place(self.root, "", files, strays)
        for place in PLACES if exists else ():
            _scan_place(self.root / place, f"{place}/", files, strays)
        return listing_of(files, strays, exists)

    def read(self, record: RecordFile | Name | str) -> bytes:
        path = self._checked_path(record if isinstance(record, str) else record.path)
        return read_file(path)

    def read_stray(self, path: str) -> bytes:
        return read_file(self.root / path)

    def create(self, record: Name | str, data: bytes) -> bool:
        path = self._checked_path(record if isinstance(record, str) else record.path)
        remove_old_temporary_files(path.parent)
        return create(path, data)

    def set_aside(self, file: RecordFile) -> str:
        path = self._checked_path(file.path)
        aside_path = set_aside(path, file.mark)
        return f"{file.path.rpartition('/')[0]}/{aside_path.name}".lstrip("/")

    def remove(self, files: Iterable[RecordFile]) -> None:
        remove_folder(self.root)

    def fingerprint(self) -> str:
        return folder_fingerprint(self.root)

    @property
    def folder_beside(self) -> Path:
        return self.root.parent

    def contains(self, path: Path) -> bool:
        return path.absolute().parent.resolve().is_relative_to(self.root.resolve())

    def folders_inside(self) -> Iterator[str]:
        with storage_errors(self.root), contextlib.suppress(FileNotFoundError, NotADirectoryError):
            yield from os.listdir(self.root)

    def games_below(self) -> list[str]:
        return sorted(path.parent.name for path in self.root.glob("*/game.toml"))[:3]

    def may_be_written(self) -> bool:
        return os.access(self.root, os.W_OK)

    def _checked_path(self, path: str) -> Path:
        """Return the file's place on the disk. Raises FileError for a path that no record has, and
        if the record's folder is a link."""
        check_record_path(path)
        full_path = self.root / path
        # `create` makes a folder that is missing, and `read` reports it
        with storage_errors(full_path), contextlib.suppress(FileNotFoundError):
            if full_path.parent != self.root and stat.S_ISLNK(os.lstat(full_path.parent).st_mode):
                raise FileError(
                    "file",
                    path,
                    f"{full_path.parent.name} {LINK_CLAUSE}",
                )
        return full_path


def _scan_place(
    folder: Path, prefix: str, files: list[RecordFile], strays: list[StrayFile]
) -> bool:
    """List one folder of a game folder: add records to ``files`` and all else to ``strays``, with
    ``prefix`` before each name. Return False if there is no such folder. Raises StorageError."""
    with storage_errors(folder), contextlib.suppress(FileNotFoundError):
        if prefix and not stat.S_ISDIR(os.lstat(folder).st_mode):
            return False  # the scan of the game folder has listed it
        strays_here: list[StrayFile] = []
        with os.scandir(folder) as entries:
            for entry in entries:
                _sort_in(entry, prefix, files, strays_here)
        if strays_here:
            _heed_case(folder, prefix, files, strays_here)
            strays += strays_here
        return True
    return False


def _sort_in(
    entry: os.DirEntry[str], prefix: str, files: list[RecordFile], strays: list[StrayFile]
) -> None:
    """Add an entry of a folder to the record files or to the strays; the folders of records are
    neither."""
    path = prefix + entry.name
    try:
        status = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return  # the file is gone: most likely it was a temporary file
    is_folder = stat.S_ISDIR(status.st_mode)
    if name := parse_name(path):
        files.append(RecordFile(name, Mark.from_status(status)))
    elif not (is_folder and path in PLACES):
        strays.append(
            classify_stray(path, is_folder=is_folder, is_link=stat.S_ISLNK(status.st_mode))
        )


def _heed_case(folder: Path, prefix: str, files: list[RecordFile], strays: list[StrayFile]) -> None:
    """Move `0002.TOML` from the strays to the files, as `0002.toml`, if the disk ignores case.

    Otherwise nobody could read it, write the record, or set it aside.
    """
    record_paths = {file.path for file in files}
    for stray in list(strays):
        name = parse_name(stray.path.lower())
        if name is None or name.path in record_paths:
            continue
        with contextlib.suppress(FileNotFoundError):  # a disk that does not ignore case
            status = os.lstat(folder / name.path[len(prefix) :])
            if os.path.samestat(status, os.lstat(folder / stray.path[len(prefix) :])):
                strays.remove(stray)
                files.append(RecordFile(name, Mark.from_status(status)))


def listing_of(files: list[RecordFile], strays: list[StrayFile], exists: bool) -> Listing:
    """Make the listing of a folder from its record files and its other files."""
    files_by_kind: dict[str, list[RecordFile]] = {}
    for file in sorted(files, key=lambda f: f.path):
        files_by_kind.setdefault(file.name.kind, []).append(file)

    def files_of(kind: str) -> tuple[RecordFile, ...]:
        return tuple(files_by_kind.get(kind, ()))

    charter, final = next(iter(files_of("charter")), None), next(iter(files_of("final")), None)
    sorted_strays = tuple(sorted(strays, key=lambda x: x.path))
    return Listing(
        charter, files_of("join"), files_of("turn"), files_of("orders"), final, sorted_strays,
        exists, files_of("press"), files_of("notice"), files_of("deal"),
    )  # fmt: skip
