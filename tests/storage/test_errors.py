"""What the system says, in words that name cause and cure."""

import errno

import pytest

from pbem.files.file_errors import StorageError, storage_error

SAID = {
    "ENOSPC": "disk is full",
    "EDQUOT": "your disk quota",
    "EFBIG": "cannot store a file this large",
    "EROFS": "read-only",
    "EACCES": "no permission",
    "EPERM": "the system forbids this",
    "ENOENT": "is not there",
    "ENOTDIR": "is not a folder",
    "EISDIR": "is a folder",
    "EEXIST": "already exists",
    "ELOOP": "is a link",
    "ENAMETOOLONG": "name is too long",
    "EMFILE": "too many files",
    "EIO": "could not be read; if a cloud drive syncs",
    "EDEADLK": "could not be read; if a cloud drive syncs",
    "ETIMEDOUT": "could not be read; if a cloud drive syncs",
    "ESTALE": "the network drive lost this file",
}


@pytest.mark.parametrize("name", SAID)
def test_each_system_error_has_its_own_sentence(name):
    told = storage_error(OSError(getattr(errno, name), "strange"), "turns/0001.toml")
    assert SAID[name] in told.sentence
    assert str(told) == f"turns/0001.toml: {told.sentence}"
    assert (told.path, told.exit, told.is_missing) == ("turns/0001.toml", 7, name == "ENOENT")


def test_an_unknown_system_error_is_told_in_the_systems_words():
    assert (
        storage_error(OSError("strange"), "a").sentence == "the operating system reports: strange"
    )
    told = storage_error(OSError(errno.EDOM, "out of range"), "a")
    assert (told.sentence, told.is_missing) == ("the operating system reports: out of range", False)
    assert StorageError("a", "b").is_missing is False
