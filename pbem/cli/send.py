"""The command `send`: write a bundle for somebody, to attach to an email."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from pbem.acts.write_bundles_and_emails import WRITE_AGAIN_COMMAND, Bundle, BundleWriter
from pbem.cli.failures_by_game import Failure, collect_failure, worst_exit_code
from pbem.cli.shared_options import (
    FolderOption,
    FoldersArgument,
    SeatOption,
    named_folders,
)
from pbem.errors import NOT_YET, CliError
from pbem.mail.write_and_describe_bundle import describe_records
from pbem.person.session import Session
from pbem.records.press_message import REFEREE
from pbem.terminal.clean_text import clean
from pbem.terminal.commands_and_paths_to_type import brief
from pbem.terminal.printing import say
from pbem.wording.due_and_written_mail import (
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
            help="Who gets the bundle: a seat or a name. Repeat the option for more. Default: the "
            "referee; if you are the referee, all players who play by mail.",
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
    game_folders = named_folders(folders, folder)
    if len(game_folders) == 1:
        session = Session(game_folders[0], seat)
        # nothing went to a new address yet
        writer = BundleWriter(session, everything, only_new, again or bool(address))
        if address:
            writer.move(to or [], address)
        bundles = writer.bundles(to or [])
        if paste:
            for bundle in bundles:
                print(bundle.text, end="")
                writer.note_sent(bundle)
        else:
            write_bundles(writer, bundles, output)
        return
    if to or output or paste or address:
        problem = "--to, -o, --paste and --address work with only one game"
        raise CliError(problem, "pbem send -C FOLDER, once for each game")
    failures = list[Failure]()
    for game_folder in game_folders:
        print(f"{clean(game_folder or '')}:")
        with collect_failure(failures, game_folder):
            writer = BundleWriter(Session(game_folder, seat), everything, only_new, again)
            write_bundles(writer, writer.bundles())
    # a game in which nothing needs to be sent is no failure
    raise SystemExit(worst_exit_code({x.exit for x in failures if x.exit != NOT_YET}))


def write_bundles(
    writer: BundleWriter, bundles: Sequence[Bundle], output: Path | None = None
) -> None:
    """Write each bundle to its file, and print the steps that follow. `output` is the file for the
    only bundle; without it, the writer chooses the files. Raises CliError, StorageError."""
    if output and len(bundles) > 1:
        problem = f"-o takes only one file, but there are {len(bundles)} bundles"
        raise CliError(problem, "say who the bundle is for: --to b")
    for sentence in writer.answered_sentences:
        say(write_again_line(sentence, WRITE_AGAIN_COMMAND))
    for written_bundle in writer.write_files(bundles, output):
        bundle, path = written_bundle.bundle, written_bundle.path
        kilobytes = -(-path.stat().st_size // 1000)  # rounded up
        if bundle.letter:
            print(wrote_email_line(brief(path), bundle.name, kilobytes))
            steps = email_steps(
                bundle.name,
                bundle.letter.address,
                has_reply_address=written_bundle.has_reply_address,
            )
        else:
            print(wrote_bundle_line(brief(path), describe_records(bundle.records), kilobytes))
            is_for_player = bundle.recipient != REFEREE
            option = f" --to {bundle.recipient}" if is_for_player else ""
            steps = bundle_steps(
                bundle.name, path.name, f"pbem send{option} --paste", [*bundle.late_sentences],
                was_sent=written_bundle.was_sent,
                uses_invite=is_for_player and written_bundle.is_before_turn_1,
            )  # fmt: skip
        for step in steps:
            say(step)
        sys.stdout.flush()
