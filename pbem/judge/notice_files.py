"""The notices in a folder that no turn lists yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterable
from itertools import groupby
from typing import Final

from pbem.files.disk import FileError
from pbem.files.folder import Found
from pbem.judge.archive import Archive
from pbem.judge.notice_kinds import NewKey, Vouch
from pbem.judge.notices import SignedNotice
from pbem.judge.record_files import Fault
from pbem.records.limits import MAX_NOTICES

MOST_FAULTS: Final = 8
"""The most files that are not notices and are reported one by one, for each writer and turn."""
MORE: Final = "more files with names like this are not notices: remove them"
TOO_MANY: Final = (
    f"there are too many notices: after each turn, only {MAX_NOTICES} from the same writer count"
)


def new_notices(game_folder: Archive, listed: Collection[bytes]) -> list[SignedNotice]:
    """Read the notices that no turn lists yet, whoever signed them; bad and surplus files are noted
    as faults."""
    return read_new(game_folder, listed).records


def read_new(game_folder: Archive, listed: Collection[bytes]) -> NoticeFiles:
    """Read them, and with them the keys of everybody whom the records name."""
    keys = set(game_folder.charter.content.referee_keys)
    for record in game_folder.joins().values():
        keys |= {record.content.key, record.content.recovery}
    new = NoticeFiles(game_folder, listed, keys - {b""})
    files = game_folder.listing.notices  # by path, so by turn and by writer
    for last in (False, True):
        for _, group in groupby(files, key=lambda found: (found.name.turn, found.name.seat)):
            new.read(group)
        if last or not new.full:
            break
        # a later file may have named the key of an earlier file, which was left out as a stranger's
        new = NoticeFiles(game_folder, listed, new.keys)
    return new


class _TooManyError(Exception):
    """The key of this file has already signed as many notices of a writer and turn as can count."""


class NoticeFiles:
    """Reads files in the order of their paths; collects the notices that no turn lists.

    Junk cannot stop a game or a reader: for each key, writer and turn only a few notices count, so
    nobody can crowd out another's notice. All keys that nobody in the game has count as one key.
    """

    def __init__(
        self, game_folder: Archive, listed: Collection[bytes], keys: Iterable[bytes]
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
            full = {key for key in count if count[key] >= MAX_NOTICES and not old}
            try:
                record = self._tried(found, full, bad)
            except _TooManyError:
                most.append(found)
                continue
            if record is None:
                bad += 1
                continue
            said = record.content.saying
            if record.signed.key in self.keys and isinstance(said, NewKey | Vouch):
                self.keys.add(said.key)
            if record.id not in self.listed:
                count[self._counts_as(record.signed.key)] += 1
                self.records.append(record)
        if most:
            self.full = True
            self.game_folder.note(Fault(most[0].path, "size", TOO_MANY))

    def _counts_as(self, key: bytes) -> bytes:
        """Return the key, or for a stranger's an empty one."""
        return key if key in self.keys else b""

    def _tried(self, found: Found, full: Container[bytes], bad: int) -> SignedNotice | None:
        """Return the notice in this file, or None.

        Raises _TooManyError, before the signature is verified, if the key of the file has signed
        enough: so files of strangers take little time.
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
