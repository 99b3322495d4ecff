"""Readers of the game for everybody and for the user's seats: they have read all turns, and go on
from where they stopped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

from pbem.errors import BUG, CliError
from pbem.files.file_errors import FileError
from pbem.files.record_file_names import Name, turn_path
from pbem.format.record_error import RecordError
from pbem.person.cached_views_and_readers import SPECTATOR_VIEWPOINT, AnyReader, Snapshots
from pbem.person.check_seen_and_made_turns import check_seen_turns
from pbem.person.referees_next_turn_and_options import Refereeing
from pbem.person.user_game import UserGame
from pbem.records.notice import Notice
from pbem.records.read_and_sign_record import Record
from pbem.records.turn import Turn
from pbem.text.terminal_and_page_wording import TerminalText

if TYPE_CHECKING:
    from pbem.judge.public_turn_reader import PublicReader
    from pbem.judge.seat_turn_reader import SeatReader
    from pbem.judge.turn_inputs_and_outcome import Outcome


class Readers:
    """The readers of one run: of the public table, and of each of your seats."""

    def __init__(self, game: UserGame, refereeing: Refereeing) -> None:
        self.game = game
        self.refereeing = refereeing
        self.table_reader: PublicReader | None = None
        """The reader of the public part that was used last, if it can go on."""
        self._seat_readers: dict[str, SeatReader] = {}
        self.use_checkpoints = True
        """Whether checkpoints may be used; if not, every file is read and hashed again."""

    def table(self) -> PublicReader:
        """Return a reader for the public part of the game."""
        from pbem.judge.public_turn_reader import PublicReader

        reader, self.table_reader = self.table_reader, None
        make_reader = partial(PublicReader, self.game.game_folder.charter)
        self.table_reader = self._caught_up(reader, SPECTATOR_VIEWPOINT, b"", make_reader)
        return self.table_reader

    def seat(self, seat: str) -> SeatReader:
        """Return a reader that also opens what is sealed for one of your seats."""
        from pbem.judge.seat_turn_reader import SeatReader

        game = self.game
        reader, key = self._seat_readers.pop(seat, None), game.seat_key(seat)
        charter = game.game_folder.charter
        make_reader = partial(SeatReader, charter, seat, key.seed, game.key_valid_from(seat))
        self._seat_readers[seat] = self._caught_up(reader, seat, key.public, make_reader)
        return self._seat_readers[seat]

    def seat_now(self, seat: str) -> SeatReader:
        """Return a seat's reader; for a seat that the referee plays, it has also read the turn that
        waits for the seat."""
        is_referee_seat = seat in self.game.roles.referee_seats
        # first, because it may list the folder again
        preview = self.refereeing.outlook.preview if is_referee_seat else None
        reader = self.seat(seat)
        if preview and preview.content.turn != reader.chain.turn + 1:
            # another command has made a turn since the outlook
            preview = self.refereeing.outlook.preview
            reader = self.seat(seat)
        if preview is None:
            return reader
        self._read_ahead(reader, preview, self.refereeing.outlook.notices)
        self._seat_readers.pop(seat)  # the preview is not a turn of the chain
        reader.preview = True
        return reader

    def read_new_turn(self, outcome: Outcome) -> PublicReader | None:
        """Check a turn that is not written yet as everybody will check it.

        Return a reader that has read it; None if there is no new turn. Raises CliError if others
        would refuse the turn, and what `table` raises.
        """
        turns = [
            cast("Record[Turn]", record) for n, record in outcome.new_records if n.kind == "turn"
        ]
        if not turns:
            return None
        reader, self.table_reader = self.table(), None
        try:
            self._read_ahead(reader, turns[0], outcome.notices)
        except RecordError as error:
            sentence = (
                f"turn {turns[0].content.turn} would break the rules, so pbem did not write the "
                f"turn: {error.sentence}"
            )
            hint = (
                "this is a fault in pbem: please report the fault, with a copy of the game folder"
            )
            raise CliError(sentence, hint, BUG) from None
        return reader

    def _caught_up(
        self,
        reader: AnyReader | None,
        viewpoint: str,
        key: bytes,
        make_reader: Callable[[], AnyReader],
    ) -> AnyReader:
        """Return the reader after it has read all turns; without one, older turns come from its
        checkpoint. A reader that stopped halfway cannot be used again."""
        if reader is not None:
            self._catch_up(reader)
            return reader
        snapshots = Snapshots(self.game)
        if self.use_checkpoints:
            reader = snapshots.resume_reader(viewpoint, key, make_reader)
        reader = reader or make_reader()
        known_turn = reader.chain.turn
        self._catch_up(reader)
        if reader.chain.turn > known_turn:
            snapshots.keep_reader(viewpoint, key, reader)
        return reader

    def _catch_up(self, reader: PublicReader) -> None:
        """Let the reader absorb the turns after its last one. Raises FileError for a wrong turn, or
        if turns are missing that this machine saw."""
        self._absorb_turns(reader)
        try:
            check_seen_turns(self.game, reader.chain.heads)
        except FileError:
            # another command of this person may have read a turn that came after this one listed
            # the folder
            self.game.read_again()
            self._absorb_turns(reader)
            check_seen_turns(self.game, reader.chain.heads)

    def _absorb_turns(self, reader: PublicReader) -> None:
        """Let the reader absorb the turns in the folder after its last one. Raises FileError for a
        wrong turn."""
        game_folder = self.game.game_folder
        finder = game_folder.finder(reader.chain.may_sign_orders)
        for turn in game_folder.turns(reader.chain.turn):
            try:
                game_folder.joins_of(turn.content)
                reader.absorb(turn, finder)
            except FileError:
                raise
            except RecordError as error:
                number, sentence = turn.content.turn, error.sentence
                if error.reason not in ("version", "parent"):
                    sentence = TerminalText(
                        "{sentence}; ask {name}, who signed this turn[[, and type pbem audit]]"
                    ).format(sentence=sentence, name=game_folder.maker(number).name)
                raise FileError(error.reason, turn_path(number), sentence) from None

    def _read_ahead(
        self,
        reader: PublicReader,
        turn: Record[Turn],
        notices: Sequence[tuple[Name, Record[Notice]]],
    ) -> None:
        """Let the reader absorb a turn that is not published yet; `notices` are the new notices
        that it lists, which are not in the folder yet either."""
        game_folder = self.game.game_folder
        new_notices = {record.id: record for _, record in notices}

        def find_notice(notice_id: bytes) -> Record[Notice]:
            return new_notices.get(notice_id) or game_folder.find_notice(notice_id)

        reader.absorb(turn, game_folder.finder()._replace(notice=find_notice))
