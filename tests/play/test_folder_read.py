"""A game's folder with too many files, and with strays among its turns: what is read, and said."""

import pytest

from pbem.files.game_folder import Folder
from pbem.judge.records_of_game_folder import Archive
from pbem.records.read_and_sign_record import Record
from tests.kit.record_files import archive_of, put_record, record_path, resigned
from tests.kit.sample_records import EVE, fault_rows, orders_of_b, sample

G = sample()


@pytest.fixture
def archive_with_records(tmp_path):
    """The game's folder with these records and files more, and without some of its own."""
    root = tmp_path / "savannah"

    def with_(*records: Record, without: str = "none", **files: bytes) -> Archive:
        folder = Folder(root)
        for name, record in G.records.items():
            if without not in name:
                folder.create(name, record.file)
        for record in records:
            put_record(folder, record)
        for name, data in files.items():
            path = root / (name.replace("__", "/").replace("_", "-") + ".toml")
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
        return archive_of(folder)

    return with_


def test_eight_strays_are_named(archive_with_records):
    files = {f"turns__{n:04}": b"junk" for n in range(3, 14)}
    folder = archive_with_records(**files)
    assert len(folder.listing.turns) == 2
    said = fault_rows(folder)
    assert [path for path, _, _ in said] == [f"turns/{n:04}.toml" for n in range(3, 12)]
    told = "3 more files have the name of a turn, but are not turns: remove the files"
    assert said[-1] == ("turns/0011.toml", "name", told)
    assert len(archive_with_records().stray_files) == 11
    for n in (11, 12, 13):
        (folder.folder.root / f"turns/{n:04}.toml").unlink()
    folder = archive_with_records()
    assert len(folder.stray_files) == 8
    assert not [fault for fault in folder.faults if fault.reason == "name"]


def test_a_turn_after_many_strays_is_not_called_a_stray(archive_with_records):
    """No file is read after 64 strays in a row: nobody is told to remove a turn."""
    files = {f"turns__{n:04}": b"junk" for n in (*range(3, 70), 71)}
    folder = archive_with_records(**files, turns__0070=resigned(G.turn2, G.ann, turn=70).file)
    assert len(folder.listing.turns) == 2
    told = (
        "61 more files have the name of a later turn. pbem read only the files for turns 3 to 66, "
        "and none of those files is a turn: get turns 3 to 66 again"
    )
    assert fault_rows(folder)[-1] == ("turns/0011.toml", "name", told)


@pytest.mark.parametrize(("more", "said"), [(0, False), (1, True)])
def test_two_hundred_joins_are_read(archive_with_records, more, said):
    folder = archive_with_records(**{f"seats__p_{n:06x}": b"junk" for n in range(198 + more)})
    assert len(folder.joins()) == 2
    told = [fault.path for fault in folder.faults if fault.reason == "size"]
    assert told == ["seats/p-0000c6.toml"] * said


def test_of_too_many_joins_those_of_turn_1_are_read(archive_with_records):
    word = resigned(G.join_b, G.bo, name="Bo 7")
    first = resigned(G.turn1, G.ann, by_word=(word.id,))
    files = {f"seats__a_{n:06x}": b"junk" for n in range(203)}
    folder = archive_with_records(word, without="turns/0001", turns__0001=first.file, **files)
    assert set(folder.joins()) == {G.join_a.id, G.join_b.id, word.id}
    told = [fault for fault in folder.faults if fault.reason == "size"]
    assert [fault.sentence for fault in told] == [
        (
            "the folder seats/ has 206 files, and pbem read only 200 of them: remove the files of "
            "people who do not play"
        )
    ]
    assert len([fault for fault in folder.faults if fault.reason == "trailer"]) == 197
    (folder.folder.root / "turns" / "0001.toml").unlink()
    folder = archive_with_records(without="turns/0001")
    with_invites = {G.join_a.id, G.join_b.id, word.id}
    assert set(folder.joins()) == with_invites, "also before turn 1"


def test_of_too_many_orders_of_a_seat_the_newest_are_read(archive_with_records):
    many = [orders_of_b(1, n) for n in range(3, 8)]
    later = orders_of_b(2, 1)
    keys = {"a": G.held.public, "b": G.bo.public}
    folder = archive_with_records(*many, later)
    found = folder.newest_orders(keys, (), 3)
    assert [(one.content.turn, one.content.revision) for one in found] == [
        (2, 1), (1, 7), (1, 6), (1, 1),
    ]  # fmt: skip
    told = "seat b has more than 3 new sets of orders; pbem read only the newest ones"
    assert fault_rows(folder) == [(record_path(many[2]), "size", told)]
    folder = archive_with_records()
    assert len(folder.newest_orders(keys, (), 9)) == 9
    assert folder.faults == {}
    assert folder.newest_orders({"c": EVE.public}, (), 9) == []
    besides = {record_path(record) for record in many}
    found = folder.newest_orders({"b": G.bo.public}, besides, 9)
    assert [one.content.revision for one in found] == [1, 2, 1]


def test_of_a_flood_of_misplaced_orders_the_first_are_told_apart(archive_with_records):
    """To say what such a file is, it must be read; so many are, the others are a stranger's."""
    files = {f"orders__0001_a_{n}_{G.orders2.id.hex()[:6]}": G.orders2.file for n in range(50, 55)}
    folder = archive_with_records(**files)
    found = folder.newest_orders({"a": G.held.public, "b": G.bo.public}, (), 3)
    assert G.orders2 not in [one for one in found if one.content.seat == "a"]
    said = [
        (path.split("-")[2], reason) for path, reason, _ in fault_rows(folder) if "-a-5" in path
    ]
    assert said == list(
        zip(["54", "53", "52", "51", "50"], ["place"] * 3 + ["key"] * 2, strict=True)
    )
