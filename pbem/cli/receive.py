"""The command `receive`: read what came by mail, and put it in place."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from pbem.acts.players_email_replies import CHANGING_FATES, ReplyResult
from pbem.acts.receive_mail import Arrived, TakenMail, take_in
from pbem.cli.shared_options import FolderOption
from pbem.errors import KEY, CliError, PbemError
from pbem.files.disk import read_file
from pbem.files.file_errors import FileError
from pbem.files.home import Home
from pbem.format.record_error import EXIT, WORST_FIRST
from pbem.mail.find_game_by_id import Places
from pbem.mail.unpack_mail import MAX_POST
from pbem.person.due_mail import due_mail
from pbem.person.keyring import Keyring
from pbem.person.next_step import next_step
from pbem.person.session import Session
from pbem.person.situation import situation_of, unread_situation
from pbem.person.user_game import named_place
from pbem.terminal.clean_text import clean
from pbem.terminal.command_failures import complain
from pbem.terminal.commands_and_paths_to_type import brief, command_at
from pbem.terminal.printing import say
from pbem.wording.due_and_written_mail import due_mail_lines
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
    places, keyring = Places(home, Path("."), place), Keyring(home)
    taken_mail = take_in(mails, places, keyring, on_reply=_print_reply)
    _print_deliveries(taken_mail)
    exit_code = _print_refusals(taken_mail)
    if exit_code:
        raise SystemExit(exit_code)


def _read(file: str) -> Arrived:
    """Return the contents of a file with its name; for `-`, of standard input. Raises CliError if
    the file is missing or longer than `MAX_POST` bytes."""
    if file == "-":
        if sys.stdin.isatty():
            say(PASTE_EMAIL_SENTENCE)
        content, name = sys.stdin.buffer.read(MAX_POST + 1), PASTED_SOURCE
        if len(content) <= MAX_POST:
            return Arrived(content, name)
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
    """Print the fate of a reply to an email from pbem, and where the answer to it is."""
    seat, letter = result.seat, result.letter
    if seat is None:
        complain(f"{result.reply.source}: {result.sentence}")
        return
    print(f"{clean(seat.view.title)}, turn {seat.view.turn}: {result.sentence}")
    if letter and result.path:
        print(wrote_answer_line(brief(result.path), letter.name))
        say(send_answer_line(letter.address))
    if result.fate in ("said", "conceded"):
        for line in due_mail_lines(due_mail(seat.referee), seat.referee):
            say(line)


def _print_deliveries(taken_mail: TakenMail) -> None:
    """Print the news of each game that got files, and its next step; then the next step of each
    game in which only replies changed something."""
    sessions_by_game = {
        result.seat.referee.game_folder.game: result.seat.referee
        for result in taken_mail.replies
        if result.seat and result.fate in CHANGING_FATES
    }
    for session, filer, late_sentences in taken_mail.deliveries:
        print("\n".join(delivery_lines(filer, late_sentences)))
        print(f"next: {_next_step_text(session)}")
        sessions_by_game.pop(session.game_folder.game, None)
    for session in sessions_by_game.values():
        session.refresh()
        print(f"next: {_next_step_text(session)}")


def _print_refusals(taken_mail: TakenMail) -> int:
    """Print which files were repaired, refused and kept; return the exit code for all of them, 0 if
    none was refused. A file that waits for an earlier one gets a note, not an error."""
    sys.stdout.flush()
    if taken_mail.repaired_files:
        say(repaired_line(taken_mail.repaired_files))
    for refusal in taken_mail.refusals:
        sentence = f"{refusal.source}: {refusal.sentence}"
        is_waiting = refusal.reason == "parent"
        if is_waiting:
            say(f"note: {clean(sentence)}")
        else:
            complain(sentence)
    for folder in dict.fromkeys(path.parent for path in taken_mail.kept_paths):
        paths = [str(path) for path in taken_mail.kept_paths if path.parent == folder]
        for line in kept_file_lines(folder, paths):
            say(line)
    codes = {KEY for result in taken_mail.replies if result.fate == "forged"}
    codes |= {EXIT[refusal.reason] for refusal in taken_mail.refusals}
    return next((code for code in WORST_FIRST if code in codes), 0)


def _next_step_text(session: Session) -> str:
    """Return the next step, in words, in a game for which something arrived."""
    try:
        with session.keyring.not_asking():  # `receive` needs no key just to say what is next
            situation = situation_of(session)
    except PbemError:
        situation = unread_situation(session)
    locate = partial(command_at, session.place)
    return say_step_after_mail(next_step(situation), situation, locate)
