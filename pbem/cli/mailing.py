"""`send` and `receive`: getting files across by mail."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.options import FolderOption, SeatOption

if TYPE_CHECKING:
    from pbem.cli.session import Session

SEND = "pbem send, and mail the referee the file that it writes"


def send(
    to: Annotated[
        str, typer.Option("--to", metavar="SEAT", help="A seat or a name (default: the referee).")
    ] = "",
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Default: beside the game's folder."),
    ] = None,
    paste: Annotated[
        bool, typer.Option("--paste", "--text", help="Print it, to be pasted into a mail.")
    ] = False,
    everything: Annotated[
        bool, typer.Option("--all", help="Everything from the start, whatever came before.")
    ] = False,
    only_new: Annotated[
        bool, typer.Option("--new", help="Only what no bundle of mine held before.")
    ] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
) -> None:
    """Write one file with what another lacks, to be sent by mail."""
    from pbem.cli.posting import Posting
    from pbem.cli.session import Session

    posting = Posting(Session(folder, seat), everything, only_new)
    parcels = posting.parcels(to)
    if paste:
        posting.print_all(parcels)
    else:
        posting.write_all(parcels, output)


def receive(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE…", help="What you were sent, as it is; - reads a paste."),
    ],
    folder: FolderOption = None,
) -> None:
    """Take what came by mail: find the game's files in it, check them, put them in place."""
    from pbem.cli.fetching import fetch

    if code := fetch(files, folder):
        raise typer.Exit(code)


def mail_hint(session: Session) -> None:
    """A line for the referee whose players are known to play by mail."""
    from pbem.cli.failure import say
    from pbem.mail.sent_mail import Postbook, sitting

    for seat in Postbook(session.mine).by_mail(sitting(session.chronicle)):
        say(f"{seat} plays by mail: pbem send --to {seat}")


def sending_hint(session: Session) -> bool:
    """The next step for a player whose way to the referee is mail; whether it is."""
    from pbem.mail.sent_mail import Postbook

    if by_mail := Postbook(session.mine).with_referee:
        print(f"next: {SEND}")
    return by_mail


def unsent(session: Session, seat: str) -> str:
    """What to do if the seat's way to the referee is mail, and what it sealed was not sent."""
    from pbem.mail.sent_mail import REFEREE, Postbook

    book = Postbook(session.mine)
    if not book.with_referee or session.roles.referee:
        return ""
    listing = session.listing
    last = listing.reached
    mine = [f.name for f in listing.orders if (f.name.turn, f.name.seat) == (last, seat)]
    newest = max((name.revision for name in mine), default=0)
    mine = [name for name in mine if name.revision == newest]
    if not last:
        mine = [found.name for found in listing.joins if found.name.seat == seat]
    return "" if all(book.was_sent_as(REFEREE, name.digits) for name in mine) else SEND
