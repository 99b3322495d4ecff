"""How much room a host has left, what it still takes, and in which times it took no files.

A host that is nearly full takes no new games, so that those that it keeps can be played to the end.
While it takes no files at all, because it is full or is not there, nobody can send orders; so its
dealer must count nobody's silence in this time.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from typing import Final, NamedTuple

from pbem.files.disk import free_bytes
from pbem.files.places import Place
from pbem.format.canonical import MAX_BYTES
from pbem.host.beside import Beside
from pbem.host.gate import MIB

DISK_WAS_FULL_SECONDS: Final = 60.0
"""For how long a disk counts as full after it could not keep a file: it may not say why."""

BEAT_SECONDS: Final = 30
"""How often a host notes that it takes files."""
MIN_PAUSE_SECONDS: Final = 120
"""A host that took no files for longer than this has paused: a restart is shorter."""
PAUSE_KEPT_SECONDS: Final = 365 * 86_400


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
        return free_bytes(self.place.path) if self.place.path else None

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


class Pause(NamedTuple):
    """A time in which no host over the same games took files."""

    begin: int
    """When one of them last took files, seconds since 1970."""
    end: int


class Pauses:
    """When the hosts over the same games took no files: they were full, were not running, or did
    not reach their store.

    Each notes, beside the games, when it last took files. If the last such note is old, a pause has
    just ended, whoever made the note.
    """

    def __init__(self, files: Beside) -> None:
        """`files` are in a folder that all hosts with the same key share."""
        self._files = files
        self._noted_at = 0
        """When this host last noted that it takes files; 0 if it must do so."""
        self._is_full = False
        self.pauses: list[Pause] = []
        """All pauses of the last year that are over, in their order."""

    def note_full(self) -> None:
        """Note that this host takes no files now, for want of room: perhaps for a note too."""
        self._is_full, self._noted_at = True, 0

    def note_files_taken(self, now: int) -> Pause | None:
        """Note that this host takes files now; return the pause that has just ended, if there was
        one. Raises StorageError."""
        if 0 <= now - self._noted_at < BEAT_SECONDS:
            return None
        names = self._files.names()
        beats = [int(match[1]) for name in names if (match := _BEAT.fullmatch(name))]
        found = [match for name in names if (match := _PAUSE.fullmatch(name))]
        pauses = sorted(Pause(int(match[1]), int(match[2])) for match in found)
        # a clock that was ahead has made notes of times to come, perhaps at the end of a pause
        latest = now + MIN_PAUSE_SECONDS
        takes = [*beats, *(one.begin for one in pauses if one.end > latest)]
        last = max((one for one in takes if one <= latest), default=now)
        kept = [one for one in pauses if now - PAUSE_KEPT_SECONDS < one.end <= latest]
        ended = None
        if now - last > MIN_PAUSE_SECONDS or (self._is_full and now > last):
            ended = Pause(last, now)
            if kept and last - kept[-1].end <= MIN_PAUSE_SECONDS:
                ended = Pause(kept.pop().begin, now)  # nobody could do much in between
            kept.append(ended)
            self._files.make(_pause_name(ended), b"")
        self._files.make(_beat_name(now), b"")
        old = {_beat_name(beat) for beat in beats if beat != now and not now < beat <= latest}
        for name in old | ({*map(_pause_name, pauses)} - {*map(_pause_name, kept)}):
            self._files.remove(name)
        self.pauses, self._noted_at, self._is_full = _without_overlaps(kept), now, False
        return ended

    def end_of(self, begin: int, end: int) -> int:
        """Return when a time that people were given ends, if its pauses do not count.

        After a pause they have what was left when it began, and at least as long as the pause
        lasted, but never more than the whole time again.
        """
        whole = end - begin
        for pause in self.pauses:
            if pause.begin < end and begin < pause.end:
                left = end - max(begin, pause.begin)
                end = pause.end + max(left, min(pause.end - pause.begin, whole))
        return end


_BEAT: Final = re.compile(r"up-([0-9]{12})", re.ASCII)
_PAUSE: Final = re.compile(r"away-([0-9]{12})-([0-9]{12})", re.ASCII)


def _without_overlaps(pauses: Iterable[Pause]) -> list[Pause]:
    """Return the same times, each once: two hosts may have noted the end of one pause."""
    times: list[Pause] = []
    for pause in sorted(pauses):
        if times and pause.begin <= times[-1].end:
            pause = Pause(times[-1].begin, max(times.pop().end, pause.end))
        times.append(pause)
    return times


def _beat_name(when: int) -> str:
    return f"up-{when:012}"


def _pause_name(pause: Pause) -> str:
    return f"away-{pause.begin:012}-{pause.end:012}"
