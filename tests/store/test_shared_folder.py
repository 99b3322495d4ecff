"""What every game folder does, on a disk or in a store: the same tests for all of them."""

import threading
import time

import pytest

from pbem.files.disk import TEMPORARY
from pbem.files.file_errors import FileError, StorageError, TakenError
from pbem.files.game_folder import Folder
from pbem.files.record_file_names import Name
from pbem.format.canonical_toml import MAX_BYTES
from tests.kit.stores import stray_kinds
from tests.storage.writers import RECORD
from tests.store.places import InBucket, OnServer

RECORDS = {
    "game.toml": Name("charter"),
    "seats/b-77d0e5.toml": Name("join", seat="b", short_id="77d0e5"),
    "turns/0001.toml": Name("turn", 1),
    "orders/0007-b-2-9c20a1.toml": Name("orders", 7, "b", 2, "9c20a1"),
    "final.toml": Name("final"),
}


@pytest.fixture
def shared_folder(spot):
    folder = spot.make()
    for path in RECORDS:
        assert folder.create(path, path.encode()) is True
    return folder


@pytest.mark.parametrize("path", ["../game.toml", "orders/x.toml", "turns/0001.toml.part", "key"])
def test_a_folder_reads_and_writes_no_file_without_the_name_of_a_record(spot, path):
    for act in (lambda: spot.make().read(path), lambda: spot.make().create(path, RECORD)):
        with pytest.raises(FileError, match="not the name of a record") as refused:
            act()
        assert refused.value.reason == "name"
    assert spot.names() == []


@pytest.mark.long
def test_a_scan_of_a_folder_finds_every_record_in_its_place(shared_folder, spot):
    for folder in (shared_folder, spot.make()):
        listing = folder.scan()
        assert [f.name for f in listing.records] == list(RECORDS.values())
        assert listing.final.mark.size == len("final.toml")
        assert listing.strays == ()
        assert listing.state == "game"
        for found in listing.records:
            assert folder.read(found) == folder.read(found.path) == found.path.encode()
    assert spot.names() == sorted(RECORDS), "nothing else was left there"


def test_records_are_sorted_by_turn(spot):
    folder = spot.make()
    for turn in (10, 9, 100, 1):
        folder.create(Name("turn", turn), b"x")
    assert [f.name.turn for f in folder.scan().turns] == [1, 9, 10, 100]


@pytest.mark.other_files
def test_a_scan_sorts_orders_by_revision_and_stray_files_by_path(spot):
    folder = spot.make()
    for revision in (2, 10, 1):
        folder.create(Name("orders", 7, "b", revision, "9c20a1"), b"")
    for name in ("x.txt", "orders/b", "a.txt", "orders/a", "m"):
        spot.put(name, b"")
    listing = folder.scan()
    assert [f.name.revision for f in listing.orders] == [1, 10, 2]
    assert [x.path for x in listing.strays] == ["a.txt", "m", "orders/a", "orders/b", "x.txt"]
    assert folder.read(listing.orders[0]) == b""


@pytest.mark.other_files
def test_the_mark_of_a_file_changes_with_the_file(shared_folder, spot):
    before = {f.path: f.mark for f in shared_folder.scan().records}
    assert before == {f.path: f.mark for f in shared_folder.scan().records}
    spot.remove("turns/0001.toml")
    if isinstance(spot, InBucket | OnServer):
        time.sleep(1.1)  # S3 and sftp tell times in seconds
    spot.put("turns/0001.toml", b"other/0001.toml")  # as long as before
    after = {f.path: f.mark for f in shared_folder.scan().records}
    assert [p for p in before if before[p] != after[p]] == ["turns/0001.toml"]
    assert shared_folder.read(shared_folder.scan().turns[0]) == b"other/0001.toml", (
        "no old copy is read"
    )


@pytest.mark.other_files
def test_the_fingerprint_of_a_folder_changes_with_every_file(shared_folder, spot):
    seen = [shared_folder.fingerprint()]
    assert shared_folder.fingerprint() == spot.make().fingerprint() == seen[0]
    spot.put("orders/0007-a-1-000000.toml", b"x")
    seen.append(shared_folder.fingerprint())
    spot.put("notes.txt", b"x")
    seen.append(shared_folder.fingerprint())
    spot.remove("turns/0001.toml")
    seen.append(shared_folder.fingerprint())
    assert len(set(seen)) == 4


@pytest.mark.other_files
def test_the_state_of_a_folder_is_missing_empty_foreign_waiting_or_game(spot):
    folder = spot.make()
    assert folder.scan().state == "missing"
    spot.put(".DS_Store", b"")
    spot.put(f"turns/{TEMPORARY}ab12", b"half")
    assert folder.scan().state == "empty"
    spot.put("holiday.jpg", b"")
    assert folder.scan().state == "foreign"
    folder.create(Name("turn", 1), RECORD)
    assert folder.scan().state == "waiting"
    folder.create(Name("charter"), RECORD)
    assert folder.scan().state == "game"


@pytest.mark.other_files
@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("turns/0012 (1).toml", "copy"),
        ("turns/0012:x.toml", "reserved"),
        (f"turns/{TEMPORARY}ab12", "temporary"),
        ("final.toml.aside-1", "aside"),
        ("notes.txt", "other"),
        ("turns/-rf", "other"),
    ],
)
def test_the_kind_of_a_stray_file_is_told_by_its_name(shared_folder, spot, path, kind):
    spot.put(path, b"junk")
    assert stray_kinds(shared_folder) == {path: kind}
    assert [f.name for f in shared_folder.scan().records] == list(RECORDS.values())
    assert shared_folder.read_stray(path) == b"junk"


@pytest.mark.other_files
def test_a_scan_does_not_look_into_unknown_folders(shared_folder, spot):
    spot.put("backup/turns/0001.toml", RECORD)
    spot.put("turns/0009/x", RECORD)
    assert stray_kinds(shared_folder) == {"backup": "folder", "turns/0009": "folder"}


@pytest.mark.other_files
def test_a_folder_in_a_records_place_is_not_read(shared_folder, spot):
    spot.put("turns/0002.toml/x", b"junk")
    listing = shared_folder.scan()
    if spot.folders_last:
        with pytest.raises(FileError, match="is a folder") as refused:
            shared_folder.read(listing.turns[1])
        assert refused.value.reason == "file"
    else:  # a bucket has no folders: nothing is in the way
        assert [(x.path, x.kind) for x in listing.strays] == [("turns/0002.toml", "folder")]
        assert shared_folder.create("turns/0002.toml", RECORD)
        assert shared_folder.read(shared_folder.scan().turns[1]) == RECORD, "and it hides no file"


@pytest.mark.other_files
def test_no_file_longer_than_a_record_is_read(shared_folder, spot):
    spot.put("turns/0002.toml", b"x" * MAX_BYTES)
    spot.put("turns/0003.toml", b"x" * (MAX_BYTES + 1))
    longest, longer = shared_folder.scan().turns[1:]
    assert (
        len(shared_folder.read(longest)) == len(shared_folder.read("turns/0002.toml")) == MAX_BYTES
    )
    for folder, what in (
        (shared_folder, longer),
        (shared_folder, longer.path),
        (spot.make(), longer.path),
    ):
        with pytest.raises(FileError, match="is too long: it has more than") as refused:
            folder.read(what)
        assert refused.value.reason == "size"


def test_reading_a_missing_record_is_refused(shared_folder):
    with pytest.raises(StorageError, match="is not there") as said:
        shared_folder.read("turns/0002.toml")
    assert said.value.is_missing
    assert said.value.exit == 7


@pytest.mark.long
def test_the_same_record_again_is_fine_and_another_in_its_place_is_refused(shared_folder, spot):
    for folder in (shared_folder, spot.make()):
        assert folder.create("turns/0001.toml", b"turns/0001.toml") is False
        for other in (b"another", b"turns/0001.toml\n", b"", b"x" * (MAX_BYTES + 1)):
            with pytest.raises(TakenError, match="nothing was overwritten") as refused:
                folder.create("turns/0001.toml", other)
            assert (refused.value.reason, refused.value.exit) == ("fork", 3)
    assert spot.get("turns/0001.toml") == b"turns/0001.toml"
    assert spot.names() == sorted(RECORDS)


@pytest.mark.sample(2)
@pytest.mark.parametrize("same", [False, True])
def test_two_referees_at_once_make_one_turn(shared_folder, spot, same):
    folders = [spot.make(), spot.make()]
    for turn in range(2, 5):
        bodies = [b"a" * 9_000, b"a" * 9_000 if same else b"b" * 9_000]
        gate = threading.Barrier(2)
        said: list[str] = []

        def write(folder, body, turn=turn, gate=gate, said=said):
            folder.scan()
            gate.wait()
            while True:
                try:
                    said.append(str(folder.create(Name("turn", turn), body)))
                except TakenError:
                    said.append("taken")
                except StorageError as error:  # both claimed the name: try again, as is said
                    if error.exit == 5:
                        continue
                    said.append(str(error))
                return

        pairs = zip(folders, bodies, strict=True)
        writers = [threading.Thread(target=write, args=pair) for pair in pairs]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        assert sorted(said) == (["False", "True"] if same else ["True", "taken"])
        assert spot.get(f"turns/{turn:04}.toml") in bodies
    assert stray_kinds(shared_folder) == {}


@pytest.mark.other_files
def test_a_file_in_the_place_of_a_record_can_be_set_aside(shared_folder, spot):
    spot.put("turns/0002.toml", b"junk")
    spot.put("turns/0002.toml.aside-1", b"older junk")
    found = shared_folder.scan().turns[1]
    assert shared_folder.set_aside(found) == "turns/0002.toml.aside-2"
    assert stray_kinds(shared_folder) == {f"turns/0002.toml.aside-{n}": "aside" for n in (1, 2)}
    assert spot.get("turns/0002.toml.aside-2") == b"junk"
    assert spot.get("turns/0002.toml.aside-1") == b"older junk"
    assert shared_folder.create("turns/0002.toml", RECORD)


@pytest.mark.other_files
def test_a_file_that_has_changed_is_not_set_aside(shared_folder, spot):
    spot.put("turns/0002.toml", b"junk")
    found = shared_folder.scan().turns[1]
    spot.put("turns/0002.toml", b"more junk")
    with pytest.raises(FileError, match="has just changed") as refused:
        shared_folder.set_aside(found)
    assert refused.value.reason == "parent"
    assert spot.get("turns/0002.toml") == b"more junk"


def test_only_records_are_ever_written_to_a_game_folder(spot):
    folder = spot.make()
    for path in ("profiles/default/key", "drafts/0001-a.toml", "place.toml", ".~pbem-claim-x"):
        with pytest.raises(FileError, match="not the name of a record"):
            folder.create(path, b"secret")
    assert spot.names() == []


def test_only_a_folder_on_a_disk_contains_paths_of_this_computer(spot, tmp_path):
    folder = spot.make()
    assert folder.folder_beside.is_dir() or isinstance(folder, Folder)
    assert folder.contains(tmp_path / "savannah" / "x") is isinstance(folder, Folder)
