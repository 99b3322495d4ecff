"""Read the messages in a game's folder that you may read, and remember which you have seen."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.play.press.read_messages import Message, PressReader
    from pbem.play.press.seating import Reader, Seating
    from pbem.play.view import View
    from pbem.records.press.message_record import Press
    from pbem.records.read_record import Record

TABLE = "table"
"""The name under which pbem notes which messages a person without a seat has read."""


class MessagesHere:
    """The messages of a game that may be shown in one view."""

    def __init__(self, session: Session, view: View, mine: Sequence[str] = ()) -> None:
        """Read messages for one view, for the roles in `mine` (seats or `referee`).

        Without `mine`, these are all your roles in the view.
        """
        self.session, self.view, self._mine = session, view, mine
        self.locked = False
        """Whether there are private messages that pbem could not try to open, because your key is
        locked."""

    @cached_property
    def mine(self) -> list[str]:
        """The roles that you have in this view: its seat, `referee`, or both."""
        from pbem.records.press.message_record import REFEREE

        if self._mine:
            return list(self._mine)
        seats = [self.view.seat] if self.view.seat else []
        return [*seats, *([REFEREE] if self.session.roles.referee else [])]

    @cached_property
    def seating(self) -> Seating:
        """The public keys of everybody who can write messages."""
        from pbem.play.press.seating import seating_in

        return seating_in(self.session.game_folder)

    @cached_property
    def reader(self) -> PressReader:
        """The reader of the messages in the folder, which also notes what is wrong with files
        there."""
        from pbem.play.press.read_messages import PressReader

        view = self.view
        heads = [bytes.fromhex(head) for head in view.heads[: view.published + 1]]
        seen = self.session.mine.seen_messages.ids()
        return PressReader(self.session.game_folder, heads, self.seating, seen)

    # -------------------------------------------------------------- reading
    def read(
        self, turns: Collection[int] | None = None, besides: Collection[str] = ()
    ) -> list[Message]:
        """Return the messages of these turns (None: all) that you may read, except those in the
        files `besides`.

        What is wrong with a message file is noted as a fault of the game's folder.
        """
        from pbem.format.errors import RecordError

        if not self.session.listing.press:
            return []
        records, keys = self.reader.records(turns, besides), list["Reader"]()
        if any(record.content.box for record in records):
            try:
                keys = self.readers()
            except RecordError:
                self.locked = True  # the key has a passphrase, and nobody is there to type it
        self._note_seen(records)
        found = self.reader.messages(records, keys)
        for fault in self.reader.faults:
            self.session.game_folder.note(fault)
        return found

    def _note_seen(self, records: Sequence[Record[Press]]) -> None:
        """Remember which messages were here while the keys that signed them counted."""
        from pbem.storage.errors import StorageError

        found: dict[str, list[str]] = {}
        for record in self.reader.by_keys_of_now(records):
            found.setdefault(record.content.writer, []).append(record.id.hex())
        with suppress(StorageError):  # the home is read-only
            self.session.mine.seen_messages.add(found)

    def readers(self) -> list[Reader]:
        """Return readers that open your private messages. Raises RecordError `key` if your key
        stays locked."""
        return [self.reader_for(who) for who in self.mine]

    def reader_for(self, who: str) -> Reader:
        """Return a reader that opens private messages for one of your seats, or for you as
        `referee`."""
        from pbem.format.keys import Secrets
        from pbem.play.press.seating import Reader
        from pbem.records.press.message_record import REFEREE

        game_folder = self.session.game_folder
        if who == REFEREE:
            secrets = Secrets(self.session.referee_key().seed)
            if game_folder.deputy_since:
                return Reader(who, secrets.deputy())
            return Reader(who, secrets.desk(game_folder.charter.content.table))
        return Reader(who, Secrets(self.session.seat_key(who).seed).box(game_folder.game, who))

    # -------------------------------------------------------------- what is new
    def since(self, turn: int) -> list[Message]:
        """Return the messages written after this turn or a later one, and older ones that you have
        not seen."""
        older = {found.path for found in self.session.listing.press if found.name.turn < turn}
        return self.read(besides=older & self.told()) if self.session.listing.press else []

    def unread(self) -> list[Message]:
        """Return the messages of others that you have not seen yet."""
        if not self.session.listing.press:
            return []
        found = self.read(besides=self.told())
        return [said for said in found if said.writer not in self.mine]

    def told(self) -> set[str]:
        """Return the paths of messages that need not be shown: you have seen them, or they are not
        for you."""
        return self.session.mine.told.of(self.view.seat or TABLE)

    def note_told(self, turns: Collection[int] | None = None) -> None:
        """Remember that you have seen the messages of these turns (None: of all) that were read."""
        from pbem.format.errors import RecordError
        from pbem.storage.errors import StorageError

        published = self.view.published
        paths = [
            found.path
            for found in self.session.listing.press
            if found.name.turn <= published and (turns is None or found.name.turn in turns)
        ]
        if paths and not self.locked:
            # the home is read-only, so the note is not kept
            with suppress(StorageError, RecordError):
                self.session.mine.told.add(self.view.seat or TABLE, paths)


def how_many_new(count: int) -> list[str]:
    """Return the line `note: 2 new messages; …`; empty if there are no new messages."""
    what = "1 new message" if count == 1 else f"{count} new messages"
    return [f"note: {what}; to read what is new: pbem since"] if count else []
