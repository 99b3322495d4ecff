"""Write a picture or page, and never replace a file that pbem did not make."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pbem.cli.failure import CliError
from pbem.screen.terminal import typed

if TYPE_CHECKING:
    from pbem.play.view import View
    from pbem.storage.folder import SharedFolder

LARGEST = 32 << 20
"""The most bytes that are read of a file with this name; no picture is larger."""


def write_picture(path: Path, text: str, begins: str, view: View, folder: SharedFolder) -> int:
    """Write the text and return its number of bytes. A file that `pbem` made before is replaced.

    `begins` is the text with which all files of this kind begin. Nothing is written into `folder`,
    the game folder, because other players see it. If the file shows what one seat of a running game
    knows, only its owner can read it. Raises CliError if a different file has the name,
    StorageError if writing fails.
    """
    from pbem.storage.atomic_write import replace
    from pbem.storage.errors import FileError
    from pbem.storage.read_file import read_if_there

    assert text.startswith(begins)
    if folder.contains(path):
        told = f"{path} would be in the game folder, which the other players share"
        raise CliError(told, f"choose a path outside it: {typed(Path('..') / path.name)}")
    try:
        there = read_if_there(path, LARGEST)
    except FileError:  # the name belongs to a link or a folder
        there = b""
    if there is not None and not there.startswith(begins.encode()):
        told = f"{path} already exists and was not made by pbem, so pbem does not overwrite it"
        raise CliError(told, "give the path of a different file")
    data = text.encode("utf-8")
    replace(path.absolute(), data, private=view.seat in view.names and not view.over)
    return len(data)
