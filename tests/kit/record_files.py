"""The records of a game's folder, and records put into it.

    folder = archive_of(game("begun").shared / "savannah")  # as every command reads it
    turn = record_at(folder.folder.root / "turns/0001.toml")
    assert record_path(turn) == "turns/0001.toml"
    later = resigned(turn, key_of("rhea"), time=turn.content.time + 1)  # another turn 1

Where the product keeps what reads and writes records, only this module knows.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.files.game_folder import Folder, SharedFolder
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import SigningKey
from pbem.judge.read_and_check_record_file import file_name
from pbem.judge.records_of_game_folder import Archive, open_folder
from pbem.records.read_and_sign_record import Record, make, read


def archive_of(folder: Path | SharedFolder) -> Archive:
    """A game's folder as it is read now."""
    return open_folder(Folder(folder) if isinstance(folder, Path) else folder)


def record_at(path: Path) -> Record[Any]:
    """The record in a file. Raises RecordError if it is none."""
    return read(path.read_bytes())


def record_path(record: Record[Any]) -> str:
    """Where a record lies in its game's folder."""
    return file_name(record).path


def put_record(folder: SharedFolder, record: Record[Any]) -> None:
    """Write a record to where it belongs; nothing may be there."""
    folder.create(file_name(record), record.file)


def resigned(record: Record[Any], key: SigningKey, /, **changes: Any) -> Record[Any]:
    """The record with other contents, signed with this key."""
    return make(replace(record.content, **changes), key)


def refusal_by(work: Callable[..., object], *args: Any, **rest: Any) -> tuple[str, str]:
    """The reason and the sentence with which this call refuses what it is given."""
    with pytest.raises(RecordError) as caught:
        work(*args, **rest)
    return caught.value.reason, caught.value.sentence
