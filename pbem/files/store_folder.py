"""A game folder in a store: the same as one on a disk, with copies in the home."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeVar

from pbem.errors import PbemError, to_install
from pbem.files import syscalls
from pbem.files.disk import AwayError, FileError, Mark, StorageError, TakenError
from pbem.files.folder import (
    HOSTS,
    PLACES,
    Found,
    Listing,
    Litter,
    Name,
    Place,
    SharedFolder,
    StoreAddress,
    listing_of,
    litter,
    need_record,
    parse_name,
)
from pbem.files.store import (
    BusyError,
    Copies,
    Entry,
    FileSystemStore,
    ObjectStore,
    SftpStore,
    Store,
    asking,
    code_of,
    old_ones,
)
from pbem.format.canonical import MAX_BYTES

# ---- opening a store

SHARED: Final = frozenset(["s3", "s3a", *HOSTS])
"""The kinds of stores whose connection all threads of a process may share."""
_SSH: Final = frozenset(["sftp", "ssh"])
_OPEN: Final[dict[tuple[Any, ...], Any]] = {}
"""The file systems that this process has opened."""


def connect(address: StoreAddress, ignores: bool = False) -> Store:
    """Return the store at an address. For `ignores`, see ObjectStore. Raises StorageError."""
    if address.scheme in HOSTS:
        from pbem.files.http_store import HostStore

        if sys.platform == "emscripten":
            from pbem.files.http_calls_tab import Calls
        else:
            from pbem.files.http_calls import Calls
        if _key(address) not in _OPEN:
            _OPEN[_key(address)] = Calls()
        token = os.environ.get("PBEM_HOST_TOKEN", "")
        return HostStore(_OPEN[_key(address)], address, token)
    try:
        import fsspec  # noqa: F401
    except ModuleNotFoundError:
        raise _lacking(address) from None
    for noisy in ("paramiko", "asyncio"):  # pbem reports their troubles in its own words
        logging.getLogger(noisy).addHandler(logging.NullHandler())
    with asking(str(address)):
        key = _key(address)
        if key not in _OPEN:
            _OPEN[key] = _opened(address)
        files = _OPEN[key]
        if address.scheme in SHARED:
            return ObjectStore(files, address.rest, ignores)
        if address.scheme in _SSH:
            return SftpStore(files, f"/{address.rest.partition('/')[2]}")
        return FileSystemStore(files, type(files)._strip_protocol(str(address)))


def forget(address: StoreAddress) -> None:
    """Drop a lost connection, so that the next call connects again."""
    _OPEN.pop(_key(address), None)


def _key(address: StoreAddress) -> tuple[Any, ...]:
    """Return what two folders must have in common to share a connection, which saves up to a
    second."""
    if address.scheme in SHARED:
        settings = sorted(item for item in os.environ.items() if item[0].startswith("AWS_"))
        return (os.getpid(), address.scheme in HOSTS, *settings)
    # an SFTP connection must not be used by two threads at the same time
    host = address.rest.partition("/")[0]
    return (os.getpid(), threading.get_ident(), address.scheme, host)


def _opened(address: StoreAddress) -> Any:
    import fsspec
    from fsspec.utils import infer_storage_options

    try:
        if address.scheme in SHARED:
            from pbem.files.s3 import connected as bucket

            return bucket()
        if address.scheme in _SSH:
            from pbem.files.sftp import connected as server

            said = infer_storage_options(str(address))
            return server(said["host"], said.get("port") or 22, said.get("username"))
    except ImportError:
        raise _lacking(address) from None
    try:
        kind = fsspec.get_filesystem_class(address.scheme)
    except (ImportError, ValueError):
        told = f"no library for {address.scheme}:// is installed"
        told += "; pbem is tested with s3:// and sftp://"
        raise StorageError(str(address), told) from None
    options = kind._get_kwargs_from_urls(str(address))
    return fsspec.filesystem(address.scheme, skip_instance_cache=True, **options)


def _lacking(address: StoreAddress) -> StorageError:
    told = f"{address.scheme}:// needs libraries that are not installed"
    install = to_install("fsspec", "s3fs", "paramiko")
    return StorageError(str(address), f"{told}; {install}")


# ---- the folder

AHEAD: Final = 64
"""How many files are fetched together: the one that is needed, and others from its folder."""
THREADS: Final = 8
SMALL: Final = 1 << 18
"""The most bytes of a file that is fetched before it is needed."""

OTHER_SIZE: Final = "the store sends a different number of bytes than it lists; try again"

T = TypeVar("T")
Asked = TypeVar("Asked")
Answered = TypeVar("Answered")


def side_by_side(ask: Callable[[Asked], Answered], items: Sequence[Asked]) -> list[Answered]:
    """Call a function for each item, several at the same time; one after the other in a browser
    tab, which has no threads."""
    if len(items) < 2 or not syscalls.HAS_THREADS:
        return [ask(item) for item in items]
    with ThreadPoolExecutor(min(len(items), THREADS)) as pool:
        return list(pool.map(ask, items))


class StoreFolder(SharedFolder):
    """A game folder in a store. Nothing is asked of the store until a method is called."""

    pause = 10.0

    def __init__(self, address: StoreAddress, copies: Path | None = None) -> None:
        """`copies` is the folder for copies of files; None keeps them in memory."""
        self.place: Place = address
        self._address = address
        self._copies = Copies(copies)
        self._connected: Store | None = None
        self._thread = 0
        """The thread that the connection is for; 0 if all threads may use it."""
        self._entries: dict[str, Entry] = {}
        """The files that the last scan found, by path."""

    def scan(self) -> Listing:
        found, other = list[Found](), list[Litter]()
        every = self._list_all()
        # a bucket can have a file and a "folder" with the same name: the file counts
        self._entries = dict(sorted(every or [], key=lambda pair: pair[1].kind == "file"))
        for path, one in self._entries.items():
            name, is_folder = parse_name(path), one.kind == "folder"
            if name and is_folder and self._store.flat:
                other.append(Litter(path, "folder"))
            elif name:
                found.append(Found(name, mark_of(one)))
            elif not (is_folder and path in PLACES):
                other.append(litter(path, folder=is_folder, link=one.kind == "link"))
        return listing_of(found, other, every is not None)

    def _list_all(self) -> list[tuple[str, Entry]] | None:
        """List everything, each with its path; None if there is no such folder."""
        with self._asking():
            try:
                return list(self._store.list_all(PLACES))
            except FileNotFoundError as error:
                if code_of(error) == "NoSuchBucket":
                    raise
        return None

    def stamp(self) -> str:
        self.scan()
        lines = (f"{path} {x.kind} {mark_of(x)}" for path, x in sorted(self._entries.items()))
        return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest()

    def read(self, record: Found | Name | str) -> bytes:
        path = record if isinstance(record, str) else record.path
        need_record(path)
        if not isinstance(record, Found):
            return self._fetch(path)
        data = self._copies.get(path, record.mark)
        if data is None:
            self._fetch_ahead(path)
            data = self._copies.get(path, record.mark)
        if data is None:
            data = self._fetch(path)
            self._copies.keep(path, record.mark, data)
        return data

    def read_litter(self, path: str) -> bytes:
        return self._fetch(path)

    def _fetch(self, path: str) -> bytes:
        self._refuse_link(path)
        one = self._entries.get(path)
        if one is not None and one.kind != "file":
            what = {"link": "is a link; put the file itself in its place", "folder": "is a folder"}
            raise FileError("file", self._at(path), what.get(one.kind, "is not a regular file"))
        too_long = f"is longer than any record: it has over {MAX_BYTES} bytes"
        if one is not None and one.size > MAX_BYTES:
            raise FileError("size", self._at(path), too_long)
        if one is not None and not one.size:
            return b""  # no store can send a part of an empty file
        with self._asking(path):
            data = self._store.get(path, (MAX_BYTES if one is None else one.size) + 1)
        if one is not None and len(data) != one.size:
            raise AwayError(self._at(path), OTHER_SIZE)
        if len(data) > MAX_BYTES:
            raise FileError("size", self._at(path), too_long)
        return data

    def _refuse_link(self, path: str) -> None:
        place = path.rpartition("/")[0]
        if place in self._entries and self._entries[place].kind == "link":
            raise FileError("file", self._at(path), f"{place} is a link; not followed")

    def _fetch_ahead(self, path: str) -> None:
        place = path.rpartition("/")[0]
        ahead = [
            other
            for other, one in self._entries.items()
            if other.rpartition("/")[0] == place and one.kind == "file" and one.size <= SMALL
            if parse_name(other) and self._copies.get(other, mark_of(one)) is None
        ]
        after = [other for other in ahead if other >= path]
        chosen = after[:AHEAD] if self._store.many else [one for one in after if one == path]

        away = threading.Event()

        def fetch(other: str) -> bytes | None:
            try:
                return None if away.is_set() else self._fetch(other)
            except AwayError:
                away.set()  # each other file would take as long
                if other == path:
                    raise
            except PbemError:  # reported by the read that needs that file
                pass
            return None

        for other, data in zip(chosen, side_by_side(fetch, chosen), strict=True):
            if data is not None:
                self._copies.keep(other, mark_of(self._entries[other]), data)

    def create(self, record: Name | str, data: bytes) -> bool:
        path = record if isinstance(record, str) else record.path
        need_record(path)
        self._refuse_link(path)
        place = path.rpartition("/")[0]
        prefix = f"{place}/" if place else ""
        here = [x for other, x in self._entries.items() if other == f"{prefix}{x.name}"]
        for name in old_ones(here, time.time()):
            with contextlib.suppress(Exception):  # another run can do this
                self._store.remove(f"{prefix}{name}")
        try:
            with self._asking(path):
                self._store.put_new(path, data)
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
            store = self._connected
            if isinstance(store, ObjectStore) and store.ignores:
                self._copies.note_ignores_conditions()
        return True

    def _is_there(self, path: str, data: bytes) -> bool:
        """Return False (nothing was written) if the file has these bytes. Raises TakenError,
        StorageError."""
        self._entries.pop(path, None)  # the file may be newer than the last scan
        try:
            same = self._fetch(path) == data
        except FileError as error:
            if error.reason != "size":
                raise
            same = False
        if not same:
            raise TakenError(self._at(path))
        return False

    def set_aside(self, found: Found) -> str:
        self.scan()
        one = self._entries.get(found.path)
        if one is None or mark_of(one) != found.mark:
            raise FileError("parent", self._at(found.path), "has just changed; try again")
        number = 1
        while True:
            new = f"{found.path}.aside-{number}"
            try:
                with self._asking(found.path):
                    self._store.move(found.path, new)
                return new
            except FileExistsError:
                number += 1

    @property
    def beside(self) -> Path:
        return Path.cwd()

    def contains(self, path: Path) -> bool:
        return False

    def read_anew(self) -> None:
        self._copies = Copies(None)

    def drop_copies(self) -> int:
        """Delete the copies of files that the store has now; return how many. Raises StorageError.

        A copy of a file that the store no longer has stays: nobody could fetch it again.
        """
        self.scan()
        files = [(path, one) for path, one in self._entries.items() if one.kind == "file"]
        return sum(self._copies.drop(path, mark_of(one)) for path, one in files)

    @property
    def _store(self) -> Store:
        thread = 0 if self._address.scheme in SHARED else threading.get_ident()
        if self._connected is None or self._thread != thread:
            self._connected = connect(self._address, self._copies.ignores_conditions)
            self._thread = thread
        return self._connected

    @contextlib.contextmanager
    def _asking(self, path: str = "") -> Iterator[None]:
        try:
            with asking(self._at(path)):
                yield
        except AwayError:
            forget(self._address)
            self._connected = None
            raise

    def _at(self, path: str) -> str:
        return f"{self._address}/{path}" if path else str(self._address)


def mark_of(one: Entry) -> Mark:
    """Return what shows whether a file of a store changed."""
    tag = int.from_bytes(hashlib.sha256(f"{one.kind} {one.tag}".encode()).digest()[:6], "big")
    return Mark(one.size, one.mtime_ns, tag)
