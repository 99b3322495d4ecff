"""The command `tell`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from pbem.cli.options import FolderOption, JsonOption, PassphraseOption
from pbem.desk.base import print_data, say
from pbem.desk.press import ask_who, lines_of_text, name_of, note_told, send_message
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
    words = text or []
    said = _piped() if words == ["-"] else " ".join(words)
    if not words:
        raise CliError("there is no message", 'pbem tell "what you want to say"')
    lines_of_text(said)  # report a text that a message cannot contain before asking for a key
    as_referee = (seat or "").casefold() == REFEREE
    session = Session(folder, None if as_referee else seat, passphrase_file)
    view = session.view(fresh=True)
    if not to:
        ask_who(view, words)
    sent = send_message(session, view, said, to, as_referee, once_more=again)
    press, ident, name = sent.record.content, sent.record.id.hex(), name_of(view, sent.receiver)
    if json:
        data = {"from": press.writer, "to": sent.receiver, "turn": press.turn}
        data |= {"number": press.number, "id": ident, "path": path_of(sent.record)}
        print_data("tell", data | {"again": sent.again})
        note_told(session, sent.record)
        return
    if sent.again:
        print("you have just said this, so nothing new was written; to say it again, add --again")
    if name:
        print(f"your message to {name} is in the folder ({ident[:6]}); only {name} can open it,")
        print("and the others see that you wrote to somebody")
    else:
        print(f"your message to all is in the folder ({ident[:6]})")
    if session.roles.referee:
        mail_hint(session)
    else:
        sending_hint(session)
    note_told(session, sent.record)


def _piped() -> str:
    """Read a message from a pipe, or as somebody types it. Raises CliError."""
    if sys.stdin.isatty():
        say("write your message, then press Enter and Ctrl-D (Windows: Ctrl-Z, Enter)")
    try:
        return sys.stdin.read(MOST_TYPED + 1)
    except UnicodeDecodeError:
        raise CliError("standard input is not UTF-8 text") from None
