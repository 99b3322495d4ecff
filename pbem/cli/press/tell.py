"""The command `tell`: write a message to everybody, or to one person only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pbem.cli.command_line.declarations import Argument, Option
from pbem.cli.failure import CliError
from pbem.cli.options import FolderOption, JsonOption, PassphraseOption

if TYPE_CHECKING:
    from pbem.cli.press.send_message import Sent
    from pbem.cli.session.session import Session


def tell(
    text: Annotated[
        list[str] | None,
        Argument(metavar="TEXT", help="What you want to say. Use - to read it from a pipe."),
    ] = None,
    to: Annotated[
        str,
        Option(
            "--to",
            metavar="SEAT",
            help="The only person who may read the message: a seat, a name or referee; or all.",
        ),
    ] = "",
    seat: Annotated[
        str | None,
        Option("--as", metavar="SEAT", help="Which of your seats to write as, or referee."),
    ] = None,
    again: Annotated[
        bool, Option("--again", help="Send the message once more, although you have just sent it.")
    ] = False,
    folder: FolderOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Write a message to all players, or to one of them that nobody else can read."""
    from pbem.cli.press.addressee import ask_who, name_of
    from pbem.cli.press.send_message import lines_of_text, note_told, send_message
    from pbem.cli.session.session import Session
    from pbem.records.press.message_record import REFEREE

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
    import sys

    if words == ["-"]:
        from pbem.play.press.write_message import MOST_TYPED

        if sys.stdin.isatty():
            from pbem.cli.failure import say

            say("write your message, then press Enter and Ctrl-D (Windows: Ctrl-Z, Enter)")
        try:
            return sys.stdin.read(MOST_TYPED + 1)
        except UnicodeDecodeError:
            raise CliError("standard input is not UTF-8 text") from None
    if not words:
        raise CliError("there is no message", 'pbem tell "what you want to say"')
    return " ".join(words)


def _report(session: Session, sent: Sent, name: str) -> None:
    from pbem.cli.session.mail_hints import mail_hint, sending_hint

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
    from pbem.cli.json_output import print_data
    from pbem.play.press.read_messages import path_of

    press = sent.record.content
    told = {"from": press.writer, "to": sent.receiver, "turn": press.turn, "number": press.number}
    told |= {"id": sent.record.id.hex(), "path": path_of(sent.record), "again": sent.again}
    print_data("tell", told)
