"""The command `orders`: write a draft of your orders."""

from __future__ import annotations

from typing import Annotated

from pbem.cli.command_line.declarations import Option
from pbem.cli.failure import say
from pbem.cli.options import FolderOption, PassphraseOption, SeatOption
from pbem.cli.orders.check import finish
from pbem.cli.orders.check_report import echo, report
from pbem.cli.orders.order_file import read
from pbem.cli.orders.view_for_orders import need_open, need_view


def orders(
    edit: Annotated[bool, Option("--edit", help="Open the draft in your editor.")] = False,
    again: Annotated[bool, Option("--new", help="Write a new draft; the old one is kept.")] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Write a draft of your orders, with every legal choice as a comment."""
    from pbem.cli.orders.editor import edit_file
    from pbem.cli.orders.open_draft import open_draft
    from pbem.cli.session.session import Session

    session = Session(folder, seat, passphrase_file)
    view = need_open(session, need_view(session))
    path, notes = open_draft(session, view, again=again)
    for note in notes:
        say(note)
    if edit:
        edit_file(path)
        draft = read(path, view)
        report(session, view, draft, f"drafts/{path.name}")
        echo(view, draft)
        say("next: pbem orders --edit" if draft.errors else "next: pbem submit")
        finish(draft, strict=False)
    else:
        print(path)
        say("edit this file, then type: pbem check, pbem submit")
