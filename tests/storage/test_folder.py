"""A game's folder on a disk: names, stray files, links, and what a hostile one cannot make us read.

What every game folder does, also in a store, is in tests/store/test_shared_folder.py.
"""

import errno
import os
import shutil
import time
from typing import get_args

import pytest

from pbem.files.disk import TEMPORARY
from pbem.files.file_errors import FileError, StorageError
from pbem.files.game_folder import Folder
from pbem.files.record_file_names import Name, parse_name
from pbem.files.stray_files import StrayFile, classify_stray
from pbem.files.stray_files import StrayKind as Kind
from tests.kit.crashes import Command, crash_everywhere
from tests.kit.refusals import refused_for
from tests.kit.stores import stray_kinds
from tests.storage.permissions import closed_to_me
from tests.storage.writers import RECORD

RECORDS = {
    "game.toml": Name("charter"),
    "seats/b-77d0e5.toml": Name("join", seat="b", short_id="77d0e5"),
    "turns/0001.toml": Name("turn", 1),
    "orders/0007-b-2-9c20a1.toml": Name("orders", 7, "b", 2, "9c20a1"),
    "final.toml": Name("final"),
}
posix_only = pytest.mark.skipif(os.name == "nt", reason="Windows cannot make these names")


@pytest.fixture
def record_folder(tmp_path):
    folder = Folder(tmp_path / "savannah")
    for path in RECORDS:
        folder.create(path, path.encode())
    return folder


@pytest.mark.parametrize("path", RECORDS)
def test_a_records_name_is_read_from_its_path_and_gives_that_path(path):
    assert parse_name(path) == RECORDS[path]
    assert RECORDS[path].path == path


@pytest.mark.parametrize(
    "path",
    [
        "0001.toml", "/game.toml", "Game.toml", "game.toml\n", "game.toml/", "../game.toml",
        "orders/0007-B-2-9c20a1.toml", "orders/0007-b-0-9c20a1.toml",
        "orders/0007-b-02-9c20a1.toml", "orders/0007-b-100-9c20a1.toml",
        "orders/0000-b-1-9c20a1.toml", "orders/0007-b-2-9c20a1.toml.part",
        "orders/7-b-2-9c20a1.toml", "orders/٠٠٠٧-b-2-9c20a1.toml", "seats/../game.toml",
        "seats/b-77D0E5.toml", "turns/0000.toml", "turns/00001.toml", "turns/0001 (1).toml",
        "turns\\0001.toml", "",
    ],
)  # fmt: skip
def test_other_file_names_are_not_read_as_records(path, tmp_path):
    assert parse_name(path) is None
    with refused_for("name", "not the name of a record", FileError):
        Folder(tmp_path).read(path)
    with pytest.raises(FileError, match="not the name of a record"):
        Folder(tmp_path).create(path, RECORD)
    assert list(tmp_path.iterdir()) == []


def test_a_game_folder_may_be_reached_through_a_link(record_folder, tmp_path):
    (tmp_path / "link").symlink_to(record_folder.root)
    linked = Folder(tmp_path / "link")
    assert linked.read("game.toml") == b"game.toml"
    assert linked.create("turns/0002.toml", RECORD)
    assert len(linked.scan().records) == len(RECORDS) + 1


@pytest.mark.parametrize(
    ("turns", "gaps", "reached"),
    [
        ([], [], 0), ([1, 2, 3], [], 3), ([1, 2, 4, 7], [3, 5, 6], 2), ([2], [1], 0),
        ([1], [], 1), ([1, 2, 4, 5, 6, 7, 8, 10], [3, 9], 2),
    ],
)  # fmt: skip
def test_a_scan_names_the_turns_missing_before_those_that_are_here(tmp_path, turns, gaps, reached):
    folder = Folder(tmp_path)
    for turn in turns:
        folder.create(Name("turn", turn), b"")
    listing = folder.scan()
    assert (listing.gaps, listing.reached) == (gaps, reached)


def test_every_kind_of_stray_file_has_its_own_description(tmp_path):
    said = {StrayFile("x", kind).description for kind in get_args(Kind)}
    assert len(said) == len(get_args(Kind)) == 10
    assert classify_stray("backup") == StrayFile("backup", "other")


def test_a_file_in_place_of_the_game_folder_is_reported(tmp_path):
    (tmp_path / "savannah").write_bytes(b"")
    with pytest.raises(StorageError, match="is not a folder"):
        Folder(tmp_path / "savannah").scan()


@posix_only
@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("turns/0012 (1).toml", "copy"), ("turns/0012 2.toml", "copy"),
        ("turns/0012-DESKTOP-7.toml", "copy"),
        ("turns/0012 (Bo's conflicted copy 2024-05-01).toml", "copy"),
        ("turns/0012.sync-conflict-20240501-101500-ABCDEFG.toml", "copy"),
        ("turns/Copy of 0012.toml", "copy"), ("orders/0007-b-2-9c20a1 (2).toml", "copy"),
        ("seats/b-77d0e5_conflict.toml", "copy"), ("game (1).toml", "copy"),
        ("final.toml.orig", "copy"), ("Game.toml", "case"), ("turns/0012.TOML", "case"),
        ("turns/CON", "reserved"), ("turns/con.toml", "reserved"),
        ("turns/0012.toml ", "reserved"), ("turns/0012:x.toml", "reserved"),
        ("turns/a\nb", "reserved"), (f"turns/{TEMPORARY}ab12", "temporary"),
        ("turns/0012.toml.part", "partial"), ("turns/.0012.toml.swp", "partial"),
        (".0012.toml.icloud", "partial"), ("Thumbs.db", "system"), (".stfolder", "system"),
        (".sync.ffs_lock", "system"), (".git", "system"), ("turns/._0012.toml", "system"),
        ("desktop.ini", "system"), ("~$notes.doc", "system"), ("notes.txt", "other"),
        ("turns/0000.toml", "other"), ("0012.toml", "other"), ("turns/-rf", "other"),
    ],
)  # fmt: skip
def test_stray_files_are_classified_by_their_names(record_folder, path, kind):
    (record_folder.root / path).write_bytes(b"junk")
    assert stray_kinds(record_folder) == {path: kind}
    assert [f.name for f in record_folder.scan().records] == list(RECORDS.values())


@posix_only
def test_a_file_name_that_is_not_text_is_no_record(record_folder):
    (record_folder.root / os.fsdecode(b"turns/\xff\xfe.toml")).write_bytes(b"")
    assert list(stray_kinds(record_folder).values()) == ["other"]


def test_conflicted_copies_are_listed_apart_from_other_stray_files(record_folder):
    (record_folder.root / "notes.txt").write_bytes(b"")
    (record_folder.root / "turns/0002 (1).toml").write_bytes(b"")
    assert [x.path for x in record_folder.scan().copies] == ["turns/0002 (1).toml"]


def test_a_link_in_a_records_place_is_neither_read_nor_written(record_folder, tmp_path):
    secret = tmp_path / "key"
    secret.write_bytes(b"secret")
    (record_folder.root / "turns/0002.toml").symlink_to(secret)
    found = record_folder.scan().turns[1]
    with pytest.raises(FileError, match="is a link") as refused:
        record_folder.read(found)
    assert (refused.value.reason, refused.value.exit) == ("file", 4)
    with pytest.raises(FileError, match="is a link"):
        record_folder.create(found.name, RECORD)
    assert secret.read_bytes() == b"secret"


def test_a_linked_folder_of_records_is_not_followed(record_folder, tmp_path):
    shutil.move(record_folder.root / "turns", tmp_path / "elsewhere")
    (record_folder.root / "turns").symlink_to(tmp_path / "elsewhere")
    listing = record_folder.scan()
    assert listing.turns == ()
    assert [(x.path, x.kind) for x in listing.strays] == [("turns", "link")]
    for act in (
        lambda: record_folder.read("turns/0001.toml"),
        lambda: record_folder.create("turns/0002.toml", b""),
    ):
        with refused_for("file", "turns is a link", FileError):
            act()
    assert [f.name for f in (tmp_path / "elsewhere").iterdir()] == ["0001.toml"]


@posix_only
def test_a_pipe_in_a_records_place_does_not_block_reading(record_folder):
    os.mkfifo(record_folder.root / "turns/0002.toml")
    with pytest.raises(FileError, match="not a regular file"):
        record_folder.read("turns/0002.toml")


def test_creating_a_record_sweeps_what_a_killed_run_left(record_folder):
    left = record_folder.root / f"turns/{TEMPORARY}dead"
    left.write_bytes(b"half")
    past = time.time() - 7200
    os.utime(left, (past, past))
    record_folder.create(Name("turn", 2), RECORD)
    assert not left.exists()


@pytest.mark.long
def test_a_kill_at_any_call_leaves_only_whole_records_to_see(tmp_path):
    folder = Folder(tmp_path / "g")
    command = Command("tests.storage.writers:record", [str(folder.root), "turns/0001.toml"])

    def check():
        listing = folder.scan()
        assert all(folder.read(f) == RECORD for f in listing.records)
        assert {x.kind for x in listing.strays} <= {"temporary"}

    def fresh():
        shutil.rmtree(folder.root, ignore_errors=True)

    for _point in crash_everywhere(command, fresh, check):
        assert [f.path for f in folder.scan().records] == ["turns/0001.toml"]


@posix_only
def test_a_folder_that_may_not_be_listed_is_reported():
    with closed_to_me(0o111) as root, pytest.raises(StorageError, match="no permission"):
        Folder(root).scan()


@posix_only
def test_a_folder_that_may_not_be_entered_is_reported():
    with closed_to_me(0o000) as root:
        for act in (Folder(root).scan, lambda: Folder(root).read("turns/0001.toml")):
            with pytest.raises(StorageError, match="no permission"):
                act()


@pytest.mark.parametrize("changed", [False, True])
def test_a_file_is_set_aside_where_listings_have_no_inodes(record_folder, changed):
    """On Windows, the list of a folder says 0 for each file, and the file itself its number."""
    path = record_folder.root / "turns/0001.toml"
    found = record_folder.scan().turns[0]
    found = found._replace(mark=found.mark._replace(inode=0))
    if changed:
        path.write_bytes(b"something longer than before")
        with pytest.raises(FileError, match="has just changed"):
            record_folder.set_aside(found)
        assert path.exists()
        return
    assert record_folder.set_aside(found) == "turns/0001.toml.aside-1"


def test_a_changed_file_keeps_its_name_on_disks_without_exclusive_renames(
    record_folder, monkeypatch
):
    """Some network drives cannot rename to a free name alone."""

    def rename_new(source, target):
        raise OSError(errno.ENOTSUP, "Operation not supported")

    monkeypatch.setattr("pbem.files.syscalls.rename_new", rename_new)
    path = record_folder.root / "turns/0001.toml"
    record_file = record_folder.scan().turns[0]
    path.write_bytes(b"something longer than before")
    with pytest.raises(FileError, match="has just changed"):
        record_folder.set_aside(record_file)
    assert path.read_bytes() == b"something longer than before"
    assert [file.name for file in path.parent.iterdir()] == ["0001.toml"]
