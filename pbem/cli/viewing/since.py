"""The command `since`: show what happened since your last orders were used."""

from __future__ import annotations

from pbem.cli.options import FolderOption, JsonOption, NoPressOption, PassphraseOption, SeatOption


def since(
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
    no_press: NoPressOption = False,
) -> None:
    """Show what happened since your last orders were used."""
    from pbem.cli.press.messages_here import MessagesHere
    from pbem.cli.session.session import Session
    from pbem.cli.viewing.log import print_log

    session = Session(folder, seat, passphrase_file)
    view = session.view()
    taken = view.accepted.get(view.seat, 1)
    if not json:
        yours = f"turn {taken}, which used your orders" if view.seat in view.accepted else ""
        print(f"since {yours or 'the game began'}; the game is now at turn {view.turn}:")
    turns = range(taken, view.turn + 1)
    press = None if no_press else MessagesHere(session, view)
    print_log(view, turns, json, "since", press, press.since(taken) if press else ())
    if press and not json:
        press.note_told()
