"""Errors about files and folders, in plain words."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pbem.errors import DISK, NOT_YET, PbemError
from pbem.format.record_error import Reason, RecordError
from pbem.text.terminal_and_page_wording import TerminalText

MAX_PATH_CHARACTERS: Final = 80
"""The most characters of a path in an error about a path that is too long for the system."""
HOW_TO_GET: Final = TerminalText(
    "let the folder sync, or ask somebody in the game [[to run pbem send --all||to send you all "
    "files]]"
)
"""The hint about a missing record."""
MISSING_TURN_SENTENCE: Final = "this turn is missing, but later turns are here; " + HOW_TO_GET
LINK_CLAUSE: Final = (
    "is a link, which pbem does not follow; put the file or folder itself in its place"
)


def too_long_clause(max_bytes: int) -> str:
    """Return the end of a sentence about a file that has more than `max_bytes`."""
    return f"is too long: it has more than {max_bytes} bytes"


def _about_path(path: str, sentence: str) -> TerminalText:
    """Return a sentence after the path that it is about; pages show the name of a file outside the
    game folder, without its folders."""
    template = "[[{path}||{name}]]: {sentence}" if os.path.isabs(path) else "{path}: {sentence}"
    return TerminalText(template).format(path=path, name=os.path.basename(path), sentence=sentence)


class FileError(RecordError):
    """A file that is not a usable record: its `path`, the `reason`, and a `sentence` for people."""

    def __init__(self, reason: Reason, path: Path | str, sentence: str) -> None:
        super().__init__(reason, sentence)
        self.path = str(path)

    @property
    def full_sentence(self) -> str:
        """The sentence that a command prints, after the path."""
        return _about_path(self.path, self.sentence)

    def __str__(self) -> str:
        return f"{self.path}: {super().__str__()}"


class TakenError(FileError):
    """A file with this name already exists and has different contents; that file is unchanged."""

    def __init__(self, path: Path | str) -> None:
        sentence = "already exists with different contents; nothing was overwritten"
        super().__init__("fork", path, sentence)


class StorageError(PbemError):
    """The file system refuses to read or write `path`; the sentence says what to do."""

    exit = DISK

    def __init__(
        self,
        path: Path | str,
        sentence: str,
        *,
        is_missing: bool = False,
        is_disk_full: bool = False,
    ) -> None:
        """`sentence` says what went wrong with `path`, and what to do."""
        super().__init__(sentence)
        self.path = str(path)
        self.is_missing = is_missing
        """Whether the reason is that the file does not exist."""
        self.is_disk_full = is_disk_full
        """Whether the reason is that the disk has no room."""

    @property
    def full_sentence(self) -> str:
        """The sentence that a command prints, after the path."""
        return _about_path(self.path, self.sentence)

    def __str__(self) -> str:
        return self.full_sentence


class AwayError(StorageError):
    """A store cannot be reached now. This may pass, and nothing is lost."""

    exit = NOT_YET


_NOT_FETCHED = (
    "could not be read; if a cloud drive syncs the folder, wait until it has finished, and keep "
    "this file available offline"
)
_SENTENCES: Final = {
    "ENOSPC": "the disk is full; make room and try again",
    "EDQUOT": "your disk quota is used up; make room and try again",
    "EFBIG": "the disk cannot store a file this large; use a folder on another disk",
    "EROFS": "the disk is read-only; use a folder on another disk",
    "EACCES": "you have no permission; check who owns this file and who may read and write it",
    "EPERM": "the system forbids this; check who owns the file and who may read and write it",
    "ENOENT": "is not there",
    "ENOTDIR": "this path, or a part of it, is not a folder",
    "EISDIR": "is a folder",
    "EEXIST": "already exists",
    "ELOOP": LINK_CLAUSE,
    "ENAMETOOLONG": "the name is too long for this disk; choose a shorter one",
    "EMFILE": "too many files are open; close some programs and try again",
    "EIO": _NOT_FETCHED,
    "EDEADLK": _NOT_FETCHED,  # macOS reports this for a file that a cloud drive has not fetched
    "ETIMEDOUT": _NOT_FETCHED,
    "ESTALE": "the network drive lost this file; open the folder again and retry",
}
# keyed by number, because one number may have several names (Python on Linux: 35 is EDEADLOCK)
_BY_NUMBER: Final[dict[int | None, str]] = {
    getattr(errno, name): sentence for name, sentence in _SENTENCES.items() if hasattr(errno, name)
}


def storage_error(error: OSError, path: Path | str) -> StorageError:
    """Turn the system's error about this path into a StorageError; all pass through here."""
    sentence = (
        _BY_NUMBER.get(error.errno) or f"the operating system reports: {error.strerror or error}"
    )
    if error.errno == errno.ENAMETOOLONG and len(str(path)) > MAX_PATH_CHARACTERS:
        path = f"{str(path)[:MAX_PATH_CHARACTERS]}…"
    number = error.errno
    is_full = number in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
    return StorageError(path, sentence, is_missing=number == errno.ENOENT, is_disk_full=is_full)


@contextlib.contextmanager
def storage_errors(path: Path) -> Iterator[None]:
    """Turn the system's errors in the block into a StorageError about this path."""
    try:
        yield
    except OSError as error:
        raise storage_error(error, path) from error
