"""Write a message into the game's folder, for `tell` and for the web page of messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.failure import NOT_YET, CliError

if TYPE_CHECKING:
    from pbem.cli.press.messages_here import MessagesHere
    from pbem.cli.session.session import Session
    from pbem.play.view import View
    from pbem.records.press.message_record import Press
    from pbem.records.read_record import Record


def send_message(
    session: Session, view: View, text: str, to: str, as_referee: bool
) -> tuple[Record[Press], str]:
    """Sign a message and write it into the folder; return it with its recipient (seat or
    `referee`).

    `to` is a seat's letter or a name; empty means all players. Raises CliError.
    """
    from pbem.cli.press.addressee import addressee, writer_here
    from pbem.cli.press.messages_here import MessagesHere

    said = lines_of_text(text)
    if not view.published:
        raise CliError("you can write messages as soon as turn 1 is here", "pbem status", NOT_YET)
    writer = writer_here(session, as_referee)
    receiver = addressee(view, to, writer) if to else ""
    return _write(MessagesHere(session, view), writer, receiver, said), receiver


def lines_of_text(text: str) -> tuple[str, ...]:
    """Return the lines of a message. Raises CliError if a message cannot contain this text."""
    from pbem.format.errors import RecordError
    from pbem.play.press.write_message import lines_of

    try:
        return lines_of(text)
    except RecordError as error:
        raise CliError(error.sentence) from None


def _write(here: MessagesHere, writer: str, receiver: str, said: tuple[str, ...]) -> Record[Press]:
    """Sign the message and write it into the folder."""
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
    """Return the first message number that this writer has not used after this turn."""
    from pbem.records.press.message_record import MOST_MESSAGES

    records = here.reader.records({turn}) if here.session.listing.press else []
    used = {r.content.number for r in records if r.content.writer == writer}
    free = set(range(1, MOST_MESSAGES + 1)) - used
    if not free:
        told = f"you have written {MOST_MESSAGES} messages since turn {turn}, the most allowed"
        raise CliError(told, "write again after the next turn", NOT_YET)
    return min(free)
