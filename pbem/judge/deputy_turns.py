"""Which turn counts where the referee and the deputy may both have signed one.

That follows from what they signed, not from which file has the plain name (protocol §5, *Deputy*):
the deputy's, if a notice makes it right, unless the players went on with the referee's.

A turn that a deputy signs too early does no harm: such a file does not count as a turn, and the
referee's program sets it aside. The turns' reader makes the same checks again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Final, TypeVar

from engine.values import Value
from pbem.files.disk import StorageError
from pbem.files.folder import Found, found_by_id, turn_path
from pbem.format.canonical import RecordError
from pbem.judge.deputy import maker_of
from pbem.judge.notice_kinds import HandOver, NewKey, TakeIn
from pbem.judge.notices import believed
from pbem.judge.record_files import RecordFiles
from pbem.judge.standing import Standing
from pbem.records.charter import Orders
from pbem.records.notice import Notice
from pbem.records.press import REFEREE
from pbem.records.read_record import Content, Record, read_as
from pbem.records.turn import Turn
from pbem.records.words import first_head, next_head

C = TypeVar("C", bound=Content)
MOST_COPIES: Final = 500
"""How many second copies of turns are read."""
SECOND: Final = ("copy", "aside")
"""The kinds of misnamed files that may contain a turn: another file has its standard name."""


class TurnFile(Value):
    """A file with a turn of this game that the referee or the deputy signed."""

    path: str
    record: Record[Turn]

    @property
    def place(self) -> int:
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
    def first(self) -> TurnFile | None:
        """The first turn that counts as the deputy's; None if there is none."""
        if not self.charter.deputy_key:
            return None
        names = (found.name for found in self.files.whole.notices)
        places = sorted({name.turn + 1 for name in names if name.seat == REFEREE})
        found = (one for place in places for one in self.at(place))
        return next((one for one in found if self.takes_over(one.record)), None)

    def takes_over(self, taking: Record[Turn]) -> bool:
        """Return whether a turn makes the deputy the referee, as far as the records show."""
        turn = taking.content
        if taking.signed.key != self.charter.deputy_key:
            return False
        if not any(row.about == HandOver.about for row in turn.notices):
            return False
        for one in self._referees(turn.turn - 1):
            if one.head == turn.prev:
                said = self._listed(turn)
                right = any(self._counts(turn, one.record.content, notice) for notice in said)
                return right and not self._went_on(TurnFile("", taking))
        return False

    def _counts(self, turn: Turn, before: Turn, record: Record[Notice]) -> bool:
        notice, key = record.content, record.signed.key
        said = notice.saying
        if not isinstance(said, HandOver) or notice.seat or notice.prev != turn.prev:
            return False
        if said.by == "referee":
            return key == self.charter.key
        quiet_since = max(before.time, before.deadline)
        late = turn.time >= quiet_since + self.charter.policies.deputy_after
        return key == self.charter.deputy_key and late

    def _went_on(self, taking: TurnFile) -> bool:
        """Return whether the players went on with the referee's turn for the same place, which may
        be missing here: a later turn of the referee accepts orders that answer it, or answer a turn
        that builds on it."""
        place = taking.place + 1
        here = [x for x in self._referees(place) if x.record.content.prev != taking.head]
        heads = {one.record.content.prev for one in here}
        keys = self._players(taking) if here else {}
        while here:
            for notice in (x for one in here for x in self._listed(one.record.content)):
                mine, said = keys.get(notice.content.seat, set()), notice.content.saying
                if isinstance(said, NewKey) and notice.signed.key in mine:
                    mine.add(said.key)
            if any(self._accepts(one.record.content, heads, keys) for one in here):
                return True
            last = {one.head for one in here}
            heads, place = heads | last, place + 1
            here = [one for one in self._referees(place) if one.record.content.prev in last]
        return False

    def _accepts(self, turn: Turn, heads: set[bytes], keys: Mapping[str, set[bytes]]) -> bool:
        """Return whether a turn accepts orders of a player that answer a turn with such a head."""
        ids = {row.id for row in turn.orders if row.status == "accepted"}

        def read(found: Found) -> Record[Orders]:
            mine = keys.get(found.name.seat, ())
            return self.files.orders(found, lambda _, key: key in mine)

        here = self._records(self.files.whole.orders, ids, read)
        return any(orders.content.prev in heads for orders in here)

    def _players(self, taking: TurnFile) -> dict[str, set[bytes]]:
        """Return the keys, signing and recovery, of each player before this turn.

        They follow from the turns before it: what either signs for this place or later makes nobody
        a player.
        """
        before, head = list[Turn](), taking.record.content.prev
        for place in range(taking.place - 1, 0, -1):
            for one in (x for x in self._referees(place) if x.head == head):
                before, head = [one.record.content, *before], one.record.content.prev
                break
        first = before[0].joins or {} if before else {}
        said = (notice.content.saying for turn in before for notice in self._listed(turn))
        taken = {one.join for one in said if isinstance(one, TakeIn)}
        ids = {*first.values(), *taken}
        here = self._records(self.files.whole.joins, ids, self.files.join)
        joins = {join.id: join for join in here}
        roster = {seat: joins[i].content for seat, i in first.items() if i in joins}
        standing = Standing(self.charter, roster, joins=joins)
        for turn in before:
            standing = believed(standing, self._listed(turn), turn.turn)
        playing = {s: one for s, one in standing.roster.items() if s not in standing.out}
        return {seat: {join.key, join.recovery} - {b""} for seat, join in playing.items()}

    def at(self, place: int) -> Iterator[TurnFile]:
        """Yield the turns that one of the two signed for a place, the one with the plain name
        first."""
        for found in self.files.whole.turns:
            if found.name.turn == place:
                with contextlib.suppress(RecordError, StorageError):
                    yield self._file(found.path, self.files.folder.read(found))
        yield from (one for one in self._copies if one.place == place)

    def _referees(self, place: int) -> list[TurnFile]:
        return [one for one in self.at(place) if one.record.signed.key == self.charter.key]

    @cached_property
    def _copies(self) -> list[TurnFile]:
        litter = self.files.whole.litter
        paths = [x.path for x in litter if x.kind in SECOND and x.path.startswith("turns/")]
        found = list[TurnFile]()
        for path in paths[:MOST_COPIES]:
            with contextlib.suppress(RecordError, StorageError):
                found.append(self._file(path, self.files.folder.read_litter(path)))
        return found

    def _file(self, path: str, data: bytes) -> TurnFile:
        record = read_as(Turn, data, lambda _, key: key in self.charter.referee_keys)
        if record.content.game != self.files.game:
            raise RecordError("place", "this file belongs to another game")
        return TurnFile(path, record)

    def _listed(self, turn: Turn) -> Iterable[Record[Notice]]:
        ids = {row.id for row in turn.notices}
        return self._records(self.files.whole.notices, ids, self.files.notice)

    def _records(
        self, files: Iterable[Found], ids: Collection[bytes], read: Callable[[Found], Record[C]]
    ) -> Iterator[Record[C]]:
        """Yield the records with these ids, as far as they are here and good."""
        for found in found_by_id(files, ids):
            with contextlib.suppress(RecordError, StorageError):
                record = read(found)
                if record.id in ids:
                    yield record

    def elsewhere(self) -> list[TurnFile]:
        """Return the turns that count but are not in `turns/NNNN.toml`, where they belong."""
        found, head, place = list[TurnFile](), first_head(self.files.game), 1
        while self.charter.deputy_key and self._copies:
            maker = maker_of(self.charter, self.first.place if self.first else 0, place).key
            here = (x for x in self.at(place) if x.record.content.prev == head)
            one = next((x for x in here if x.record.signed.key == maker), None)
            if one is None:
                break
            found += [one] if one.path != turn_path(place) else []
            head, place = one.head, place + 1
        return found
