"""A fingerprint of a folder, to find out whether anything in the folder changed, without opening a
file."""

import hashlib
import os
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

DEPTH: Final = 3
"""How far down it looks: game folders and homes of games are not deeper."""


def fingerprint(root: Path, skip: Collection[str] = ()) -> str:
    """A hash over the name, size, time and inode of every file below the folder, in hex.

    It leaves out names in `skip`. A folder that is not there has a fingerprint too.
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
        yield f"{place}{entry.name} {mark.st_size} {mark.st_mtime_ns} {mark.st_ino} {mark.st_mode}"
