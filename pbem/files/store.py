"""Requests to a store: list, get, put a new file; with limits, copies and plain errors."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator
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
from pbem.format.canonical_toml import MAX_BYTES
from pbem.format.record_error import RecordError

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
    "pbem found no credentials for this store; put them where the store's own tools look (for s3: "
    "the environment or ~/.aws), and try again"
)
_REFUSED: Final = (
    "the store does not accept your credentials; check that they are right, have not expired, "
    "and are for this store"
)
_FORBIDDEN: Final = "the store does not allow you to do this; ask the owner of the store"
_OTHER_REGION: Final = "the bucket is in a different region; set AWS_DEFAULT_REGION to that region"
_CLOCK: Final = "the store says that this computer's clock is wrong; set the clock, and try again"
_UNKNOWN_HOST: Final = (
    "this computer does not know the server yet; connect once with the command ssh, check the "
    "server's fingerprint, and try again"
)
_CHANGED_HOST: Final = (
    "the server's host key has changed, so this may be a different server; ask the server's owner, "
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
    "TooMuchError": "the {} sends more data than pbem asked for; ask the person who runs it",
    "TooManyFilesError": f"the {{}} lists more than {MAX_FILES:,} files here, and no game has so "
    "many; ask the owner to remove the files that are not part of the game",
    "UnwrittenError": "the server could not write this file, perhaps because its disk or your part "
    "of the disk is full; ask the person who runs the server",
    "SSLCertVerificationError": "the host's certificate is not valid for its name; send nothing to "
    "this host, and ask its owner",
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
    "PermanentRedirect": _OTHER_REGION,
    "AuthorizationHeaderMalformed": _OTHER_REGION,
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
    FileNotFoundError if there is no such folder or file; `asking` turns it into plain errors.
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
    """Return this process's connection with this key; it is made with `connect` if there is none.

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
