"""Write a file that `pbem` made, such as a picture; only such a file is ever replaced."""

from __future__ import annotations

from pathlib import Path

from pbem.cli.failure import CliError

LARGEST = 32 << 20
"""Bytes that are read of a file in the way; no picture is longer."""


def write_picture(path: Path, text: str, begins: str) -> int:
    """Write the text and return its number of bytes. A file that `pbem` made before is replaced.

    `begins` is how all files of this kind begin. Raises CliError if a different file has the
    name, StorageError if the file cannot be written.
    """
    from pbem.storage.atomic_write import replace
    from pbem.storage.errors import FileError
    from pbem.storage.read_file import read_if_there

    assert text.startswith(begins)
    try:
        there = read_if_there(path, LARGEST)
    except FileError:  # a link or a folder
        there = b""
    if there is not None and not there.startswith(begins.encode()):
        told = f"{path} exists, and pbem did not make it, so it stays as it is"
        raise CliError(told, "name a different file")
    data = text.encode("utf-8")
    replace(path.absolute(), data, private=False)
    return len(data)
