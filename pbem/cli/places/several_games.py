"""Do one thing in several games: what goes wrong in one does not stop the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, NamedTuple

from pbem.cli.command_line.declarations import Argument
from pbem.cli.failure import NOT_YET, CliError, say, sentence_of
from pbem.screen.terminal import clean

FoldersArgument = Annotated[
    list[str] | None,
    Argument(metavar="FOLDER…", help="The game folder, or several (default: here)."),
]


def named_folders(folders: Sequence[str] | None, folder: str | None) -> Sequence[str | None]:
    """Return the folders of a line, named with or without `-C`. Raises CliError for both."""
    if folders and folder:
        raise CliError("name the folders either with -C or without it", "leave out -C")
    return folders or [folder]


class Failed(NamedTuple):
    """What went wrong in one game."""

    folder: str
    sentence: str
    exit: int


@contextmanager
def caught(failed: list[Failed], folder: str | None, *, quiet: bool = False) -> Iterator[None]:
    """Note an error of one game in `failed`, and print it unless `quiet`."""
    from pbem.format.errors import RecordError
    from pbem.play.checking.game_folder import NoGameError
    from pbem.storage.errors import StorageError

    try:
        yield
    except (CliError, RecordError, StorageError, NoGameError) as error:
        one = Failed(clean(folder or ""), clean(sentence_of(error) or ""), error.exit)
        failed.append(one)
        if not quiet:
            say(f"{one.folder}: {'' if one.exit == NOT_YET else 'error: '}{one.sentence}")
