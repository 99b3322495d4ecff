"""Caches in the home: values that only save time, one in a file; deleting one is always safe."""

from __future__ import annotations

import contextlib
import json
import zlib
from pathlib import Path
from typing import Any, Final

from pbem import __version__
from pbem.errors import PbemError
from pbem.files import syscalls
from pbem.files.disk import read_file, replace
from pbem.files.file_errors import StorageError

_MAX_CACHE_BYTES: Final = 1 << 28
_HEAD_BYTES: Final = 9
"""The bytes of the first line."""


class Cache:
    """One cached value in a file: None, a number, str, or a list or dict of these.

    Whether the value is still right, two rules say: the marks of `Snapshots`, and `Freshness`.

    `purpose` says what the value means, and changes whenever the meaning does. If the purpose or
    the version of pbem is different, there is no value.

    The first line of the file is the CRC-32 of the rest in hex, which shows damage. It need not
    stop forgers: only the owner can write in the home. The rest is JSON: data, never code.
    """

    def __init__(self, path: Path, purpose: str) -> None:
        self._path = path
        self._stamp = f"{purpose} {__version__}"

    def load(self) -> Any:
        """Return the stored value; None if the file is missing or damaged, or if another version of
        the program wrote it, as its stamp tells."""
        try:
            data = read_file(self._path, _MAX_CACHE_BYTES)
        except PbemError:
            return None
        head, body = data[:_HEAD_BYTES], data[_HEAD_BYTES:]
        if _head(body) != head:
            return None
        try:
            stamp, value = json.loads(body)
        except (TypeError, ValueError, RecursionError):
            return None
        return value if stamp == self._stamp else None

    def save(self, value: Any) -> None:
        """Write a value, if the disk lets us."""
        body = json.dumps([self._stamp, value], separators=(",", ":")).encode()
        with contextlib.suppress(StorageError):  # everything works without a cache
            replace(self._path, _head(body) + body)

    def remove(self) -> None:
        """Delete the file, if the disk lets us."""
        with contextlib.suppress(OSError):
            syscalls.unlink(self._path)


def _head(body: bytes) -> bytes:
    return f"{zlib.crc32(body):08x}\n".encode()
