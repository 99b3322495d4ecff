"""The commands `send` and `receive`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.acts.receive import fetch
from pbem.acts.send import BundleWriter
from pbem.cli.options import (
    Failed,
    FolderOption,
    FoldersArgument,
    SeatOption,
    caught,
    named_folders,
)
from pbem.cli.viewing import worst
from pbem.errors import NOT_YET, CliError
from pbem.person.session import Session
from pbem.terminal.terminal import clean


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
    """Read what came by mail: find the game's files, check them, and put them in place."""
    if code := fetch(files, folder):
        raise SystemExit(code)


def send(
    folders: FoldersArgument = None,
    to: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SEAT",
            help="A seat or a name; may be repeated. Default: the referee, or, if you are the "
            "referee, all players who play by mail.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="The file to write (default: a file beside the game folder).",
        ),
    ] = None,
    paste: Annotated[
        bool, typer.Option("--paste", "--text", help="Print the bundle, to paste into an email.")
    ] = False,
    address: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="With --to: the new address of a player who answers by plain email.",
        ),
    ] = "",
    everything: Annotated[
        bool, typer.Option("--all", help="Send everything again, from the start of the game.")
    ] = False,
    only_new: Annotated[
        bool, typer.Option("--new", help="Send only what you have not sent before.")
    ] = False,
    again: Annotated[
        bool,
        typer.Option(
            "--again",
            help="Also write again to players who have already answered by plain email.",
        ),
    ] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
) -> None:
    """Write a bundle for another player or the referee, to attach to an email."""
    several = named_folders(folders, folder)
    if len(several) == 1:
        moved = bool(address)  # nothing went to the new address yet
        writer = BundleWriter(Session(several[0], seat), everything, only_new, again or moved)
        if address:
            writer.move(to or [], address)
        parcels = writer.parcels(to or [])
        writer.print_all(parcels) if paste else writer.write_all(parcels, output)
        return
    if to or output or paste or address:
        told = "--to, -o, --paste and --address work with only one game"
        raise CliError(told, "pbem send -C FOLDER, once for each game")
    failed = list[Failed]()
    for one in several:
        print(f"{clean(one or '')}:")
        with caught(failed, one):
            writer = BundleWriter(Session(one, seat), everything, only_new, again)
            writer.write_all(writer.parcels(), None)
    raise SystemExit(worst({one.exit for one in failed if one.exit != NOT_YET}))
