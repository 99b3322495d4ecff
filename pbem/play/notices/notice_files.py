"""Read the notices in a game's folder: those that turns list, by id, and those not yet listed.

Junk cannot stop a game or a reader. Files that are too big for a notice are not read. For each key,
writer and turn, only a few notices count, so other people's files cannot crowd out a notice. All
keys that nobody in the game has count together as one key.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator
from itertools import groupby
from typing import Final

from pbem.format.errors import RecordError
from pbem.play.checking.game_folder import Fault, GameFolder
from pbem.play.seats.listed_notices import SignedNotice, again, in_order, is_about_seats
from pbem.play.seats.standing import Standing
from pbem.records.notices.notice_record import MOST_NOTICES, Notice
from pbem.records.notices.sayings import NewKey, Vouch
from pbem.records.read_record import Record
from pbem.storage.errors import FileError
from pbem.storage.file_names import Name
from pbem.storage.folder import Found

MOST_FAULTS: Final = 8
"""The most files that are not notices and are reported one by one, for each writer and turn."""
MORE: Final = "more files with names like this are not notices: remove them"
TOO_MANY: Final = (
    f"there are too many notices: after each turn, only {MOST_NOTICES} from the same writer count"
)


def notice_name(record: Record[Notice]) -> Name:
    """Return the name that a notice must have in the folder."""
    notice = record.content
    return Name("notice", notice.turn, notice.writer, notice.number, record.id.hex()[:6])


def standing_in(game_folder: GameFolder) -> Standing:
    """Return who has which seat after the last turn, as the turns say; nothing is replayed.

    Raises FileError for a file that is not a turn, and for a join or a notice that is missing.
    """
    first = next(game_folder.turns(), None)
    charter = game_folder.charter.content
    if first is None:
        return Standing(charter)
    roster = {seat: join.content for seat, join in game_folder.joins_of(first.content).items()}
    standing = Standing(charter, roster, joins=game_folder.joins())
    find = game_folder.find_notice
    for number, ids in game_folder.listed_notices():
        records = [r for r in in_order(standing, map(find, ids)) if is_about_seats(standing, r)]
        standing = again(standing, ((number, r.id) for r in records), find)
    return standing


def keys_in_game(game_folder: GameFolder, listed: Collection[bytes]) -> Collection[bytes]:
    """Return the keys of everybody in the game, so that their notices are kept.

    `listed` are the ids of the notices that turns list. `pbem.play.seats` decides which notices a
    key may sign at which time.
    """
    return _read(game_folder, listed).keys


def _first_keys(game_folder: GameFolder) -> set[bytes]:
    """Return the signing keys that the charter and the joins name."""
    keys = set(game_folder.charter.content.referee_keys)
    for record in game_folder.joins().values():
        keys |= {record.content.key, record.content.recovery}
    return keys - {b""}


def named_keys(game_folder: GameFolder, listed: Iterable[bytes], seat: str = "") -> set[bytes]:
    """Return the signing keys that notices name for a seat, whether the notices count or not.

    `listed` are the ids of the notices that turns list. An empty `seat` means any seat.
    """
    found = set[bytes]()
    for record in (*_found(game_folder, listed), *new_notices(game_folder, ())):
        said = record.content.saying
        if isinstance(said, NewKey) and seat in ("", record.content.seat):
            found.add(said.key)
        if isinstance(said, Vouch) and seat in ("", said.seat):
            found.add(said.key)
    return found


def _found(game_folder: GameFolder, ids: Iterable[bytes]) -> Iterator[SignedNotice]:
    """Yield the notices with these ids that are here."""
    for ident in ids:
        with contextlib.suppress(RecordError):
            yield game_folder.find_notice(ident)


def keys_of_joins(game_folder: GameFolder, seat: str) -> set[bytes]:
    """Return the keys of all joins of a seat; empty if there is no notice that could give the seat
    to somebody new."""
    if not game_folder.listing.notices:
        return set()
    joins = (record.content for record in game_folder.joins().values())
    return {join.key for join in joins if join.seat == seat}


def new_notices(game_folder: GameFolder, listed: Collection[bytes]) -> list[SignedNotice]:
    """Read the notices that no turn lists yet, no matter who signed them.

    Bad files are noted as faults, and so is a key that signed more notices of one writer after a
    turn than can count.
    """
    return _read(game_folder, listed).records


def _read(game_folder: GameFolder, listed: Collection[bytes]) -> _NewNotices:
    new = _NewNotices(game_folder, listed, _first_keys(game_folder))
    files = game_folder.listing.notices  # by path, so by turn and by writer
    for last in (False, True):
        for _, group in groupby(files, key=lambda found: (found.name.turn, found.name.seat)):
            new.read(group)
        if last or not new.full:
            break
        # a later file may have named the key of an earlier file, which was left out as a stranger's
        new = _NewNotices(game_folder, listed, new.keys)
    return new


class _TooManyError(Exception):
    """The key of this file has already signed as many notices of a writer and turn as can count."""


class _NewNotices:
    """Reads files in the order of their paths; collects the notices that no turn lists."""

    def __init__(
        self, game_folder: GameFolder, listed: Collection[bytes], keys: Iterable[bytes]
    ) -> None:
        self.game_folder, self.listed = game_folder, listed
        self.digits = {ident.hex()[:6] for ident in listed}
        self.records: list[SignedNotice] = []
        self.keys = {*keys}
        """The keys of people in the game; a notice that one of them signed can name another."""
        self.full = False
        """Whether any file was left out because its key had signed enough."""

    def read(self, files: Iterable[Found]) -> None:
        """Read the files of one writer after one turn."""
        count, bad, most = Counter[bytes](), 0, list[Found]()
        for found in files:
            old = found.name.digits in self.digits
            full = {key for key in count if count[key] >= MOST_NOTICES and not old}
            try:
                record = self._tried(found, full, bad)
            except _TooManyError:
                most.append(found)
                continue
            if record is None:
                bad += 1
                continue
            if record.signed.key in self.keys:
                self.keys |= _named_by(record)
            if record.id not in self.listed:
                count[self._counts_as(record.signed.key)] += 1
                self.records.append(record)
        if most:
            self.full = True
            self.game_folder.note(Fault(most[0].path, "size", TOO_MANY))

    def _counts_as(self, key: bytes) -> bytes:
        """Return the key itself, or an empty key for any key that nobody in the game has."""
        return key if key in self.keys else b""

    def _tried(self, found: Found, full: Container[bytes], bad: int) -> SignedNotice | None:
        """Return the notice in this file; None if it has none.

        Raises _TooManyError if the key of the file has signed enough. The signature is then not
        verified, so that files of strangers take little time.
        """

        def known(_: str, key: bytes) -> bool:
            if self._counts_as(key) in full:
                raise _TooManyError
            return True

        looked = self.game_folder.looked
        if found.path not in looked:
            try:
                looked[found.path] = [self.game_folder.notice(found, known)]
            except FileError as error:
                looked[found.path] = []
                if bad < MOST_FAULTS:
                    self.game_folder.note(Fault(found.path, error.reason, error.sentence))
                elif bad == MOST_FAULTS:
                    self.game_folder.note(Fault(found.path, error.reason, MORE))
        for record in looked[found.path]:
            known("", record.signed.key)
            return record
        return None


def _named_by(record: SignedNotice) -> set[bytes]:
    """Return the signing key that a notice names, in a set."""
    said = record.content.saying
    return {said.key} if isinstance(said, NewKey | Vouch) else set()
