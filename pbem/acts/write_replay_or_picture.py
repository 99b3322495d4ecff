"""Write a replay page or a picture, and never replace a file that pbem did not make."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pbem.acts.replay_contents import page_text
from pbem.errors import CliError
from pbem.files.disk import read_if_there, replace
from pbem.files.file_errors import FileError
from pbem.files.game_folder import SharedFolder
from pbem.judge.game_view import View
from pbem.judge.messages import Message
from pbem.terminal.paths_to_type import shell_quote


def write_replay(
    view: View, turns: range, path: Path, folder: SharedFolder, messages: Sequence[Message] = ()
) -> int:
    """Write the page of these turns outside the game folder; return its size in bytes.

    Raises CliError if a file with other contents has this name, StorageError if writing fails.
    """
    from pbem.replay.page import DOCTYPE

    return write_picture(path, page_text(view, turns, messages), DOCTYPE, view, folder)


MAX_PICTURE_BYTES = 32 << 20
"""The most bytes that are read of a file with this name; no picture is larger."""


def write_picture(path: Path, text: str, beginning: str, view: View, folder: SharedFolder) -> int:
    """Write the text and return its number of bytes. A file that `pbem` made before is replaced.

    `beginning` is the text with which all files of this kind begin. Nothing is written into
    `folder`, the game folder, because other players see it. If the file shows what one seat of a
    running game knows, only its owner can read it. Raises CliError if a different file has the
    name, StorageError if writing fails.
    """
    assert text.startswith(beginning)
    if folder.contains(path):
        problem = f"{path} would be in the game folder, which other players can see"
        raise CliError(problem, f"choose a path outside it: {shell_quote(Path('..') / path.name)}")
    try:
        old_data = read_if_there(path, MAX_PICTURE_BYTES)
    except FileError:  # the name belongs to a link or a folder
        old_data = b""
    if old_data is not None and not old_data.startswith(beginning.encode()):
        problem = f"{path} already exists and was not made by pbem, so pbem does not overwrite it"
        raise CliError(problem, "give the path of a different file")
    data = text.encode("utf-8")
    replace(path.absolute(), data, private=view.seat in view.names and not view.is_over)
    return len(data)
