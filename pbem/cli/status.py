"""The command `status`: the state of one game, and what to type next."""

from __future__ import annotations

import sys

from pbem.cli.shared_options import (
    FolderOption,
    JsonOption,
    NowOption,
    PassphraseOption,
    SeatOption,
)
from pbem.person.session import Session
from pbem.person.situation import situation_of
from pbem.terminal.json_and_progress import print_data
from pbem.terminal.printing import print_folded, say
from pbem.text.terminal_and_page_wording import off_terminal


def status(
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
    now: NowOption = "",
) -> None:
    """Show the state of the game, who it waits for, and what to type next."""
    # Late: these modules would take a quarter of the time of `list`.
    from pbem.wording.game_status import file_notes, status_data, status_lines

    session = Session(folder, seat, passphrase_file)
    situation = situation_of(session)
    if json:
        print_data("status", status_data(session, situation))
        return
    for line in status_lines(session, situation):
        is_command = not off_terminal(line)  # it is copied, in one piece
        if is_command or not sys.stdout.isatty():
            print(line)
        else:
            indent = len(line) - len(line.lstrip())
            print_folded(line, indent + 2)
    for note in file_notes(session):
        say(note)
