"""The command `tell`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from pbem.cli.options import FolderOption, JsonOption, PassphraseOption
from pbem.desk.base import print_data, say
from pbem.desk.press import Sent, ask_who, lines_of_text, name_of, note_told, send_message
from pbem.desk.session import Session, mail_hint, sending_hint
from pbem.errors import CliError
from pbem.game.press import MOST_TYPED, path_of
from pbem.records.press import REFEREE


def tell(
    text: Annotated[
        list[str] | None,
        typer.Argument(metavar="TEXT", help="What you want to say. Use - to read it from a pipe."),
    ] = None,
    to: Annotated[
        str,
        typer.Option(
            "--to",
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
    said = _text(text or [])
    lines_of_text(said)  # report a text that a message cannot contain before asking for a key
    as_referee = (seat or "").casefold() == REFEREE
    session = Session(folder, None if as_referee else seat, passphrase_file)
    view = session.view(fresh=True)
    if not to:
        ask_who(view, text or [])
    sent = send_message(session, view, said, to, as_referee, once_more=again)
    if json:
        _print_data(sent)
    else:
        _report(session, sent, name_of(view, sent.receiver))
    note_told(session, sent.record)


def _text(words: list[str]) -> str:
    if words == ["-"]:
        if sys.stdin.isatty():
            say("write your message, then press Enter and Ctrl-D (Windows: Ctrl-Z, Enter)")
        try:
            return sys.stdin.read(MOST_TYPED + 1)
        except UnicodeDecodeError:
            raise CliError("standard input is not UTF-8 text") from None
    if not words:
        raise CliError("there is no message", 'pbem tell "what you want to say"')
    return " ".join(words)


def _report(session: Session, sent: Sent, name: str) -> None:
    digits = sent.record.id.hex()[:6]
    if sent.again:
        print("you have just said this, so nothing new was written; to say it again, add --again")
    if name:
        print(f"your message to {name} is in the folder ({digits}); only {name} can open it,")
        print("and the others see that you wrote to somebody")
    else:
        print(f"your message to all is in the folder ({digits})")
    if session.roles.referee:
        mail_hint(session)
    else:
        sending_hint(session)


def _print_data(sent: Sent) -> None:
    press = sent.record.content
    told = {"from": press.writer, "to": sent.receiver, "turn": press.turn, "number": press.number}
    told |= {"id": sent.record.id.hex(), "path": path_of(sent.record), "again": sent.again}
    print_data("tell", told)
