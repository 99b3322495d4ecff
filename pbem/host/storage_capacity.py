"""The capacity of a host: how much it keeps, and what it still takes when it is nearly full.

A host that is nearly full takes no new games, so that those that it keeps can be played to the end.
"""

from __future__ import annotations

import time
from typing import Final, NamedTuple

from pbem.files.disk import free_bytes
from pbem.files.game_folder_places import Place
from pbem.format.canonical_toml import MAX_BYTES
from pbem.host.record_gate import MIB

DISK_WAS_FULL_SECONDS: Final = 60.0
"""Seconds for which a disk counts as full after it could not keep a file: it may not say why."""


class Limits(NamedTuple):
    """The most that a host keeps."""

    max_bytes: int = 10_000 * MIB
    """Bytes of all games."""
    max_games: int = 100_000
    max_daily_games: int = 1_000
    """Games that may be made a day without a token."""


class FillMark(NamedTuple):
    """A limit up to which a host takes something. The lower it is, the earlier the host refuses."""

    max_percent: int
    """The share of the host's `max_bytes` that games may fill."""
    min_free_disk_bytes: int
    """Bytes of the disk that must be free."""


FILES_MARK: Final = FillMark(100, 64 * MIB)
"""The mark for files of the games that are there."""
GAMES_MARK: Final = FillMark(90, 512 * MIB)
"""The mark for new games of people with a token."""
FREE_GAMES_MARK: Final = FillMark(80, 1024 * MIB)
"""The mark for new games of all others."""


class Capacity:
    """The capacity of one host: its limits, and the disk below its games."""

    def __init__(self, place: Place, limits: Limits) -> None:
        self.place, self.limits = place, limits
        self._refused_at = -DISK_WAS_FULL_SECONDS

    def note_full_disk(self) -> None:
        """Note that the disk has just refused a file for want of room."""
        self._refused_at = time.monotonic()

    @property
    def free_disk_bytes(self) -> int | None:
        """The bytes that are free on the disk of the games; None for a store. Raises
        StorageError."""
        return free_bytes(self.place.path) if self.place.path else None

    def full_clause(self, used_bytes: int, mark: FillMark = FILES_MARK) -> str:
        """Return a clause about what is filled up to a mark; empty if there is room.

        `used_bytes` are the bytes of all games. Raises StorageError.
        """
        if used_bytes + MAX_BYTES > self.limits.max_bytes * mark.max_percent // 100:
            return f"its games fill {used_bytes // MIB:,} of {self.limits.max_bytes // MIB:,} MiB"
        free_bytes_now = self.free_disk_bytes
        if free_bytes_now is not None and free_bytes_now < mark.min_free_disk_bytes:
            return f"its disk has {free_bytes_now // MIB:,} MiB left"
        if time.monotonic() - self._refused_at < DISK_WAS_FULL_SECONDS:
            return "its disk takes no more files"
        return ""
