"""A game folder, shared with others: list its files, read a record, write a new record (§2).

Nothing in the folder is trusted. Records are found by name, only in their places, and links are
not followed; all other files count as litter. Records never change, so files are only created.
"""

import contextlib
import os
import stat
from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from pbem.storage.atomic_write import create, set_aside, sweep
from pbem.storage.errors import FileError, storage_error
from pbem.storage.file_names import Name, parse_name
from pbem.storage.read_file import Mark, read_file
from pbem.storage.store.address import Place

if TYPE_CHECKING:
    from pbem.storage.stray_files import Litter

PLACES: Final = ("seats", "turns", "orders", "press", "notices")
"""The folders inside a game's folder that contain records."""

State = Literal["missing", "empty", "foreign", "waiting", "game"]


class Found(NamedTuple):
    """A file with the name of a record; only its contents tell what it really is."""

    name: Name
    mark: Mark

    @property
    def path(self) -> str:
        """The path inside the game's folder, with slashes."""
        return self.name.path


class Listing(NamedTuple):
    """All files in a game folder; records are sorted by path."""

    charter: Found | None
    joins: tuple[Found, ...]
    turns: tuple[Found, ...]
    orders: tuple[Found, ...]
    final: Found | None
    litter: "tuple[Litter, ...]"
    exists: bool = True
    press: tuple[Found, ...] = ()
    """The messages; they are not part of the game, so nothing that is cached about it uses them."""
    notices: tuple[Found, ...] = ()

    @property
    def records(self) -> tuple[Found, ...]:
        """Every file with the name of a record, except messages."""
        ends = (tuple(f for f in (one,) if f) for one in (self.charter, self.final))
        first, last = ends
        return first + self.joins + self.turns + self.orders + self.notices + last

    @property
    def marks(self) -> dict[str, Mark]:
        """The mark (size, times, inode) of every record file, by path."""
        return {found.path: found.mark for found in self.records}

    @property
    def state(self) -> State:
        """What a command that needs a game finds in this folder.

        `missing`: no such folder. `empty`: only files of the system. `foreign`: other files.
        `waiting`: records, but no charter yet (still syncing). `game`: a charter.
        """
        if not self.exists:
            return "missing"
        if self.charter:
            return "game"
        if self.records or self.press:
            return "waiting"
        return "empty" if all(x.kind in ("system", "temporary") for x in self.litter) else "foreign"

    @property
    def gaps(self) -> list[int]:
        """The numbers of missing turns that come before a turn that is here."""
        here = [found.name.turn for found in self.turns]
        return sorted(set(range(1, max(here, default=0))) - set(here))

    @property
    def reached(self) -> int:
        """How many turns are here without a gap, from turn 1 on, judging by their names."""
        gaps = self.gaps
        return gaps[0] - 1 if gaps else len(self.turns)

    @property
    def copies(self) -> "tuple[Litter, ...]":
        """The conflict copies that sync programs made; messages about missing records name these
        copies."""
        return tuple(x for x in self.litter if x.kind == "copy")


class SharedFolder(ABC):
    """A game folder, on a disk or in a store. Nothing is opened until a method is called."""

    place: Place
    """The address of the folder: a path or the address of a store."""
    pause: float = 1.0
    """Seconds between two looks at the folder by a command that waits for changes."""

    @abstractmethod
    def scan(self) -> Listing:
        """List what is here now, by names and marks, without opening files. Raises StorageError."""

    @abstractmethod
    def read(self, record: Found | Name | str) -> bytes:
        """Read the bytes of a record file, without checking them.

        Raises FileError `name` for a path that no record can have, `file` for a link, a folder or
        the like in a record's place, `size` beyond 1 MiB; StorageError if it does not exist or the
        system refuses.
        """

    @abstractmethod
    def read_litter(self, path: str) -> bytes:
        """Read the bytes of a file that is not a record. Raises what `read` raises."""

    @abstractmethod
    def create(self, record: Name | str, data: bytes) -> bool:
        """Write a whole record in its place; return True if it is new, False if it already existed.

        Raises FileError `name`, TakenError if the file has different contents, StorageError.
        """

    @abstractmethod
    def set_aside(self, found: Found) -> str:
        """Rename the file in a record's place, so that the place is free; returns the new path.

        Raises FileError `parent` if the file has changed since it was found, StorageError.
        """

    @abstractmethod
    def stamp(self) -> str:
        """Return a text that changes whenever a file in the folder changes. Raises StorageError."""

    @property
    @abstractmethod
    def beside(self) -> Path:
        """The folder on this computer for files that belong beside the game folder."""

    @abstractmethod
    def contains(self, path: Path) -> bool:
        """Return whether a file with this path is in the folder, even if links lead there."""

    def games_below(self) -> list[str]:
        """Return the names of at most three folders inside this one that contain a game."""
        return []

    def may_be_written(self) -> bool:
        """Return whether this user may write here, as far as can be told without writing."""
        return True

    def read_anew(self) -> None:
        """From now on, read every file from its place, not from a copy in the home."""
        return


def as_folder(found: SharedFolder | Path) -> SharedFolder:
    """Return the game folder itself, even if only its path is given."""
    return Folder(found) if isinstance(found, Path) else found


class Folder(SharedFolder):
    """A game folder on a disk."""

    def __init__(self, root: Path) -> None:
        self.root = self.place = root

    def scan(self) -> Listing:
        """List what is here now, by names and marks (see SharedFolder)."""
        found: list[Found] = []
        other: list[Litter] = []
        exists = _scan_place(self.root, "", found, other)
        for place in PLACES if exists else ():
            _scan_place(self.root / place, f"{place}/", found, other)
        return listing_of(found, other, exists)

    def read(self, record: Found | Name | str) -> bytes:
        """Read the bytes of a record file, without checking them (see SharedFolder)."""
        path = self._inside(record if isinstance(record, str) else record.path)
        return read_file(path)

    def read_litter(self, path: str) -> bytes:
        """Read the bytes of a file that is not a record (see SharedFolder)."""
        return read_file(self.root / path)

    def create(self, record: Name | str, data: bytes) -> bool:
        """Write a whole record in its place (see SharedFolder)."""
        path = self._inside(record if isinstance(record, str) else record.path)
        sweep(path.parent)
        return create(path, data)

    def set_aside(self, found: Found) -> str:
        """Rename the file in a record's place, so that the place is free (see SharedFolder)."""
        path = self._inside(found.path)
        new = set_aside(path, found.mark)
        return f"{found.path.rpartition('/')[0]}/{new.name}".lstrip("/")

    def stamp(self) -> str:
        """Return a text that changes whenever a file changes (see SharedFolder)."""
        from pbem.storage.fingerprint import fingerprint

        return fingerprint(self.root)

    @property
    def beside(self) -> Path:
        """The folder on this computer beside the game folder (see SharedFolder)."""
        return self.root.parent

    def contains(self, path: Path) -> bool:
        """Return whether a file with this path is in the folder (see SharedFolder)."""
        return path.absolute().parent.resolve().is_relative_to(self.root.resolve())

    def games_below(self) -> list[str]:
        """Return the names of folders inside this one that contain a game (see SharedFolder)."""
        return sorted(path.parent.name for path in self.root.glob("*/game.toml"))[:3]

    def may_be_written(self) -> bool:
        """Return whether this user may write here (see SharedFolder)."""
        return os.access(self.root, os.W_OK)

    def _inside(self, path: str) -> Path:
        need_record(path)
        full = self.root / path
        try:
            if full.parent != self.root and stat.S_ISLNK(os.lstat(full.parent).st_mode):
                raise FileError("file", path, f"{full.parent.name} is a link; not followed")
        except FileNotFoundError:
            pass  # `create` makes the folder, and `read` reports that it is missing
        except OSError as error:
            raise storage_error(error, full) from error
        return full


def need_record(path: str) -> None:
    """Raise FileError `name` for a path that no record can have."""
    if parse_name(path) is None:
        raise FileError("name", path, "is not the name of a record")


def _scan_place(folder: Path, prefix: str, found: list[Found], other: "list[Litter]") -> bool:
    """Sort the contents of one folder into records and others; return False if there is no such
    folder."""
    try:
        if prefix and not stat.S_ISDIR(os.lstat(folder).st_mode):
            return False  # the scan of the game folder has listed it
        strange: list[Litter] = []
        with os.scandir(folder) as entries:
            for entry in entries:
                _sort_in(entry, prefix, found, strange)
        if strange:
            _heed_case(folder, prefix, found, strange)
            other += strange
    except FileNotFoundError:
        return False
    except OSError as error:
        raise storage_error(error, folder) from error
    return True


def _sort_in(
    entry: os.DirEntry[str], prefix: str, found: list[Found], other: "list[Litter]"
) -> None:
    path = prefix + entry.name
    try:
        info = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return  # the file is gone: most likely it was a temporary file
    is_folder = stat.S_ISDIR(info.st_mode)
    if name := parse_name(path):
        found.append(Found(name, Mark.of(info)))
    elif not (is_folder and path in PLACES):
        from pbem.storage.stray_files import litter

        other.append(litter(path, folder=is_folder, link=stat.S_ISLNK(info.st_mode)))


def _heed_case(folder: Path, prefix: str, found: list[Found], other: "list[Litter]") -> None:
    """Where the disk ignores case, take `0002.TOML` for what it is there: the file `0002.toml`.

    Otherwise nobody could read the file, nor write the record, nor set the file aside. `other` is
    what is in the folder and has no record's name.
    """
    here = {one.path for one in found}
    for one in list(other):
        name = parse_name(one.path.lower())
        if name is None or name.path in here:
            continue
        with contextlib.suppress(FileNotFoundError):  # a disk that does not ignore case
            info = os.lstat(folder / name.path[len(prefix) :])
            if os.path.samestat(info, os.lstat(folder / one.path[len(prefix) :])):
                other.remove(one)
                found.append(Found(name, Mark.of(info)))


def listing_of(found: list[Found], other: "list[Litter]", exists: bool) -> Listing:
    """Make a listing from what was found in a folder."""
    kinds: dict[str, list[Found]] = {}
    for one in sorted(found, key=lambda f: f.path):
        kinds.setdefault(one.name.kind, []).append(one)

    def all_of(kind: str) -> tuple[Found, ...]:
        return tuple(kinds.get(kind, ()))

    charter, final = all_of("charter"), all_of("final")
    return Listing(
        charter[0] if charter else None,
        all_of("join"),
        all_of("turn"),
        all_of("orders"),
        final[0] if final else None,
        tuple(sorted(other, key=lambda x: x.path)),
        exists,
        all_of("press"),
        all_of("notice"),
    )
