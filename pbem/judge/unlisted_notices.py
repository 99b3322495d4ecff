"""The notices in a folder that no turn lists yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterable
from itertools import groupby
from typing import Final

from pbem.files.file_errors import FileError
from pbem.files.game_folder import RecordFile
from pbem.judge.notice_kinds import NewKey, Vouch
from pbem.judge.read_and_check_record_file import Fault
from pbem.judge.record_chain import Chain
from pbem.judge.records_of_game_folder import Archive
from pbem.judge.which_notices_count import SignedNotice, SortedNotices, sort_notices
from pbem.records.record_count_and_size_limits import MAX_NOTICES

MAX_FAULTS: Final = 8
"""The number of files that are not notices and are reported one by one, per writer and turn."""
MORE_FILES_SENTENCE: Final = (
    "more files have the name of a notice, but are not notices: remove the files"
)
TOO_MANY_SENTENCE: Final = (
    f"there are too many notices: after each turn, pbem reads only {MAX_NOTICES} from the same "
    "writer"
)


def unlisted_notices(game_folder: Archive, listed_ids: Collection[bytes]) -> list[SignedNotice]:
    """Read the notices that no turn lists yet, whoever signed them; bad and surplus files are noted
    as faults. `listed_ids` are the ids of the notices that turns list."""
    return read_notice_files(game_folder, listed_ids).records


def sort_unlisted_notices(game_folder: Archive, chain: Chain, time: int) -> SortedNotices:
    """Return the notices that no turn lists yet, sorted as the next turn would sort them if it were
    made at `time`, a Unix time in seconds."""
    standing = chain.standing_at(time, game_folder.joins())
    return sort_notices(standing, unlisted_notices(game_folder, chain.listed_notices), chain.heads)


def read_notice_files(game_folder: Archive, listed_ids: Collection[bytes]) -> NoticeFiles:
    """Read the notices that no turn lists yet (`listed_ids` are the ids of the others), and the
    keys of everybody whom records name.

    If a file was left out because too many of strangers came before it, all files are read once
    more, with the keys that the first pass has learnt.
    """
    keys = set(game_folder.charter.content.notice_keys)
    for record in game_folder.joins().values():
        keys |= {record.content.key, record.content.recovery}
    notice_files = NoticeFiles(game_folder, listed_ids, keys - {b""})
    files = game_folder.listing.notices  # by path, so by turn and by writer
    for is_last_pass in (False, True):
        for _, group in groupby(files, key=lambda file: (file.name.turn, file.name.seat)):
            notice_files.read(group)
        if is_last_pass or not notice_files.has_surplus:
            break
        # a later file may have named the key of an earlier file, which was left out as a stranger's
        notice_files = NoticeFiles(game_folder, listed_ids, notice_files.keys)
    return notice_files


class _TooManyError(Exception):
    """The key of a file has already signed as many notices of its writer and turn as can count."""


class NoticeFiles:
    """A reader of notice files, in the order of their paths, which keeps the unlisted notices.

    Junk cannot stop a game or a reader: for each key, writer and turn only a few notices count, so
    nobody can crowd out another's notice. All keys that nobody in the game has count as one key.
    """

    def __init__(
        self, game_folder: Archive, listed_ids: Collection[bytes], keys: Iterable[bytes]
    ) -> None:
        """`listed_ids` are the ids of the notices that turns list; `keys` are the keys of people in
        the game as far as they are known."""
        self.game_folder, self.listed_ids = game_folder, listed_ids
        self.listed_short_ids = {notice_id.hex()[:6] for notice_id in listed_ids}
        self.records: list[SignedNotice] = []
        self.keys = {*keys}
        """The keys of people in the game; a notice that one of them signed can name another."""
        self.has_surplus = False
        """Whether a file was left out because its key had already signed `MAX_NOTICES`."""

    def read(self, files: Iterable[RecordFile]) -> None:
        """Read the files of one writer after one turn, in the order of their paths: add the
        unlisted notices to `records`, and new keys that people in the game name to `keys`."""
        counts, bad_count, surplus_files = Counter[bytes](), 0, list[RecordFile]()
        for file in files:
            is_listed = file.name.short_id in self.listed_short_ids  # such a file is always read
            full_keys = {key for key in counts if counts[key] >= MAX_NOTICES and not is_listed}
            try:
                record = self._read_notice(file, full_keys, bad_count)
            except _TooManyError:
                surplus_files.append(file)
                continue
            if record is None:
                bad_count += 1
                continue
            saying = record.content.saying
            if record.signed.key in self.keys and isinstance(saying, NewKey | Vouch):
                self.keys.add(saying.key)
            if record.id not in self.listed_ids:
                counts[self._counts_as(record.signed.key)] += 1
                self.records.append(record)
        if surplus_files:
            self.has_surplus = True
            self.game_folder.note(Fault(surplus_files[0].path, "size", TOO_MANY_SENTENCE))

    def _counts_as(self, key: bytes) -> bytes:
        """Return the key under which notices are counted: empty for the keys of strangers."""
        return key if key in self.keys else b""

    def _read_notice(
        self, file: RecordFile, full_keys: Container[bytes], bad_count: int
    ) -> SignedNotice | None:
        """Return the notice in this file; None if it is bad.

        Raises _TooManyError, before the signature is verified, if the key of the file is one of
        `full_keys`: so files of strangers take little time. `bad_count` is the number of bad files
        so far; only the first `MAX_FAULTS` are faults of their own.
        """

        def check_room(_: str, key: bytes) -> bool:
            """Let every key pass that is not full: `Archive.notice` asks this as `is_known_key`."""
            if self._counts_as(key) in full_keys:
                raise _TooManyError
            return True

        notices_by_path = self.game_folder.notices_by_path
        if file.path not in notices_by_path:
            try:
                notices_by_path[file.path] = [self.game_folder.notice(file, check_room)]
            except FileError as error:
                notices_by_path[file.path] = []
                if bad_count < MAX_FAULTS:
                    self.game_folder.note(Fault(file.path, error.reason, error.sentence))
                elif bad_count == MAX_FAULTS:
                    self.game_folder.note(Fault(file.path, error.reason, MORE_FILES_SENTENCE))
        for record in notices_by_path[file.path]:
            check_room("", record.signed.key)
            return record
        return None
