"""The fingerprint of a folder: a hash that changes whenever a file in it does."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

MAX_DEPTH: Final = 3
"""The number of levels of folders in a fingerprint: game folders and homes have no more."""


def fingerprint(root: Path, skip: Collection[str] = ()) -> str:
    """Return a hash, in hex, of name, size, times and inode of every file below the folder, without
    the names in `skip`; a missing folder has one too."""
    lines = sorted(_lines(root, "", skip, MAX_DEPTH))
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def _lines(folder: Path | str, prefix: str, skip: Collection[str], depth: int) -> Iterator[str]:
    """Yield a line for each file and folder, `depth` levels down; for a folder that cannot be
    listed, a line with the number of the system's error. `prefix` begins each path."""
    try:
        entries = list(os.scandir(folder))
    except OSError as error:
        yield f"{prefix} {error.errno}"
        return
    for entry in entries:
        if entry.name in skip:
            continue
        if depth > 1 and entry.is_dir(follow_symlinks=False):
            yield f"{prefix}{entry.name}/"
            yield from _lines(entry.path, f"{prefix}{entry.name}/", skip, depth - 1)
            continue
        status = entry.stat(follow_symlinks=False)
        times = f"{status.st_mtime_ns} {status.st_ctime_ns}"
        yield f"{prefix}{entry.name} {status.st_size} {times} {status.st_ino} {status.st_mode}"
