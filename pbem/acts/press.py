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

TABLE = "table"
"""The name under which pbem notes which messages a person without a seat has read."""


class MessagesHere:
    """The messages of a game that may be shown in one view."""

    def __init__(self, session: Session, view: View, mine: Sequence[str] = ()) -> None:
        """Prepare to read messages for one view, for the roles in `mine` (seats or `referee`).

        Without `mine`, these are all your roles in the view.
        """
        self.session, self.view, self._mine = session, view, mine
        self.unopened: set[str] = set()
        """The paths of private messages that `read` could not try to open, because your key is
        locked."""

    @cached_property
    def mine(self) -> list[str]:
        """The roles that you have in this view: its seat, `referee`, or both."""
        if self._mine:
            return list(self._mine)
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
        seen = self.session.game_home.seen_messages.ids()
        return PressReader(self.session.game_folder, heads, self.seating, seen)

    def read(
        self, turns: Collection[int] | None = None, besides: Collection[str] = ()
    ) -> list[Message]:
        """Return the messages of these turns (None: all) that you may read, except those in the
        files `besides`.

        What is wrong with a message file is noted as a fault of the game's folder.
        """
        if not self.session.listing.press:
            return []
        records, keys = self.reader.records(turns, besides), list[Reader]()
        if private := {file_name(record).path for record in records if record.content.box}:
            try:
                keys = [self.reader_for(who) for who in self.mine]
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

    def reader_for(self, who: str) -> Reader:
        """Return a reader that opens private messages for one of your seats, or for you as
        `referee`. Raises RecordError `key` if your key stays locked."""
        game_folder = self.session.game_folder
        if who != REFEREE:
            return Reader(who, Secrets(self.session.seat_key(who).seed).box(game_folder.game, who))
        secrets = Secrets(self.session.refereeing.key().seed)
        if game_folder.deputy_since:
            return Reader(who, secrets.deputy())
        return Reader(who, secrets.desk(game_folder.charter.content.table))

    def since(self, turn: int) -> list[Message]:
        """Return the messages written after this turn or a later one, and older ones that you have
        not seen."""
        older = {found.path for found in self.session.listing.press if found.name.turn < turn}
        return self.read(besides=older & self.told) if older else self.read()

    def unread(self) -> list[Message]:
        """Return the messages of others that you have not seen yet."""
        if not self.session.listing.press:
            return []
        return [said for said in self.read(besides=self.told) if said.writer not in self.mine]

    @property
    def told(self) -> set[str]:
        """The paths of messages that need not be shown: you have seen them, or they are not for
        you."""
        return self.session.game_home.shown_messages.paths_shown_to(self.view.seat or TABLE)

    def note_told(self, turns: Collection[int] | None = None) -> None:
        """Remember that you have seen the messages of these turns (None: of all) that were read."""
        paths = [
            found.path
            for found in self.session.listing.press
            if found.name.turn <= self.view.published
            and (turns is None or found.name.turn in turns)
            and found.path not in self.unopened
        ]
        if paths:
            # the home is read-only, so the note is not kept
            with suppress(StorageError, RecordError):
                self.session.game_home.shown_messages.add(self.view.seat or TABLE, paths)


# ---- Find out who writes a message, and who gets it

ALL = "all"
"""The word for all players, as the recipient of a message."""


def person_called(typed: str, names: Mapping[str, str], hint: str) -> str:
    """Return the seat, or `referee`, whose name, or which itself, was typed. Raises CliError."""
    known = {name.casefold(): seat for seat, name in names.items()} | {seat: seat for seat in names}
    wanted = typed.strip().casefold()
    if wanted in known:
        return known[wanted]
    close = difflib.get_close_matches(wanted, known, 1)
    hint = f"did you mean {clean(close[0])}?" if close else hint
    raise CliError(f"nobody here is called {typed!r}", hint)


def addressee(view: View, to: str, writer: str) -> str:
    """Return the seat, or `referee`, that a typed letter or name means; empty for `all`. Raises
    CliError."""
    names = {REFEREE: view.referee, **view.names}
    if to.strip().casefold() == ALL:  # also if a changed program signed a join as `all`
        return ""
    seats = ", ".join(f"{seat} ({clean(name)})" for seat, name in sorted(view.names.items()))
    found = person_called(to, names, f"--to takes {seats}, referee or all")
    if found == writer:
        raise CliError("you cannot write to yourself", "without --to you write to all")
    if found in view.bots:
        raise CliError(f"{name_of(view, found)} is a bot: nobody reads what you write")
    return found


def ask_who(view: View, words: Sequence[str]) -> None:
    """Raise CliError if a message without `--to` begins as if it were for one person only.

    `tell Bo hello` and `tell "Bo: hello"` do; `tell "Bo, hello"` does not. Nobody can take a
    message back, so it is better to ask.
    """
    first, _, rest = " ".join(words).strip().partition(" ")
    who = first.removesuffix(":")
    if not rest or (who == first and len(words) == 1):
        return
    names = (*view.names.values(), view.referee)
    if who.casefold() not in {*view.names, *(name.casefold() for name in names), REFEREE}:
        return
    asked = f"is this message only for {clean(who)}, or for all? Nothing was written"
    raise CliError(asked, f"add --to {clean(who)}, or --to all")


def name_of(view: View, who: str) -> str:
    """Return the person's name and seat, as `Bo (b)`; empty if the message is for everybody."""
    return f"{clean(view.names.get(who, view.referee))} ({who})" if who else ""


# ---- Write a message into the game's folder, for `tell` and for the web page of messages


class Sent(NamedTuple):
    """A message in the folder."""

    record: Record[Press]
    receiver: str
    """The recipient: a seat or `referee`; empty for everybody."""
    again: bool
    """Whether it had been signed before: you have said the same thing twice."""


def send_message(
    session: Session, view: View, text: str, to: str, as_referee: bool, *, once_more: bool = False
) -> Sent:
    """Sign a message and write it into the folder.

    `to` is a seat's letter or a name; empty means all players. If your last message since the last
    turn says the same to the same people, that message is written again, with the same bytes: a
    command that was killed can be repeated. With `once_more`, a new message is signed nevertheless,
    unless the last one was never reported to the user. Raises CliError.
    """
    said = lines_of_text(text)
    if not view.published:
        raise CliError("you can write messages as soon as turn 1 is here", "pbem status", NOT_YET)
    if as_referee:
        session.refereeing.key()  # raises for anybody else
    as_referee = as_referee or (not session.seat and bool(session.roles.referee))
    writer = REFEREE if as_referee else session.need_seat()
    receiver = addressee(view, to, writer) if to else ""
    return _Writing(MessagesHere(session, view), writer, receiver).send(said, once_more)


def note_told(session: Session, record: Record[Press]) -> None:
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


class _Writing:
    def __init__(self, here: MessagesHere, writer: str, receiver: str) -> None:
        self.here, self.writer, self.receiver = here, writer, receiver
        self.session, self.turn = here.session, here.view.published
        self.head = bytes.fromhex(here.view.published_head)
        session = self.session
        self.key = session.refereeing.key() if writer == REFEREE else session.seat_key(writer)
        records = here.reader.records({self.turn}) if session.listing.press else []
        self.mine = [record for record in records if record.content.writer == writer]

    def send(self, said: tuple[str, ...], once_more: bool) -> Sent:
        """Sign the message, or find the one that says the same, and write it into the folder."""
        before = self._said_already(said, once_more)
        record = before or self._signed(said)
        if before is None:
            note_if_writable(self.session.game_home.acts.keep, subject_of(self.writer), record.file)
        self.session.folder.create(file_name(record).path, record.file)
        return Sent(record, self.receiver, before is not None)

    def _said_already(self, said: tuple[str, ...], once_more: bool) -> Record[Press] | None:
        """Return the writer's last message since the last turn, in the folder or only in the home,
        if it says the same. It may also be older, if the command that wrote it never reported
        it."""
        kept, reported = last_signed_record(self.session.game_home, subject_of(self.writer))
        here = {found.path for found in self.session.listing.press}
        if kept and not reported and file_name(kept).path in here and self._says(kept, said):
            return kept
        mine = [record for record in self.mine if record.signed.key == self.key.public]
        if kept and kept.content.number not in {record.content.number for record in self.mine}:
            place = kept.content.turn, kept.content.prev, kept.signed.key
            if place == (self.turn, self.head, self.key.public):
                mine.append(kept)  # the command was killed before it wrote the message
        last = max(mine, key=lambda record: record.content.number, default=None)
        if last is None or not self._says(last, said):
            return None
        told = reported if kept and kept.id == last.id else True
        return None if once_more and told else last

    def _says(self, record: Record[Press], said: tuple[str, ...]) -> bool:
        opened = self.here.reader.messages([record], [self.here.reader_for(self.writer)])
        return any((one.recipient, one.lines) == (self.receiver, said) for one in opened)

    def _signed(self, said: tuple[str, ...]) -> Record[Press]:
        free = set(range(1, MAX_MESSAGES + 1)) - {one.content.number for one in self.mine}
        if not free:
            most = f"you have written {MAX_MESSAGES} messages since turn {self.turn}, the most"
            raise CliError(f"{most} allowed", "write again after the next turn", NOT_YET)
        place = self.session.game_folder.game, self.turn, self.head
        who = self.here.reader_for(self.writer)
        return make_message(
            place, min(free), now(), said, who, self.key, self.receiver, self.here.seating
        )
