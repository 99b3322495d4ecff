"""`orders`: write a draft of your orders."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.failure import say
from pbem.cli.options import FolderOption, PassphraseOption, SeatOption
from pbem.cli.orders.check import finish
from pbem.cli.orders.check_report import echo, report
from pbem.cli.orders.order_file import older_draft, read
from pbem.cli.orders.view_for_orders import need_open, need_view

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.play.view import View


def orders(
    edit: Annotated[bool, typer.Option("--edit", help="Open the draft in your editor.")] = False,
    again: Annotated[
        bool, typer.Option("--new", help="Write a new draft; the old one is kept.")
    ] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Write a draft of your orders, with every legal choice as a comment."""
    from pbem.cli.orders.editor import edit_file
    from pbem.cli.session.session import Session
    from pbem.drafts.write.write_draft import write_draft

    session = Session(folder, seat, passphrase_file)
    view = need_open(session, need_view(session))
    path = session.home.game(view.game).draft(view.turn, view.seat)
    _make_way(session, view, path, again=again)
    if not path.exists():
        session.mine.write_draft(view.turn, view.seat, write_draft(view))
        _name_unsealed(session, view)
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


def _make_way(session: Session, view: View, path: Path, *, again: bool) -> None:
    """Rename an old draft that is in the way, to keep it beside the new draft."""
    from pbem.drafts.read.read_draft import answered
    from pbem.storage.read_file import read_file as bytes_of

    if path.exists() and (again or not answered(bytes_of(path), view)):
        kept = session.mine.keep_draft(path)
        why = "" if again else " was for a different turn; it"
        say(f"your old draft{why} is kept as {kept}")


def _name_unsealed(session: Session, view: View) -> None:
    """Name the last draft if its turn is over and no orders were sealed for that turn."""
    if (older := older_draft(session, view)) is None:
        return
    turn = int(older.name[:4])
    told = {turn, turn + 1} if view.seat in session.roles.held else {turn}
    # a referee who is not asked seals orders for the next turn
    if not told & {f.name.turn for f in session.listing.orders if f.name.seat == view.seat}:
        say(f"your draft of turn {turn} was never sealed; you can copy from it: {older}")
