"""Caches: right for unchanged files, empty when broken or old, and never in the way."""

import errno
import json
import subprocess
import sys
import zlib

import pytest

from pbem.files.cache import Cache
from pbem.files.disk import Mark
from pbem.files.folder import Folder
from pbem.files.home import Home
from tests.kit.crashes import ROOT

VALUE = {"id": "00ff", "lines": ["a", 1, None, True, [2, 3.5]]}
MARK = Mark(1, 2, 3)


@pytest.fixture
def path(tmp_path):
    cache = Cache(tmp_path / "cache/records", "records 1")
    cache.store("turns/0001.toml", MARK, VALUE)
    cache.store("turns/0002.toml", MARK, 2)
    cache.save()
    return tmp_path / "cache/records"


def cached_bytes(path, purpose="records 1", name="turns/0001.toml", mark=MARK):
    return Cache(path, purpose).get(name, mark)


def test_what_was_put_is_got_by_another_run(path):
    assert cached_bytes(path) == VALUE


@pytest.mark.parametrize("mark", [Mark(9, 2, 3), Mark(1, 9, 3), Mark(1, 2, 9)])
def test_a_changed_file_is_not_known(path, mark):
    assert cached_bytes(path, mark=mark) is None
    assert cached_bytes(path, name="turns/0003.toml") is None


def test_a_rewritten_file_is_not_known(tmp_path, path):
    folder = Folder(tmp_path / "g")
    folder.create("turns/0001.toml", b"one")
    cache = Cache(path, "records 1")
    found = folder.scan().turns[0]
    cache.store(found.path, found.mark, "one")
    (folder.root / found.path).unlink()
    folder.create("turns/0001.toml", b"two")
    found = folder.scan().turns[0]
    assert cache.get(found.path, found.mark) is None


def test_another_purpose_starts_empty(path):
    assert cached_bytes(path, "records 2") is None


def test_saving_for_some_files_forgets_the_others(path):
    Cache(path, "records 1").save(["turns/0001.toml"])
    assert cached_bytes(path) == VALUE
    assert cached_bytes(path, name="turns/0002.toml") is None


def test_saving_for_some_files_keeps_what_was_put_for_them(path):
    cache = Cache(path, "records 1")
    cache.store("turns/0003.toml", MARK, 3)
    cache.save(["turns/0001.toml", "turns/0002.toml", "turns/0003.toml"])
    assert cached_bytes(path, name="turns/0003.toml") == 3
    assert cached_bytes(path) == VALUE


def test_nothing_is_written_where_nothing_changed(path):
    before = path.stat().st_ino
    for paths in (None, ["turns/0001.toml", "turns/0002.toml"]):
        cache = Cache(path, "records 1")
        cache.get("turns/0001.toml", MARK)
        cache.save(paths)
        assert path.stat().st_ino == before
    cache.store("x", MARK, 1)
    cache.save()
    after = path.stat().st_ino
    assert after != before
    cache.save()
    assert path.stat().st_ino == after


def test_it_may_be_larger_than_any_record(path):
    cache = Cache(path, "records 1")
    cache.store("x", MARK, "x" * (2 << 20))
    cache.save()
    assert cached_bytes(path, name="x") == "x" * (2 << 20)
    assert cached_bytes(path) == VALUE


def test_deleting_it_is_fine_at_any_time(path):
    cache = Cache(path, "records 1")
    path.unlink()
    assert cache.get("turns/0001.toml", MARK) is None
    cache.store("x", MARK, 1)
    cache.save()
    assert cached_bytes(path, name="x") == 1


def test_broken_ones_are_ignored(path):
    whole = path.read_bytes()
    for at in range(len(whole)):
        path.write_bytes(whole[:at])
        assert cached_bytes(path) is None
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert cached_bytes(path) is None


@pytest.mark.parametrize("body", [b"", b"1", b"[1, 2, 3]", b"\xfb", b"[" * 100_000])
def test_whole_ones_of_another_kind_are_ignored(path, body):
    path.write_bytes(f"{zlib.crc32(body):08x}\n".encode() + body)
    assert cached_bytes(path) is None


def test_it_is_json_below_a_line_with_its_checksum(path):
    head, body = path.read_bytes().split(b"\n")
    assert f"{zlib.crc32(body):08x}" == head.decode()
    assert VALUE in [value for _, value in json.loads(body)[1].values()]


def test_a_cache_of_another_version_of_pbem_is_ignored(path):
    body = path.read_bytes().split(b"\n")[1].replace(b"records 1 ", b"records 1 0.0.0-")
    path.write_bytes(f"{zlib.crc32(body):08x}\n".encode() + body)
    assert cached_bytes(path) is None


def test_a_cache_that_cannot_be_written_is_no_fault(tmp_path):
    (tmp_path / "cache").write_bytes(b"a file where the folder should be")
    cache = Cache(tmp_path / "cache/records", "records 1")
    cache.store("x", MARK, 1)
    cache.save()
    assert cache.get("x", MARK) == 1


def test_dropping_all_of_a_game(tmp_path):
    mine = Home(tmp_path).game("0" * 64)
    mine.drop_caches()
    for purpose in ("records", "views"):
        cache = mine.cache(purpose)
        cache.store("x", MARK, 1)
        cache.save()
    mine.drop_caches()
    assert mine.cache("records").get("x", MARK) is None
    assert list((mine.root / "cache").iterdir()) == []


def test_a_lock_is_held_until_its_block_ends(tmp_path):
    mine = Home(tmp_path / "home").game("0" * 64)
    with mine.lock("advance") as first, mine.lock("advance") as second:
        assert (first, second) == (True, False)
    with mine.lock("advance") as third:
        assert third is True
    assert all(f.stat().st_mode & 0o077 == 0 for f in (tmp_path / "home").rglob("*"))


def test_on_a_disk_without_locks_commands_go_on(tmp_path, monkeypatch):
    fcntl = pytest.importorskip("fcntl")

    def refuse(fd, how):
        raise OSError(errno.ENOTSUP, "")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with Home(tmp_path).game("0" * 64).lock("advance") as held:
        assert held is True


def test_the_lock_tells_another_process_and_lets_go_when_its_holder_dies(tmp_path):
    mine = Home(tmp_path).game("0" * 64)
    code = """if True:
        import os, sys
        from pathlib import Path
        from pbem.files.home import Home
        with Home(Path(sys.argv[1])).game("0" * 64).lock("advance") as held:
            print(held, flush=True)
            sys.stdin.readline()
            os._exit(9)
    """
    line = [sys.executable, "-c", code, str(tmp_path)]
    one = subprocess.Popen(line, cwd=ROOT, stdin=-1, stdout=-1, text=True)
    assert one.stdout.readline() == "True\n"
    with mine.lock("advance") as held:
        assert held is False
    with mine.lock("submit") as held:
        assert held is True
    one.communicate("\n")
    assert one.returncode == 9
    with mine.lock("advance") as held:
        assert held is True
    assert sorted(f.name for f in mine.root.iterdir()) == ["advance.lock", "submit.lock"]
