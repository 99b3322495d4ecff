"""The last record on a subject that this machine signed."""

from __future__ import annotations

from typing import Any

from pbem.files.home import GameHome
from pbem.format.record_error import RecordError
from pbem.records.read_and_sign_record import Record, read


def last_signed_record(game_home: GameHome, subject: str) -> tuple[Record[Any] | None, bool]:
    """Return the last notice, message or join on a subject that was signed on this machine, and
    whether the user was told that it is done. Raises StorageError."""
    act = game_home.acts.last_act(subject)
    try:
        return (read(act.file), act.reported) if act else (None, False)
    except RecordError:
        return None, False  # a damaged copy is worth nothing
