"""A folder in a store that fsspec opens: how claims see to it that no file is overwritten."""

from __future__ import annotations

import contextlib
import secrets
import time
from abc import abstractmethod
from collections.abc import Collection, Iterator
from typing import Any, Final

from pbem.files import store_answer_limits
from pbem.files.disk import MAX_TEMPORARY_SECONDS, TEMPORARY
from pbem.files.file_errors import AwayError
from pbem.files.store_interface import BILLION, BusyError, Entry, Store
from pbem.format.canonical_toml import MAX_BYTES

CLAIM: Final = f"{TEMPORARY}claim-"
MAX_TRIES: Final = 4
"""The number of attempts to claim a name before a writer gives up."""
CLAIMED_SENTENCE: Final = (
    "another pbem process is writing this file; try again in a moment. If no other pbem is "
    f"running, remove the file beside this one whose name begins with {CLAIM}"
)


class FsspecStore(Store):
    """A folder in a store that fsspec opens.

    A *claim* sees to it that no file is overwritten: a writer writes an empty file `.~pbem-claim-
    NAME-…` beside the place, then lists the folder, and goes on only if its claim is the only one.
    So at most one writer puts the file, if a list shows all that was written before it was asked
    for.
    """

    def __init__(self, files: Any, root: str) -> None:
        """`files` is an fsspec file system, and `root` the path of the folder in it."""
        self.files = self.connection = files
        self.root = root.rstrip("/")
        self._timed = (
            {"timeout": store_answer_limits.ANSWER_SECONDS}
            if getattr(files, "async_impl", False)
            else {}
        )
        """How a call limits the time of its answer; libraries that are not async have no way."""

    @abstractmethod
    def list_folder(self, place: str) -> list[Entry]:
        """List what is in the folder or in one of its places. Raises FileNotFoundError and
        others."""

    def list_entries(self, places: Collection[str]) -> Iterator[tuple[str, Entry]]:
        for entry in self.list_folder(""):
            yield entry.name, entry
            if entry.kind == "folder" and entry.name in places:
                with contextlib.suppress(FileNotFoundError):  # its last file was just removed
                    for inner_entry in self.list_folder(entry.name):
                        yield f"{entry.name}/{inner_entry.name}", inner_entry

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
            expired_ns = own_claim.mtime_ns - MAX_TEMPORARY_SECONDS * BILLION
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
