"""Messages: the recipient that somebody means, and writing one."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pbem.errors import NOT_YET, CliError
from pbem.files.home import note_if_writable
from pbem.format.record_error import RecordError
from pbem.judge.game_view import View
from pbem.judge.read_and_check_record_file import file_name
from pbem.judge.read_and_make_messages import (
    lines_of,
    make_message,
)
from pbem.person.last_signed_record import last_signed_record
from pbem.person.readable_messages import MessagesHere
from pbem.person.session import Session
from pbem.records.press_message import REFEREE, Press
from pbem.records.read_and_sign_record import Record
from pbem.records.record_count_and_size_limits import MAX_MESSAGES
from pbem.terminal.clean_text import clean
from pbem.text.clock import now
from pbem.text.terminal_and_page_wording import to_type

# ---- Find out who writes a message, and who gets it

WORD_FOR_ALL = "all"
"""The word for all players, as the recipient of a message."""
TOO_MANY_MESSAGES = f"you can write at most {MAX_MESSAGES} messages between two turns"
AFTER_NEXT_TURN_HINT = "write again after the next turn"


def person_called(typed_name: str, names: Mapping[str, str], hint: str) -> str:
    """Return the seat, or `referee`, whose name, or which itself, was typed. Raises CliError."""
    seats_by_name = {name.casefold(): seat for seat, name in names.items()} | {
        seat: seat for seat in names
    }
    folded_name = typed_name.strip().casefold()
    if folded_name in seats_by_name:
        return seats_by_name[folded_name]
    close_matches = difflib.get_close_matches(folded_name, seats_by_name, 1)
    hint = f"did you mean {clean(close_matches[0])}?" if close_matches else hint
    raise CliError(f"nobody here is called {typed_name!r}", hint)


def addressee(view: View, typed_recipient: str, writer: str) -> str:
    """Return the seat, or `referee`, that a typed letter or name means; empty for `all`. Raises
    CliError."""
    names = {REFEREE: view.referee, **view.names}
    if (
        typed_recipient.strip().casefold() == WORD_FOR_ALL
    ):  # also if a changed program signed a join as `all`
        return ""
    seats = ", ".join(f"{seat} ({clean(name)})" for seat, name in sorted(view.names.items()))
    recipient = person_called(
        typed_recipient, names, to_type(f"--to takes one of: {seats}, referee, all")
    )
    if recipient == writer:
        raise CliError("you cannot write to yourself", to_type("to write to all, leave out --to"))
    if recipient in view.bots:
        raise CliError(f"{format_person(view, recipient)} is a bot: nobody reads what you write")
    return recipient


def check_recipient(view: View, words: Sequence[str]) -> None:
    """Raise CliError if a message without `--to` begins as if it were for one person only.

    `tell Bo hello` and `tell "Bo: hello"` do; `tell "Bo, hello"` does not. Nobody can take a
    message back, so it is better to ask.
    """
    first_word, _, other_words = " ".join(words).strip().partition(" ")
    person = first_word.removesuffix(":")
    if not other_words or (person == first_word and len(words) == 1):
        return
    names = (*view.names.values(), view.referee)
    if person.casefold() not in {*view.names, *(name.casefold() for name in names), REFEREE}:
        return
    question = f"is this message only for {clean(person)}, or for all? Nothing was written"
    raise CliError(question, to_type(f"add --to {clean(person)}, or --to all"))


def format_person(view: View, role: str) -> str:
    """Return the person's name and seat, as `Bo (b)`; empty if the message is for everybody."""
    return f"{clean(view.names.get(role, view.referee))} ({role})" if role else ""


# ---- Write a message into the game's folder, for `tell` and for the web page of messages


class SentMessage(NamedTuple):
    """A message in the folder."""

    record: Record[Press]
    recipient: str
    """The recipient: a seat or `referee`; empty for everybody."""
    is_repeat: bool
    """Whether it had been signed before: you have said the same thing twice."""


def send_message(
    session: Session,
    view: View,
    text: str,
    typed_recipient: str,
    as_referee: bool,
    *,
    signs_again: bool = False,
) -> SentMessage:
    """Sign a message and write it into the folder.

    `typed_recipient` is a seat's letter or a name; empty means all players. If your last message
    since the last turn says the same to the same people, that message is written again, with the
    same bytes: a command that was killed can be repeated. With `signs_again`, a new message is
    signed, unless the last one was never reported to the user. Raises CliError.
    """
    lines = lines_of_text(text)
    if not view.published:
        raise CliError(
            "you can write messages as soon as turn 1 is here", to_type("pbem status"), NOT_YET
        )
    if as_referee:
        session.refereeing.key()  # raises for anybody else
    as_referee = as_referee or (not session.seat and bool(session.roles.referee))
    writer = REFEREE if as_referee else session.need_seat()
    receiver = addressee(view, typed_recipient, writer) if typed_recipient else ""
    return _MessageWriter(MessagesHere(session, view), writer, receiver).send(lines, signs_again)


def note_message_reported(session: Session, record: Record[Press]) -> None:
    """Remember that the user was told that this message is in the folder."""
    note_if_writable(
        session.game_home.acts.note_reported,
        message_act_subject(record.content.writer),
        record.file,
    )


def message_act_subject(writer: str) -> str:
    """Return the word under which the home keeps the last message of a writer."""
    return f"message-{writer}"


def lines_of_text(text: str) -> tuple[str, ...]:
    """Return the lines of a message. Raises CliError if a message cannot contain this text."""
    try:
        return lines_of(text)
    except RecordError as error:
        raise CliError(error.sentence) from None


class _MessageWriter:
    def __init__(self, messages_here: MessagesHere, writer: str, receiver: str) -> None:
        self.messages_here, self.writer, self.receiver = messages_here, writer, receiver
        self.session, self.turn = messages_here.session, messages_here.view.published
        self.head = bytes.fromhex(messages_here.view.published_head)
        session = self.session
        self.key = session.refereeing.key() if writer == REFEREE else session.seat_key(writer)
        records = messages_here.reader.records({self.turn}) if session.listing.press else []
        self.own_records = [record for record in records if record.content.writer == writer]

    def send(self, lines: tuple[str, ...], signs_again: bool) -> SentMessage:
        """Sign the message, or find one with the same words; write it into the folder."""
        earlier_record = self._find_repeated(lines, signs_again)
        record = earlier_record or self._sign(lines)
        if earlier_record is None:
            note_if_writable(
                self.session.game_home.acts.keep, message_act_subject(self.writer), record.file
            )
        self.session.folder.create(file_name(record).path, record.file)
        return SentMessage(record, self.receiver, earlier_record is not None)

    def _find_repeated(self, lines: tuple[str, ...], signs_again: bool) -> Record[Press] | None:
        """Return the writer's last message since the last turn, from the folder or the home, if its
        words are the same. An older message counts too if its command never reported it."""
        kept_record, was_reported = last_signed_record(
            self.session.game_home, message_act_subject(self.writer)
        )
        press_paths = {file.path for file in self.session.listing.press}
        if (
            kept_record
            and not was_reported
            and file_name(kept_record).path in press_paths
            and self._has_same_words(kept_record, lines)
        ):
            return kept_record
        signed_records = [
            record for record in self.own_records if record.signed.key == self.key.public
        ]
        if kept_record and kept_record.content.number not in {
            record.content.number for record in self.own_records
        }:
            chain_place = kept_record.content.turn, kept_record.content.prev, kept_record.signed.key
            if chain_place == (self.turn, self.head, self.key.public):
                signed_records.append(
                    kept_record
                )  # the command was killed before it wrote the message
        last_record = max(signed_records, key=lambda record: record.content.number, default=None)
        if last_record is None or not self._has_same_words(last_record, lines):
            return None
        is_reported = was_reported if kept_record and kept_record.id == last_record.id else True
        return None if signs_again and is_reported else last_record

    def _has_same_words(self, record: Record[Press], lines: tuple[str, ...]) -> bool:
        opened = self.messages_here.reader.messages(
            [record], [self.messages_here.reader_for(self.writer)]
        )
        return any(
            (message.recipient, message.lines) == (self.receiver, lines) for message in opened
        )

    def _sign(self, lines: tuple[str, ...]) -> Record[Press]:
        """Sign the lines as a message with the lowest free number of this turn. Raises CliError if
        the writer has used all numbers."""
        free_numbers = set(range(1, MAX_MESSAGES + 1)) - {
            record.content.number for record in self.own_records
        }
        if not free_numbers:
            raise CliError(TOO_MANY_MESSAGES, AFTER_NEXT_TURN_HINT, NOT_YET)
        chain_place = self.session.game_folder.game, self.turn, self.head
        writer_reader = self.messages_here.reader_for(self.writer)
        return make_message(
            chain_place,
            min(free_numbers),
            now(),
            lines,
            writer_reader,
            self.key,
            self.receiver,
            self.messages_here.seating,
        )
