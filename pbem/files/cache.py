"""Caches in the home: values that save time, each valid as long as its file does not change."""

from __future__ import annotations

import contextlib
import json
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from pbem import __version__
from pbem.errors import PbemError
from pbem.files import syscalls
from pbem.files.disk import Mark, StorageError, read_file, replace

_MAX_CACHE_BYTES: Final = 1 << 28
_HEAD_BYTES: Final = 9
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
        entry = self._load().get(path)
        is_unchanged = entry is not None and entry[0] == list(mark)
        return entry[1] if entry and is_unchanged else None

    def store(self, path: str, mark: Mark, value: Any) -> None:
        """Store a value for this file, valid as long as the file does not change."""
        self._load()[path] = (list(mark), value)
        self._changed = True

    def save(self, paths: Iterable[str] | None = None) -> None:
        """Write a changed cache with the values of these files (None: of all), if the disk lets
        us."""
        values = self._load()
        if paths is not None:
            kept_paths = set(paths)
            removed_paths = [path for path in values if path not in kept_paths]
            for path in removed_paths:
                del values[path]
            self._changed |= bool(removed_paths)
        if self._changed:
            body = json.dumps([self._stamp, values], separators=(",", ":")).encode()
            with contextlib.suppress(StorageError):  # everything works without a cache
                replace(self._path, _head(body) + body)
            self._changed = False

    def remove(self) -> None:
        """Delete the cache's file, if the disk lets us."""
        self._values = {}
        with contextlib.suppress(OSError):
            syscalls.unlink(self._path)

    def _load(self) -> dict[str, tuple[list[int], Any]]:
        if self._values is None:
            self._values = self._read()
        return self._values

    def _read(self) -> dict[str, tuple[list[int], Any]]:
        """Return the values in the file, by path, each with the file's mark; empty if there is no
        usable file with this purpose and version."""
        try:
            data = read_file(self._path, _MAX_CACHE_BYTES)
        except PbemError:
            return {}
        head, body = data[:_HEAD_BYTES], data[_HEAD_BYTES:]
        if _head(body) != head:
            return {}
        try:
            stamp, values = json.loads(body)
        except (TypeError, ValueError, RecursionError):
            return {}
        return values if stamp == self._stamp else {}


def _head(body: bytes) -> bytes:
    return f"{zlib.crc32(body):08x}\n".encode()
