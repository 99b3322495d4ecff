"""Many records in one letter: each has its turn, none is lost, and the folder is read when it must.

What is read again costs a scan of the folder and all new turns, so it is counted.
"""

import contextlib
from pathlib import Path

import pytest

from pbem.files.file_errors import StorageError
from pbem.files.game_folder import Folder, Listing, RecordFile
from pbem.files.home import Home
from pbem.format.record_error import RecordError
from pbem.mail.filing import RecordFiler
from pbem.mail.game_places import Places
from pbem.mail.receiving import Receiving
from pbem.records.read_and_sign_record import Record
from tests.kit.record_files import put_record, resigned
from tests.kit.sample_records import SAMPLE, orders_of_b, short_id
from tests.mail.filed_records import (
    BEGUN,
    CHARTER,
    FINAL,
    JOIN_A,
    JOIN_B,
    JOINS,
    ORDERS1,
    ORDERS2,
    OWN,
    TURN1,
    TURN2,
    WHOLE,
    joins_without_invite,
    message_of,
    refusal_of,
)


class CountedFolder(Folder):
    """A folder that counts how often it is listed, and from which a turn cannot be read."""

    scans = 0
    unreadable = ""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.reads: list[str] = []

    def scan(self) -> Listing:
        self.scans += 1
        return super().scan()

    def read(self, record: RecordFile | object) -> bytes:
        path = record if isinstance(record, str) else record.path
        self.reads += [path] if path.startswith("press/") else []
        if path == self.unreadable:
            raise StorageError(self.root / path, "cannot be read now")
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


def test_the_messages_after_a_turn_are_read_once_and_only_if_they_are_many(counted_folder):
    place = counted_folder(*BEGUN, *(message_of("x", number=n) for n in range(1, 64)))
    filer, reads = RecordFiler(place), []
    for number, text in ((64, "x"), (63, "y"), (63, "z")):
        place.reads = []
        with contextlib.suppress(RecordError):
            filer.file_record(message_of(text, number=number))
        reads.append(len(place.reads))
    assert reads == [1, 1 + 63, 1], "the place of each; once, all that were there"


def test_a_turn_that_cannot_be_read_now_ends_the_chain_and_stops_nothing(counted_folder):
    place = counted_folder(*WHOLE)
    place.unreadable = "turns/0001.toml"
    filer = RecordFiler(place)
    assert filer.turns == []
    filer.file_record(orders_of_b(1, 3))
    assert len(filer.new_records) == 1


# ------------------------------------------------------------------ limits count once
def test_messages_count_once_however_often_the_folder_is_read(counted_folder):
    filer = RecordFiler(counted_folder(*BEGUN))
    for n in range(63):
        filer.file_record(message_of("x", number=n + 1))
    filer.file_record(TURN2)
    filer.file_record(message_of("x", number=64))
    assert refusal_of(filer, message_of("one more"))[0] == "state"
    filer.file_record(message_of("after turn 2", turn=2))
    filer.file_record(resigned(SAMPLE.public, SAMPLE.held, seat="a"))
    assert len(filer.new_records) == 67


def test_a_join_that_is_refused_takes_no_place(counted_folder):
    place = counted_folder()
    (place.root / "seats").mkdir()
    for number in range(199):
        (place.root / "seats" / f"b-{number:06x}.toml").write_bytes(b"junk\n")
    filer = RecordFiler(place)
    away = resigned(JOIN_B, SAMPLE.bo, seat="c")
    assert refusal_of(filer, away) == ("place", "this game has no seat c")
    filer.file_record(resigned(JOIN_B, SAMPLE.bo, door=b""))
    strange = resigned(JOIN_B, SAMPLE.bo, door=b"", name="Eve")
    assert refusal_of(filer, strange)[0] == "state"


# ------------------------------------------------------------------ each has its turn
@pytest.fixture
def receive_run(tmp_path):
    """Runs of `receive` by somebody whose folder is made by the first."""
    places = Places(Home(tmp_path / "home"), tmp_path)

    def run(*records: Record) -> Receiving:
        one = Receiving(places)
        for record in records:
            one.open(record.file, "x")
        one.file_all()
        return one

    return run


def test_what_came_is_put_in_order_whatever_came_first(receive_run):
    run = receive_run(FINAL, *reversed(WHOLE), CHARTER)
    (delivery,) = run.deliveries
    assert run.refusals == []
    assert [record.content.kind for record in delivery.new_records] == [
        "charter", "join", "join", "turn", "notice", "turn", "orders", "orders", "orders", "final",
    ]  # fmt: skip


def test_what_waited_is_taken_from_the_home_when_it_can_be_filed(receive_run):
    """And what goes on waiting does not keep the rest from its place."""
    receive_run(CHARTER, JOIN_A, OWN, TURN1)
    late = resigned(SAMPLE.public, SAMPLE.bo, turn=9, prev=bytes(32))
    first = receive_run(ORDERS1, ORDERS2, late)
    assert {refusal.reason for refusal in first.refusals} == {"parent"}
    assert first.kept_paths == [], "they wait in the home, and nobody needs to keep them"
    run = receive_run(JOIN_B)
    (delivery,) = run.deliveries
    assert {record.id for record in delivery.new_records} == {JOIN_B.id, ORDERS1.id, ORDERS2.id}
    assert run.refusals == [], "what goes on waiting is not said again"


def test_each_late_set_of_orders_is_noted_also_behind_listed_ones(receive_run):
    late = orders_of_b()
    run = receive_run(CHARTER, *WHOLE, late)
    assert [refusal.reason for refusal in run.refusals] == ["state"]
    assert short_id(late) in run.refusals[0].sentence
