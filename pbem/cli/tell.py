"""The command `tell`: write a message to all players, or to one of them."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from pbem.acts.send_message import (
    check_recipient,
    format_person,
    lines_of_text,
    note_message_reported,
    send_message,
)
from pbem.cli.shared_options import FolderOption, JsonOption, PassphraseOption
from pbem.errors import CliError
from pbem.judge.read_and_check_record_file import file_name
from pbem.judge.read_and_make_messages import MAX_INPUT_CHARACTERS
from pbem.person.due_mail import due_mail, mail_method
from pbem.person.next_step import step_after_signing
from pbem.person.session import Session
from pbem.records.press_message import REFEREE
from pbem.terminal.clean_text import clean
from pbem.terminal.json_and_progress import print_data
from pbem.terminal.printing import say
from pbem.wording.due_and_written_mail import due_mail_lines
from pbem.wording.next_step import next_line_after_signing
from pbem.wording.player_message_receipt import (
    SENT_BEFORE_SENTENCE,
    WRITE_IT_SENTENCE,
    sent_message_line,
    shown_by_email_line,
)


def tell(
    text: Annotated[
        list[str] | None,
        typer.Argument(metavar="TEXT", help="What you want to say. Use - to read it from a pipe."),
    ] = None,
    to: Annotated[
        str,
        typer.Option(
            metavar="SEAT",
            help="Who may read the message: a seat, a name, `referee` or `all`.",
        ),
    ] = "",
    seat: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="SEAT",
            help="Who writes the message, if you have several seats: one of them, or `referee`.",
        ),
    ] = None,
    again: Annotated[
        bool,
        typer.Option("--again", help="Send the message once more, although you have just sent it."),
    ] = False,
    folder: FolderOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Write a message to all players, or to one of them that nobody else can read."""
    words = text or []
    message = _piped_message() if words == ["-"] else " ".join(words)
    if not words:
        raise CliError("there is no message", 'pbem tell "what you want to say"')
    lines_of_text(message)  # report a text that a message cannot contain before asking for a key
    as_referee = (seat or "").casefold() == REFEREE
    session = Session(folder, None if as_referee else seat, passphrase_file)
    view = session.view(skip_cache=True)
    if not to:
        check_recipient(view, words)
    sent_message = send_message(session, view, message, to, as_referee, signs_again=again)
    record, recipient = sent_message.record, sent_message.recipient
    press, message_id = record.content, record.id.hex()
    if json:
        data = {"from": press.writer, "to": recipient, "turn": press.turn}
        data |= {"number": press.number, "id": message_id, "path": file_name(record).path}
        print_data("tell", data | {"again": sent_message.is_repeat})
        note_message_reported(session, record)
        return
    if sent_message.is_repeat:
        print(SENT_BEFORE_SENTENCE)
    print(sent_message_line(message_id, format_person(view, recipient)))
    mail_seats = [s for s in view.by_mail if recipient in ("", s) and s != press.writer]
    if mail_seats:
        print(shown_by_email_line(clean(view.names[mail_seat]) for mail_seat in mail_seats))
    if session.roles.referee:
        for line in due_mail_lines(due_mail(session), session):
            say(line)
    else:
        next_step = step_after_signing(mail_method(session))
        next_line = next_line_after_signing(next_step, session.place)
        if next_line:
            print(next_line)
    note_message_reported(session, record)


def _piped_message() -> str:
    """Return the message from standard input; one character too many, if it is too long. Raises
    CliError if the input is not UTF-8."""
    if sys.stdin.isatty():
        say(WRITE_IT_SENTENCE)
    try:
        return sys.stdin.read(MAX_INPUT_CHARACTERS + 1)
    except UnicodeDecodeError:
        raise CliError("what you typed or piped is not UTF-8 text") from None
