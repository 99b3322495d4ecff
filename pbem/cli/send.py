"""The command `send`: write a bundle for somebody, to attach to an email."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from pbem.acts.send import WRITE_AGAIN_COMMAND, Bundle, BundleWriter
from pbem.cli.options import (
    FolderOption,
    SeatOption,
)
from pbem.cli.several_games import (
    Failure,
    FoldersArgument,
    caught,
    named_folders,
    worst_exit_code,
)
from pbem.errors import NOT_YET, CliError
from pbem.mail.sending import describe_records
from pbem.person.session import Session
from pbem.records.press import REFEREE
from pbem.terminal.terminal import brief, clean, say
from pbem.wording.bundles import (
    bundle_steps,
    email_steps,
    write_again_line,
    wrote_bundle_line,
    wrote_email_line,
)


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
        if paste:
            for parcel in parcels:
                print(parcel.text, end="")
                writer.note_sent(parcel)
        else:
            write_bundles(writer, parcels, output)
        return
    if to or output or paste or address:
        told = "--to, -o, --paste and --address work with only one game"
        raise CliError(told, "pbem send -C FOLDER, once for each game")
    failed = list[Failure]()
    for one in several:
        print(f"{clean(one or '')}:")
        with caught(failed, one):
            writer = BundleWriter(Session(one, seat), everything, only_new, again)
            write_bundles(writer, writer.parcels())
    raise SystemExit(worst_exit_code({one.exit for one in failed if one.exit != NOT_YET}))


def write_bundles(
    writer: BundleWriter, parcels: Sequence[Bundle], output: Path | None = None
) -> None:
    """Write each bundle to its file, and print the steps that follow. Raises CliError,
    StorageError."""
    if output and len(parcels) > 1:
        problem = f"-o takes only one file, but there are {len(parcels)} bundles"
        raise CliError(problem, "say who the bundle is for: --to b")
    for sentence in writer.answered_sentences:
        say(write_again_line(sentence, WRITE_AGAIN_COMMAND))
    for written in writer.write_all(parcels, output):
        parcel, path, letter = written.parcel, written.path, written.parcel.letter
        kilobytes = -(-path.stat().st_size // 1000)
        if letter:
            print(wrote_email_line(brief(path), parcel.name, kilobytes))
            steps = email_steps(
                parcel.name, letter.address, has_reply_address=written.has_reply_address
            )
        else:
            print(wrote_bundle_line(brief(path), describe_records(parcel.records), kilobytes))
            option = "" if parcel.recipient == REFEREE else f" --to {parcel.recipient}"
            steps = bundle_steps(
                parcel.name, path.name, f"pbem send{option} --paste", [*parcel.late_sentences],
                was_sent=written.was_sent,
                uses_invite=parcel.recipient != REFEREE and written.is_before_turn_1,
            )  # fmt: skip
        for step in steps:
            say(step)
        sys.stdout.flush()
