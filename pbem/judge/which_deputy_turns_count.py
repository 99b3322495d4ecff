"""The turns that count where the referee and the deputy may both have signed one.

The signatures decide, and not the names of the files (protocol §5, *Deputy*): the deputy's turn
counts if a notice hands the game over, unless the players went on with the referee's turn.

A turn that a deputy signs too early does no harm: such a file does not count as a turn, and the
referee's program sets it aside. The turns' reader makes the same checks again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Final, TypeVar

from engine.value_classes import Value
from pbem.files.file_errors import StorageError
from pbem.files.game_folder import RecordFile, files_with_ids
from pbem.files.record_file_names import turn_path
from pbem.format.record_error import RecordError
from pbem.judge.notice_kinds import HandOver, NewKey, TakeIn
from pbem.judge.read_and_check_record_file import RecordFiles
from pbem.judge.referee_or_deputy import maker_of
from pbem.judge.seat_holders_keys_and_agreements import Standing
from pbem.judge.which_notices_count import believed
from pbem.records.deal_record import Deal
from pbem.records.game_id_and_chain_heads import first_head, next_head
from pbem.records.notice import Notice
from pbem.records.orders import Orders
from pbem.records.press_message import REFEREE
from pbem.records.read_and_sign_record import Content, Record, read_as
from pbem.records.turn import Turn

C = TypeVar("C", bound=Content)
MAX_COPIES: Final = 500
"""The number of second copies of turns that are read."""
COPY_KINDS: Final = ("copy", "aside")
"""The kinds of misnamed files that may contain a turn: another file has its standard name."""


class TurnFile(Value):
    """A file with a turn of this game that the referee or the deputy signed."""

    path: str
    record: Record[Turn]

    @property
    def turn_number(self) -> int:
        """The number of the turn, as the record says."""
        return self.record.content.turn

    @property
    def head(self) -> bytes:
        """The head after this turn."""
        return next_head(self.record.content.prev, self.record.id)


class DeputyTurns:
    """The turns in one folder, for places for which referee and deputy may both have signed one."""

    def __init__(self, files: RecordFiles) -> None:
        self.files, self.charter = files, files.charter.content

    @cached_property
    def first_turn(self) -> TurnFile | None:
        """The first turn that counts as the deputy's; None if there is none. Only turns after a
        notice in the referee's name can be: one must hand the game over."""
        if not self.charter.deputy_key:
            return None
        names = (file.name for file in self.files.complete_listing.notices)
        numbers = sorted({name.turn + 1 for name in names if name.seat == REFEREE})
        turn_files = (turn_file for number in numbers for turn_file in self.turn_files(number))
        return next((file for file in turn_files if self.takes_over(file.record)), None)

    def takes_over(self, taking: Record[Turn]) -> bool:
        """Return whether a turn makes the deputy the referee, as far as the records show: the
        deputy signed it, it lists a notice that hands the game over and was right to, and the
        players did not go on with the referee's turn."""
        turn = taking.content
        if taking.signed.key != self.charter.deputy_key:
            return False
        if not any(row.about == HandOver.about for row in turn.notices):
            return False
        for turn_file in self._referee_turns(turn.turn - 1):
            if turn_file.head == turn.prev:
                previous_turn, notices = turn_file.record.content, self._listed_notices(turn)
                is_right = any(self._hands_over(turn, previous_turn, notice) for notice in notices)
                return is_right and not self._players_went_on(TurnFile("", taking))
        return False

    def _hands_over(self, turn: Turn, previous_turn: Turn, record: Record[Notice]) -> bool:
        """Return whether a notice that `turn` lists hands the game over: the referee signed it, or
        the deputy after a long silence since the previous turn."""
        notice, key = record.content, record.signed.key
        declaration = notice.saying
        if not isinstance(declaration, HandOver) or notice.seat or notice.prev != turn.prev:
            return False
        if declaration.by == "referee":
            return key == self.charter.key
        due_at = max(previous_turn.time, previous_turn.deadline)
        is_late = turn.time >= due_at + self.charter.policies.deputy_after
        return key == self.charter.deputy_key and is_late

    def _players_went_on(self, taking: TurnFile) -> bool:
        """Return whether the players went on with the referee's turn instead of this one.

        They did if a later turn of the referee accepts orders that answer the referee's turn, or a
        turn that builds on it, or lists a co-dealer's deal after one of them. The referee's turn
        itself may be missing here.
        """
        number = taking.turn_number + 1
        turn_files = [
            x for x in self._referee_turns(number) if x.record.content.prev != taking.head
        ]
        # the heads after the referee's turn for this place and later ones, and the players' keys
        heads = {turn_file.record.content.prev for turn_file in turn_files}
        standing = self._standing_before(taking) if turn_files else Standing(self.charter)
        keys, dealer_keys = _player_keys(standing), frozenset(standing.dealer_keys)
        while turn_files:
            turns = [turn_file.record.content for turn_file in turn_files]
            for notice in (notice for turn in turns for notice in self._listed_notices(turn)):
                own_keys, saying = keys.get(notice.content.seat, set()), notice.content.saying
                if isinstance(saying, NewKey) and notice.signed.key in own_keys:
                    own_keys.add(saying.key)
            if any(
                self._accepts_orders(turn, heads, keys)
                or self._lists_deals(turn, heads, dealer_keys)
                for turn in turns
            ):
                return True
            next_heads = {turn_file.head for turn_file in turn_files}
            heads, number = heads | next_heads, number + 1
            turn_files = [
                x for x in self._referee_turns(number) if x.record.content.prev in next_heads
            ]
        return False

    def _accepts_orders(
        self, turn: Turn, heads: set[bytes], keys: Mapping[str, set[bytes]]
    ) -> bool:
        """Return whether a turn accepts orders of a player that build on one of these heads."""
        ids = {row.id for row in turn.orders if row.status == "accepted"}

        def read(file: RecordFile) -> Record[Orders]:
            player_keys = keys.get(file.name.seat, ())
            return self.files.orders(file, lambda _, key: key in player_keys)

        records = self._records(self.files.complete_listing.orders, ids, read)
        return any(record.content.prev in heads for record in records)

    def _lists_deals(self, turn: Turn, heads: set[bytes], dealer_keys: frozenset[bytes]) -> bool:
        """Return whether a turn lists a deal of a co-dealer that builds on one of these heads."""

        def read(file: RecordFile) -> Record[Deal]:
            return self.files.deal(file, lambda _, key: key in dealer_keys)

        records = self._records(self.files.complete_listing.deals, {*turn.deals}, read)
        return any(record.content.prev in heads for record in records)

    def _standing_before(self, taking: TurnFile) -> Standing:
        """Return who is who before this turn.

        Only the turns before this one make somebody a player or a dealer: nothing that the referee
        or the deputy signs for this place, or later, does.
        """
        turns, head = list[Turn](), taking.record.content.prev
        for number in range(taking.turn_number - 1, 0, -1):
            for turn_file in (x for x in self._referee_turns(number) if x.head == head):
                turns.insert(0, turn_file.record.content)
                head = turns[0].prev
                break
        first_ids = turns[0].joins or {} if turns else {}
        sayings = (notice.content.saying for turn in turns for notice in self._listed_notices(turn))
        later_ids = {saying.join for saying in sayings if isinstance(saying, TakeIn)}
        join_ids = {*first_ids.values(), *later_ids}
        records = self._records(self.files.complete_listing.joins, join_ids, self.files.join)
        joins = {record.id: record for record in records}
        roster = {seat: joins[i].content for seat, i in first_ids.items() if i in joins}
        standing = Standing(self.charter, roster, joins=joins)
        for turn in turns:
            standing = believed(standing, self._listed_notices(turn), turn.turn)
        return standing

    def turn_files(self, number: int) -> Iterator[TurnFile]:
        """Yield the turns that the referee or the deputy signed for the place with this number; the
        file with the standard name comes first, then copies under other names. Files that cannot be
        read are left out."""
        for file in self.files.complete_listing.turns:
            if file.name.turn == number:
                with contextlib.suppress(RecordError, StorageError):
                    yield self._file(file.path, self.files.folder.read(file))
        yield from (turn_file for turn_file in self._copies if turn_file.turn_number == number)

    def _referee_turns(self, number: int) -> list[TurnFile]:
        return [
            file for file in self.turn_files(number) if file.record.signed.key == self.charter.key
        ]

    @cached_property
    def _copies(self) -> list[TurnFile]:
        strays = self.files.complete_listing.strays
        paths = [x.path for x in strays if x.kind in COPY_KINDS and x.path.startswith("turns/")]
        turn_files = list[TurnFile]()
        for path in paths[:MAX_COPIES]:
            with contextlib.suppress(RecordError, StorageError):
                turn_files.append(self._file(path, self.files.folder.read_stray(path)))
        return turn_files

    def _file(self, path: str, data: bytes) -> TurnFile:
        record = read_as(Turn, data, lambda _, key: key in self.charter.referee_keys)
        if record.content.game != self.files.game:
            raise RecordError("place", "this file belongs to another game")
        return TurnFile(path, record)

    def _listed_notices(self, turn: Turn) -> Iterable[Record[Notice]]:
        ids = {row.id for row in turn.notices}
        return self._records(self.files.complete_listing.notices, ids, self.files.notice)

    def _records(
        self,
        files: Iterable[RecordFile],
        ids: Collection[bytes],
        read: Callable[[RecordFile], Record[C]],
    ) -> Iterator[Record[C]]:
        """Yield the records with these ids that are here and good: the names of `files` show which
        ones `read` must read."""
        for file in files_with_ids(files, ids):
            with contextlib.suppress(RecordError, StorageError):
                record = read(file)
                if record.id in ids:
                    yield record

    def misplaced_turns(self) -> list[TurnFile]:
        """Return the turns that count but are not in `turns/NNNN.toml`, where they belong. Only a
        game with a deputy and with copies of turns can have such turns."""
        misplaced, head, number = list[TurnFile](), first_head(self.files.game), 1
        while self.charter.deputy_key and self._copies:
            maker = maker_of(
                self.charter, self.first_turn.turn_number if self.first_turn else 0, number
            ).key
            turn_files = (x for x in self.turn_files(number) if x.record.content.prev == head)
            turn_file = next((x for x in turn_files if x.record.signed.key == maker), None)
            if turn_file is None:
                break
            misplaced += [turn_file] if turn_file.path != turn_path(number) else []
            head, number = turn_file.head, number + 1
        return misplaced


def _player_keys(standing: Standing) -> dict[str, set[bytes]]:
    """Return the keys, signing and recovery, of each player, by seat."""
    players = {s: join for s, join in standing.roster.items() if s not in standing.seats_out}
    return {seat: {join.key, join.recovery} - {b""} for seat, join in players.items()}
