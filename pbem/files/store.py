"""Requests to a store: list, get, put a new file; with limits, copies and plain errors."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import secrets
import stat
import time
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from pbem.errors import PbemError
from pbem.files import syscalls
from pbem.files.disk import (
    MAX_TEMPORARY_SECONDS,
    TEMPORARY,
    AwayError,
    Mark,
    StorageError,
    read_file,
    replace,
    storage_error,
    storage_errors,
)
from pbem.format.canonical import MAX_BYTES, RecordError

# ---- copies in the home

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
        """Return the copy of a file with this mark; None if there is none, or if it is damaged."""
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


# ---- limits

CONNECT_SECONDS: Final = 10
"""Seconds after which a store that does not answer counts as out of reach."""
SILENCE_SECONDS: Final = 20
"""Seconds after which an answer that has stopped counts as lost."""
ANSWER_SECONDS: Final = 120.0
"""Seconds for a whole answer: enough for the longest record at 9 kB a second. The library's limit
is for one read, and a store that sends one byte a second never reaches it."""
MAX_FILES: Final = 100_000
"""Files in one list: a game of 16 players with a thousand turns has 20,000."""
MAX_SFTP_BYTES: Final = 32 << 20
"""Bytes of one answer by SFTP, such as the list of a folder with 100,000 files."""
MAX_XML_BYTES: Final = 4 << 20
"""Bytes of one answer of S3 that is not a file: the longest page of a list has 3.5 MB."""


class SlowError(Exception):
    """Raised if a store takes longer than `ANSWER_SECONDS` for one answer."""


class TooMuchError(Exception):
    """Raised if a store sends more bytes than an answer may have."""


class CutOffError(Exception):
    """Raised if an answer is shorter than it says."""


class TooManyFilesError(Exception):
    """Raised if a store lists more than `MAX_FILES` files."""


# ---- errors in plain words

_NO_KEYS: Final = (
    "no credentials for this store were found; give them where the store's own tools look for them "
    "(for s3: the environment or ~/.aws), and try again"
)
_REFUSED: Final = (
    "the store does not accept your credentials; check that they are right, have not expired, "
    "and are for this store"
)
_FORBIDDEN: Final = "the store does not allow you to do this; ask the person who owns it"
_CLOCK: Final = "the store says that this computer's clock is wrong; set it, and try again"
_UNKNOWN_HOST: Final = (
    "this computer does not know the server yet; connect to it once with the command ssh, check "
    "that its fingerprint is right, and try again"
)
_CHANGED_HOST: Final = (
    "the server's host key has changed, so it may be a different server; ask its owner, "
    "and do not enter a password"
)
_AWAY_SENTENCE: Final = "the {} cannot be reached now; check your network{}, and try again"
_BUSY_SENTENCE: Final = "the store is busy or is not working now; try again in a moment"
_SLOW_SENTENCE: Final = (
    f"the {{}} takes longer than {ANSWER_SECONDS:.0f} seconds to answer; try again later"
)

# errors are recognised by the names of their classes, so that no library must be imported for it
_BY_CLASS: Final = {
    "NoCredentialsError": _NO_KEYS,
    "PartialCredentialsError": _NO_KEYS,
    "CredentialRetrievalError": _NO_KEYS,
    "ProfileNotFound": _NO_KEYS,
    "TokenRetrievalError": _REFUSED,
    "SSOTokenLoadError": _REFUSED,
    "UnauthorizedSSOTokenError": _REFUSED,
    "TooMuchError": "the {} sends more than it was asked for; ask the person who runs it",
    "TooManyFilesError": f"the {{}} lists more than {MAX_FILES:,} files here, and no game has so "
    "many; ask the person who owns it to remove what is not part of the game",
    "UnwrittenError": "the server could not write this file and does not say why; most often its "
    "disk is full, or your share of it is used up: ask the person who runs it",
    "SSLCertVerificationError": "the host's certificate is not valid for its name; ask its owner, "
    "and send nothing there before it is",
    "BadHostKeyException": _CHANGED_HOST,
    "UnknownHostError": _UNKNOWN_HOST,
    "AuthenticationException": "the server accepts none of your SSH keys; check that `ssh` can "
    "connect to it without a password",
}
_BY_CODE: Final = {
    "InvalidAccessKeyId": _REFUSED,
    "SignatureDoesNotMatch": _REFUSED,
    "InvalidToken": _REFUSED,
    "ExpiredToken": _REFUSED,
    "403": _FORBIDDEN,
    "AccessDenied": _FORBIDDEN,
    "AllAccessDisabled": _FORBIDDEN,
    "RequestTimeTooSkewed": _CLOCK,
    "NoSuchBucket": "there is no such bucket; check its name, or make it with the store's tools",
    "InvalidBucketName": "no bucket can have this name",
    "PermanentRedirect": "the bucket is in a different region; set AWS_DEFAULT_REGION to it",
    "AuthorizationHeaderMalformed": "the bucket is in a different region; set AWS_DEFAULT_REGION "
    "to it",
}
_PASSING_CODES: Final = frozenset((
    "500", "502", "503", "409", "InternalError", "ServiceUnavailable", "SlowDown",
    "OperationAborted", "RequestTimeout", "ConditionalRequestConflict", "RequestLimitExceeded",
))  # fmt: skip
_SLOW_CLASSES: Final = frozenset(["SlowError", "FSTimeoutError"])
_PASSING_CLASSES: Final = frozenset((
    "EndpointConnectionError", "ConnectTimeoutError", "ReadTimeoutError", "HTTPClientError",
    "SSLError", "ConnectionClosedError", "ResponseStreamingError", "TimeoutError",
    "ConnectionError", "ClientConnectionError", "ClientPayloadError", "IncompleteRead",
    "IncompleteReadError", "SSHException", "gaierror", "EOFError", "NoValidConnectionsError",
    "ProxyConnectionError", "ResponseParserError", "CutOffError", "MaxRetryError", "ProtocolError",
))  # fmt: skip
_NETWORK: Final = frozenset(getattr(errno, name, 0) for name in (
    "ENETUNREACH", "EHOSTUNREACH", "ENETDOWN", "EPIPE", "ECONNREFUSED", "ECONNRESET",
    "ETIMEDOUT", "ECONNABORTED",
)) - {0}  # fmt: skip


@contextlib.contextmanager
def asking(address: str) -> Iterator[None]:
    """Turn every error of a store or its library in this block into a StorageError about this
    address.

    Only the class of an error and the store's code are shown: its text can contain signatures and
    keys.
    """
    try:
        yield
    except (PbemError, FileExistsError):
        raise
    except Exception as error:  # noqa: BLE001 - libraries of stores raise anything
        raise store_error(error, address) from None


def store_error(error: BaseException, address: str) -> StorageError:
    """Return the error to raise for an error of a store; AwayError if the problem may pass."""
    code = code_of(error)
    classes = {kind.__name__ for cause in _chain(error) for kind in type(cause).__mro__}
    classes -= {"OSError", "Exception", "BaseException", "object"}
    sentence = _BY_CODE.get(code) or next((_BY_CLASS[c] for c in classes if c in _BY_CLASS), "")
    service = "host" if address.startswith("http") else "store"
    if sentence:
        return StorageError(address, sentence.format(service))
    if classes & _SLOW_CLASSES:
        return AwayError(address, _SLOW_SENTENCE.format(service))
    if code in _PASSING_CODES:
        return AwayError(address, _BUSY_SENTENCE)
    if isinstance(error, FileNotFoundError):
        return StorageError(address, "is not there", is_missing=True)
    if isinstance(error, PermissionError):
        return StorageError(address, _FORBIDDEN)
    number = error.errno if isinstance(error, OSError) else None
    if number in _NETWORK or (not code and classes & _PASSING_CLASSES):
        # the usual reason why a store other than Amazon's is out of reach
        is_elsewhere = address.startswith("s3") and os.environ.get("AWS_ENDPOINT_URL")
        setting = " and AWS_ENDPOINT_URL" if is_elsewhere else ""
        return AwayError(address, _AWAY_SENTENCE.format(service, setting))
    if isinstance(error, OSError) and not code and number not in (None, errno.EIO):
        return storage_error(OSError(number, errno.errorcode.get(number or 0, "")), address)
    label = code or type(error).__name__
    return StorageError(address, f"the store or its library reports an error: {label}")


def code_of(error: BaseException) -> str:
    """Return the error code that an S3 store sent, if it is a word; else an empty text."""
    for cause in _chain(error):
        response = getattr(cause, "response", None)
        if isinstance(response, dict):
            code = str(response.get("Error", {}).get("Code", ""))
            return code if re.fullmatch(r"[A-Za-z0-9]{1,60}", code, re.ASCII) else ""
    return ""


def _chain(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    for _ in range(8):
        if cause is None:
            return
        yield cause
        cause = cause.__cause__ or cause.__context__


# ---- the stores

CLAIM: Final = f"{TEMPORARY}claim-"
MAX_TRIES: Final = 4
"""The number of attempts to claim a name before a writer gives up."""
RECHECK_SECONDS: Final = 600
"""Seconds after which a program that runs on tries again whether a store honours conditions."""
CLAIMED_SENTENCE: Final = (
    "another pbem process is writing this file; try again in a moment (if no other pbem is "
    "running, an earlier one was stopped before it finished: remove the file beside it that "
    f"begins with {CLAIM})"
)
_BILLION: Final = 1_000_000_000


class BusyError(AwayError):
    """Another program is writing this file; this one has not written it."""


class UnwrittenError(Exception):
    """Raised if a server does not write a file, and does not say why."""


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
    FileNotFoundError if there is no such folder or file; `asking` turns it into plain errors.
    """

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


class FileSystemStore(Store):
    """A folder in any store that fsspec can open.

    A *claim* sees to it that no file is overwritten: a writer writes an empty file `.~pbem-claim-
    NAME-…` beside the place, then lists the folder, and goes on only if its claim is the only one.
    So at most one writer puts the file, if a list shows all that was written before it was asked
    for.
    """

    def __init__(self, files: Any, root: str) -> None:
        """`files` is an fsspec file system, and `root` the path of the folder in it."""
        self.files, self.root = files, root.rstrip("/")
        self._timed = {"timeout": ANSWER_SECONDS} if getattr(files, "async_impl", False) else {}
        """How a call limits the time of its answer; libraries that are not async have no way."""

    def list_folder(self, place: str) -> list[Entry]:
        """List what is in the folder or in one of its places. Raises FileNotFoundError and
        others."""
        path = self._full_path(place)
        self.files.invalidate_cache()
        infos = self.files.ls(path, detail=True, **self._timed)
        entries = []
        for info in infos:
            full_name = str(info["name"]).rstrip("/")
            kind = {"file": "file", "directory": "folder", "link": "link"}.get(info["type"])
            times = (info[key] for key in ("LastModified", "mtime", "created") if key in info)
            time_ = next(times, 0)
            seconds = time_.timestamp() if isinstance(time_, datetime) else float(time_ or 0)
            tag = next((str(info[key]) for key in ("ETag", "etag", "md5Hash") if key in info), "")
            size, name = int(info["size"] or 0), full_name.rpartition("/")[2]
            if full_name != path:  # the name of an object that represents the folder itself
                entries.append(Entry(name, kind or "special", size, int(seconds * _BILLION), tag))
        return entries

    def list_entries(self, places: Collection[str]) -> Iterator[tuple[str, Entry]]:
        for entry in self.list_folder(""):
            yield entry.name, entry
            if entry.kind == "folder" and entry.name in places:
                with contextlib.suppress(FileNotFoundError):  # its last file was just removed
                    for inner_entry in self.list_folder(entry.name):
                        yield f"{entry.name}/{inner_entry.name}", inner_entry

    def get(self, path: str, max_bytes: int) -> bytes:
        full_path = self._full_path(path)
        return bytes(self.files.cat_file(full_path, start=0, end=max_bytes, **self._timed))

    def write_new(self, path: str, data: bytes) -> None:
        for attempt in range(MAX_TRIES):
            if attempt:
                time.sleep(0.05 + secrets.randbelow(450) / 1000)
            if self._put_claimed(path, data):
                return
        raise BusyError(self._full_path(path), CLAIMED_SENTENCE)

    def move(self, source: str, target: str) -> None:
        """Rename a file by copying it. Raises FileExistsError if the new name is taken."""
        data = self.get(source, MAX_BYTES + 1)
        if len(data) <= MAX_BYTES:
            self.write_new(target, data)
        else:  # no record is so long: the store copies the file, which may be huge
            place, _, name = target.rpartition("/")
            if any(entry.name == name for entry in self.list_folder(place)):
                raise FileExistsError(target)
            self.files.cp_file(self._full_path(source), self._full_path(target), **self._timed)
        self.remove(source)

    def remove(self, path: str) -> None:
        self.files.rm_file(self._full_path(path), **self._timed)

    def _put_claimed(self, path: str, data: bytes) -> bool:
        """Write a new file under a claim (see the class); return False if another writer has a
        claim too, so that nothing was written. Raises FileExistsError, AwayError."""
        place, _, name = path.rpartition("/")
        stem = f"{CLAIM}{name}-"
        claim = f"{stem}{secrets.token_hex(8)}"
        try:
            self._write(f"{place}/{claim}".lstrip("/"), b"")
            entries = self.list_folder(place)
            entry_by_name = {
                entry.name: entry
                for entry in entries
                if entry.kind == "file" or not self.has_flat_names
            }
            if name in entry_by_name:
                raise FileExistsError(path)
            own_claim = entry_by_name.get(claim)
            if own_claim is None:
                sentence = (
                    "the store does not list a file that was just written; try again in a moment"
                )
                raise AwayError(self._full_path(path), sentence)
            expired_ns = own_claim.mtime_ns - MAX_TEMPORARY_SECONDS * _BILLION
            claims = [entry for entry in entry_by_name.values() if entry.name.startswith(stem)]
            if any(entry.mtime_ns > expired_ns for entry in claims if entry is not own_claim):
                return False
            self._write(path, data)
            return True
        finally:
            with contextlib.suppress(Exception):  # old claims are ignored after an hour
                self.remove(f"{place}/{claim}".lstrip("/"))

    def _write(self, path: str, data: bytes) -> None:
        full_path = self._full_path(path)
        self.files.makedirs(full_path.rpartition("/")[0], exist_ok=True, **self._timed)
        self.files.pipe_file(full_path, data, **self._timed)

    def _full_path(self, path: str) -> str:
        return f"{self.root}/{path}" if path else self.root


class ObjectStore(FileSystemStore):
    """A folder in an S3 bucket: a put has the condition that the name is free.

    Some stores that speak S3 ignore conditions, so each command tries it first; then claims
    are used.
    """

    is_parallel = has_flat_names = True

    def __init__(self, files: Any, root: str, ignores: bool = False) -> None:
        """Prepare the store; `ignores` says whether it was seen to ignore conditions."""
        super().__init__(files, root)
        self.ignores, self._honours_until = ignores, 0.0
        self._bucket, self._prefix, _ = files.split_path(self.root)

    def list_folder(self, place: str) -> list[Entry]:
        infos = self._files(f"{place}/".lstrip("/"), Delimiter="/")
        return [entry._replace(name=entry.name.rpartition("/")[2]) for entry in infos]

    def list_entries(self, places: Collection[str]) -> Iterator[tuple[str, Entry]]:
        """Yield path and entry of all files, 1,000 a request, and of the folders in their names.

        A bucket has no empty folders.
        """
        folders, empty = set[str](), True
        for entry in self._files(""):
            empty = False
            parts = entry.name.split("/")
            depth = 2 if parts[0] in places else 1
            if len(parts) <= depth and parts[-1]:
                yield entry.name, entry._replace(name=parts[-1])
            elif len(parts) > depth and parts[depth - 1]:
                folders.add("/".join(parts[:depth]))
            if depth == 2:
                folders.add(parts[0])
        if empty:
            raise FileNotFoundError(self.root)
        for path in folders:
            yield path, Entry(path.rpartition("/")[2], "folder", 0, 0, "")

    def folder_names(self) -> list[str]:
        paths = self.files.ls(self.root, detail=False)
        return [str(path).rstrip("/").rpartition("/")[2] for path in paths]

    def _files(self, prefix: str, **options: str) -> Iterator[Entry]:
        """Yield every object whose name begins with this prefix, page by page, with its name inside
        the folder. Raises SlowError, TooManyFilesError, within the limits for the whole list."""
        full_prefix, end_time, count = (
            f"{self._prefix}/{prefix}",
            time.monotonic() + ANSWER_SECONDS,
            0,
        )
        while True:
            seconds_left = end_time - time.monotonic()
            if seconds_left <= 0:
                raise SlowError
            query = {"Bucket": self._bucket, "Prefix": full_prefix, **options}
            page = self.files.call_s3("list_objects_v2", timeout=seconds_left, **query)
            for info in page.get("Contents", []):
                count += 1
                if count > MAX_FILES:
                    raise TooManyFilesError
                stamp = int(info["LastModified"].timestamp() * _BILLION)
                name = info["Key"].removeprefix(f"{self._prefix}/")
                yield Entry(name, "file", int(info["Size"]), stamp, str(info["ETag"]))
            if not page.get("IsTruncated"):
                return
            options["ContinuationToken"] = page["NextContinuationToken"]

    def get(self, path: str, max_bytes: int) -> bytes:
        """Return the first bytes of a file, at most ``max_bytes``."""
        from fsspec.asyn import sync

        try:
            return bytes(sync(self.files.loop, self._get, path, max_bytes, **self._timed))
        except OSError as error:
            if code_of(error) not in ("InvalidRange", "416"):
                raise
            return b""  # S3 cannot send a part of an empty file

    async def _get(self, path: str, max_bytes: int) -> bytearray:
        """Read the first bytes of a file; a store that ignores the range may send all of it."""
        query = {"Bucket": self._bucket, "Key": f"{self._prefix}/{path}"}
        response = await self.files._call_s3(
            "get_object", Range=f"bytes=0-{max_bytes - 1}", **query
        )
        body, data = response["Body"], bytearray()
        try:
            while len(data) < max_bytes and (part := await body.read(max_bytes - len(data))):
                data += part
        finally:
            body.close()
        return data

    def write_new(self, path: str, data: bytes) -> None:
        if not self.ignores and not self._honours:
            self._try("game.toml")
        if self.ignores or not self._put_if_free(path, data):
            super().write_new(path, data)
        elif not self._honours:  # there was no file to try it with before
            self._try(path)

    @property
    def _honours(self) -> bool:
        return time.monotonic() < self._honours_until

    def _try(self, path: str) -> None:
        """Test the store: it must refuse an existing file, put again with the same bytes."""
        try:
            data = self.get(path, MAX_BYTES + 1)
            if len(data) <= MAX_BYTES:
                self._put_if_free(path, data)
            self.ignores = True
        except FileExistsError:
            self._honours_until = time.monotonic() + RECHECK_SECONDS
        except (FileNotFoundError, PermissionError):
            return  # a player may not be allowed to write the charter

    def _put_if_free(self, path: str, data: bytes) -> bool:
        """Put a file; return False if the store knows no conditions. Raises FileExistsError."""
        for _ in range(MAX_TRIES):
            try:
                self.files.pipe_file(self._full_path(path), data, mode="create", **self._timed)
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
        raise BusyError(self._full_path(path), CLAIMED_SENTENCE)

    def _write(self, path: str, data: bytes) -> None:
        self.files.pipe_file(self._full_path(path), data, **self._timed)  # buckets need no folders


class SftpStore(FileSystemStore):
    """A folder on another computer, reached through SSH, whose rename refuses a taken name."""

    def list_folder(self, place: str) -> list[Entry]:
        with self._asking() as server:
            attributes = server.entries(self._raw(place))
        kinds = {stat.S_IFREG: "file", stat.S_IFDIR: "folder", stat.S_IFLNK: "link"}
        return [
            Entry(
                attribute.filename,
                kinds.get(stat.S_IFMT(attribute.st_mode or 0), "special"),
                attribute.st_size or 0,
                (attribute.st_mtime or 0) * _BILLION,
                "",
            )
            for attribute in attributes
        ]

    def get(self, path: str, max_bytes: int) -> bytes:
        with self._asking() as server, server.open(self._raw(path), "rb") as file:
            return bytes(file.read(max_bytes))

    def write_new(self, path: str, data: bytes) -> None:
        """Write a file under a temporary name, then rename it, which fails if the name is taken.
        Raises FileExistsError, UnwrittenError."""
        folder, _, _ = path.rpartition("/")
        if self._is_there(path):
            raise FileExistsError(path)
        if not self._is_there(folder):
            with contextlib.suppress(OSError), self._asking():  # another program made it first
                self.files.makedirs(self._full_path(folder), exist_ok=True)
        temporary = f"{folder}/{TEMPORARY}{secrets.token_hex(8)}".lstrip("/")
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

    def move(self, source: str, target: str) -> None:
        """Rename a file; if the name is taken, the server only says "failure"."""
        try:
            with self._asking() as server:
                server.rename(self._raw(source), self._raw(target))
        except OSError:
            if self._is_there(target):
                raise FileExistsError(target) from None
            raise

    def remove(self, path: str) -> None:
        with self._asking() as server:
            server.remove(self._raw(path))

    @contextlib.contextmanager
    def _asking(self) -> Iterator[Any]:
        """Give the connection, with limits for answers in this block. Raises EOFError if it is lost
        (paramiko's error is unclear), SlowError, TooMuchError."""
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
        return self._full_path(path).encode("utf-8", "surrogateescape")


def expired_names(entries: Iterable[Entry], now: float) -> list[str]:
    """Return the names of temporary files that killed runs left more than an hour ago."""
    cutoff_ns = int((now - MAX_TEMPORARY_SECONDS) * _BILLION)
    return [x.name for x in entries if x.name.startswith(TEMPORARY) and x.mtime_ns < cutoff_ns]
