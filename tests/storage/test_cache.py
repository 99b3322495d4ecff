"""Caches: empty when broken or of another purpose, and never in the way."""

import errno
import json
import subprocess
import sys
import zlib

import pytest

from pbem.files.caches_in_home import Cache
from pbem.files.home import Home
from tests.kit.crashes import ROOT

VALUE = {"id": "00ff", "lines": ["a", 1, None, True, [2, 3.5]]}


@pytest.fixture
def path(tmp_path):
    Cache(tmp_path / "cache/records", "records 1").save(VALUE)
    return tmp_path / "cache/records"


def cached(path, purpose="records 1"):
    return Cache(path, purpose).load()


def test_a_saved_cache_is_loaded_by_another_run(path):
    assert cached(path) == VALUE


def test_a_cache_of_another_purpose_is_not_loaded(path):
    assert cached(path, "records 2") is None


def test_a_cache_may_be_larger_than_any_record(path):
    Cache(path, "records 1").save("x" * (2 << 20))
    assert cached(path) == "x" * (2 << 20)


def test_a_cache_can_be_deleted_at_any_time(path):
    cache = Cache(path, "records 1")
    path.unlink()
    assert cache.load() is None
    cache.save(1)
    assert cached(path) == 1
    cache.remove()
    cache.remove()
    assert cached(path) is None


def test_damaged_caches_are_ignored(path):
    whole = path.read_bytes()
    for at in range(len(whole)):
        path.write_bytes(whole[:at])
        assert cached(path) is None
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert cached(path) is None


@pytest.mark.parametrize("body", [b"", b"1", b"[1, 2, 3]", b"\xfb", b"[" * 100_000])
def test_caches_with_other_content_are_ignored(path, body):
    path.write_bytes(f"{zlib.crc32(body):08x}\n".encode() + body)
    assert cached(path) is None


def test_a_cache_is_json_below_a_line_with_its_checksum(path):
    head, body = path.read_bytes().split(b"\n")
    assert f"{zlib.crc32(body):08x}" == head.decode()
    assert json.loads(body)[1] == VALUE


def test_a_cache_of_another_version_of_pbem_is_ignored(path):
    body = path.read_bytes().split(b"\n")[1].replace(b"records 1 ", b"records 1 0.0.0-")
    path.write_bytes(f"{zlib.crc32(body):08x}\n".encode() + body)
    assert cached(path) is None


def test_a_cache_that_cannot_be_written_causes_no_error(tmp_path):
    (tmp_path / "cache").write_bytes(b"a file where the folder should be")
    Cache(tmp_path / "cache/records", "records 1").save(1)
    assert cached(tmp_path / "cache/records") is None


def test_all_caches_of_a_game_can_be_dropped(tmp_path):
    mine = Home(tmp_path).game("0" * 64)
    mine.drop_caches()
    for purpose in ("records", "views"):
        mine.cache(purpose).save(1)
    mine.drop_caches()
    assert mine.cache("records").load() is None
    assert list((mine.root / "cache").iterdir()) == []


def test_all_caches_of_a_home_can_be_dropped(tmp_path):
    home = Home(tmp_path / "home")
    home.drop_caches()
    home.cache("hosts").save(1)
    snapshots = home.snapshots(tmp_path / "savannah")
    assert snapshots != home.snapshots(tmp_path / "pond")
    Cache(snapshots / "views", "views").save(1)
    home.drop_caches()
    assert [path for path in home.root.rglob("*") if path.is_file()] == []


def test_a_lock_is_held_until_its_block_ends(tmp_path):
    mine = Home(tmp_path / "home").game("0" * 64)
    with mine.lock("advance") as first, mine.lock("advance") as second:
        assert (first, second) == (True, False)
    with mine.lock("advance") as third:
        assert third is True
    assert all(f.stat().st_mode & 0o077 == 0 for f in (tmp_path / "home").rglob("*"))


def test_commands_go_on_where_the_disk_has_no_locks(tmp_path, monkeypatch):
    fcntl = pytest.importorskip("fcntl")

    def refuse(fd, how):
        raise OSError(errno.ENOTSUP, "")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with Home(tmp_path).game("0" * 64).lock("advance") as held:
        assert held is True


def test_a_lock_holds_against_other_processes_until_its_holder_dies(tmp_path):
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
