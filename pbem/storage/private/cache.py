"""A cache of results from files. Deleting it is safe; a broken or old cache is treated as empty.

A result is used while its file's size, times and inode are unchanged (interface). Commands that
must not trust the cache do not use it.
"""

import contextlib
import json
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from pbem import __version__
from pbem.format.errors import RecordError
from pbem.storage.atomic_write import replace
from pbem.storage.errors import StorageError
from pbem.storage.read_file import Mark, read_file

_LIMIT: Final = 1 << 28
_HEAD: Final = 9
"""The bytes of the first line."""


class Cache:
    """Cached values, by file and mark: None, numbers, str, and lists and dicts of these.

    `purpose` says what the values mean, and changes whenever their meaning does. If the purpose or
    the version of pbem is different, the cache is treated as empty.

    The first line of the file is the CRC-32 of the rest in hex, which shows damage. It need not
    stop forgers: only the owner can write in the home. The rest is JSON: data, never code.
    """

    def __init__(self, path: Path, purpose: str) -> None:
        self._path = path
        self._stamp = f"{purpose} {__version__}"
        self._values: dict[str, tuple[list[int], Any]] | None = None
        self._changed = False

    def get(self, path: str, mark: Mark) -> Any:
        """Return the value that was stored for this file if the file is unchanged, else None."""
        kept = self._load().get(path)
        same = kept is not None and kept[0] == list(mark)
        return kept[1] if kept and same else None

    def put(self, path: str, mark: Mark, value: Any) -> None:
        """Store a value for this file, valid as long as the file does not change."""
        self._load()[path] = (list(mark), value)
        self._changed = True

    def save(self, paths: Iterable[str] | None = None) -> None:
        """Write the cache if it changed, and keep only the values of these files (None: of all).

        Disk errors are ignored.
        """
        values = self._load()
        if paths is not None:
            wanted = set(paths)
            gone = [path for path in values if path not in wanted]
            for path in gone:
                del values[path]
            self._changed |= bool(gone)
        if self._changed:
            body = json.dumps([self._stamp, values], separators=(",", ":")).encode()
            with contextlib.suppress(StorageError):  # everything works without a cache
                replace(self._path, _head(body) + body)
            self._changed = False

    def _load(self) -> dict[str, tuple[list[int], Any]]:
        if self._values is None:
            self._values = self._read()
        return self._values

    def _read(self) -> dict[str, tuple[list[int], Any]]:
        try:
            data = read_file(self._path, _LIMIT)
        except (StorageError, RecordError):
            return {}
        head, body = data[:_HEAD], data[_HEAD:]
        if _head(body) != head:
            return {}
        try:
            stamp, values = json.loads(body)
        except (TypeError, ValueError, RecursionError):
            return {}
        return values if stamp == self._stamp else {}


def _head(body: bytes) -> bytes:
    return f"{zlib.crc32(body):08x}\n".encode()
