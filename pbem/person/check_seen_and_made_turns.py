"""The records that this machine saw or signed, compared with the folder: turns that are missing or
damaged now, and how to get them back.

Another command of the same person may have read or made a turn since this one listed the folder. So
the checks list the folder again before they say that something is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from pbem.files.file_errors import HOW_TO_GET, MISSING_TURN_SENTENCE, FileError, StorageError
from pbem.files.game_folder import Listing
from pbem.files.home import GameHome
from pbem.files.record_file_names import turn_path
from pbem.files.signed_and_seen import Signed
from pbem.person.user_game import UserGame
from pbem.records.game_id_and_chain_heads import first_head
from pbem.text.terminal_and_page_wording import TerminalText, off_terminal

WAIT_FOR_CHECKS_SECONDS: Final = 1.0
"""How long a check waits for other checks, which take the lock of a writer for a moment."""

# ---- Turns that were here


def need_seen_turns(game: UserGame) -> None:
    """Raise FileError if the folder has no turn although turn 1 was seen on this machine."""
    last_head = game.game_home.heads.last_position()
    if not last_head or not last_head.turn:
        return
    need_last_made(game)
    game.read_again()
    if not game.listing.reached:
        game.game_home.heads.check([first_head(game.game_folder.game).hex()])


def need_last_made(game: UserGame) -> None:
    """Raise FileError if the last turn made on this machine is gone, as in a half-synced folder."""
    last_record = game.game_home.signed.last_record() if game.roles.referee else None
    if last_record is None or not last_record.path.startswith("turns/"):
        return
    try:
        _check_last_made(game.listing, last_record)
    except FileError:
        lock = game.game_home.signed.publishing(WAIT_FOR_CHECKS_SECONDS)
        with suppress(StorageError), lock as has_lock:  # a home that cannot be written has none
            if not has_lock:  # another command is writing it now
                return
        game.read_again()
        _check_last_made(game.listing, last_record)


def _check_last_made(listing: Listing, last_record: Signed) -> None:
    if is_last_record_gone(listing, last_record):
        sentence = TerminalText(
            "is missing here, and this computer made it[[; pbem advance puts it back, byte "
            "for byte]]"
        )
        raise FileError("parent", last_record.path, sentence)


_PARENT_MISSING: Final = "is missing, and this computer signed {path} after it; " + HOW_TO_GET
_PARENTS_MISSING: Final = (
    "is missing, and so are the turns up to {last_turn}. This computer signed {path} after them; "
    + HOW_TO_GET
)


def is_last_record_gone(listing: Listing, last_record: Signed) -> bool:
    """Return whether the last record that this machine signed is missing, and can be put back.

    Raises FileError `parent` if turns before it are missing too.
    """
    stored_paths = {file.path for file in listing.records}
    missing_turns = [n for n in range(1, last_record.place) if turn_path(n) not in stored_paths]
    if not missing_turns:
        return last_record.path not in stored_paths
    template = _PARENT_MISSING if len(missing_turns) == 1 else _PARENTS_MISSING
    sentence = template.format(path=last_record.path, last_turn=f"{missing_turns[-1]:04}")
    raise FileError("parent", turn_path(missing_turns[0]), sentence)


# ---- Heads: the folder must continue the turns that this computer saw


def note_heads(game_home: GameHome, heads: Sequence[bytes]) -> None:
    """Remember the last head if these heads continue the last seen head.

    Nothing is noted if this is another chain, or if the home is read-only: the commands that play
    the game say what is wrong.
    """
    with suppress(FileError, StorageError):
        game_home.heads.remember([head.hex() for head in heads])


def check_seen_turns(game: UserGame, heads: Sequence[bytes]) -> None:
    """Check that the turns in the folder continue the last seen head, and remember the last one.
    Raises FileError, StorageError."""
    try:
        game.game_home.heads.remember([head.hex() for head in heads])
    except FileError:
        check_damage(game)
        # the chain of heads stops where a turn is missing
        if game.listing.gaps[:1] == [len(heads)]:
            raise FileError("parent", turn_path(len(heads)), MISSING_TURN_SENTENCE) from None
        raise


def check_damage(game: UserGame) -> None:
    """Raise FileError if a turn that was seen on this machine before is damaged now.

    Without this check, somebody could play on from an older turn.
    """
    last_head = game.game_home.heads.last_position()
    last_turn = last_head.turn if last_head else 0
    if any(file.name.turn <= last_turn for file in game.game_folder.stray_files[:1]):
        game.read_again()
    for stray_file in game.game_folder.stray_files[:1]:
        if stray_file.name.turn <= last_turn:
            fault = game.game_folder.stray_fault(stray_file)
            sentence = TerminalText(
                "{fault}; this computer saw the game up to turn {turn} before; to get all turns, "
                "ask another player [[to run pbem send --all||to send you all files]]"
            ).format(fault=off_terminal(fault.sentence), turn=last_turn)
            raise FileError(fault.reason, fault.path, sentence) from None
