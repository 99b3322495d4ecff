"""Files are there whole or not at all, whatever is killed, full, in the way or at it twice."""

import ctypes
import errno
import functools
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pbem.files import syscalls
from pbem.files.disk import TEMPORARY, create, make_folder, remove_old_temporary_files, replace
from pbem.files.file_errors import FileError, StorageError, TakenError
from tests.kit.crashes import ROOT, Command, crash_everywhere, fail_everywhere
from tests.storage.permissions import closed_to_me
from tests.storage.writers import RECORD


def refusing(monkeypatch, **calls):
    """Let these system calls answer with an errno, as some disks do."""
    for name, code in calls.items():

        def refuse(*args, code=code):
            raise OSError(code, os.strerror(code))

        monkeypatch.setattr(syscalls, name, refuse)


def called(monkeypatch, *wanted):
    """A list to which each of these system calls adds its name when it is done."""
    order = []

    def told(name, real, *args):
        result = real(*args)
        order.append(name)
        return result

    for name in wanted:
        real = getattr(syscalls, name)
        monkeypatch.setattr(syscalls, name, functools.partial(told, name, real))
    return order


def sorted_names(folder):
    return sorted(f.name for f in folder.iterdir())


def test_creating_a_file_makes_the_folder_above_too(tmp_path):
    assert create(tmp_path / "turns/0001.toml", RECORD) is True
    assert (tmp_path / "turns/0001.toml").read_bytes() == RECORD
    assert sorted_names(tmp_path / "turns") == ["0001.toml"]


def test_creating_a_file_again_with_the_same_bytes_changes_nothing(tmp_path):
    create(tmp_path / "a", RECORD)
    before = (tmp_path / "a").stat()
    assert create(tmp_path / "a", RECORD) is False
    assert (tmp_path / "a").stat() == before


@pytest.mark.parametrize("other", [b"", RECORD + b"x", RECORD[:-1], RECORD[:-1] + b"x"])
def test_creating_never_overwrites_a_file_with_other_bytes(tmp_path, other):
    create(tmp_path / "a", other)
    with pytest.raises(TakenError, match="nothing was overwritten"):
        create(tmp_path / "a", RECORD)
    assert (tmp_path / "a").read_bytes() == other
    assert sorted_names(tmp_path) == ["a"]


def test_creating_does_not_follow_a_link_in_the_files_place(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FileError, match="is a link"):
        create(tmp_path / "a", RECORD)
    assert sorted_names(tmp_path) == ["a"]


def test_creating_refuses_a_folder_in_the_files_place(tmp_path):
    (tmp_path / "a").mkdir()
    with pytest.raises(FileError, match="is a folder"):
        create(tmp_path / "a", RECORD)


def test_creating_refuses_a_file_in_the_folders_place(tmp_path):
    (tmp_path / "turns").write_text("")
    with pytest.raises(StorageError, match="is not a folder"):
        create(tmp_path / "turns/0001.toml", RECORD)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes")
def test_private_files_and_folders_are_closed_to_others(tmp_path):
    create(tmp_path / "mine/key", b"secret", private=True)
    replace(tmp_path / "ours/heads", b"")
    assert [(tmp_path / p).stat().st_mode & 0o777 for p in ("mine", "mine/key", "ours/heads")] == [
        0o700,
        0o600,
        0o600,
    ]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes")
def test_creating_in_a_read_only_folder_says_that_there_is_no_permission():
    with closed_to_me(0o555) as folder:
        assert create(folder / "mine.toml", RECORD) is False
        with pytest.raises(StorageError, match="no permission"):
            create(folder / "a", RECORD)
        with pytest.raises(StorageError, match="no permission"):
            create(folder / "turns/0001.toml", RECORD)
        assert remove_old_temporary_files(folder) == []
        assert sorted_names(folder) == ["mine.toml"]


def test_creating_on_a_read_only_disk_says_so(tmp_path, monkeypatch):
    create(tmp_path / "a", RECORD)
    refusing(monkeypatch, create=errno.EROFS, sync_folder=errno.EROFS)
    assert create(tmp_path / "a", RECORD) is False  # nothing needs to be written
    with pytest.raises(StorageError, match="read-only"):
        create(tmp_path / "b", RECORD)
    assert sorted_names(tmp_path) == ["a"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other calls")
def test_an_exclusive_rename_never_overwrites(tmp_path, monkeypatch):
    """The first test here that renames so: what finds the call runs once."""
    monkeypatch.chdir(tmp_path)
    Path("probe").write_bytes(b"")
    if ctypes.CDLL(None).renameat2(-100, b"probe", -100, b"old", 1):
        pytest.skip("this disk cannot")
    Path("new").write_bytes(b"two")
    syscalls.rename_new(Path("new"), Path("other"))
    with pytest.raises(FileExistsError) as refused:
        syscalls.rename_new(Path("other"), Path("old"))
    told = (refused.value.strerror, refused.value.filename)
    assert told == (os.strerror(errno.EEXIST), "old")
    assert (Path("old").read_bytes(), Path("other").read_bytes()) == (b"", b"two")


@pytest.mark.parametrize("how", ["EPERM", "ENOTSUP", "EACCES"])
def test_creating_works_on_disks_without_hard_links(tmp_path, monkeypatch, how):
    refusing(monkeypatch, link=getattr(errno, how))
    (tmp_path / "b").write_bytes(b"other")
    assert create(tmp_path / "a", RECORD)
    with pytest.raises(TakenError):
        create(tmp_path / "b", RECORD)
    assert sorted_names(tmp_path) == ["a", "b"]


def test_creating_works_on_disks_with_neither_links_nor_exclusive_renames(tmp_path, monkeypatch):
    refusing(monkeypatch, link=errno.EPERM, rename_new=errno.EINVAL)
    assert create(tmp_path / "a", RECORD)
    assert sorted_names(tmp_path) == ["a"]
    (tmp_path / f"{TEMPORARY}claim-b").mkdir()  # another writer is at it
    with pytest.raises(StorageError, match="try again in a moment"):
        create(tmp_path / "b", RECORD)
    assert sorted_names(tmp_path) == [f"{TEMPORARY}claim-b", "a"]


@pytest.mark.parametrize("rename", [None, errno.EINVAL])
def test_creating_does_not_overwrite_a_name_taken_at_the_last_moment(tmp_path, monkeypatch, rename):
    def another_was_quicker(old, new):
        new.write_bytes(b"other")
        raise OSError(errno.EPERM, "")

    monkeypatch.setattr(syscalls, "link", another_was_quicker)
    if rename:
        refusing(monkeypatch, rename_new=rename)
    with pytest.raises(TakenError):
        create(tmp_path / "a", RECORD)
    assert (tmp_path / "a").read_bytes() == b"other"
    assert sorted_names(tmp_path) == ["a"]


def test_creating_accepts_equal_bytes_written_by_another_at_the_last_moment(tmp_path, monkeypatch):
    def another_was_quicker(old, new):
        new.write_bytes(RECORD)
        raise FileExistsError(errno.EEXIST, "")

    monkeypatch.setattr(syscalls, "link", another_was_quicker)
    assert create(tmp_path / "a", RECORD) is False
    assert sorted_names(tmp_path) == ["a"]


def test_a_write_that_stops_short_is_continued(tmp_path, monkeypatch):
    real = syscalls.write
    monkeypatch.setattr(syscalls, "write", lambda fd, data: real(fd, data[:1000]))
    create(tmp_path / "a", RECORD)
    assert (tmp_path / "a").read_bytes() == RECORD


def test_bytes_are_synced_before_the_name_and_the_name_before_success(tmp_path, monkeypatch):
    steps = ["create", "write", "fsync", "close", "link", "sync_folder", "unlink"]
    order = called(monkeypatch, *steps)
    create(tmp_path / "a", RECORD)
    assert order == steps


def test_each_new_folder_is_synced_before_what_lies_in_it(tmp_path, monkeypatch):
    order = called(monkeypatch, "mkdir", "sync_folder", "create", "link")
    create(tmp_path / "a/b/c", RECORD)
    assert order == ["mkdir", "sync_folder"] * 2 + ["create", "link", "sync_folder"]


def test_creating_a_file_that_exists_syncs_its_folder(tmp_path, monkeypatch):
    """Whoever made it may have been killed before its name was on the disk."""
    (tmp_path / "a").write_bytes(RECORD)
    order = called(monkeypatch, "create", "sync_folder")
    assert create(tmp_path / "a", RECORD) is False
    assert order == ["sync_folder"]


def test_a_replaced_file_is_synced_before_success(tmp_path, monkeypatch):
    order = called(monkeypatch, "write", "fsync", "replace", "sync_folder")
    replace(tmp_path / "a", RECORD)
    assert order == ["write", "fsync", "replace", "sync_folder"]


def test_creating_calls_fsync_for_the_file_and_its_folder(tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fsync", lambda fd: synced.append(os.fstat(fd).st_ino))
    create(tmp_path / "a", RECORD)
    assert synced == [(tmp_path / "a").stat().st_ino, tmp_path.stat().st_ino]


def test_creating_and_replacing_leave_no_file_open(tmp_path):
    def lowest():
        fd = os.dup(0)
        os.close(fd)
        return fd

    before = lowest()
    create(tmp_path / "a", RECORD)
    create(tmp_path / "a", RECORD)
    replace(tmp_path / "a", RECORD)
    assert lowest() == before


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes")
def test_shared_files_get_the_modes_that_the_users_umask_allows(tmp_path):
    was = os.umask(0)
    try:
        create(tmp_path / "turns/0001.toml", RECORD)
        make_folder(tmp_path / "orders")
    finally:
        os.umask(was)
    modes = [(tmp_path / name).stat().st_mode & 0o7777 for name in ("turns", "orders")]
    assert modes == [0o777, 0o777]
    assert (tmp_path / "turns/0001.toml").stat().st_mode & 0o7777 == 0o666


@pytest.mark.parametrize("size", [0, 1, (1 << 20) + 1])
def test_creating_recognises_identical_files_of_any_size(tmp_path, size):
    assert create(tmp_path / "a", b"x" * size) is True
    assert create(tmp_path / "a", b"x" * size) is False
    with pytest.raises(TakenError):
        create(tmp_path / "a", b"x" * size + b"y")


@pytest.mark.parametrize("step", ["link", "rename_new", "mkdir", "replace", "sync_folder"])
def test_a_disk_that_is_full_at_the_last_step_is_reported(tmp_path, monkeypatch, step):
    steps = {"link": errno.EPERM, "rename_new": errno.EINVAL}
    earlier = (
        dict(list(steps.items())[: ["link", "rename_new"].index(step)]) if step in steps else steps
    )
    refusing(monkeypatch, **earlier, **{step: errno.ENOSPC})
    with pytest.raises(StorageError, match="disk is full"):
        create(tmp_path / "a", RECORD)
    assert sorted_names(tmp_path) == (["a"] if step == "sync_folder" else [])


def test_a_name_that_was_taken_and_freed_again_is_reported_and_not_written(tmp_path, monkeypatch):
    """Whoever removed it must be asked: nothing is written in its place."""
    refusing(monkeypatch, link=errno.EPERM, rename_new=errno.EINVAL)
    make, remove = syscalls.mkdir, syscalls.rmdir
    monkeypatch.setattr(
        syscalls, "mkdir", lambda *args: (make(*args), (tmp_path / "a").write_bytes(b"other"))
    )
    monkeypatch.setattr(syscalls, "rmdir", lambda f: (remove(f), (tmp_path / "a").unlink()))
    with pytest.raises(StorageError, match="already exists"):
        create(tmp_path / "a", RECORD)
    assert sorted_names(tmp_path) == []


@pytest.mark.parametrize(("age", "swept"), [(3599.0, 0), (3600.0, 1)])
def test_a_temporary_file_is_swept_after_an_hour(tmp_path, monkeypatch, age, swept):
    left = tmp_path / f"{TEMPORARY}x"
    left.write_bytes(b"")
    os.utime(left, (1000, 1000))
    monkeypatch.setattr(time, "time", lambda: 1000 + age)
    assert len(remove_old_temporary_files(tmp_path)) == swept


def test_sweeping_removes_only_old_temporary_files(tmp_path):
    for name in ("old", "new"):
        (tmp_path / f"{TEMPORARY}{name}").write_bytes(b"half")
    (tmp_path / f"{TEMPORARY}claim-x").mkdir()
    (tmp_path / "0001.toml").write_bytes(RECORD)
    past = time.time() - 7200
    for name in (f"{TEMPORARY}old", f"{TEMPORARY}claim-x", "0001.toml"):
        os.utime(tmp_path / name, (past, past))
    assert len(remove_old_temporary_files(tmp_path)) == 2
    assert sorted_names(tmp_path) == [f"{TEMPORARY}new", "0001.toml"]
    assert remove_old_temporary_files(tmp_path / "missing") == []


def test_two_processes_may_make_the_same_folder_at_once(tmp_path, monkeypatch):
    real = syscalls.mkdir

    def another_was_quicker(path, mode):
        real(path, mode)
        real(path, mode)

    monkeypatch.setattr(syscalls, "mkdir", another_was_quicker)
    make_folder(tmp_path / "a/b")
    assert (tmp_path / "a/b").is_dir()


def visible(folder: Path) -> list[Path]:
    return [f for f in folder.rglob("*") if f.is_file() and not f.name.startswith(TEMPORARY)]


def check_whole_record(folder: Path) -> None:
    assert all(f.read_bytes() == RECORD for f in visible(folder))


@pytest.mark.long
def test_a_kill_at_any_call_leaves_a_new_file_whole_or_absent(tmp_path):
    game = tmp_path / "game"
    command = Command("tests.storage.writers:create_file", [str(game / "turns/0001.toml")])

    def fresh():
        shutil.rmtree(game, ignore_errors=True)

    points = 0
    for _point in crash_everywhere(command, fresh, lambda: check_whole_record(game)):
        points += 1
        assert visible(game) == [game / "turns/0001.toml"]
    assert points > 6


@pytest.mark.sample(0)
def test_a_kill_at_any_call_leaves_the_old_or_the_new_file(tmp_path):
    path = tmp_path / "heads.toml"
    command = Command("tests.storage.writers:remake", [str(path)])

    def check():
        assert path.read_bytes() in (b"old", RECORD)

    for _point in crash_everywhere(command, lambda: path.write_bytes(b"old"), check):
        assert path.read_bytes() == RECORD


@pytest.mark.sample(0)
@pytest.mark.parametrize(("how", "said"), [("ENOSPC", "disk is full"), ("EIO", "could not be")])
def test_a_disk_that_fails_at_any_call_leaves_no_half_file(tmp_path, how, said):
    game = tmp_path / "game"
    command = Command("tests.storage.writers:create_file", [str(game / "turns/0001.toml")])
    codes = []
    for run in fail_everywhere(command, how, lambda: shutil.rmtree(game, ignore_errors=True)):
        codes.append(run.returncode)
        assert run.returncode in (0, 7)
        assert "Traceback" not in run.stderr
        assert (run.returncode == 0) is ("made" in run.stdout)
        assert (run.returncode == 7) is (said in run.stdout)
        check_whole_record(game)
    assert codes.count(7) >= 7
    assert codes.count(0) == 1  # only the last tidying may fail unsaid


@pytest.mark.long
def test_of_many_writers_of_one_file_exactly_one_succeeds(tmp_path):
    path = tmp_path / "turns/0001.toml"
    code = "import sys; from tests.storage.writers import create_file; create_file(*sys.argv[1:])"
    bodies = [str(n) * 50_000 for n in range(6)]
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", code, path, body], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        for body in bodies
    ]
    said = [writer.communicate()[0] for writer in writers]
    codes = [writer.returncode for writer in writers]
    assert sorted(codes) == [0, 3, 3, 3, 3, 3]
    assert path.read_text() == bodies[codes.index(0)]
    assert sum("nothing was overwritten" in s for s in said) == 5
    assert sorted_names(path.parent) == ["0001.toml"]
