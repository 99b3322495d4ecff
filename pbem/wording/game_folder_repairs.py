"""Repairs in words: what `advance` put right in a game folder before it made a turn, and the caches
that `doctor` deleted."""

from __future__ import annotations

from typing import Final

from engine.counts_and_lists_in_prose import counted
from pbem.terminal.clean_text import clean

_NOT_THE_TURN: Final = (
    "note: {path} had the name of a turn of this game, but was not that turn; it is now called "
    "{backup_path}, and its contents are unchanged"
)
_NOT_THE_FINAL_RECORD: Final = (
    "note: {path} had the name of the final record of this game, but was not that record; it is "
    "now called {backup_path}, and its contents are unchanged"
)
_NOT_THE_NOTICE: Final = (
    "note: {path} had the name of your notice, but was not that notice; it is now called "
    "{backup_path}, and its contents are unchanged"
)
_SET_ASIDE: Final = "note: {path}, which does not count, is now called {backup_path}"
_RENAMED: Final = (
    "note: the turn that counts was in {previous_path}; that file is now called {path}"
)
_OWN_FILE_MISSING: Final = (
    "note: {path}, which belongs to a seat that you play, was missing; pbem has rewritten it"
)
_OWN_FILE_DAMAGED: Final = (
    "note: {path}, which belongs to a seat that you play, was damaged, and is now called "
    "{backup_path}; pbem has rewritten it"
)
_JOIN_MISSING: Final = "note: {path}, the join of {name}, was missing; pbem has rewritten it"
_JOIN_DAMAGED: Final = (
    "note: {path}, the join of {name}, was damaged, and is now called {backup_path}; pbem has "
    "rewritten it"
)
_RECORD_PUT_BACK: Final = (
    "note: {path} was made here and was missing; pbem has put it back, byte for byte"
)
_TWO_RECORDS: Final = (
    "note: {path} is not the turn that this computer made: this computer signed {own_digits}, "
    "but the file contains {other_digits}. If you ever sent {own_digits} to anybody, tell all "
    "players. Make turns on only one computer"
)


def not_the_record_note(path: str, backup_path: str, *, is_final: bool) -> str:
    """Say that a file had the name of a turn or of the final record, and has another name now."""
    template = _NOT_THE_FINAL_RECORD if is_final else _NOT_THE_TURN
    return template.format(path=path, backup_path=backup_path)


def not_the_notice_note(path: str, backup_path: str) -> str:
    """Say that a file had the name of the user's notice, and has another name now."""
    return _NOT_THE_NOTICE.format(path=path, backup_path=backup_path)


def set_aside_note(path: str, backup_path: str) -> str:
    """Say that a turn that does not count has another name now."""
    return _SET_ASIDE.format(path=path, backup_path=backup_path)


def renamed_note(path: str, previous_path: str) -> str:
    """Say that the turn that counts has its standard name again."""
    return _RENAMED.format(path=path, previous_path=previous_path)


def rewritten_note(path: str, joiner: str, backup_path: str) -> str:
    """Say that a file was missing, or damaged and renamed to `backup_path`, and is there again.

    It is the join of the player `joiner`; if this is empty, a file of a seat that the referee
    plays.
    """
    if joiner:
        template = _JOIN_DAMAGED if backup_path else _JOIN_MISSING
    else:
        template = _OWN_FILE_DAMAGED if backup_path else _OWN_FILE_MISSING
    return template.format(path=path, name=clean(joiner), backup_path=backup_path)


def put_back_note(path: str) -> str:
    """Say that the last record that was signed here is in the folder again."""
    return _RECORD_PUT_BACK.format(path=path)


def two_records_note(path: str, other_digits: str, own_digits: str) -> str:
    """Say that the folder has a different record from the one that was signed here."""
    return _TWO_RECORDS.format(path=path, other_digits=other_digits, own_digits=own_digits)


# ---- Caches that `doctor` deleted

_DELETED_CACHES: Final = "deleted the caches of {games}; pbem will rebuild them when it needs them"
_COPIES_KEPT: Final = "could not delete the cached copies of {location}: {error}"


def deleted_caches_line(game_count: int) -> str:
    """Say of how many games the caches are deleted."""
    return _DELETED_CACHES.format(games=counted(game_count, "game"))


def copies_kept_line(location: object, error: Exception) -> str:
    """Say why the copies of a store's files could not be deleted."""
    return _COPIES_KEPT.format(location=location, error=error)
