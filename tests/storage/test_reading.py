"""Reading one file where others write: whole, never too long, never anything but a file."""

import os
import tracemalloc
from pathlib import Path

import pytest

from pbem.files.disk import read_file, read_if_there
from pbem.files.file_errors import FileError, StorageError
from tests.kit.refusals import refused_for
from tests.storage.writers import RECORD


def test_a_read_that_stops_short_is_continued(tmp_path, monkeypatch):
    (tmp_path / "a").write_bytes(RECORD)
    real = os.read
    monkeypatch.setattr(os, "read", lambda fd, size: real(fd, min(size, 1000)))
    assert read_file(tmp_path / "a") == RECORD
    assert read_file(tmp_path / "a", len(RECORD)) == RECORD


def test_reading_takes_memory_for_the_file_and_not_for_the_limit(tmp_path):
    (tmp_path / "a").write_bytes(RECORD)
    (tmp_path / "large").write_bytes(bytes(3 << 20))
    tracemalloc.start()
    try:
        assert read_file(tmp_path / "a", 1 << 28) == RECORD
        assert tracemalloc.get_traced_memory()[1] < 1 << 22
    finally:
        tracemalloc.stop()
    assert read_file(tmp_path / "large", 1 << 28) == bytes(3 << 20)


def test_a_file_that_grew_after_it_was_examined_is_not_read_beyond_the_limit(tmp_path, monkeypatch):
    (tmp_path / "a").write_bytes(b"12345")
    (tmp_path / "small").write_bytes(b"")
    small = (tmp_path / "small").stat()
    monkeypatch.setattr(os, "lstat", lambda path: small)
    monkeypatch.setattr(os, "fstat", lambda fd: small)
    assert read_file(tmp_path / "a", 5) == b"12345"
    with refused_for("size", error=FileError):
        read_file(tmp_path / "a", 4)


def test_a_file_exchanged_for_a_folder_or_link_before_reading_is_refused(tmp_path, monkeypatch):
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
def test_a_file_exchanged_for_a_pipe_before_reading_does_not_block(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").write_bytes(b"")
    found = (tmp_path / "file").stat()
    monkeypatch.setattr(os, "lstat", lambda path: found)
    with pytest.raises(FileError, match="not a regular file"):
        read_file(tmp_path / "pipe")


def test_reading_leaves_no_file_open(tmp_path):
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


def test_a_missing_file_reads_as_none_and_an_unreadable_one_is_reported(tmp_path):
    assert read_if_there(tmp_path / "a") is None
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StorageError, match="is not a folder"):
        read_if_there(Path(tmp_path / "file/a"))
