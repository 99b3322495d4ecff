"""The messages in the folder of a game, as far as you may read them, and which are new to you."""

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

TABLE = "table"
"""The name under which the messages that a person without a seat has read are noted."""


class MessagesHere:
    """The messages that belong to one view of a game."""

    def __init__(self, session: Session, view: View, mine: Sequence[str] = ()) -> None:
        """`mine`: whose messages to read, if not those of all your parts in this view."""
        self.session, self.view, self._mine = session, view, mine
        self.locked = False
        """Whether private messages are here, but your key is locked, so it cannot try to open
        them."""

    @cached_property
    def mine(self) -> list[str]:
        """Who you are in this view: its seat, `referee`, or both."""
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
        """Reads the messages in the folder, and says what is wrong with files there."""
        from pbem.play.press.read_messages import PressReader

        view = self.view
        heads = [bytes.fromhex(head) for head in view.heads[: view.published + 1]]
        return PressReader(self.session.game_folder, heads, self.seating)

    # -------------------------------------------------------------- reading
    def read(
        self, turns: Collection[int] | None = None, besides: Collection[str] = ()
    ) -> list[Message]:
        """The messages of these turns (None: all) that you may read, except those in these files.

        What is wrong with the files that were read becomes a fault of the game's folder.
        """
        from pbem.format.errors import RecordError

        if not self.session.listing.press:
            return []
        records, keys = self.reader.records(turns, besides), list["Reader"]()
        if any(record.content.box for record in records):
            try:
                keys = self.readers()
            except RecordError:
                self.locked = True  # it has a passphrase, and nobody is there to type it
        found = self.reader.messages(records, keys)
        known = self.session.game_folder.faults
        known += [fault for fault in self.reader.faults if fault not in known]
        return found

    def readers(self) -> list[Reader]:
        """The readers that open boxes for you. Raises RecordError `key` if your key stays
        locked."""
        return [self.reader_for(who) for who in self.mine]

    def reader_for(self, who: str) -> Reader:
        """The reader that opens boxes for one of your seats, or for you as `referee`."""
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
        """The messages written after this turn or later, and older ones that are new to you."""
        older = {found.path for found in self.session.listing.press if found.name.turn < turn}
        return self.read(besides=older & self.told()) if self.session.listing.press else []

    def unread(self) -> list[Message]:
        """The messages of others that you were not shown yet."""
        if not self.session.listing.press:
            return []
        found = self.read(besides=self.told())
        return [said for said in found if said.writer not in self.mine]

    def told(self) -> set[str]:
        """The paths of the messages that need not be shown: you saw them, or they are not
        for you.
        """
        return self.session.mine.told.of(self.view.seat or TABLE)

    def note_told(self, turns: Collection[int] | None = None) -> None:
        """Note that you were shown the messages that were read (of these turns; None: all)."""
        from pbem.format.errors import RecordError
        from pbem.storage.errors import StorageError

        published = self.view.published
        paths = [
            found.path
            for found in self.session.listing.press
            if found.name.turn <= published and (turns is None or found.name.turn in turns)
        ]
        if paths and not self.locked:
            with suppress(StorageError, RecordError):  # a read-only home cannot keep the note
                self.session.mine.told.add(self.view.seat or TABLE, paths)


def how_many_new(count: int) -> list[str]:
    """The line `note: 2 new messages: pbem since`, if there are any."""
    what = "1 new message" if count == 1 else f"{count} new messages"
    return [f"note: {what}: pbem since"] if count else []
