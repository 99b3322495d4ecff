"""A person and a game: what every command, page and letter begins with."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from pbem.desk.base import say
from pbem.desk.game_here import (
    GameHere,
    Keyring,
    check_damage,
    check_seen,
    chosen_place,
    need_last_made,
    need_seen,
    note_turns,
)
from pbem.desk.refereeing import SPECTATOR, CheckpointStore, Refereeing
from pbem.errors import BUG, NOT_YET, CliError
from pbem.files.disk import FileError
from pbem.files.folder import Name, Place, turn_path
from pbem.files.home import Home
from pbem.format.canonical import RecordError
from pbem.game.view import View, restored, view_of
from pbem.records.notice import Notice
from pbem.records.press import REFEREE
from pbem.records.read_record import Record
from pbem.records.turn import Turn
from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from pbem.game.turn_checker import SeatReader, TableReader
    from pbem.game.turn_maker import Outcome

# ---- Keep views from one command to the next, as long as no file changes
#
# A file has changed if its size, times or inode have. `submit`, `advance` and `audit` never use
# the cache. Deleting the cache only costs time.

VIEW_PURPOSE = "view-5"
IDS = "ids-1"
"""The purpose of the cache of the games' ids, by the paths of their charters."""


class ViewCache:
    """The saved views of the game in a folder; they stay valid until the folder changes."""

    def __init__(self, here: GameHere) -> None:
        self.here, self.names = here, here.names
        charter = here.names.charter
        self._charter = f"{here.place}/{charter.path}" if charter else ""

    def keep(self, view: View) -> None:
        """Save a view, with the size, times and inode of all files that it was made from."""
        here, charter = self.here, self.names.charter
        if view.preview or not self.names.turns or charter is None:
            return  # a preview changes with every order that arrives
        last = self.names.turns[-1]
        cache = here.home.game(view.game).cache(VIEW_PURPOSE)
        kept = cache.get(last.path, last.mark)
        if not kept or not self._fits(kept):
            kept = {**self._made_from(), "views": {}}
        kept["views"][view.seat] = view.plain()
        kept["seats"] = sorted(set(here.roles.seats) - here.roles.held)
        kept["referee"] = here.roles.referee
        cache.put(last.path, last.mark, kept)
        cache.save([last.path])
        # the game's id too: to compute it takes longer than to read the view
        ids = here.home.cache(IDS)
        ids.put(self._charter, charter.mark, view.game)
        ids.save()

    def view(self) -> View | None:
        """Return the saved view of the seat that you mean; None if anything has changed since."""
        home, charter, wish = self.here.home, self.names.charter, self.here.wish
        game = charter and home.cache(IDS).get(self._charter, charter.mark)
        if not game or not self.names.turns:
            return None
        last = self.names.turns[-1]
        kept = home.game(game).cache(VIEW_PURPOSE).get(last.path, last.mark)
        if not kept or not self._fits(kept):
            return None
        seats = kept.get("seats", [])
        # views of seats that the referee plays are not saved: they may change without a new turn
        if (kept.get("referee") and not seats) or (wish not in seats if wish else len(seats) > 1):
            return None
        plain = kept.get("views", {}).get(wish or next(iter(seats), ""))
        return restored(plain) if plain else None

    def _fits(self, kept: dict[str, Any]) -> bool:
        made_from = self._made_from()
        return {name: kept.get(name) for name in made_from} == made_from

    def _made_from(self) -> dict[str, Any]:
        names = self.names
        files = [*([names.charter] if names.charter else []), *names.joins, *names.turns]
        marks = {file.path: list(file.mark) for file in files}
        return {"marks": marks, "who": self.here.home.profiles(), "place": str(self.here.place)}


# ---- Read the game as you may see it: turn by turn with all checks, or from the cache

AnyReader = TypeVar("AnyReader", bound="TableReader")


class Session(GameHere):
    """One run of a command: a person, the game in a folder, and what this person may see of it."""

    def __init__(
        self,
        folder: str | Place | None = None,
        seat: str | None = None,
        passphrase_file: Path | None = None,
        home: Home | None = None,
        keyring: Keyring | None = None,
    ) -> None:
        keyring = keyring or Keyring(home or Home.find(), passphrase_file)
        wish = (seat or os.environ.get("PBEM_AS", "")).lower()
        super().__init__(chosen_place(folder), keyring, wish)
        self.public_reader: TableReader | None = None
        self.seat_readers: dict[str, SeatReader] = {}
        self.refereeing = Refereeing(self)
        self.use_checkpoints = True
        """Whether checkpoints may be used; if not, every file is read and hashed again."""

    def refresh(self) -> None:
        """Read the folder again after something was written or time has passed; readers and the
        turn maker continue where they stopped."""
        self.forget()
        self.refereeing = Refereeing(self, self.refereeing.progress)

    # -------------------------------------------------------------- readers
    def table_reader(self) -> TableReader:
        """Return a reader for the public part of the game."""
        from pbem.game.turn_checker import TableReader

        reader, self.public_reader = self.public_reader, None
        new = partial(TableReader, self.game_folder.charter)
        self.public_reader = self._caught_up(reader, SPECTATOR, b"", new)
        return self.public_reader

    def reader(self, seat: str) -> SeatReader:
        """Return a reader that also opens what is sealed for one of your seats."""
        from pbem.game.turn_checker import SeatReader

        reader, key = self.seat_readers.pop(seat, None), self.seat_key(seat)
        new = partial(SeatReader, self.game_folder.charter, seat, key.seed, self.since(seat))
        self.seat_readers[seat] = self._caught_up(reader, seat, key.public, new)
        return self.seat_readers[seat]

    def _caught_up(
        self, reader: AnyReader | None, who: str, key: bytes, new: Callable[[], AnyReader]
    ) -> AnyReader:
        """Return the reader after it has read all turns; without one, older turns come from its
        checkpoint. A reader that stopped halfway cannot be used again."""
        if reader is not None:
            self._catch_up(reader)
            return reader
        store = CheckpointStore(self)
        reader = store.resume_reader(who, key, new) if self.use_checkpoints else None
        reader = reader or new()
        known = reader.chain.turn
        self._catch_up(reader)
        if reader.chain.turn > known:
            store.keep_reader(who, key, reader)
        return reader

    def reader_now(self, seat: str) -> SeatReader:
        """Return a seat's reader; for a seat that the referee plays, it has also read the turn that
        waits for the seat."""
        reader = self.reader(seat)
        held = seat in self.roles.held
        preview = self.refereeing.outlook.preview if held else None
        if preview is None:
            return reader
        self._read_ahead(reader, preview, self.refereeing.outlook.notices)
        self.seat_readers.pop(seat)  # the preview is not a turn of the chain
        return reader

    def _read_ahead(
        self,
        reader: TableReader,
        turn: Record[Turn],
        notices: Sequence[tuple[Name, Record[Notice]]],
    ) -> None:
        """Let a reader read a turn that is not in the folder yet, with new notices that it lists.
        Raises RecordError."""
        game_folder = self.game_folder
        new = {record.id: record for _, record in notices}

        def find_notice(wanted: bytes) -> Record[Notice]:
            return new.get(wanted) or game_folder.find_notice(wanted)

        reader.absorb(turn, game_folder.finder()._replace(notice=find_notice))

    def check_new(self, outcome: Outcome) -> TableReader | None:
        """Check a turn that is not written yet as everybody will check it.

        Return a reader that has read it; None if there is no new turn. Raises CliError if others
        would refuse the turn, and what `table_reader` raises.
        """
        made = [cast("Record[Turn]", one) for name, one in outcome.write if name.kind == "turn"]
        if not made:
            return None
        reader, self.public_reader = self.table_reader(), None
        try:
            self._read_ahead(reader, made[0], outcome.notices)
        except RecordError as error:
            told = f"everybody would refuse turn {made[0].content.turn}, so it was not written: "
            told += error.sentence
            hint = "this is a mistake in pbem: report it with a copy of the game folder"
            raise CliError(told, hint, BUG) from None
        return reader

    def _catch_up(self, reader: TableReader) -> None:
        """Let the reader read all turns in the folder that it has not read yet. Raises FileError
        with the path."""
        game_folder = self.game_folder
        find = game_folder.finder(reader.chain.may_sign_orders)
        for turn in game_folder.turns(reader.chain.turn):
            try:
                game_folder.joins_of(turn.content)
                reader.absorb(turn, find)
            except FileError:
                raise
            except RecordError as error:
                number, why = turn.content.turn, error.sentence
                if error.reason not in ("version", "parent"):
                    name = game_folder.maker(number).name
                    why += f"; {name} signed this turn: ask {name}, and see pbem audit"
                raise FileError(error.reason, turn_path(number), why) from None
        check_seen(self.mine, game_folder, reader.chain.heads)

    # -------------------------------------------------------------- views
    def view(self, fresh: bool = False) -> View:
        """Return your view: from the cache if no file has changed and `fresh` is false, else read
        again."""
        cache = ViewCache(self)
        if not fresh and (kept := cache.view()):
            return kept  # it was made from this folder, so this place is remembered already
        self.mine.remember_place(self.place)
        self.need_turn()
        view = self.fresh_view(self.seat)
        cache.keep(view)
        return view

    def fresh_view(self, seat: str) -> View:
        """Read and check the game; return the view of one seat (empty: of a spectator).

        A seat that the referee plays also sees the turn that waits for its answer.
        """
        reader = self.reader(seat) if seat else self.table_reader()
        self.mine.remember_place(self.place)
        note_turns(self.mine, reader.chain.times)
        if seat not in self.roles.held:
            return view_of(reader)
        view = view_of(self.reader_now(seat), preview=seat not in self.seat_readers)
        view.first = list(self.refereeing.outlook.first) if view.preview else []
        return view

    def need_turn(self) -> None:
        """Raise CliError if turn 1 is not published, unless it already asks a seat that the referee
        plays.

        Raises FileError if a turn has not arrived, is gone, or is damaged.
        """
        if self.game_folder.gaps[:1] == [1]:
            told = "is missing, but later turns are here; get it first: pbem doctor says how"
            raise FileError("parent", turn_path(1), told)
        check_damage(self.mine, self.game_folder)
        need_last_made(self)
        if self.listing.reached or (self.roles.held and self.refereeing.outlook.preview):
            return
        need_seen(self)
        told = "the game has not begun: there is no turn 1 yet"
        if self.roles.referee:
            raise CliError(f"{told}; you are the one who makes it", "pbem advance", NOT_YET)
        raise CliError(told, "pbem status", NOT_YET)


# ---- Say what you must still mail, to which player, and with which command

SEND = "pbem send, then mail the referee the file that it wrote"
RUN = (
    "pbem run --once sends it to the referee; if pbem run is already running, you do not need to "
    "do anything"
)


def mail_hint(session: Session) -> None:
    """Print what `hint_lines` says."""
    for line in hint_lines(session):
        say(line)


def hint_lines(session: Session) -> list[str]:
    """Tell the referee what to type for each player who plays by mail or gets plain emails."""
    by_mail = [seat for seat in seats_by_mail(session) if not runs_post(session, seat)]
    told = [f"seat {seat} plays by mail: pbem send --to {seat}" for seat in by_mail]
    return told + unwritten_letters(session)


def unwritten_letters(session: Session) -> list[str]:
    """Return a line for each player by plain email whose email about the last turn is not written
    yet."""
    from pbem.mail.sending import SentMail

    if not session.roles.mail or not session.listing.reached:
        return []
    last = session.game_folder.turn(session.listing.turns[-1])
    asked = {one.seat for one in last.content.awaited}
    book = SentMail(session.mine)
    how = "pbem run sends it" if runs_post(session) else "pbem send"
    due = session.roles.mail if last.content.over else asked & session.roles.mail
    return [
        f"the email to {clean(session.name_of(seat))} about turn {last.content.turn} has "
        f"not been written yet: {how}"
        for seat in sorted(due)
        if not book.was_sent(seat, last.id)
    ]


def seats_by_mail(session: Session) -> list[str]:
    """Return the seats that are known to play by mail."""
    from pbem.mail.sending import SentMail, sitting

    found = SentMail(session.mine).by_mail(sitting(session.game_folder))
    return [seat for seat in found if seat not in session.roles.mail]


def sending_hint(session: Session) -> bool:
    """If the player sends orders by mail, print the next step; return whether they do."""
    from pbem.mail.sending import SentMail

    runs = runs_post(session, REFEREE)
    if not runs and not SentMail(session.mine).with_referee:
        return False
    print(f"next: {RUN if runs else SEND}")
    return True


def runs_post(session: Session, who: str = "") -> bool:
    """Return whether `pbem run` can send mail from this home, and the home has this person's
    address."""
    from pbem.mail.sending import People, has_mailbox

    return has_mailbox(session.home) and (not who or who in People(session.mine).addresses)


def unsent(session: Session, seat: str) -> str:
    """Say how to mail orders that are sealed but not sent; empty if nothing must be sent."""
    from pbem.mail.sending import SentMail

    book = SentMail(session.mine)
    runs = runs_post(session, REFEREE)
    if session.roles.referee or not (book.with_referee or runs):
        return ""
    listing, last = session.listing, session.listing.reached
    mine = [f.name for f in listing.orders if (f.name.turn, f.name.seat) == (last, seat)]
    newest = max((name.revision for name in mine), default=0)
    mine = [name for name in mine if name.revision == newest]
    if not last:
        mine = [found.name for found in listing.joins if found.name.seat == seat]
    mine += [f.name for f in listing.press if f.name.seat == seat and f.name.turn >= last]
    if all(book.was_sent_as(REFEREE, name.digits) for name in mine):
        return ""
    return RUN if runs else SEND
