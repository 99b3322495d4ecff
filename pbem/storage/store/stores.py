"""What `pbem` asks of a store: list, get, and put a new file that nothing may overwrite.

Three kinds of stores make sure that no file is ever overwritten, each in a different way:

* `ObjectStore` (S3): a put with the condition that the name is free. Some stores that speak S3
  ignore the condition, so each command tries it first; if it is ignored, `Store`'s way is used.
* `SftpStore`: the file is written under a temporary name; the server's rename refuses a taken one.
* `Store` (all others): a *claim*. A writer writes an empty file `.~pbem-claim-NAME-…` beside the
  place, then lists the folder. Only a writer whose claim is the only one there goes on; if two are
  there, both go back. So at most one writer puts the file, if the list shows every file that was
  written before the list was asked for.
"""

from __future__ import annotations

import contextlib
import secrets
import stat
import time
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from typing import Any, Final, NamedTuple

from pbem.format.record_size import MAX_BYTES
from pbem.storage.atomic_write import OLD, TEMPORARY
from pbem.storage.errors import AwayError
from pbem.storage.store import limits
from pbem.storage.store.store_errors import code_of

CLAIM: Final = f"{TEMPORARY}claim-"
TRIES: Final = 4
"""How often a writer tries to claim a name before it gives up."""
AGAIN: Final = 600
"""Seconds after which a program that runs on tries again whether a store honours conditions."""
BUSY: Final = (
    "another pbem process is writing this file; try again in a moment (if no other pbem is "
    "running, an earlier one was stopped before it finished: remove the file beside it that "
    f"begins with {CLAIM})"
)
_BILLION: Final = 1_000_000_000


class UnwrittenError(Exception):
    """Raised if a server does not write a file, and does not say why."""


class Entry(NamedTuple):
    """A file or folder in a list: its last name, kind, size, time, and the store's tag."""

    name: str
    kind: str
    size: int
    mtime_ns: int
    tag: str


class Store:
    """A folder in a store that fsspec can open; all paths are relative to this folder."""

    many = False
    """Whether several requests may run at the same time."""
    flat = False
    """Whether names only look like paths, so that a folder exists while a file is in it."""

    def __init__(self, files: Any, root: str) -> None:
        """`files` is an fsspec file system, and `root` the path of the folder in it."""
        self.files, self.root = files, root.rstrip("/")
        self._timed = {"timeout": limits.WHOLE} if getattr(files, "async_impl", False) else {}
        """How a call limits the time of its answer; libraries that are not async have no way."""

    def list(self, place: str) -> list[Entry]:
        """List what is in the folder or in one of its places.

        Raises FileNotFoundError and others.
        """
        path = self._at(place)
        self.files.invalidate_cache()
        found = self.files.ls(path, detail=True, **self._timed)
        # an object that represents the folder itself has the folder's name
        return [_entry(info) for info in found if str(info["name"]).rstrip("/") != path]

    def list_all(self, places: Collection[str]) -> Iterator[tuple[str, Entry]]:
        """List what is directly in the folder and in these places, each entry with its path.

        Raises FileNotFoundError if there is no such folder.
        """
        for one in self.list(""):
            yield one.name, one
            if one.kind == "folder" and one.name in places:
                with contextlib.suppress(FileNotFoundError):  # its last file was just removed
                    yield from (
                        (f"{one.name}/{below.name}", below) for below in self.list(one.name)
                    )

    def get(self, path: str, most: int) -> bytes:
        """Return the bytes of a file, at most `most` of them."""
        return bytes(self.files.cat_file(self._at(path), start=0, end=most, **self._timed))

    def put_new(self, path: str, data: bytes) -> None:
        """Write a new file. Raises FileExistsError if the name is taken; then nothing changes."""
        for attempt in range(TRIES):
            if attempt:
                time.sleep(0.05 + secrets.randbelow(450) / 1000)
            if self._put_claimed(path, data):
                return
        raise AwayError(self._at(path), BUSY)

    def move(self, old: str, new: str) -> None:
        """Rename a file to a name that is free. Raises FileExistsError if it is taken."""
        data = self.get(old, MAX_BYTES + 1)
        if len(data) <= MAX_BYTES:
            self.put_new(new, data)
        else:  # no record is so long: the store copies the file, which may be huge
            place, _, name = new.rpartition("/")
            if any(one.name == name for one in self.list(place)):
                raise FileExistsError(new)
            self.files.cp_file(self._at(old), self._at(new), **self._timed)
        self.remove(old)

    def remove(self, path: str) -> None:
        """Remove a file."""
        self.files.rm_file(self._at(path), **self._timed)

    def _put_claimed(self, path: str, data: bytes) -> bool:
        """Write the file if only this writer claims its name.

        Returns False if a different writer claims it too.
        """
        place, _, name = path.rpartition("/")
        stem = f"{CLAIM}{name}-"
        claim = f"{stem}{secrets.token_hex(8)}"
        try:
            self._put(f"{place}/{claim}".lstrip("/"), b"")
            found = self.list(place)
            here = {one.name: one for one in found if one.kind == "file" or not self.flat}
            if name in here:
                raise FileExistsError(path)
            mine = here.get(claim)
            if mine is None:
                told = "the store does not list a file that was just written; try again in a moment"
                raise AwayError(self._at(path), told)
            late = mine.mtime_ns - OLD * _BILLION
            claims = [one for one in here.values() if one.name.startswith(stem)]
            if any(one.mtime_ns > late for one in claims if one is not mine):
                return False
            self._put(path, data)
            return True
        finally:
            with contextlib.suppress(Exception):  # old claims are ignored after an hour
                self.remove(f"{place}/{claim}".lstrip("/"))

    def _put(self, path: str, data: bytes) -> None:
        full = self._at(path)
        self.files.makedirs(full.rpartition("/")[0], exist_ok=True, **self._timed)
        self.files.pipe_file(full, data, **self._timed)

    def _at(self, path: str) -> str:
        return f"{self.root}/{path}" if path else self.root


class ObjectStore(Store):
    """A folder in an S3 bucket."""

    many = flat = True

    def __init__(self, files: Any, root: str, ignores: bool = False) -> None:
        """Prepare the store; `ignores` says whether it was seen to ignore conditions."""
        super().__init__(files, root)
        self.ignores, self._honours_until = ignores, 0.0
        self._bucket, self._prefix, _ = files.split_path(self.root)

    def list(self, place: str) -> list[Entry]:
        """List the files in the folder or in one of its places (see Store)."""
        found = self._files(f"{place}/".lstrip("/"), Delimiter="/")
        return [one._replace(name=one.name.rpartition("/")[2]) for one in found]

    def list_all(self, places: Collection[str]) -> Iterator[tuple[str, Entry]]:
        """List everything (see Store) with one request for every 1,000 files.

        A bucket has no empty folders: a folder without files does not exist.
        """
        folders, empty = set[str](), True
        for one in self._files(""):
            empty = False
            parts = one.name.split("/")
            depth = 2 if parts[0] in places else 1
            if len(parts) <= depth and parts[-1]:
                yield one.name, one._replace(name=parts[-1])
            elif len(parts) > depth and parts[depth - 1]:
                folders.add("/".join(parts[:depth]))
            if depth == 2:
                folders.add(parts[0])
        if empty:
            raise FileNotFoundError(self.root)
        for path in folders:
            yield path, Entry(path.rpartition("/")[2], "folder", 0, 0, "")

    def _files(self, below: str, **more: str) -> Iterator[Entry]:
        """List the files whose paths begin with `below`; `name` is the path in the folder.

        Raises SlowError, TooManyFilesError.
        """
        prefix, until, count = f"{self._prefix}/{below}", time.monotonic() + limits.WHOLE, 0
        while True:
            left = until - time.monotonic()
            if left <= 0:
                raise limits.SlowError
            asked = {"Bucket": self._bucket, "Prefix": prefix, **more}
            page = self.files.call_s3("list_objects_v2", timeout=left, **asked)
            for info in page.get("Contents", []):
                count += 1
                if count > limits.MOST_FILES:
                    raise limits.TooManyFilesError
                stamp = int(info["LastModified"].timestamp() * _BILLION)
                name = info["Key"].removeprefix(f"{self._prefix}/")
                yield Entry(name, "file", int(info["Size"]), stamp, str(info["ETag"]))
            if not page.get("IsTruncated"):
                return
            more["ContinuationToken"] = page["NextContinuationToken"]

    def get(self, path: str, most: int) -> bytes:
        """Return the bytes of a file, at most `most` of them (see Store)."""
        from fsspec.asyn import sync

        try:
            return bytes(sync(self.files.loop, self._get, path, most, **self._timed))
        except OSError as error:
            if code_of(error) not in ("InvalidRange", "416"):
                raise
            return b""  # S3 cannot send a part of an empty file

    async def _get(self, path: str, most: int) -> bytearray:
        """Read the first bytes of a file; a store that ignores the range may send all of it."""
        asked = {"Bucket": self._bucket, "Key": f"{self._prefix}/{path}"}
        found = await self.files._call_s3("get_object", Range=f"bytes=0-{most - 1}", **asked)
        body, data = found["Body"], bytearray()
        try:
            while len(data) < most and (part := await body.read(most - len(data))):
                data += part
        finally:
            body.close()
        return data

    def put_new(self, path: str, data: bytes) -> None:
        """Write a new file, unless its name is taken (see Store)."""
        if not self.ignores and not self._honours:
            self._try("game.toml")
        if self.ignores or not self._put_if_free(path, data):
            super().put_new(path, data)
        elif not self._honours:  # there was no file to try it with before
            self._try(path)

    @property
    def _honours(self) -> bool:
        """Whether the store refused to overwrite a file a short time ago."""
        return time.monotonic() < self._honours_until

    def _try(self, path: str) -> None:
        """Test the store: put an existing file again, with the same bytes; the store must
        refuse."""
        try:
            data = self.get(path, MAX_BYTES + 1)
            if len(data) <= MAX_BYTES:
                self._put_if_free(path, data)
            self.ignores = True
        except FileExistsError:
            self._honours_until = time.monotonic() + AGAIN
        except (FileNotFoundError, PermissionError):
            return  # a player may not be allowed to write the charter

    def _put_if_free(self, path: str, data: bytes) -> bool:
        """Put a file only if its name is free; return False if the store cannot do that.

        Raises FileExistsError if the name is taken.
        """
        for _ in range(TRIES):
            try:
                self.files.pipe_file(self._at(path), data, mode="create", **self._timed)
                return True
            except FileExistsError:
                raise
            except OSError as error:
                code = code_of(error)
                if code in ("PreconditionFailed", "412"):
                    raise FileExistsError(path) from None
                if code in ("NotImplemented", "501"):
                    self.ignores = True
                    return False
                if code != "ConditionalRequestConflict":
                    raise
                time.sleep(0.1)  # another writer is using this name: see who was first
        raise AwayError(self._at(path), BUSY)

    def _put(self, path: str, data: bytes) -> None:
        self.files.pipe_file(self._at(path), data, **self._timed)  # buckets need no folders


class SftpStore(Store):
    """A folder on another computer, reached through SSH."""

    def list(self, place: str) -> list[Entry]:
        """List what is in the folder or in one of its places (see Store)."""
        with self._asking() as server:
            found = server.entries(self._raw(place))
        return [
            Entry(
                x.filename,
                _kind(x.st_mode or 0),
                x.st_size or 0,
                (x.st_mtime or 0) * _BILLION,
                "",
            )
            for x in found
        ]

    def get(self, path: str, most: int) -> bytes:
        """Return the bytes of a file, at most `most` of them (see Store)."""
        with self._asking() as server, server.open(self._raw(path), "rb") as file:
            return bytes(file.read(most))

    def put_new(self, path: str, data: bytes) -> None:
        """Write a new file, unless its name is taken (see Store)."""
        place, _, _ = path.rpartition("/")
        if self._is_there(path):
            raise FileExistsError(path)
        if not self._is_there(place):
            with contextlib.suppress(OSError), self._asking():  # another program made it first
                self.files.makedirs(self._at(place), exist_ok=True)
        temporary = f"{place}/{TEMPORARY}{secrets.token_hex(8)}".lstrip("/")
        try:
            with self._asking() as server, server.open(self._raw(temporary), "wx") as file:
                file.write(data)
            self.move(temporary, path)
        except FileExistsError:
            raise
        except OSError as error:
            if error.errno is None:  # the server only said "failure"
                raise UnwrittenError from None
            raise
        finally:
            with contextlib.suppress(Exception):  # it no longer exists if all went well
                self.remove(temporary)

    def move(self, old: str, new: str) -> None:
        """Rename a file to a name that is free (see Store).

        If the name is taken, the server only says "failure".
        """
        try:
            with self._asking() as server:
                server.rename(self._raw(old), self._raw(new))
        except OSError:
            if self._is_there(new):
                raise FileExistsError(new) from None
            raise

    def remove(self, path: str) -> None:
        """Remove a file (see Store)."""
        with self._asking() as server:
            server.remove(self._raw(path))

    @contextlib.contextmanager
    def _asking(self) -> Iterator[Any]:
        """Give the connection, with limits for what the server answers in this block.

        Raises EOFError if it is lost, because paramiko's error is unclear; SlowError, TooMuchError.
        """
        transport = self.files.client.get_transport()
        if transport is None or not transport.is_active():
            raise EOFError
        with self.files.socket.limited():
            yield self.files.ftp

    def _is_there(self, path: str) -> bool:
        try:
            with self._asking() as server:
                server.lstat(self._raw(path))
        except FileNotFoundError:
            return False
        return True

    def _raw(self, path: str) -> bytes:
        """Return a path on the server; names may have any bytes."""
        return self._at(path).encode("utf-8", "surrogateescape")


def old_ones(found: Iterable[Entry], now: float) -> list[str]:
    """Return the names of temporary files that killed runs left more than an hour ago."""
    before = int((now - OLD) * _BILLION)
    return [x.name for x in found if x.name.startswith(TEMPORARY) and x.mtime_ns < before]


def _entry(info: dict[str, Any]) -> Entry:
    """Make an entry from what fsspec says about a file."""
    name = str(info["name"]).rstrip("/").rpartition("/")[2]
    kind = {"file": "file", "directory": "folder", "link": "link"}.get(info["type"], "special")
    when = next((info[key] for key in ("LastModified", "mtime", "created") if key in info), 0)
    stamp = when.timestamp() if isinstance(when, datetime) else float(when or 0)
    tag = next((str(info[key]) for key in ("ETag", "etag", "md5Hash") if key in info), "")
    return Entry(name, kind, int(info["size"] or 0), int(stamp * _BILLION), tag)


def _kind(mode: int) -> str:
    if stat.S_ISREG(mode):
        return "file"
    return "folder" if stat.S_ISDIR(mode) else "link" if stat.S_ISLNK(mode) else "special"
