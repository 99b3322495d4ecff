"""`status`: where the game stands, who it waits for, and what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.options import FolderOption, JsonOption, PassphraseOption, SeatOption

if TYPE_CHECKING:
    pass


def status(
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Where the game stands, whom it waits for, and what to type next."""
    from pbem.cli.session.file_notes import say_notes
    from pbem.cli.session.session import Session
    from pbem.cli.turns.status_report import Standing

    session = Session(folder, seat, passphrase_file)
    standing = Standing(session)
    if json:
        from pbem.cli.json_output import print_data

        print_data("status", standing.data())
    else:
        print("\n".join(standing.lines()))
        say_notes(session)
