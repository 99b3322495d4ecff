"""Messages for the desk: which you may read, which are new, who somebody means, writing one."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import NamedTuple

from pbem.errors import NOT_YET, CliError
from pbem.files.disk import StorageError
from pbem.format.canonical import RecordError
from pbem.format.keys import Secrets
from pbem.judge.press import (
    Message,
    PressReader,
    Reader,
    Seating,
    lines_of,
    make_message,
    seating_with,
)
from pbem.judge.record_files import file_name
from pbem.judge.view import View
from pbem.person.seen import last_signed_record, note_if_writable
from pbem.person.session import Session
from pbem.records.limits import MAX_MESSAGES
from pbem.records.press import REFEREE, Press
from pbem.records.read_record import Record
from pbem.terminal.terminal import clean
from pbem.text.clock import now


def by_turn(messages: Sequence[Message]) -> Mapping[int, list[Message]]:
    """Return the messages grouped by the turn after which they were written."""
    groups: dict[int, list[Message]] = {}
    for message in messages:
        groups.setdefault(message.turn, []).append(message)
    return groups


# ---- Read the messages in a game's folder that you may read, and remember which you have seen

TABLE_VIEWER = "table"
"""The name under which pbem notes which messages a person without a seat has read."""


class MessagesHere:
    """The messages of a game that may be shown in one view."""

    def __init__(self, session: Session, view: View, roles: Sequence[str] = ()) -> None:
        """Prepare to read messages for one view, for the roles in `mine` (seats or `referee`).

        Without `mine`, these are all your roles in the view.
        """
        self.session, self.view, self._given_roles = session, view, roles
        self.unopened: set[str] = set()
        """The paths of private messages that `read` could not try to open, because your key is
        locked."""

    @cached_property
    def roles(self) -> list[str]:
        """The roles that you have in this view: its seat, `referee`, or both."""
        if self._given_roles:
            return list(self._given_roles)
        seats = [self.view.seat] if self.view.seat else []
        return [*seats, *([REFEREE] if self.session.roles.referee else [])]

    @cached_property
    def seating(self) -> Seating:
        """The public keys of everybody who can write messages."""
        return seating_with(self.session.game_folder.standing)

    @cached_property
    def reader(self) -> PressReader:
        """The reader of the messages in the folder, which also notes what is wrong with files
        there."""
        view = self.view
        heads = [bytes.fromhex(head) for head in view.heads[: view.published + 1]]
        seen_ids = self.session.game_home.seen_messages.ids()
        return PressReader(self.session.game_folder, heads, self.seating, seen_ids)

    def read(
        self, turns: Collection[int] | None = None, except_paths: Collection[str] = ()
    ) -> list[Message]:
        """Return the messages of these turns (None: all) that you may read, except those in the
        files `besides`.

        What is wrong with a message file is noted as a fault of the game's folder.
        """
        if not self.session.listing.press:
            return []
        records, keys = self.reader.records(turns, except_paths), list[Reader]()
        if private := {file_name(record).path for record in records if record.content.box}:
            try:
                keys = [self.reader_for(role) for role in self.roles]
            except RecordError:  # the key has a passphrase, and nobody is there to type it
                self.unopened |= private
        counting: dict[str, list[str]] = {}
        for record in records:
            if self.reader.counts_now(record):
                counting.setdefault(record.content.writer, []).append(record.id.hex())
        note_if_writable(self.session.game_home.seen_messages.add, counting)
        messages = self.reader.messages(records, keys)
        for fault in self.reader.faults:
            self.session.game_folder.note(fault)
        return messages

    def reader_for(self, role: str) -> Reader:
        """Return a reader that opens private messages for one of your seats, or for you as
        `referee`. Raises RecordError `key` if your key stays locked."""
        game_folder = self.session.game_folder
        if role != REFEREE:
            return Reader(
                role, Secrets(self.session.seat_key(role).seed).box(game_folder.game, role)
            )
        secrets = Secrets(self.session.refereeing.key().seed)
        if game_folder.deputy_since:
            return Reader(role, secrets.deputy())
        return Reader(role, secrets.desk(game_folder.charter.content.table))

    def messages_since(self, turn: int) -> list[Message]:
        """Return the messages written after this turn or a later one, and older ones that you have
        not seen."""
        older = {file.path for file in self.session.listing.press if file.name.turn < turn}
        return self.read(except_paths=older & self.shown_paths) if older else self.read()

    def unread(self) -> list[Message]:
        """Return the messages of others that you have not seen yet."""
        if not self.session.listing.press:
            return []
        return [
            message
            for message in self.read(except_paths=self.shown_paths)
            if message.writer not in self.roles
        ]

    @property
    def shown_paths(self) -> set[str]:
        """The paths of messages that need not be shown: you have seen them, or they are not for
        you."""
        return self.session.game_home.shown_messages.paths_shown_to(self.view.seat or TABLE_VIEWER)

    def note_shown(self, turns: Collection[int] | None = None) -> None:
        """Remember that you have seen the messages of these turns (None: of all) that were read."""
        paths = [
            file.path
            for file in self.session.listing.press
            if file.name.turn <= self.view.published
            and (turns is None or file.name.turn in turns)
            and file.path not in self.unopened
        ]
        if paths:
            # the home is read-only, so the note is not kept
            with suppress(StorageError, RecordError):
                self.session.game_home.shown_messages.add(self.view.seat or TABLE_VIEWER, paths)


# ---- Find out who writes a message, and who gets it

WORD_FOR_ALL = "all"
"""The word for all players, as the recipient of a message."""


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
    recipient = person_called(typed_recipient, names, f"--to takes {seats}, referee or all")
    if recipient == writer:
        raise CliError("you cannot write to yourself", "without --to you write to all")
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
    raise CliError(question, f"add --to {clean(person)}, or --to all")


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

    `to` is a seat's letter or a name; empty means all players. If your last message since the last
    turn says the same to the same people, that message is written again, with the same bytes: a
    command that was killed can be repeated. With `signs_again`, a new message is signed, unless
    the last one was never reported to the user. Raises CliError.
    """
    lines = lines_of_text(text)
    if not view.published:
        raise CliError("you can write messages as soon as turn 1 is here", "pbem status", NOT_YET)
    if as_referee:
        session.refereeing.key()  # raises for anybody else
    as_referee = as_referee or (not session.seat and bool(session.roles.referee))
    writer = REFEREE if as_referee else session.need_seat()
    receiver = addressee(view, typed_recipient, writer) if typed_recipient else ""
    return _MessageWriter(MessagesHere(session, view), writer, receiver).send(lines, signs_again)


def note_reported(session: Session, record: Record[Press]) -> None:
    """Remember that the user was told that this message is in the folder."""
    note_if_writable(
        session.game_home.acts.note_reported, subject_of(record.content.writer), record.file
    )


def subject_of(writer: str) -> str:
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
            note_if_writable(self.session.game_home.acts.keep, subject_of(self.writer), record.file)
        self.session.folder.create(file_name(record).path, record.file)
        return SentMessage(record, self.receiver, earlier_record is not None)

    def _find_repeated(self, lines: tuple[str, ...], signs_again: bool) -> Record[Press] | None:
        """Return the writer's last message since the last turn, in the folder or only in the home,
        if it says the same. It may also be older, if the command that wrote it never reported
        it."""
        kept_record, was_reported = last_signed_record(
            self.session.game_home, subject_of(self.writer)
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
        free_numbers = set(range(1, MAX_MESSAGES + 1)) - {
            record.content.number for record in self.own_records
        }
        if not free_numbers:
            problem = f"you have written {MAX_MESSAGES} messages since turn {self.turn}, the most"
            raise CliError(f"{problem} allowed", "write again after the next turn", NOT_YET)
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
