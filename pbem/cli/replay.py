"""The command `replay`: a game as one web page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.acts.write_replays_and_pictures import (
    TABLE_VIEWER,
    messages_for,
    view_to_show,
    what_it_shows,
    write_replay,
)
from pbem.cli.shared_options import (
    FolderOption,
    NoPressOption,
    PassphraseOption,
    named_folders,
)
from pbem.errors import NOT_YET, CliError
from pbem.judge.game_view import View
from pbem.person.session import Session
from pbem.records.invite import slug
from pbem.terminal.commands_and_paths_to_type import brief
from pbem.terminal.printing import say
from pbem.wording.view_headings import (
    shows_hand_note,
)


def replay(
    game_folder: Annotated[
        str | None, typer.Argument(metavar="FOLDER", help="The game folder (default: here).")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="The file to write (default: a page beside the game folder).",
        ),
    ] = None,
    seat: Annotated[
        str,
        typer.Option(
            "--as",
            metavar="SEAT",
            help="Whose view to show: a seat of yours, or table (what everybody sees). Default: "
            "all hands if the game is over, otherwise table.",
        ),
    ] = "",
    start: Annotated[
        int | None, typer.Option("--from", metavar="TURN", help="The first turn (default: 1).")
    ] = None,
    stop: Annotated[
        int | None, typer.Option("--to", metavar="TURN", help="The last turn (default: all).")
    ] = None,
    folder: FolderOption = None,
    passphrase_file: PassphraseOption = None,
    no_press: NoPressOption = False,
) -> None:
    """Write a game as one web page: step through it without a server or a network."""
    requested_seat = "" if seat == TABLE_VIEWER else seat
    [place] = named_folders([game_folder] if game_folder else None, folder)
    session = Session(place, requested_seat or None, passphrase_file)
    view = view_to_show(session, seat)
    turns = _turns(view, start, stop)
    path = output or session.folder.folder_beside / f"{slug(view.title)}.html"
    messages = [] if no_press else messages_for(session, view)
    size = write_replay(view, turns, path, session.folder, messages)
    print(f"wrote {brief(path)} ({size:,} bytes): {what_it_shows(view, turns)}")
    if view.seat in view.names and not view.is_over:
        say(shows_hand_note(view.seat))


def _turns(view: View, start: int | None, stop: int | None) -> range:
    """Return the turns from `start` to `stop`; None means the first or the last. Raises CliError
    if the game does not have them all."""
    turn_count = view.published
    first_turn = 1 if start is None else start
    last_turn = turn_count if stop is None else stop
    if not 1 <= first_turn <= last_turn <= turn_count:
        if not turn_count:
            raise CliError("there is no turn to show yet", "pbem status", NOT_YET)
        missing_turn = last_turn if 1 <= first_turn <= turn_count else first_turn
        problem = f"there is no turn {missing_turn}"
        if 1 <= last_turn < first_turn <= turn_count:
            problem = f"turn {first_turn} (--from) comes after turn {last_turn} (--to)"
        raise CliError(f"{problem}; the last turn is {turn_count}", f"--from 1 --to {turn_count}")
    return range(first_turn, last_turn + 1)
