"""`tell`: write a message to all, or to one person only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.failure import NOT_YET, CliError
from pbem.cli.options import FolderOption, JsonOption, PassphraseOption

if TYPE_CHECKING:
    from pbem.cli.press.messages_here import MessagesHere
    from pbem.cli.session.session import Session
    from pbem.play.view import View
    from pbem.records.press.message_record import Press
    from pbem.records.read_record import Record


def tell(
    text: Annotated[
        list[str] | None,
        typer.Argument(metavar="TEXT", help="What you want to say; - reads it from a pipe."),
    ] = None,
    to: Annotated[
        str,
        typer.Option("--to", metavar="SEAT", help="The only reader: a seat, a name or referee."),
    ] = "",
    seat: Annotated[
        str | None,
        typer.Option("--as", metavar="SEAT", help="Which of your seats writes, or referee."),
    ] = None,
    folder: FolderOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Write a message to all players, or to one of them that nobody else can read."""
    from pbem.cli.press.addressee import addressee, name_of, writer_here
    from pbem.cli.press.messages_here import MessagesHere
    from pbem.cli.session.session import Session
    from pbem.records.press.message_record import REFEREE

    said = _lines(_text(text or []))
    as_referee = (seat or "").casefold() == REFEREE
    session = Session(folder, None if as_referee else seat, passphrase_file)
    view = session.view(fresh=True)
    if not view.published:
        raise CliError("messages can be written once turn 1 is here", "pbem status", NOT_YET)
    writer = writer_here(session, as_referee)
    receiver = addressee(view, to, writer) if to else ""
    here = MessagesHere(session, view)
    record = _write(here, writer, receiver, said)
    if json:
        _print_data(record, receiver)
    else:
        _report(session, view, record, name_of(view, receiver))


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


def _lines(text: str) -> tuple[str, ...]:
    """The lines of the message. Raises CliError for what a message cannot hold."""
    from pbem.format.errors import RecordError
    from pbem.play.press.write_message import lines_of

    try:
        return lines_of(text)
    except RecordError as error:
        raise CliError(error.sentence) from None


def _write(here: MessagesHere, writer: str, receiver: str, said: tuple[str, ...]) -> Record[Press]:
    """Sign the message and put it into the folder."""
    from pbem.cli.clock import now
    from pbem.play.press.read_messages import path_of
    from pbem.play.press.write_message import make_message
    from pbem.records.press.message_record import REFEREE

    session, view = here.session, here.view
    turn = view.published
    place = session.game_folder.game, turn, bytes.fromhex(view.published_head)
    as_referee = writer == REFEREE
    key = session.referee_key() if as_referee else session.seat_key(writer)
    number = _number(here, turn, writer)
    who = here.reader_for(writer)
    record = make_message(place, number, now(), said, who, key, receiver, here.seating)
    session.folder.create(path_of(record), record.file)
    return record


def _number(here: MessagesHere, turn: int, writer: str) -> int:
    """The first number that this writer has not used after this turn."""
    from pbem.records.press.message_record import MOST_MESSAGES

    records = here.reader.records({turn}) if here.session.listing.press else []
    used = {r.content.number for r in records if r.content.writer == writer}
    free = set(range(1, MOST_MESSAGES + 1)) - used
    if not free:
        told = (
            f"you have written {MOST_MESSAGES} messages after turn {turn}, and no more will count"
        )
        raise CliError(told, "write again after the next turn", NOT_YET)
    return min(free)


def _report(session: Session, view: View, record: Record[Press], name: str) -> None:
    from pbem.cli.mail.mail_hints import mail_hint, sending_hint

    digits = record.id.hex()[:6]
    if name:
        print(f"your message to {name} is in the folder ({digits}); only {name} can open it,")
        print("and the others see that you wrote to somebody")
    else:
        print(f"your message to all is in the folder ({digits})")
    if session.roles.referee:
        mail_hint(session)
    else:
        sending_hint(session)


def _print_data(record: Record[Press], receiver: str) -> None:
    from pbem.cli.json_output import print_data
    from pbem.play.press.read_messages import path_of

    press = record.content
    told = {"from": press.writer, "to": receiver, "turn": press.turn, "number": press.number}
    print_data("tell", told | {"id": record.id.hex(), "path": path_of(record)})
