"""The command `calendar`: write what is due in your games to a calendar file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pbem.cli.command_line.declarations import Option
from pbem.cli.failure import CliError, say
from pbem.cli.options import FolderOption, NowOption
from pbem.screen.terminal import brief

if TYPE_CHECKING:
    from pbem.text.ics_file import Event


def calendar(
    folder: FolderOption = None,
    output: Annotated[
        Path | None,
        Option(
            "-o", "--output", metavar="FILE", help="The file to write. Default: print the calendar."
        ),
    ] = None,
    now: NowOption = "",
) -> None:
    """Write a calendar file (.ics) of what is due in all your games, or in the one with -C."""
    from pbem.cli.calendar.what_is_due import due_here, everywhere
    from pbem.cli.clock import now as clock
    from pbem.text.ics_file import calendar_file

    events, notes = due_here(folder) if folder else everywhere()
    data = calendar_file(events, clock())
    for note in notes:
        say(f"note: {note}")
    if output is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
    else:
        _write(output.absolute(), data)
        print(f"wrote {brief(output)} ({_count(events)})")


def _count(events: list[Event]) -> str:
    return f"{len(events)} {'deadline' if len(events) == 1 else 'deadlines'}"


def _write(path: Path, data: bytes) -> None:
    """Write the file, or replace a calendar; refuse to replace anything else. Raises CliError."""
    from pbem.storage.atomic_write import create, replace
    from pbem.storage.errors import FileError, StorageError
    from pbem.storage.read_file import read_file

    if not path.exists():
        create(path, data)
        return
    try:
        calendar = read_file(path).startswith(b"BEGIN:VCALENDAR")
    except (FileError, StorageError):
        calendar = False
    if not calendar:
        raise CliError(
            f"{brief(path)} exists and is not a calendar file", "give the path of a different file"
        )
    replace(path, data)
