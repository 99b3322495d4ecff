"""Read the game as you may see it: turn by turn with all checks, or from the cache."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, TypeVar, cast

from pbem.cli.session.caches.view_cache import ViewCache
from pbem.storage.file_names import turn_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.cli.session.refereeing import Refereeing
    from pbem.format.errors import RecordError
    from pbem.play.checking.seat_reader import SeatReader
    from pbem.play.checking.table_reader import TableReader
    from pbem.play.making.outcome import Outcome
    from pbem.play.view import View
    from pbem.records.notices.notice_record import Notice
    from pbem.records.read_record import Record
    from pbem.records.turn import Turn
    from pbem.storage.file_names import Name

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
        from pbem.cli.session.caches.checkpoint_store import SPECTATOR
        from pbem.play.checking.table_reader import TableReader

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
        from pbem.play.checking.seat_reader import SeatReader

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
        from pbem.cli.session.caches.checkpoint_store import CheckpointStore

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
        from pbem.cli.failure import BUG, CliError
        from pbem.format.errors import RecordError

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
        from pbem.cli.session.seen_on_this_machine import check_seen
        from pbem.format.errors import RecordError
        from pbem.storage.errors import FileError

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
        from pbem.cli.session.seen_on_this_machine import note_turns
        from pbem.play.view import view_of

        here = self.here
        reader = self.seat_reader(seat) if seat else self.table_reader()
        here.mine.remember_place(here.folder.place)
        note_turns(here.mine, reader.times)
        return self._with_preview(seat) if seat in here.roles.held else view_of(reader)

    def _with_preview(self, seat: str) -> View:
        from pbem.play.view import view_of

        reader = self.seat_reader_now(seat)
        view = view_of(reader, preview=seat not in self.readers.seats)
        view.first = list(self.refereeing.outlook.first) if view.preview else []
        return view

    def need_turn(self) -> None:
        """Raise CliError if turn 1 is not published, unless it already asks a seat that the referee
        plays.

        Raises FileError if a turn has not arrived, is gone, or is damaged.
        """
        from pbem.cli.session.missing_turns import (
            need_first,
            need_last_made,
            need_seen,
            not_begun,
        )
        from pbem.cli.session.seen_on_this_machine import check_damage

        here = self.here
        need_first(here)
        check_damage(here.mine, here.game_folder)
        need_last_made(here)
        if not here.listing.reached and not (here.roles.held and self.refereeing.outlook.preview):
            need_seen(here)
            raise not_begun(here)
