"""Read what came by mail for the person here, and say what to do next."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path

from pbem.acts.replies import CHANGES, Replies, ReplyResult
from pbem.errors import KEY, CliError, PbemError
from pbem.files.disk import FileError, read_file
from pbem.files.home import Home
from pbem.format.canonical import EXIT, WORST_FIRST
from pbem.mail.filing import Places, Receiving, RecordFiler
from pbem.mail.opening import MAX_POST
from pbem.mail.sending import MissingFiles, what_is_in
from pbem.person.books import SentMail
from pbem.person.by_mail import due_mail
from pbem.person.next_step import next_step
from pbem.person.session import Session
from pbem.person.situation import situation_of, unread_situation
from pbem.person.user_game import named_place
from pbem.records.charter import Join, Orders
from pbem.records.notice import Notice
from pbem.records.press import REFEREE, Press
from pbem.records.turn import Turn
from pbem.terminal.commands import command_at, way_to
from pbem.terminal.failures import complain
from pbem.terminal.terminal import brief, clean, say
from pbem.wording.due_mail import describe_due_mail
from pbem.wording.next_step import say_step_after_mail
from pbem.wording.received_mail import (
    kept_file_lines,
    late_orders_line,
    news_line,
    repaired_line,
    send_answer_line,
    wrote_answer_line,
)

# ---- Read mail for the command `receive`, and print what came


def fetch(files: list[str], folder: str | None) -> int:
    """Read everything in these files; return the worst exit code. Raises StorageError."""
    home, place = Home.find(), named_place(folder)
    intake, results = Receiving(Places(home, Path("."), place)), list[ReplyResult]()

    def report(result: ReplyResult) -> None:
        results.append(result)
        seat, letter = result.seat, result.letter
        if seat is None:
            complain(f"{result.reply.source}: {result.told}")
            return
        print(f"{clean(seat.view.title)}, turn {seat.view.turn}: {result.told}")
        if letter and result.path:
            print(wrote_answer_line(brief(result.path), letter.name))
            say(send_answer_line(letter.to))
        if result.fate in ("said", "conceded"):
            for line in describe_due_mail(due_mail(seat.referee), seat.referee.name_of):
                say(line)

    replies = Replies(home, report, folder=place)
    for file in files:
        data, name = _read(file)
        if not replies.take(data, name):
            intake.open(data, name)
    intake.deliver()
    acted = [result.seat.referee for result in results if result.seat and result.fate in CHANGES]
    changed = {session.game_folder.game: session for session in acted}
    for delivery in intake.deliveries:
        session = Session(delivery.root, home=home)
        print("\n".join(what_came(session, delivery)))
        print(f"next: {say_next_step(session)}")
        changed.pop(session.game_folder.game, None)
    for session in changed.values():
        session.refresh()
        print(f"next: {say_next_step(session)}")
    codes = {KEY for result in results if result.fate == "forged"} | _complaints(intake)
    return next((code for code in WORST_FIRST if code in codes), 0)


def _read(file: str) -> tuple[bytes, str]:
    if file == "-":
        if sys.stdin.isatty():
            say("paste the email here, then press Enter and Ctrl-D (Windows: Enter, Ctrl-Z, Enter)")
        data, name = sys.stdin.buffer.read(MAX_POST + 1), "what you pasted"
        if len(data) <= MAX_POST:
            return data, name
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
            return read_file(Path(path), MAX_POST), os.path.basename(file)
        except FileError as error:
            if error.reason != "size":
                raise
    hint = "save only this game's emails to a file, and give the path of that file"
    raise CliError(f"{name} is longer than {MAX_POST >> 20} MB", hint, KEY)


def what_came(session: Session, delivery: RecordFiler) -> list[str]:
    """Return sentences on what a game received; also notes who sends mail in this game."""
    _remember(session, delivery)
    contents = what_is_in(delivery.new) if delivery.new else ""
    folder, is_new = way_to(delivery.root).location, bool(delivery.made)
    news = news_line(delivery.title, contents, delivery.here, folder, is_new_folder=is_new)
    return [news, *map(late_orders_line, _late(session, delivery))]


def _late(session: Session, delivery: RecordFiler) -> list[str]:
    turns = [record.content.turn for record in delivery.new if isinstance(record.content, Turn)]
    own = sorted(session.roles.seats.keys() - session.roles.held_seats)
    if not turns or not own:
        return []
    try:
        lacks = MissingFiles(session.game_folder)
    except FileError:  # `status` says which file is not a turn
        return []
    return [told for seat in own for told in lacks.late(seat, min(turns) - 1)]


def _remember(session: Session, delivery: RecordFiler) -> None:
    if not session.roles.referee:
        SentMail(session.game_home).note_received([REFEREE])
        return
    others = [r for r in delivery.new if r.content.seat not in session.roles.seats]
    acts = [r.content for r in others if isinstance(r.content, Orders | Press | Notice)]
    joins = [record.id for record in others if isinstance(record.content, Join)]
    senders = {content.seat for content in acts if content.seat}
    SentMail(session.game_home).note_received(senders, joins)


# ------------------------------------------------------------------ what was not
def _complaints(intake: Receiving) -> set[int]:
    sys.stdout.flush()
    if intake.repaired:
        say(repaired_line(intake.repaired))
    for refusal in intake.refusals:
        what = f"{refusal.source}: {refusal.sentence}"
        say(f"note: {clean(what)}") if refusal.reason == "parent" else complain(what)
    for folder in dict.fromkeys(path.parent for path in intake.kept):
        paths = [str(path) for path in intake.kept if path.parent == folder]
        for line in kept_file_lines(folder, paths):
            say(line)
    return {EXIT[refusal.reason] for refusal in intake.refusals}


# ---- Say after `receive` what to type next, as `pbem status` would


def say_next_step(session: Session) -> str:
    """Return what to do next in a game for which something arrived."""
    try:
        with session.keyring.not_asking():  # `receive` needs no key just to say what is next
            situation = situation_of(session)
    except PbemError:
        situation = unread_situation(session)
    locate = partial(command_at, session.place)
    return say_step_after_mail(next_step(situation), situation, locate)
