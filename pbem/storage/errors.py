"""Errors about files: a file is not a usable record, or the file system refuses to work."""

import errno
from pathlib import Path
from typing import ClassVar, Final

from pbem.format.errors import Reason, RecordError

SHOWN: Final = 80
"""How many characters of a path that is too long for the system an error shows."""
HOW_TO_GET: Final = "let the folder sync, or ask somebody in the game to run pbem send --all"
"""What to do about a record that is missing."""


class FileError(RecordError):
    """A file that is not a usable record: its `path`, the `reason`, and a `sentence` for people."""

    def __init__(self, reason: Reason, path: Path | str, sentence: str) -> None:
        super().__init__(reason, sentence)
        self.path = str(path)

    def __str__(self) -> str:
        return f"{self.path}: {super().__str__()}"


class TakenError(FileError):
    """A file with this name already exists and has different contents; that file is unchanged."""

    def __init__(self, path: Path | str) -> None:
        sentence = "already exists with different contents; nothing was overwritten"
        super().__init__("fork", path, sentence)


class StorageError(Exception):
    """The file system refuses to read or write (exit 7).

    It has the `path`, and a `sentence` that says what to do.
    """

    exit: ClassVar[int] = 7

    def __init__(self, path: Path | str, sentence: str, *, missing: bool = False) -> None:
        super().__init__(str(path), sentence)
        self.path = str(path)
        self.sentence = sentence
        self.missing = missing
        """Whether the reason is that the file does not exist."""

    def __str__(self) -> str:
        return f"{self.path}: {self.sentence}"


class AwayError(StorageError):
    """A store cannot be reached now (exit 5). This may pass, and nothing is lost."""

    exit = 5


_AWAY = (
    "could not be read; if the folder is synced by a cloud drive, wait for the sync to finish and "
    "keep this file available offline"
)
_SENTENCES: Final = {
    "ENOSPC": "the disk is full; make room and try again",
    "EDQUOT": "your disk quota is used up; make room and try again",
    "EFBIG": "the disk cannot store a file this large",
    "EROFS": "the disk is read-only",
    "EACCES": "no permission; check who owns it and who may read and write it",
    "EPERM": "not permitted; check who owns it and who may read and write it",
    "ENOENT": "is not there",
    "ENOTDIR": "is not a folder, or is inside something that is not a folder",
    "EISDIR": "is a folder",
    "EEXIST": "already exists",
    "ELOOP": "is a link, and links are not followed",
    "ENAMETOOLONG": "the name is too long for this disk",
    "EMFILE": "too many files are open",
    "EIO": _AWAY,
    "EDEADLK": _AWAY,  # macOS reports this for a file that a cloud drive has not fetched
    "ETIMEDOUT": _AWAY,
    "ESTALE": "the network drive lost this file; open the folder again and retry",
}
# keyed by number, because one number may have several names (Python on Linux: 35 is EDEADLOCK)
_BY_NUMBER: Final[dict[int | None, str]] = {
    getattr(errno, name): told for name, told in _SENTENCES.items() if hasattr(errno, name)
}


def storage_error(error: OSError, path: Path | str) -> StorageError:
    """Turn the system's error about this path into a StorageError.

    All system errors pass through here.
    """
    told = _BY_NUMBER.get(error.errno) or f"the system says: {error.strerror or error}"
    if error.errno == errno.ENAMETOOLONG and len(str(path)) > SHOWN:
        path = f"{str(path)[:SHOWN]}…"
    return StorageError(path, told, missing=error.errno == errno.ENOENT)
