"""What this machine saw with its own clock: noted by commands that read a game, told by `status`
and by `audit --as`."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from pbem.cli.clock import now

if TYPE_CHECKING:
    from collections.abc import Sequence

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
