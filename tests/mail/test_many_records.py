"""Many records in one letter: the folder is read again only when it must be.

What is read again costs a scan of the folder and all new turns, so it is counted.
"""

import contextlib
from pathlib import Path

import pytest

from pbem.files.game_folder import Folder, Listing, RecordFile
from pbem.format.record_error import RecordError
from pbem.mail.record_filing import RecordFiler
from pbem.records.read_and_sign_record import Record
from tests.kit.record_files import put_record
from tests.kit.sample_records import orders_of_b
from tests.mail.filed_records import (
    BEGUN,
    CHARTER,
    FINAL,
    JOIN_A,
    JOIN_B,
    JOINS,
    ORDERS1,
    ORDERS2,
    TURN1,
    TURN2,
    joins_without_invite,
    message_of,
)


class CountedFolder(Folder):
    """A folder that counts how often it is listed, and which messages are read."""

    scans = 0

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.reads: list[str] = []

    def scan(self) -> Listing:
        self.scans += 1
        return super().scan()

    def read(self, record: RecordFile | object) -> bytes:
        path = record if isinstance(record, str) else record.path
        self.reads += [path] if path.startswith("press/") else []
        return super().read(record)


@pytest.fixture
def counted_folder(tmp_path):
    """A folder of the game with these records."""
    found = CountedFolder(tmp_path / "savannah")

    def with_(*records: Record) -> CountedFolder:
        for record in (CHARTER, *records):
            put_record(found, record)
        found.scans = 0
        return found

    return with_


def scans(filer: RecordFiler, *records: Record) -> int:
    """How often the folder is listed while these are put there."""
    before = filer.folder.scans
    for record in records:
        filer.file_record(record)
    return filer.folder.scans - before


# ------------------------------------------------------------------ how often it is read
def test_the_folder_is_read_again_only_for_what_is_checked_against_new_records(counted_folder):
    filer = RecordFiler(counted_folder())
    assert scans(filer, *JOINS, *joins_without_invite(3)) == 0
    assert scans(filer, orders_of_b(1, 3), orders_of_b(1, 4), orders_of_b(1, 5)) == 1, (
        "they need the joins"
    )
    assert scans(filer, TURN1) == 0
    assert scans(filer, ORDERS1, ORDERS2) == 1
    assert scans(filer, message_of("x"), message_of("y", number=2)) == 0
    assert scans(filer, TURN2, FINAL) == 1
    assert scans(filer, JOIN_A, JOIN_B) == 2, "a late join needs all that came before"
    assert scans(RecordFiler(filer.folder), orders_of_b(1, 6), orders_of_b(1, 7)) == 0


def test_messages_in_the_folder_are_read_again_only_once_and_only_if_there_are_many(counted_folder):
    place = counted_folder(*BEGUN, *(message_of("x", number=n) for n in range(1, 64)))
    filer, reads = RecordFiler(place), []
    for number, text in ((64, "x"), (63, "y"), (63, "z")):
        place.reads = []
        with contextlib.suppress(RecordError):
            filer.file_record(message_of(text, number=number))
        reads.append(len(place.reads))
    assert reads == [1, 1 + 63, 1], "the place of each; once, all that were there"
