"""`send`: write one file with what another lacks, to attach to a mail."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.options import FolderOption, SeatOption

if TYPE_CHECKING:
    pass


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
    from pbem.cli.mail.write_bundle import BundleWriter
    from pbem.cli.session.session import Session

    posting = BundleWriter(Session(folder, seat), everything, only_new)
    parcels = posting.parcels(to)
    if paste:
        posting.print_all(parcels)
    else:
        posting.write_all(parcels, output)
