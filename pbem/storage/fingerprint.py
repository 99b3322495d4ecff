"""A fingerprint of a folder, which shows whether anything in it changed, without opening a file."""

import hashlib
import os
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

DEPTH: Final = 3
"""How many levels of folders are looked at: game folders and homes of games have no more."""


def fingerprint(root: Path, skip: Collection[str] = ()) -> str:
    """Return a hash of the name, size, times and inode of every file below the folder, in hex.

    Names in `skip` are left out. A folder that does not exist also has a fingerprint.
    """
    lines = sorted(_entries(root, "", skip, DEPTH))
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def _entries(folder: Path | str, place: str, skip: Collection[str], depth: int) -> Iterator[str]:
    try:
        found = list(os.scandir(folder))
    except OSError as error:
        yield f"{place} {error.errno}"
        return
    for entry in found:
        if entry.name in skip:
            continue
        if depth > 1 and entry.is_dir(follow_symlinks=False):
            yield f"{place}{entry.name}/"
            yield from _entries(entry.path, f"{place}{entry.name}/", skip, depth - 1)
            continue
        mark = entry.stat(follow_symlinks=False)
        times = f"{mark.st_mtime_ns} {mark.st_ctime_ns}"
        yield f"{place}{entry.name} {mark.st_size} {times} {mark.st_ino} {mark.st_mode}"
