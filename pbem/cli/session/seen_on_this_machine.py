"""Note what this machine saw, signed and sealed, and when."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pbem.cli.clock import now
from pbem.storage.file_names import turn_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.play.checking.game_folder import GameFolder
    from pbem.records.read_record import Record
    from pbem.storage.private.home import Mine


def note_turns(mine: Mine, times: Sequence[int]) -> None:
    """Remember that these turns are in the folder now; if the home is read-only, nothing is
    noted."""
    from pbem.storage.errors import StorageError

    with suppress(StorageError):
        mine.sightings.look(times, now())


def note_sealed(mine: Mine, ident: bytes) -> None:
    """Remember when orders or a join were sealed on this machine; if the home is read-only, nothing
    is noted."""
    from pbem.storage.errors import StorageError

    with suppress(StorageError):
        mine.receipts.note(ident.hex(), now())


def note_signed(mine: Mine, subject: str, file: bytes) -> None:
    """Remember a notice, message or join before it is written to the folder; if the home is
    read-only, nothing is noted."""
    from pbem.storage.errors import StorageError

    with suppress(StorageError):
        mine.acts.keep(subject, file)


def last_signed(mine: Mine, subject: str) -> tuple[Record[Any] | None, bool]:
    """Return the last notice, message or join on a subject that was signed on this machine, and
    whether the user was told that it is done. Raises StorageError."""
    from pbem.format.errors import RecordError
    from pbem.records.read_record import read

    act = mine.acts.last(subject)
    try:
        return (read(act.file), act.reported) if act else (None, False)
    except RecordError:
        return None, False  # a damaged copy is worth nothing


def note_reported(mine: Mine, subject: str, file: bytes) -> None:
    """Remember that the user was told that this act is done; if the home is read-only, nothing is
    noted."""
    from pbem.storage.errors import StorageError

    with suppress(StorageError):
        mine.acts.note_reported(subject, file)


def note_arrivals(mine: Mine, game_folder: GameFolder) -> dict[str, int]:
    """Return the time at which this machine first saw each order file for the open questions, by
    path: for the last turn, and for those before it that only list notices.

    Empty if the charter gives no change-of-mind delay, or if the home cannot keep the note.
    """
    from pbem.play.calendar.charter_deadlines import change_of_mind
    from pbem.storage.errors import FileError, StorageError

    if not change_of_mind(game_folder.charter.content.policies):
        return {}
    listing = game_folder.listing
    with suppress(FileError, StorageError):
        asked = listing.reached
        while asked > 1 and not game_folder.turn(listing.turns[asked - 1]).content.log:
            asked -= 1
        paths = [found.path for found in listing.orders if found.name.turn >= asked]
        return mine.arrivals.look(paths, now())
    return {}


def note_heads(mine: Mine, heads: Sequence[bytes]) -> None:
    """Remember the last of these heads if they continue those seen here before.

    If they do not, or the home is read-only, nothing is noted: the commands that play the game say
    what is wrong.
    """
    from pbem.storage.errors import FileError, StorageError

    with suppress(FileError, StorageError):
        mine.heads.remember([head.hex() for head in heads])


def check_seen(mine: Mine, game_folder: GameFolder, heads: Sequence[bytes]) -> None:
    """Check that the turns in the folder continue those seen here before, and remember the last
    one. Raises FileError, StorageError."""
    from pbem.storage.errors import FileError

    try:
        mine.heads.remember([head.hex() for head in heads])
    except FileError:
        check_damage(mine, game_folder)
        if game_folder.gaps[:1] == [len(heads)]:  # the chain of heads stops where a turn is missing
            told = "is missing, but later turns are here; let the folder sync, or ask another "
            told += "player for it (pbem send --all)"
            raise FileError("parent", turn_path(len(heads)), told) from None
        raise


def check_damage(mine: Mine, game_folder: GameFolder) -> None:
    """Raise FileError if a turn that was seen on this machine before is damaged now.

    Without this check, somebody could play on from an older turn.
    """
    from pbem.storage.errors import FileError

    seen = mine.heads.last()
    for found in game_folder.strays[:1]:
        if seen and found.name.turn <= seen.turn:
            fault = game_folder.stray(found)
            told = f"{fault.sentence.partition('; pbem advance')[0]}; turn {seen.turn} was seen"
            told += " here before: get it from another player (pbem send --all)"
            raise FileError(fault.reason, fault.path, told) from None
