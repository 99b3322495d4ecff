"""Errors of files: a file is no usable record, or the file system refuses."""

import errno
from pathlib import Path
from typing import Final

from pbem.format.errors import Reason, RecordError


class FileError(RecordError):
    """A file that is no usable record: `reason` and `sentence` of RecordError, and its `path`."""

    def __init__(self, reason: Reason, path: Path | str, sentence: str) -> None:
        super().__init__(reason, sentence)
        self.path = str(path)

    def __str__(self) -> str:
        return f"{self.path}: {super().__str__()}"


class TakenError(FileError):
    """A file with this name and other contents is there already; it was not touched."""

    def __init__(self, path: Path | str) -> None:
        sentence = "is here already with other contents; nothing was overwritten"
        super().__init__("fork", path, sentence)


class StorageError(Exception):
    """The file system refuses (exit 7): the `path`, and a `sentence` that says what to do."""

    exit: Final = 7

    def __init__(self, path: Path | str, sentence: str, *, missing: bool = False) -> None:
        super().__init__(str(path), sentence)
        self.path = str(path)
        self.sentence = sentence
        self.missing = missing
        """Whether the file is simply not there."""

    def __str__(self) -> str:
        return f"{self.path}: {self.sentence}"


_AWAY = "could not be read; if the folder is synced, let it finish and keep this file on the disk"
_SENTENCES: Final = {
    "ENOSPC": "the disk is full; make room and try again",
    "EDQUOT": "your share of the disk is used up; make room and try again",
    "EFBIG": "the disk takes no file of this size",
    "EROFS": "the disk is read-only",
    "EACCES": "no permission; check who owns it and who may read and write it",
    "EPERM": "not permitted; check who owns it and who may read and write it",
    "ENOENT": "is not there",
    "ENOTDIR": "is no folder, or is below something that is no folder",
    "EISDIR": "is a folder",
    "EEXIST": "is there already",
    "ELOOP": "is a link, and links are not followed",
    "ENAMETOOLONG": "the name is too long for this disk",
    "EMFILE": "too many files are open",
    "EIO": _AWAY,
    "EDEADLK": _AWAY,  # what macOS gives for a file that a cloud drive has not fetched
    "ETIMEDOUT": _AWAY,
    "ESTALE": "the network drive lost it; open the folder again and try again",
}
# by number, as a number may have several names (35 is EDEADLOCK to Python on Linux)
_BY_NUMBER: Final[dict[int | None, str]] = {
    getattr(errno, name): told for name, told in _SENTENCES.items() if hasattr(errno, name)
}


def storage_error(error: OSError, path: Path | str) -> StorageError:
    """The sentence for what the system said about this path; all errors of the system pass here."""
    told = _BY_NUMBER.get(error.errno) or f"the system says: {error.strerror or error}"
    return StorageError(path, told, missing=error.errno == errno.ENOENT)
