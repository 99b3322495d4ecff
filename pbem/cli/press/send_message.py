"""Write a message into the game's folder, for `tell` and for the web page of messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pbem.cli.failure import NOT_YET, CliError

if TYPE_CHECKING:
    from pbem.cli.press.messages_here import MessagesHere
    from pbem.cli.session.session import Session
    from pbem.format.keys import SigningKey
    from pbem.play.view import View
    from pbem.records.press.message_record import Press
    from pbem.records.read_record import Record


class Sent(NamedTuple):
    """A message in the folder."""

    record: Record[Press]
    receiver: str
    """Who it is for: a seat or `referee`; empty for everybody."""
    again: bool
    """Whether it had been signed before: you have said the same thing twice."""


def send_message(
    session: Session,
    view: View,
    text: str,
    to: str,
    as_referee: bool,
    *,
    once_more: bool = False,
) -> Sent:
    """Sign a message and write it into the folder.

    `to` is a seat's letter or a name; empty means all players. If your last message since the last
    turn says the same to the same people, that message is written again, with the same bytes: a
    command that was killed can be repeated. With `once_more`, a new message is signed nevertheless,
    unless the last one was never reported to the user. Raises CliError.
    """
    from pbem.cli.press.addressee import addressee, writer_here
    from pbem.cli.press.messages_here import MessagesHere

    said = lines_of_text(text)
    if not view.published:
        raise CliError("you can write messages as soon as turn 1 is here", "pbem status", NOT_YET)
    writer = writer_here(session, as_referee)
    receiver = addressee(view, to, writer) if to else ""
    return _Writing(MessagesHere(session, view), writer, receiver).send(said, once_more)


def note_told(session: Session, record: Record[Press]) -> None:
    """Remember that the user was told that this message is in the folder."""
    from pbem.cli.session.seen_on_this_machine import note_reported

    note_reported(session.mine, subject_of(record.content.writer), record.file)


def subject_of(writer: str) -> str:
    """Return the word under which the home keeps the last message of a writer."""
    return f"message-{writer}"


def lines_of_text(text: str) -> tuple[str, ...]:
    """Return the lines of a message. Raises CliError if a message cannot contain this text."""
    from pbem.format.errors import RecordError
    from pbem.play.press.write_message import lines_of

    try:
        return lines_of(text)
    except RecordError as error:
        raise CliError(error.sentence) from None


class _Writing:
    """A message that one person writes to another, or to all."""

    def __init__(self, here: MessagesHere, writer: str, receiver: str) -> None:
        from pbem.records.press.message_record import REFEREE

        self.here, self.writer, self.receiver = here, writer, receiver
        self.session, self.turn = here.session, here.view.published
        self.head = bytes.fromhex(here.view.published_head)
        session = self.session
        self.key: SigningKey = (
            session.referee_key() if writer == REFEREE else session.seat_key(writer)
        )
        records = here.reader.records({self.turn}) if session.listing.press else []
        self.mine = [record for record in records if record.content.writer == writer]

    def send(self, said: tuple[str, ...], once_more: bool) -> Sent:
        """Sign the message, or find the one that says the same, and write it into the folder."""
        from pbem.cli.session.seen_on_this_machine import note_signed
        from pbem.play.press.read_messages import path_of

        before = self._said_already(said, once_more)
        record = before or self._signed(said)
        if before is None:
            note_signed(self.session.mine, subject_of(self.writer), record.file)
        self.session.folder.create(path_of(record), record.file)
        return Sent(record, self.receiver, before is not None)

    def _said_already(self, said: tuple[str, ...], once_more: bool) -> Record[Press] | None:
        """Return the message that says the same; None if the writer has to sign a new one.

        It is the writer's last message since the last turn, in the folder or only in the home. It
        may also be older, if the command that wrote it into the folder never reported it.
        """
        from pbem.cli.session.seen_on_this_machine import last_signed
        from pbem.play.press.read_messages import path_of

        kept, reported = last_signed(self.session.mine, subject_of(self.writer))
        here = {found.path for found in self.session.listing.press}
        if kept and not reported and path_of(kept) in here and self._says(kept, said):
            return kept
        used = {record.content.number for record in self.mine}
        mine = [record for record in self.mine if record.signed.key == self.key.public]
        if kept and self._fits(kept) and kept.content.number not in used:
            mine.append(kept)  # the command was killed before it wrote the message
        last = max(mine, key=lambda record: record.content.number, default=None)
        if last is None or not self._says(last, said):
            return None
        told = reported if kept and kept.id == last.id else True
        return None if once_more and told else last

    def _fits(self, record: Record[Press]) -> bool:
        """Return whether a message was signed with the writer's key after the last turn."""
        place = record.content.turn, record.content.prev, record.signed.key
        return place == (self.turn, self.head, self.key.public)

    def _says(self, record: Record[Press], said: tuple[str, ...]) -> bool:
        """Return whether a message says this to the same people."""
        opened = self.here.reader.messages([record], [self.here.reader_for(self.writer)])
        return any((one.to, one.lines) == (self.receiver, said) for one in opened)

    def _signed(self, said: tuple[str, ...]) -> Record[Press]:
        from pbem.cli.clock import now
        from pbem.play.press.write_message import make_message

        place = self.session.game_folder.game, self.turn, self.head
        who = self.here.reader_for(self.writer)
        return make_message(
            place, self._number(), now(), said, who, self.key, self.receiver, self.here.seating
        )

    def _number(self) -> int:
        """Return the first message number that this writer has not used after this turn."""
        from pbem.records.press.message_record import MOST_MESSAGES

        free = set(range(1, MOST_MESSAGES + 1)) - {one.content.number for one in self.mine}
        if not free:
            told = (
                f"you have written {MOST_MESSAGES} messages since turn {self.turn}, the most "
                "allowed"
            )
            raise CliError(told, "write again after the next turn", NOT_YET)
        return min(free)
