"""The command `tell`: write a message to all players, or to one of them."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from pbem.acts.press import (
    check_recipient,
    format_person,
    lines_of_text,
    note_reported,
    send_message,
)
from pbem.cli.options import FolderOption, JsonOption, PassphraseOption
from pbem.errors import CliError
from pbem.judge.press import MAX_INPUT_CHARACTERS
from pbem.judge.record_files import file_name
from pbem.person.by_mail import due_mail, mail_method
from pbem.person.next_step import step_after_signing
from pbem.person.session import Session
from pbem.records.press import REFEREE
from pbem.terminal.output import print_data
from pbem.terminal.terminal import clean, say
from pbem.wording.due_mail import describe_due_mail
from pbem.wording.messages import (
    SENT_BEFORE_SENTENCE,
    WRITE_IT_SENTENCE,
    sent_message_line,
    shown_by_email_line,
)
from pbem.wording.next_step import next_line_after_signing


def tell(
    text: Annotated[
        list[str] | None,
        typer.Argument(metavar="TEXT", help="What you want to say. Use - to read it from a pipe."),
    ] = None,
    to: Annotated[
        str,
        typer.Option(
            metavar="SEAT",
            help="The only person who may read the message: a seat, a name or referee; or all.",
        ),
    ] = "",
    seat: Annotated[
        str | None,
        typer.Option("--as", metavar="SEAT", help="Which of your seats to write as, or referee."),
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
    said = _piped() if words == ["-"] else " ".join(words)
    if not words:
        raise CliError("there is no message", 'pbem tell "what you want to say"')
    lines_of_text(said)  # report a text that a message cannot contain before asking for a key
    as_referee = (seat or "").casefold() == REFEREE
    session = Session(folder, None if as_referee else seat, passphrase_file)
    view = session.view(skip_cache=True)
    if not to:
        check_recipient(view, words)
    sent = send_message(session, view, said, to, as_referee, signs_again=again)
    press, message_id = sent.record.content, sent.record.id.hex()
    name = format_person(view, sent.recipient)
    if json:
        data = {"from": press.writer, "to": sent.recipient, "turn": press.turn}
        data |= {"number": press.number, "id": message_id, "path": file_name(sent.record).path}
        print_data("tell", data | {"again": sent.is_repeat})
        note_reported(session, sent.record)
        return
    if sent.is_repeat:
        print(SENT_BEFORE_SENTENCE)
    print(sent_message_line(message_id, name))
    if seats := [s for s in view.by_mail if sent.recipient in ("", s) and s != press.writer]:
        print(shown_by_email_line(clean(view.names[seat]) for seat in seats))
    if session.roles.referee:
        for line in describe_due_mail(due_mail(session), session.name_of):
            say(line)
    elif line := next_line_after_signing(step_after_signing(mail_method(session)), session.place):
        print(line)
    note_reported(session, sent.record)


def _piped() -> str:
    if sys.stdin.isatty():
        say(WRITE_IT_SENTENCE)
    try:
        return sys.stdin.read(MAX_INPUT_CHARACTERS + 1)
    except UnicodeDecodeError:
        raise CliError("standard input is not UTF-8 text") from None
