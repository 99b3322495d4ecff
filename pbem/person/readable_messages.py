"""The messages of a game that you may read, and those that you have seen."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from functools import cached_property

from pbem.files.file_errors import StorageError
from pbem.files.home import note_if_writable
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import Secrets
from pbem.judge.game_view import View
from pbem.judge.read_and_check_record_file import file_name
from pbem.judge.read_and_make_messages import (
    Message,
    PressReader,
    Reader,
    Seating,
    seating_with,
)
from pbem.person.session import Session
from pbem.records.press_message import REFEREE

TABLE_VIEWER = "table"
"""The name under which pbem notes which messages a person without a seat has read."""


def by_turn(messages: Sequence[Message]) -> Mapping[int, list[Message]]:
    """Return the messages grouped by the turn after which they were written."""
    groups: dict[int, list[Message]] = {}
    for message in messages:
        groups.setdefault(message.turn, []).append(message)
    return groups


class MessagesHere:
    """The messages of a game that may be shown in one view."""

    def __init__(self, session: Session, view: View, roles: Sequence[str] = ()) -> None:
        """Prepare to read messages for one view, for these roles (seats or `referee`).

        Without `roles`, these are all your roles in the view.
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
        files `except_paths`.

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
