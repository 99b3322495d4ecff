"""Reading one file where others write: whole, never too long, never anything but a file."""

import os
import tracemalloc
from pathlib import Path

import pytest

from pbem.files.disk import read_file, read_if_there
from pbem.files.file_errors import FileError, StorageError
from tests.storage.writers import RECORD


def test_short_reads_are_continued(tmp_path, monkeypatch):
    (tmp_path / "a").write_bytes(RECORD)
    real = os.read
    monkeypatch.setattr(os, "read", lambda fd, size: real(fd, min(size, 1000)))
    assert read_file(tmp_path / "a") == RECORD
    assert read_file(tmp_path / "a", len(RECORD)) == RECORD


def test_room_is_made_for_what_is_read_and_not_for_what_might_be(tmp_path):
    (tmp_path / "a").write_bytes(RECORD)
    (tmp_path / "large").write_bytes(bytes(3 << 20))
    tracemalloc.start()
    try:
        assert read_file(tmp_path / "a", 1 << 28) == RECORD
        assert tracemalloc.get_traced_memory()[1] < 1 << 22
    finally:
        tracemalloc.stop()
    assert read_file(tmp_path / "large", 1 << 28) == bytes(3 << 20)


def test_a_file_that_grew_since_it_was_looked_at_is_not_read_beyond_the_limit(
    tmp_path, monkeypatch
):
    (tmp_path / "a").write_bytes(b"12345")
    (tmp_path / "small").write_bytes(b"")
    small = (tmp_path / "small").stat()
    monkeypatch.setattr(os, "lstat", lambda path: small)
    monkeypatch.setattr(os, "fstat", lambda fd: small)
    assert read_file(tmp_path / "a", 5) == b"12345"
    with pytest.raises(FileError) as refused:
        read_file(tmp_path / "a", 4)
    assert refused.value.reason == "size"


def test_what_was_exchanged_since_it_was_looked_at_is_looked_at_again(tmp_path, monkeypatch):
    (tmp_path / "a").mkdir()
    (tmp_path / "file").write_bytes(b"")
    found = (tmp_path / "file").stat()
    (tmp_path / "link").symlink_to(tmp_path / "file")
    monkeypatch.setattr(os, "lstat", lambda path: found)
    with pytest.raises(FileError, match="is a folder"):
        read_file(tmp_path / "a")
    with pytest.raises(StorageError, match="is a link, which pbem does not follow"):
        read_file(tmp_path / "link")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pipes in folders")
def test_a_pipe_put_there_since_it_was_looked_at_holds_nobody(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").write_bytes(b"")
    found = (tmp_path / "file").stat()
    monkeypatch.setattr(os, "lstat", lambda path: found)
    with pytest.raises(FileError, match="not a regular file"):
        read_file(tmp_path / "pipe")


def test_nothing_stays_open(tmp_path):
    (tmp_path / "a").write_bytes(RECORD)

    def lowest():
        fd = os.dup(0)
        os.close(fd)
        return fd

    before = lowest()
    read_file(tmp_path / "a")
    with pytest.raises(FileError):
        read_file(tmp_path / "a", 1)
    assert lowest() == before


def test_what_is_not_there_is_none_and_what_may_not_be_read_is_said(tmp_path):
    assert read_if_there(tmp_path / "a") is None
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StorageError, match="is not a folder"):
        read_if_there(Path(tmp_path / "file/a"))
