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
    Identity,
    Keyring,
    Roles,
    check_damage,
    check_seen,
    chosen_place,
    need_first,
    need_last_made,
    need_seen,
    not_begun,
    note_turns,
)
from pbem.desk.refereeing import Refereeing
from pbem.errors import BUG, CliError
from pbem.files.disk import FileError
from pbem.files.folder import Found, Listing, Name, Place, SharedFolder, turn_path
from pbem.files.home import Home, Mine
from pbem.format.canonical import RecordError
from pbem.format.keys import SigningKey
from pbem.game.archive import GameFolder
from pbem.game.view import View, restored, view_of
from pbem.records.notice import Notice
from pbem.records.press import REFEREE
from pbem.records.read_record import Record
from pbem.records.turn import Turn
from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from pbem.game.reader import SeatReader, TableReader
    from pbem.game.referee import Outcome, Progress

# ---- Keep views from one command to the next, as long as no file changes
#
# A file has changed if its size, times or inode have. `submit`, `advance` and `audit` never use
# the cache. Deleting the cache only costs time.

VIEW_PURPOSE = "view-5"
IDS = "ids-1"
"""The purpose of the cache of the games' ids, by the paths of their charters."""


class ViewCache:
    """The saved views of the game in a folder; they stay valid until the folder changes."""

    def __init__(self, home: Home, folder: SharedFolder, listing: Listing) -> None:
        self.home, self.folder, self.listing = home, folder, listing

    def keep(self, view: View, seats: Sequence[str], referee: str) -> None:
        """Save a view, with the size, times and inode of all files that it was made from.

        ``seats`` are the seats that you play as a player; ``referee`` is the referee's profile, or
        empty if you are not the referee.
        """
        charter = self.listing.charter
        if view.preview or not self.listing.turns or charter is None:
            return  # a preview changes with every order that arrives
        last = self.listing.turns[-1]
        cache = self.home.game(view.game).cache(VIEW_PURPOSE)
        kept = cache.get(last.path, last.mark)
        if not self._fits(kept):
            who, place = self.home.profiles(), str(self.folder.place)
            kept = {"marks": self._marks(), "who": who, "place": place, "views": {}}
        kept["views"][view.seat] = view.plain()
        kept["seats"] = list(seats)
        kept["referee"] = referee
        cache.put(last.path, last.mark, kept)
        cache.save([last.path])
        self._keep_game(charter, view.game)

    def view(self, wish: str) -> View | None:
        """Return the saved view of the seat that was asked for; None if anything has changed
        since."""
        game = self._game()
        if not game or not self.listing.turns:
            return None
        last = self.listing.turns[-1]
        kept = self.home.game(game).cache(VIEW_PURPOSE).get(last.path, last.mark)
        return _restored(kept, wish) if self._fits(kept) else None

    def _fits(self, kept: Any) -> bool:
        now = self._marks(), self.home.profiles(), str(self.folder.place)
        return bool(kept) and (kept.get("marks"), kept.get("who"), kept.get("place")) == now

    def _marks(self) -> dict[str, list[int]]:
        listing = self.listing
        found = [*([listing.charter] if listing.charter else []), *listing.joins, *listing.turns]
        return {one.path: list(one.mark) for one in found}

    def _game(self) -> str:
        """Return the id of the game, if a view of it was saved; else an empty text.

        The id is saved with the view: to compute it takes longer than to read the view.
        """
        charter = self.listing.charter
        known = charter and self.home.cache(IDS).get(self._path(charter), charter.mark)
        return known or ""

    def _keep_game(self, charter: Found, game: str) -> None:
        cache = self.home.cache(IDS)
        cache.put(self._path(charter), charter.mark, game)
        cache.save()

    def _path(self, charter: Found) -> str:
        return f"{self.folder.place}/{charter.path}"


def _restored(kept: dict[str, Any], wish: str) -> View | None:
    seats = kept.get("seats", [])
    if kept.get("referee") and not seats:
        # views of seats that the referee plays are not saved: they may change without a new turn
        return None
    seat = wish or (seats[0] if len(seats) == 1 else "")
    if (wish and wish not in seats) or (len(seats) > 1 and not wish):
        return None
    plain = kept.get("views", {}).get(seat)
    return restored(plain) if plain else None


# ---- Read the game as you may see it: turn by turn with all checks, or from the cache

AnyReader = TypeVar("AnyReader", bound="TableReader")


class Readers:
    """The readers of one run of a command; each continues where it stopped, even if files
    changed."""

    def __init__(self) -> None:
        self.table: TableReader | None = None
        self.seats: dict[str, SeatReader] = {}


class Reading:
    """What you may see of the game, as the folder was when it was read."""

    def __init__(self, refereeing: Refereeing, readers: Readers | None = None) -> None:
        self.refereeing = refereeing
        self.me = refereeing.me
        self.here = refereeing.me.here
        self.readers = readers or Readers()
        self.use_checkpoints = True
        """Whether checkpoints may be used; if not, every file is read and hashed again."""

    # -------------------------------------------------------------- readers
    def table_reader(self) -> TableReader:
        """Return a reader for the public part of the game."""
        from pbem.desk.refereeing import SPECTATOR
        from pbem.game.reader import TableReader

        charter = self.here.game_folder.charter
        # a reader that stopped halfway cannot be used
        reader, self.readers.table = self.readers.table, None
        if reader is None:
            reader = self._from_checkpoint(SPECTATOR, b"", lambda: TableReader(charter))
        else:
            self._catch_up(reader)
        self.readers.table = reader
        return reader

    def seat_reader(self, seat: str) -> SeatReader:
        """Return a reader that also opens what is sealed for one of your seats."""
        from pbem.game.reader import SeatReader

        charter = self.here.game_folder.charter
        reader = self.readers.seats.pop(seat, None)
        if reader is None:
            key = self.me.seat_key(seat)
            new = partial(SeatReader, charter, seat, key.seed, self.here.since(seat))
            reader = self._from_checkpoint(seat, key.public, new)
        else:
            self._catch_up(reader)
        self.readers.seats[seat] = reader
        return reader

    def _from_checkpoint(self, who: str, key: bytes, new: Callable[[], AnyReader]) -> AnyReader:
        """Return a reader that has read all turns; older turns come from its checkpoint."""
        from pbem.desk.refereeing import CheckpointStore

        store = CheckpointStore(self.here)
        reader = store.resume_reader(who, key, new) if self.use_checkpoints else None
        reader = reader or new()
        known = reader.turn
        self._catch_up(reader)
        if reader.turn > known:
            store.keep_reader(who, key, reader)
        return reader

    def seat_reader_now(self, seat: str) -> SeatReader:
        """Return a seat's reader; for a seat that the referee plays, it has also read the turn that
        waits for the seat."""
        reader = self.seat_reader(seat)
        held = seat in self.here.roles.held
        preview = self.refereeing.outlook.preview if held else None
        if preview is None:
            return reader

        self._read_ahead(reader, preview, self.refereeing.outlook.notices)
        self.readers.seats.pop(seat)  # the preview is not a turn of the chain
        return reader

    def _read_ahead(
        self,
        reader: TableReader,
        turn: Record[Turn],
        notices: Sequence[tuple[Name, Record[Notice]]],
    ) -> None:
        """Let a reader read a turn that is not in the folder yet, with new notices that it lists.
        Raises RecordError."""
        game_folder = self.here.game_folder
        find = game_folder.find_orders(lambda kind, key: True)
        new = {record.id: record for _, record in notices}

        def find_notice(wanted: bytes) -> Record[Notice]:
            return new.get(wanted) or game_folder.find_notice(wanted)

        reader.absorb(turn, find, game_folder.joins(), find_notice)

    def check_new(self, outcome: Outcome) -> TableReader | None:
        """Check a turn that is not written yet as everybody will check it.

        Return a reader that has read it; None if there is no new turn. Raises CliError if others
        would refuse the turn, and what `table_reader` raises.
        """
        made = [cast("Record[Turn]", one) for name, one in outcome.write if name.kind == "turn"]
        if not made:
            return None
        reader, self.readers.table = self.table_reader(), None
        try:
            self._read_ahead(reader, made[0], outcome.notices)
        except RecordError as error:
            told = f"everybody would refuse turn {made[0].content.turn}, so it was not written: "
            told += error.sentence
            hint = "this is a mistake in pbem: report it with a copy of the game folder"
            raise CliError(told, hint, BUG) from None
        return reader

    def is_ahead(self, reader: SeatReader, seat: str) -> bool:
        """Return whether a seat that the referee plays has orders for a turn that its reader has
        not read yet."""
        return seat in self.here.roles.held and self.readers.seats.get(seat) is reader

    def _catch_up(self, reader: TableReader) -> None:
        """Let the reader read all turns in the folder that it has not read yet. Raises FileError
        with the path."""
        game_folder = self.here.game_folder

        def may_sign(kind: str, key: bytes) -> bool:
            return any(join.key == key for join in reader.roster.values())

        find, notices = game_folder.find_orders(may_sign), game_folder.find_notice
        for turn in game_folder.turns(reader.turn):
            try:
                game_folder.joins_of(turn.content)
                reader.absorb(turn, find, game_folder.joins(), notices)
            except FileError:
                raise
            except RecordError as error:
                where = turn_path(turn.content.turn)
                told = self._signed_by(turn.content.turn, error)
                raise FileError(error.reason, where, told) from None
        check_seen(self.here.mine, game_folder, reader.heads)

    def _signed_by(self, turn: int, error: RecordError) -> str:
        """Say what is wrong with a turn, and whom to ask if they signed it so."""
        if error.reason in ("version", "parent"):
            return error.sentence
        name = self.here.game_folder.maker(turn).name
        return f"{error.sentence}; {name} signed this turn: ask {name}, and see pbem audit"

    # -------------------------------------------------------------- views
    def view(self, fresh: bool = False) -> View:
        """Return your view: from the cache if no file has changed and `fresh` is false, else read
        again."""
        here = self.here
        cache = ViewCache(here.home, here.folder, here.names)
        if not fresh and (kept := cache.view(self.me.wish)):
            return kept  # it was made from this folder, so this place is remembered already
        here.mine.remember_place(here.folder.place)
        self.need_turn()
        view = self.fresh_view(self.me.seat)
        own = sorted(set(here.roles.seats) - here.roles.held)
        cache.keep(view, own, here.roles.referee)
        return view

    def fresh_view(self, seat: str) -> View:
        """Read and check the game; return the view of one seat (empty: of a spectator).

        A seat that the referee plays also sees the turn that waits for its answer.
        """
        here = self.here
        reader = self.seat_reader(seat) if seat else self.table_reader()
        here.mine.remember_place(here.folder.place)
        note_turns(here.mine, reader.times)
        return self._with_preview(seat) if seat in here.roles.held else view_of(reader)

    def _with_preview(self, seat: str) -> View:
        reader = self.seat_reader_now(seat)
        view = view_of(reader, preview=seat not in self.readers.seats)
        view.first = list(self.refereeing.outlook.first) if view.preview else []
        return view

    def need_turn(self) -> None:
        """Raise CliError if turn 1 is not published, unless it already asks a seat that the referee
        plays.

        Raises FileError if a turn has not arrived, is gone, or is damaged.
        """
        here = self.here
        need_first(here)
        check_damage(here.mine, here.game_folder)
        need_last_made(here)
        if not here.listing.reached and not (here.roles.held and self.refereeing.outlook.preview):
            need_seen(here)
            raise not_begun(here)


# ---- Everything that one run of a command knows about you and the game in the folder


class Session:
    """One run of a command: your keys, the game, your part in it, your view, and shortcuts to
    these."""

    here: GameHere
    me: Identity
    refereeing: Refereeing
    reading: Reading

    def __init__(
        self,
        folder: str | Place | None = None,
        seat: str | None = None,
        passphrase_file: Path | None = None,
        home: Home | None = None,
        keyring: Keyring | None = None,
    ) -> None:
        self.home = home or Home.find()
        self.place = chosen_place(folder)
        self.folder = self.home.folder(self.place)
        self.keyring = keyring or Keyring(self.home, passphrase_file)
        self._wish = (seat or os.environ.get("PBEM_AS", "")).lower()
        self._look(Readers(), None)

    def refresh(self) -> None:
        """Read the folder again after something was written or time has passed."""
        self._look(self.reading.readers, self.refereeing.progress)

    def _look(self, readers: Readers, progress: Progress | None) -> None:
        """Forget what the folder contained, but let readers and the turn maker continue where they
        stopped."""
        self.here = GameHere(self.folder, self.keyring)
        self.me = Identity(self.here, self._wish)
        self.refereeing = Refereeing(self.me, progress)
        self.reading = Reading(self.refereeing, readers)

    # -------------------------------------------------------------- the game
    @property
    def listing(self) -> Listing:
        """The files of the folder (see GameHere.listing)."""
        return self.here.listing

    @property
    def gaps(self) -> list[int]:
        """The numbers of missing turns (see GameHere.gaps)."""
        return self.here.gaps

    @property
    def game_folder(self) -> GameFolder:
        """The game in the folder (see GameHere.game_folder)."""
        return self.here.game_folder

    @property
    def mine(self) -> Mine:
        """The private files of this game (see GameHere.mine)."""
        return self.here.mine

    @property
    def roles(self) -> Roles:
        """Your roles in this game (see GameHere.roles)."""
        return self.here.roles

    # -------------------------------------------------------------- who you are
    @property
    def wish(self) -> str:
        """The seat that you named, if any (see Identity)."""
        return self.me.wish

    @property
    def seat(self) -> str:
        """The seat that you mean (see Identity.seat)."""
        return self.me.seat

    def need_seat(self) -> str:
        """Return the seat that you mean, or an error (see Identity.need_seat)."""
        return self.me.need_seat()

    def seat_key(self, seat: str) -> SigningKey:
        """Return the signing key of one of your seats (see Identity.seat_key)."""
        return self.me.seat_key(seat)

    def referee_key(self) -> SigningKey:
        """Return the key of the referee (see Identity.referee_key)."""
        return self.me.referee_key()

    # -------------------------------------------------------------- what you see
    def reader(self, seat: str) -> SeatReader:
        """Return the reader of one of your seats (see Reading.seat_reader)."""
        return self.reading.seat_reader(seat)

    def reader_now(self, seat: str) -> SeatReader:
        """Return the reader of a seat, as of now (see Reading.seat_reader_now)."""
        return self.reading.seat_reader_now(seat)

    def view(self, fresh: bool = False) -> View:
        """Return your view of the game (see Reading.view)."""
        return self.reading.view(fresh)


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
        f"the email to {clean(session.here.name_of(seat))} about turn {last.content.turn} has "
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

    by_mail = SentMail(session.mine).with_referee or runs_post(session, REFEREE)
    if by_mail:
        print(f"next: {RUN if runs_post(session, REFEREE) else SEND}")
    return by_mail


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
    listing = session.listing
    last = listing.reached
    mine = [f.name for f in listing.orders if (f.name.turn, f.name.seat) == (last, seat)]
    newest = max((name.revision for name in mine), default=0)
    mine = [name for name in mine if name.revision == newest]
    if not last:
        mine = [found.name for found in listing.joins if found.name.seat == seat]
    mine += [f.name for f in listing.press if f.name.seat == seat and f.name.turn >= last]
    if all(book.was_sent_as(REFEREE, name.digits) for name in mine):
        return ""
    return RUN if runs else SEND
