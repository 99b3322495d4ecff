"""What this machine saw with its own clock: noted by commands that read a game, told by `status`
and by `audit --as`."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from pbem.cli.clock import now

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.play.checking.game_folder import GameFolder
    from pbem.storage.private.home import Mine


def look(mine: Mine, times: Sequence[int]) -> None:
    """Note that these turns, by their dates, are here now; a home that is read-only forgets."""
    from pbem.storage.errors import StorageError

    with suppress(StorageError):
        mine.sightings.look(times, now())


def sealed_now(mine: Mine, ident: bytes) -> None:
    """Note when orders or a join were sealed here."""
    from pbem.storage.errors import StorageError

    with suppress(StorageError):
        mine.receipts.note(ident.hex(), now())


def check_seen(mine: Mine, game_folder: GameFolder, heads: Sequence[bytes]) -> None:
    """Hold a chain against what was seen before. Raises FileError."""
    from pbem.storage.errors import FileError

    try:
        mine.heads.check([head.hex() for head in heads])
    except FileError:
        check_damage(mine, game_folder)
        raise


def check_damage(mine: Mine, game_folder: GameFolder) -> None:
    """Raise FileError if a turn that was seen here before is damaged now: nobody plays on an older
    one."""
    from pbem.storage.errors import FileError

    seen = mine.heads.last()
    for found in game_folder.strays[:1]:
        if seen and found.name.turn <= seen.turn:
            fault = game_folder.stray(found)
            told = f"{fault.sentence.partition('; pbem advance')[0]}; turn {seen.turn} was seen"
            told += " here before: get it from another player (pbem send --all)"
            raise FileError(fault.reason, fault.path, told) from None
