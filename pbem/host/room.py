"""How much room a host has left, what it still takes, and since when its dealer may count silence.

A host that is nearly full takes no new games, so that those that it keeps can be played to the end.
While it takes no files at all, nobody can send orders, so its dealer must name nobody as silent.
"""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from typing import Final, NamedTuple

from pbem.files.disk import StorageError, free_bytes
from pbem.files.folder import Place
from pbem.files.home import Notebook
from pbem.format.canonical import MAX_BYTES
from pbem.game.standing import LEAST_WAIT
from pbem.host.gate import MIB
from pbem.records.turn import Turn

DISK_WAS_FULL_SECONDS: Final = 60.0
"""For how long a disk counts as full after it could not keep a file: it may not say why."""


class Limits(NamedTuple):
    """How much a host keeps in all, and how much of it may be new."""

    room: int = 10_000 * MIB
    """Bytes of all games."""
    games: int = 100_000
    new_each_day: int = 1_000
    """Games that may be made a day without a token."""


class FillMark(NamedTuple):
    """How full a host may be that still takes something."""

    percent: int
    """The most that games may fill of the host's room."""
    free_disk: int
    """Bytes of the disk that must be free."""


FOR_FILES: Final = FillMark(100, 64 * MIB)
"""The mark for files of the games that are there."""
FOR_GAMES: Final = FillMark(90, 512 * MIB)
"""The mark for new games of people with a token."""
FOR_FREE_GAMES: Final = FillMark(80, 1024 * MIB)
"""The mark for new games of all others."""


class Room:
    """The room of one host: its limit, and the disk below it."""

    def __init__(self, place: Place, limits: Limits) -> None:
        self.place, self.limits = place, limits
        self._refused_at = -DISK_WAS_FULL_SECONDS

    def note_full_disk(self) -> None:
        """Note that the disk has just refused a file for want of room."""
        self._refused_at = time.monotonic()

    @property
    def free_disk(self) -> int | None:
        """The bytes that are free on the disk of the games; None for a store. Raises
        StorageError."""
        return free_bytes(self.place) if isinstance(self.place, Path) else None

    def what_is_full(self, used: int, mark: FillMark = FOR_FILES) -> str:
        """Return what is filled up to this mark, as a clause; empty if there is room. `used`: the
        bytes of all games. Raises StorageError."""
        if used + MAX_BYTES > self.limits.room * mark.percent // 100:
            return f"its games fill {used // MIB:,} of {self.limits.room // MIB:,} MiB"
        free = self.free_disk
        if free is not None and free < mark.free_disk:
            return f"its disk has {free // MIB:,} MiB left"
        if time.monotonic() - self._refused_at < DISK_WAS_FULL_SECONDS:
            return "its disk takes no more files"
        return ""


class Pause(Notebook):
    """Whether a dealer's host takes no files for want of room, and when that ended. It is kept in
    the dealer's home, because a host is started again to give it more room."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._now = self._kept = self.notes()
        """What is so now, and what the file says: perhaps a full disk could not keep it."""

    def look(self, is_full: bool, now: int) -> None:
        """Note whether the host takes no files now."""
        if is_full != self.is_on:
            self._now = {"full": is_full, "ended": 0 if is_full else now}
        if self._kept != self._now:
            with contextlib.suppress(StorageError):
                self.write(self._now)
                self._kept = self._now

    @property
    def is_on(self) -> bool:
        """Whether the host took no files at the last look."""
        return self._now.get("full") is True

    @property
    def ended(self) -> int:
        """When the last pause ended; 0 if there was none, or if it goes on."""
        ended = self._now.get("ended", 0)
        return ended if isinstance(ended, int) else 0

    def ends_for(self, asked: Turn, has_matured: bool) -> int:
        """Return until when nobody who was asked by a turn counts as silent. From the end of the
        last pause on, everybody has the whole time of the turn again, and the whole waiting time
        if something agreed would take effect (`has_matured`)."""
        return self.ended + max(asked.deadline - asked.time, LEAST_WAIT * has_matured, 0)
