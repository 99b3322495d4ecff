"""The command `status`: show the state of the game, who it waits for, and what to do next."""

from __future__ import annotations

from pbem.cli.options import FolderOption, JsonOption, NowOption, PassphraseOption, SeatOption


def status(
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
    now: NowOption = "",
) -> None:
    """Show the state of the game, who it waits for, and what to type next."""
    from pbem.cli.session.session import Session
    from pbem.cli.status.before_turn_one import BeforeTurnOne
    from pbem.cli.status.game_status import read_status
    from pbem.cli.status.ignored_files import say_notes
    from pbem.cli.status.status_lines import StatusLines

    session = Session(folder, seat, passphrase_file)
    found = read_status(session)
    if json:
        from pbem.cli.json_output import print_data
        from pbem.cli.status.status_data import status_data

        print_data("status", status_data(found))
        return
    lines = found.lines() if isinstance(found, BeforeTurnOne) else StatusLines(found).all()
    print("\n".join(lines))
    say_notes(session)
