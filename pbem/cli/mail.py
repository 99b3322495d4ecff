"""The commands `send` and `receive`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.options import FolderOption, SeatOption
from pbem.desk.receive import fetch
from pbem.desk.send import BundleWriter
from pbem.desk.session import Session

# ---- The command `receive`: read what came by mail


def receive(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE…",
            help="The files that you were sent, unchanged. Use - to paste the text of an email "
            "instead.",
        ),
    ],
    folder: FolderOption = None,
) -> None:
    """Read what came by mail: find the game's files in it, check them, and put them in place."""
    if code := fetch(files, folder):
        raise SystemExit(code)


# ---- The command `send`: write a bundle for another player, to attach to an email

OutputOption = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE",
        help="The file to write (default: a file beside the game folder).",
    ),
]
AddressOption = Annotated[
    str,
    typer.Option(
        "--address",
        metavar="ADDRESS",
        help="With --to: the new address of a player who answers by plain email.",
    ),
]


def send(
    to: Annotated[
        list[str] | None,
        typer.Option(
            "--to",
            metavar="SEAT",
            help="A seat or a name; may be repeated. Default: the referee, or, if you are the "
            "referee, all players who play by mail.",
        ),
    ] = None,
    output: OutputOption = None,
    paste: Annotated[
        bool,
        typer.Option("--paste", "--text", help="Print the bundle, to paste into an email."),
    ] = False,
    address: AddressOption = "",
    everything: Annotated[
        bool,
        typer.Option("--all", help="Send everything again, from the start of the game."),
    ] = False,
    only_new: Annotated[
        bool, typer.Option("--new", help="Send only what you have not sent before.")
    ] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
) -> None:
    """Write a bundle for another player or the referee, to attach to an email."""
    session = Session(folder, seat)
    posting = BundleWriter(session, everything, only_new)
    if address:
        posting.move(to or [], address)
    parcels = posting.parcels(to or [])
    if paste:
        posting.print_all(parcels)
    else:
        posting.write_all(parcels, output)
