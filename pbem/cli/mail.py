"""The commands `send` and `receive`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from pbem.acts.receive import Arrived, TakenMail, take_in
from pbem.acts.replies import CHANGING_FATES, ReplyResult
from pbem.acts.send import WRITE_AGAIN_COMMAND, Bundle, BundleWriter
from pbem.cli.options import (
    Failed,
    FolderOption,
    FoldersArgument,
    SeatOption,
    caught,
    named_folders,
)
from pbem.cli.viewing import worst
from pbem.errors import KEY, NOT_YET, CliError, PbemError
from pbem.files.disk import FileError, read_file
from pbem.files.home import Home
from pbem.format.canonical import EXIT, WORST_FIRST
from pbem.mail.filing import Places
from pbem.mail.opening import MAX_POST
from pbem.mail.sending import describe_records
from pbem.person.by_mail import due_mail
from pbem.person.keyring import Keyring
from pbem.person.next_step import next_step
from pbem.person.session import Session
from pbem.person.situation import situation_of, unread_situation
from pbem.person.user_game import named_place
from pbem.records.press import REFEREE
from pbem.terminal.commands import command_at
from pbem.terminal.failures import complain
from pbem.terminal.terminal import brief, clean, say
from pbem.wording.bundles import (
    bundle_steps,
    email_steps,
    write_again_line,
    wrote_bundle_line,
    wrote_email_line,
)
from pbem.wording.due_mail import describe_due_mail
from pbem.wording.next_step import say_step_after_mail
from pbem.wording.received_mail import (
    PASTE_EMAIL_SENTENCE,
    PASTED_SOURCE,
    delivery_lines,
    kept_file_lines,
    repaired_line,
    send_answer_line,
    wrote_answer_line,
)


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
    home, place = Home.find(), named_place(folder)
    mails = (_read(file) for file in files)
    taken = take_in(mails, Places(home, Path("."), place), Keyring(home), on_reply=_print_reply)
    _print_deliveries(taken)
    if code := _print_refusals(taken):
        raise SystemExit(code)


def _read(file: str) -> Arrived:
    """Return the contents of a file, or what is pasted in its place. Raises CliError."""
    if file == "-":
        if sys.stdin.isatty():
            say(PASTE_EMAIL_SENTENCE)
        data, name = sys.stdin.buffer.read(MAX_POST + 1), PASTED_SOURCE
        if len(data) <= MAX_POST:
            return Arrived(data, name)
    else:
        # links that the user made may be followed
        path = os.path.realpath(os.path.expanduser(file))
        if not os.path.lexists(path):
            raise CliError(f"there is no file {file}", "give the path of the file that you saved")
        if os.path.isdir(path):
            hint = "give the paths of the files in the folder, or zip the folder"
            raise CliError(f"{file} is a folder", hint)
        name = os.path.basename(path)
        try:
            return Arrived(read_file(Path(path), MAX_POST), os.path.basename(file))
        except FileError as error:
            if error.reason != "size":
                raise
    hint = "save only this game's emails to a file, and give the path of that file"
    raise CliError(f"{name} is longer than {MAX_POST >> 20} MB", hint, KEY)


def _print_reply(result: ReplyResult) -> None:
    """Print the fate of a reply, and where the answer to it is."""
    seat, letter = result.seat, result.letter
    if seat is None:
        complain(f"{result.reply.source}: {result.sentence}")
        return
    print(f"{clean(seat.view.title)}, turn {seat.view.turn}: {result.sentence}")
    if letter and result.path:
        print(wrote_answer_line(brief(result.path), letter.name))
        say(send_answer_line(letter.address))
    if result.fate in ("said", "conceded"):
        for line in describe_due_mail(due_mail(seat.referee), seat.referee.name_of):
            say(line)


def _print_deliveries(taken: TakenMail) -> None:
    """Print the news of each game, and its next step; also the next step of each game in which only
    replies changed something."""
    sessions_by_game = {
        result.seat.referee.game_folder.game: result.seat.referee
        for result in taken.replies
        if result.seat and result.fate in CHANGING_FATES
    }
    for session, filer, late_sentences in taken.deliveries:
        print("\n".join(delivery_lines(filer, late_sentences)))
        print(f"next: {_name_next_step(session)}")
        sessions_by_game.pop(session.game_folder.game, None)
    for session in sessions_by_game.values():
        session.refresh()
        print(f"next: {_name_next_step(session)}")


def _print_refusals(taken: TakenMail) -> int:
    """Print what was repaired, refused and kept; return the worst exit code."""
    sys.stdout.flush()
    if taken.repaired_files:
        say(repaired_line(taken.repaired_files))
    for refusal in taken.refusals:
        sentence = f"{refusal.source}: {refusal.sentence}"
        is_waiting = refusal.reason == "parent"
        say(f"note: {clean(sentence)}") if is_waiting else complain(sentence)
    for folder in dict.fromkeys(path.parent for path in taken.kept_paths):
        paths = [str(path) for path in taken.kept_paths if path.parent == folder]
        for line in kept_file_lines(folder, paths):
            say(line)
    codes = {KEY for result in taken.replies if result.fate == "forged"}
    codes |= {EXIT[refusal.reason] for refusal in taken.refusals}
    return next((code for code in WORST_FIRST if code in codes), 0)


def _name_next_step(session: Session) -> str:
    """Return the next step in a game for which something arrived."""
    try:
        with session.keyring.not_asking():  # `receive` needs no key just to say what is next
            situation = situation_of(session)
    except PbemError:
        situation = unread_situation(session)
    locate = partial(command_at, session.place)
    return say_step_after_mail(next_step(situation), situation, locate)


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
    failed = list[Failed]()
    for one in several:
        print(f"{clean(one or '')}:")
        with caught(failed, one):
            writer = BundleWriter(Session(one, seat), everything, only_new, again)
            write_bundles(writer, writer.parcels())
    raise SystemExit(worst({one.exit for one in failed if one.exit != NOT_YET}))


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
