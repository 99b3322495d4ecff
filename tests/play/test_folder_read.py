"""A game's folder, file by file: which records are read, and what is said of the others."""

from dataclasses import replace

import pytest

from pbem.files.file_errors import HOW_TO_GET, FileError
from pbem.files.game_folder import Folder
from pbem.format.record_error import RecordError
from pbem.judge.folder_contents import Archive, NoGameError
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


def file_error(work, *args) -> tuple[str, str, str]:
    with pytest.raises(FileError) as caught:
        work(*args)
    return caught.value.reason, caught.value.path, caught.value.sentence


def anybody(_kind, _key) -> bool:
    return True


# ------------------------------------------------------------------ no game
def test_a_folder_without_a_game_says_what_to_type(tmp_path):
    def told():
        with pytest.raises(NoGameError) as refused:
            archive_of(root)
        assert refused.value.exit == 2
        return str(refused.value), refused.value.listing.state

    root = tmp_path / "games"
    said, state = told()
    assert (f"there is no folder {root}" in said, state) == (True, "missing")
    root.mkdir()
    said, state = told()
    assert (f"{root} is empty" in said, state) == (True, "empty")
    assert "pbem new NAME --players Ann,Bo" in said
    assert said.endswith("If your game is in another folder, give its path with -C FOLDER")
    (root / "notes.txt").write_text("")
    said, state = told()
    assert said.startswith(f"{root} is not a game folder: it has no game.toml; give the path of ")
    for name in ("d", "b", "a", "c"):
        (root / name).mkdir()
        (root / name / "game.toml").write_text("")
    assert told()[0].endswith("is not a game folder, but it contains one: a, b, c; go there")
    (root / "turns").mkdir()
    (root / "turns/0001.toml").write_text("")
    said, state = told()
    assert (state, "let the folder finish syncing" in said) == ("waiting", True)


def test_a_charter_that_cannot_be_read_is_named(archive_with_records):
    with pytest.raises(FileError) as refused:
        archive_with_records(without="game.toml", game=b"junk")
    assert (refused.value.reason, refused.value.path) == ("trailer", "game.toml")


# ------------------------------------------------------------------ turns
def test_the_turns_in_order_until_one_is_missing(archive_with_records):
    folder = archive_with_records()
    assert list(folder.turns()) == [G.turn1, G.turn2]
    assert list(folder.turns(1)) == [G.turn2]
    assert list(folder.turns(2)) == []
    assert (folder.listing.gaps, folder.stray_files, folder.faults) == ([], (), {})
    (folder.folder.root / "turns" / "0001.toml").unlink()
    folder = archive_with_records(without="0001.toml")
    assert list(folder.turns()) == []
    assert list(folder.turns(1)) == [G.turn2]
    assert folder.listing.gaps == [1]


NO_RECORD = (
    "this file has no text with a signature below: perhaps the file was cut off, or is not a file "
    "of a game"
)
NOT = "Ann did not sign this file as a turn{}; pbem advance will set the file aside"
HALF = "this file is empty, or has only a part of a turn; let the folder sync"
DAMAGED = (
    "somebody changed this turn, or Ann did not sign it; ask another player for their copy of the "
    "file"
)


def test_what_is_said_of_strays_in_the_places_of_turns(archive_with_records):
    flaw = bytearray(G.turn2.file)
    flaw[flaw.index(b"over = ") - 3] ^= 1
    other = resigned(G.turn2, G.ann, turn=5)
    far = resigned(G.turn2, G.ann, game=bytes(32))
    files = {
        "turns__0003": b"junk", "turns__0004": G.turn2.file[:99], "turns__0005": bytes(flaw),
        "turns__0006": other.file, "turns__0007": resigned(other, EVE).file,
        "turns__0008": far.file,
    }  # fmt: skip
    folder = archive_with_records(**files)
    assert [found.path for found in folder.listing.turns] == ["turns/0001.toml", "turns/0002.toml"]
    said = {path: (reason, sentence) for path, reason, sentence in fault_rows(folder)}
    assert said == {
        "turns/0003.toml": ("trailer", NOT.format("")),
        "turns/0004.toml": ("trailer", HALF),
        "turns/0005.toml": ("signature", DAMAGED),
        "turns/0006.toml": (
            "place", NOT.format(" (this file has the wrong name: it contains turn 5; get the file "
            "again)"),
        ),
        "turns/0007.toml": ("key", NOT.format("")),
        "turns/0008.toml": ("place", NOT.format(" (this file belongs to another game)")),
    }  # fmt: skip
    worths = [folder.state_of(found) for found in folder.stray_files]
    assert worths == ["junk", "half", "damaged", "junk", "junk", "junk"]
    assert [folder.stray_fault(found).reason for found in folder.stray_files][:2] == [
        "trailer",
        "trailer",
    ]
    assert folder.listing.gaps == []
    last = resigned(G.turn2, G.ann, turn=10)
    gaps = archive_with_records(turns__0010=last.file).listing.gaps
    assert gaps == [9], "a signed turn in its place makes a gap"


def test_a_file_that_is_longer_than_any_record_is_no_turn(archive_with_records):
    folder = archive_with_records(without="turns/0002", turns__0002=b"x" * (1 << 20 | 1))
    assert [found.path for found in folder.listing.turns] == ["turns/0001.toml"]
    assert fault_rows(folder)[0][1] == "size"


def test_eight_strays_are_named(archive_with_records):
    files = {f"turns__{n:04}": b"junk" for n in range(3, 14)}
    folder = archive_with_records(**files)
    assert len(folder.listing.turns) == 2
    said = fault_rows(folder)
    assert [path for path, _, _ in said] == [f"turns/{n:04}.toml" for n in range(3, 12)]
    told = "3 more files have the name of a turn, without being one: remove such files"
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
        "61 more files have the name of a later turn, and pbem did not read all of them. The files "
        "of turns 3 to 66 are not turns: get these turns again"
    )
    assert fault_rows(folder)[-1] == ("turns/0011.toml", "name", told)


def test_a_turn_by_another_key_or_of_another_place_is_not_read(archive_with_records):
    folder = archive_with_records(without="turns/0002", turns__0002=resigned(G.turn2, EVE).file)
    found = folder.complete_listing.turns[1]
    assert file_error(folder.turn, found)[:2] == ("key", "turns/0002.toml")
    folder = archive_with_records(without="turns/0002", turns__0002=G.turn1.file)
    told = "this file has the wrong name: it contains turn 1; get the file again"
    assert file_error(folder.turn, found) == ("place", "turns/0002.toml", told)
    assert file_error(folder.turn, folder.complete_listing.orders[0])[0] == "key", (
        "not a turn at all"
    )


# ------------------------------------------------------------------ joins
def numbered_join_of_b(n: int) -> Record:
    return resigned(G.join_b, G.bo, name=f"Bo {n}")


def test_bad_joins_are_named_and_read_once(archive_with_records):
    prev = resigned(G.join_b, G.bo, prev=bytes(32))
    theirs = resigned(G.join_b, G.bo, game=bytes(32))
    wrong, right = numbered_join_of_b(1), f"seats__a_{G.join_b.id.hex()[:6]}"
    files = {right: G.join_b.file, "seats__b_123456": b"junk"}
    folder = archive_with_records(
        prev, theirs, seats__a_123456=wrong.file, seats__b_abcdef=G.join_b.file, **files
    )
    assert folder.joins() == {G.join_a.id: G.join_a, G.join_b.id: G.join_b}
    again = "; get the file again"
    expected = [
        (
            "seats/a-123456.toml",
            "place",
            f"this file has the wrong name: it contains a join for seat b{again}",
        ),
        (
            record_path(prev),
            "place",
            f"this join was made for another game.toml than the one in this folder{again}",
        ),
        (
            "seats/b-abcdef.toml",
            "place",
            f"this file has the wrong name: it contains a join for seat b{again}",
        ),
        (
            right.replace("__", "/").replace("_", "-") + ".toml",
            "place",
            f"this file has the wrong name: it contains a join for seat b{again}",
        ),
        (record_path(theirs), "place", "this file belongs to another game"),
        ("seats/b-123456.toml", "trailer", NO_RECORD),
    ]
    assert sorted(fault_rows(folder)) == sorted(expected)
    assert folder.joins() is folder.joins()


@pytest.mark.parametrize(("more", "said"), [(0, False), (1, True)])
def test_two_hundred_joins_are_read(archive_with_records, more, said):
    folder = archive_with_records(**{f"seats__p_{n:06x}": b"junk" for n in range(198 + more)})
    assert len(folder.joins()) == 2
    told = [fault.path for fault in folder.faults if fault.reason == "size"]
    assert told == ["seats/p-0000c6.toml"] * said


def test_of_too_many_joins_those_of_turn_1_are_read(archive_with_records):
    word = numbered_join_of_b(7)
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


def test_the_joins_that_turn_1_names(archive_with_records):
    folder = archive_with_records()
    assert folder.joins_of(G.turn1.content) == {"a": G.join_a, "b": G.join_b}
    assert folder.joins_of(G.turn2.content) == {}
    missing = replace(G.turn1.content, joins={"b": bytes([10]) * 32})
    assert file_error(folder.joins_of, missing) == (
        "parent", "seats/b-0a0a0a.toml", f"the join of seat b is missing: {HOW_TO_GET}",
    )  # fmt: skip
    folder = archive_with_records(seats__b_0a0a0a=b"junk")
    assert file_error(folder.joins_of, missing)[:2] == ("trailer", "seats/b-0a0a0a.toml")


# ------------------------------------------------------------------ orders
def test_orders_are_found_by_id_in_any_file_with_their_digits(archive_with_records):
    record = G.orders2
    digits = record.id.hex()[:6]
    folder = archive_with_records(**{f"orders__0001_a_1_{digits}": b"junk"})
    assert folder.find_orders(anybody)(record.id) == record
    told = f"the orders 0b0b0b are missing from this folder: {HOW_TO_GET}"
    with pytest.raises(RecordError) as caught:
        folder.find_orders(anybody)(bytes([11]) * 32)
    assert (caught.value.reason, caught.value.sentence) == ("parent", told)
    near = record.id[:3] + bytes(29)
    reason, path, _ = file_error(folder.find_orders(anybody), near)
    assert (reason, path) == ("trailer", f"orders/0001-a-1-{digits}.toml")


def test_orders_under_other_names(archive_with_records):
    record = orders_of_b(1, 5)
    d = record.id.hex()[:6]
    names = (f"0002-b-5-{d}", f"0001-a-5-{d}", f"0001-b-6-{d}", "0001-b-5-abcdef")
    told = (
        "this file has the wrong name: it contains orders of seat b for turn 1; get the file again"
    )
    for name in names:
        folder = archive_with_records(**{f"orders__{name.replace('-', '_')}": record.file})
        (found,) = [one for one in folder.listing.orders if one.path == f"orders/{name}.toml"]
        assert file_error(folder.orders, found, anybody) == ("place", found.path, told)
        (folder.folder.root / found.path).unlink()


def test_all_good_orders(archive_with_records):
    folder = archive_with_records(orders_of_b(1, 5, EVE), orders__0001_b_9_abcdef=b"junk")
    known = lambda _, key: key in (G.held.public, G.bo.public)  # noqa: E731
    assert set(folder.all_orders(known)) == {G.own, G.orders1, G.orders2}
    assert sorted(reason for _, reason, _ in fault_rows(folder)) == ["key", "trailer"]
    besides = {record_path(G.own), "orders/0001-b-9-abcdef.toml"}
    folder = archive_with_records()
    assert set(folder.all_orders(known, besides)) == {G.orders1, G.orders2}
    assert [reason for _, reason, _ in fault_rows(folder)] == ["key"]


def test_the_newest_orders_of_each_seat(archive_with_records):
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


def test_of_orders_in_the_names_of_others_some_are_told_apart(archive_with_records):
    wrong = [resigned(orders_of_b(1, n), G.held) for n in range(10, 15)]
    folder = archive_with_records(*wrong)
    keys = {"a": G.held.public, "b": G.bo.public}
    found = folder.newest_orders(keys, (), 3)
    assert [one.content.revision for one in found if one.content.seat == "b"] == [2, 1]
    reasons = [reason for path, reason, _ in fault_rows(folder)]
    assert reasons == ["key", "key"], "three were read, two more by another key were not"


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


def test_orders_signed_by_one_key(archive_with_records):
    folder = archive_with_records()
    (found,) = [one for one in folder.listing.orders if one.name.revision == 2]
    assert folder.orders_signed_by(found, G.bo.public) == [G.orders2]
    assert folder.orders_signed_by(found, EVE.public) == []
    assert folder.orders_signed_by(found, EVE.public) == []
    assert [reason for _, reason, _ in fault_rows(folder)] == ["key"], "said once"


# ------------------------------------------------------------------ the end
def test_the_final_record(archive_with_records):
    folder = archive_with_records()
    assert folder.final() == G.final
    assert archive_with_records(without="final").final() == G.final
    (folder.folder.root / "final.toml").unlink()
    assert archive_with_records(without="final").final() is None
    folder = archive_with_records(without="final", final=resigned(G.final, EVE).file)
    assert file_error(folder.final)[:2] == ("key", "final.toml")
    theirs = resigned(G.final, G.ann, game=bytes(32))
    folder = archive_with_records(without="final", final=theirs.file)
    told = "this file belongs to another game"
    assert file_error(folder.final) == ("place", "final.toml", told)


def test_a_seats_orders_come_in_the_order_in_which_they_count(archive_with_records):
    """Two of one revision come from two computers of one player."""
    same = sorted(
        (orders_of_b(1, 4, prev=bytes([n]) * 32) for n in (1, 2, 3)), key=lambda one: one.id
    )
    folder = archive_with_records(orders_of_b(1, 9), orders_of_b(2, 1), *same, without="orders")
    here = [*folder.orders_of("b", G.bo.public)]
    assert here == [orders_of_b(2, 1), orders_of_b(1, 9), *same]
    assert [*folder.newest_orders({"b": G.bo.public}, (), 9)] == here
