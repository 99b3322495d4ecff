"""The command `send`: write a bundle for another player, to attach to an email."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pbem.cli.command_line.declarations import Option
from pbem.cli.failure import NOT_YET, CliError
from pbem.cli.options import FolderOption, SeatOption
from pbem.cli.places.several_games import Failed, FoldersArgument, caught, named_folders
from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from pbem.cli.session.session import Session

OutputOption = Annotated[
    Path | None,
    Option(
        "-o",
        "--output",
        metavar="FILE",
        help="The file to write (default: a file beside the game folder).",
    ),
]
AddressOption = Annotated[
    str,
    Option(
        "--address",
        metavar="ADDRESS",
        help="With --to: the new address of a player who answers by plain email.",
    ),
]


def send(
    folders: FoldersArgument = None,
    to: Annotated[
        list[str] | None,
        Option(
            "--to",
            metavar="SEAT",
            help="A seat or a name; may be repeated. Default: the referee, or, if you are the "
            "referee, all players who play by mail.",
        ),
    ] = None,
    output: OutputOption = None,
    paste: Annotated[
        bool,
        Option("--paste", "--text", help="Print the bundle, to paste into an email."),
    ] = False,
    address: AddressOption = "",
    everything: Annotated[
        bool,
        Option("--all", help="Send everything again, from the start of the game."),
    ] = False,
    only_new: Annotated[
        bool, Option("--new", help="Send only what you have not sent before.")
    ] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
) -> None:
    """Write a bundle for another player or the referee, to attach to an email."""
    from pbem.cli.session.session import Session
    from pbem.cli.viewing.audit_many import worst

    several = named_folders(folders, folder)
    if len(several) == 1:
        _send(Session(several[0], seat), to or [], output, paste, address, everything, only_new)
        return
    if to or output or paste or address:
        told = "--to, -o, --paste and --address work with only one game"
        raise CliError(told, "pbem send -C FOLDER, once for each game")
    failed = list[Failed]()
    for one in several:
        print(f"{clean(one or '')}:")
        with caught(failed, one):
            _send(Session(one, seat), [], None, False, "", everything, only_new)
    raise SystemExit(worst({one.exit for one in failed if one.exit != NOT_YET}))


def _send(
    session: Session,
    to: list[str],
    output: Path | None,
    paste: bool,
    address: str,
    everything: bool,
    only_new: bool,
) -> None:
    """Write the bundles of one game."""
    from pbem.cli.mail.write_bundle import BundleWriter

    posting = BundleWriter(session, everything, only_new)
    if address:
        posting.move(to, address)
    parcels = posting.parcels(to)
    if paste:
        posting.print_all(parcels)
    else:
        posting.write_all(parcels, output)
