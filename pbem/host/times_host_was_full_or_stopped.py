"""The pauses of a host: the times in which it took no files, although people were asked for some.

While no host over the same games takes files, because it is full or does not run, nobody can send
orders; so its dealer counts nobody as silent for this time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from pbem.files.write_once_files import WriteOnceFiles

NOTE_SECONDS: Final = 30
"""Seconds between two notes of a host that it takes files."""
MIN_PAUSE_SECONDS: Final = 120
"""A host that took no files for longer than this has paused: a restart is shorter."""
PAUSE_KEPT_SECONDS: Final = 365 * 86_400
_NOTE_PATTERN: Final = re.compile(r"up-([0-9]{12})", re.ASCII)
_PAUSE_PATTERN: Final = re.compile(r"away-([0-9]{12})-([0-9]{12})", re.ASCII)


class Pause(NamedTuple):
    """A time in which no host over the same games took files."""

    begin: int
    """The last time at which a host took files before the pause, in seconds since 1970."""
    end: int


class Pauses:
    """The pauses of the hosts over the same games: all were full, were not running, or did not
    reach their store.

    Each host notes, in a file beside the games, when it last took files. If the last such note is
    old, a pause has just ended, whoever made the note.
    """

    def __init__(self, files: WriteOnceFiles) -> None:
        """`files` are in a folder that all hosts with the same key share."""
        self._files = files
        self._noted_at = 0
        """The time of this host's last note; 0 if it must make one now."""
        self._is_full = False
        self.pauses: list[Pause] = []
        """All pauses of the last year that are over, in their order."""

    def note_full(self) -> None:
        """Remember that this host takes no files now, for want of room, perhaps not even a note."""
        self._is_full, self._noted_at = True, 0

    def note_files_taken(self, now: int) -> Pause | None:
        """Note that this host takes files now; return the pause that has just ended, or None.

        `now` is in seconds since 1970. Raises StorageError.
        """
        if 0 <= now - self._noted_at < NOTE_SECONDS:
            return None
        names = self._files.names()
        note_times = [int(match[1]) for name in names if (match := _NOTE_PATTERN.fullmatch(name))]
        matches = [match for name in names if (match := _PAUSE_PATTERN.fullmatch(name))]
        noted_pauses = sorted(Pause(int(match[1]), int(match[2])) for match in matches)
        # a clock that was ahead has made notes of times to come, perhaps at the end of a pause
        max_time = now + MIN_PAUSE_SECONDS
        taken_times = [
            *note_times,
            *(pause.begin for pause in noted_pauses if pause.end > max_time),
        ]
        last_taken_at = max((time for time in taken_times if time <= max_time), default=now)
        min_end = now - PAUSE_KEPT_SECONDS
        kept_pauses = [pause for pause in noted_pauses if min_end < pause.end <= max_time]
        ended_pause = None
        was_full = self._is_full and now > last_taken_at
        if was_full or now - last_taken_at > MIN_PAUSE_SECONDS:
            ended_pause = Pause(last_taken_at, now)
            if kept_pauses and last_taken_at - kept_pauses[-1].end <= MIN_PAUSE_SECONDS:
                # one pause with the one before, because nobody could do much in between
                ended_pause = Pause(kept_pauses.pop().begin, now)
            kept_pauses.append(ended_pause)
            self._files.make(_pause_name(ended_pause), b"")
        self._files.make(_note_name(now), b"")
        old_notes = {time for time in note_times if time != now and not now < time <= max_time}
        old_names = {_note_name(time) for time in old_notes}
        old_names |= {*map(_pause_name, noted_pauses)} - {*map(_pause_name, kept_pauses)}
        for name in old_names:
            self._files.remove(name)
        self.pauses, self._noted_at, self._is_full = _without_overlaps(kept_pauses), now, False
        return ended_pause

    def end_of(self, begin: int, end: int) -> int:
        """Return the end of a time that people were given, if its pauses do not count.

        After a pause, they have the rest that was left when it began. It is at least as long as the
        pause, but never longer than the whole time.
        """
        whole_seconds = end - begin
        for pause in self.pauses:
            if pause.begin < end and begin < pause.end:
                seconds_left = end - max(begin, pause.begin)
                pause_seconds = min(pause.end - pause.begin, whole_seconds)
                end = pause.end + max(seconds_left, pause_seconds)
        return end


def _without_overlaps(pauses: Iterable[Pause]) -> list[Pause]:
    """Return the pauses in their order. Overlapping pauses become one: two hosts may have noted the
    end of the same pause."""
    merged_pauses: list[Pause] = []
    for pause in sorted(pauses):
        if merged_pauses and pause.begin <= merged_pauses[-1].end:
            pause = Pause(merged_pauses[-1].begin, max(merged_pauses.pop().end, pause.end))
        merged_pauses.append(pause)
    return merged_pauses


def _note_name(time: int) -> str:
    """Return the name of the file that notes that a host took files at a time."""
    return f"up-{time:012}"


def _pause_name(pause: Pause) -> str:
    """Return the name of the file that notes a pause."""
    return f"away-{pause.begin:012}-{pause.end:012}"
