"""Remember, outside the game folder, what one machine did and saw in a game.

The memory holds the last turn signed here, the last notices, messages and joins signed here, the
orders of the referee's seats, when turns arrived, and when orders were sealed. Records do not prove
when something happened. With this memory, the machine's owner knows what to ask the others.
"""

import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from pbem.format.canonical import emit
from pbem.format.record_size import MAX_BYTES
from pbem.storage.atomic_write import replace
from pbem.storage.errors import FileError, StorageError
from pbem.storage.file_names import parse_name
from pbem.storage.read_file import read_file, read_if_there

AHEAD: Final = 600
"""By how many seconds a turn's date may be ahead of this clock, because clocks differ."""
BEFORE: Final = 3600
"""By how many seconds a turn's date may be before a look that did not find it: syncing is slow."""
_HEAD: Final = 200
"""The most bytes of the line that is written before a signed record."""
MOST: Final = 500
"""How many orders and turns are remembered; the oldest are forgotten."""


_SIGNED: Final = b"signed"
"""The first line of an act that no command has reported yet."""
_REPORTED: Final = b"reported"


class Signed(NamedTuple):
    """The last record that the referee signed here: its place in the chain, path, id and file."""

    place: int
    path: str
    id: str
    file: bytes


class SignedMemory:
    """Remembers what this machine signed last, so that it never signs two records for one place.

    The record is stored before the turn is written. It is in one file, so that one step can replace
    it: a line `place path id`, then the unchanged record.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def last(self) -> Signed | None:
        """Return the last record signed; None before the first. Raises StorageError if damaged."""
        data = read_if_there(self.path, MAX_BYTES + _HEAD)
        if data is None:
            return None
        head, _, file = data.partition(b"\n")
        try:
            place, path, ident = head.decode("ascii").split(" ")
            return Signed(int(place), path, ident, file)
        except ValueError:
            raise _damaged(self.path) from None

    def sign(self, new: Signed) -> None:
        """Note a record before it is written.

        Raises FileError `fork` for a second record for a place, StorageError.
        """
        last = self.last()
        if last is not None and (new.place, new.id) == (last.place, last.id):
            return
        if last is not None and new.place <= last.place:
            told = f"this machine already signed {last.id[:6]} for this place, and has now made "
            raise FileError("fork", new.path, f"{told}{new.id[:6]}; nothing was written")
        replace(self.path, f"{new.place} {new.path} {new.id}\n".encode("ascii") + new.file)


class Act(NamedTuple):
    """A notice, a message or a join that was signed here: its file, and whether a command has
    reported it."""

    file: bytes
    reported: bool


class SignedActs:
    """Remembers the last act of each subject that was signed here: the whole file, by a word for
    its subject.

    An act is kept before it is written to the game folder. If the command is killed, or the answer
    of a store is lost, the same command finds the same bytes here when it runs again.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    def last(self, subject: str) -> Act | None:
        """Return the last act of a subject; None before the first. Raises StorageError."""
        data = read_if_there(self.root / subject, MAX_BYTES + _HEAD)
        if data is None:
            return None
        head, _, file = data.partition(b"\n")
        if head not in (_SIGNED, _REPORTED):
            raise _damaged(self.root / subject)
        return Act(file, head == _REPORTED)

    def keep(self, subject: str, file: bytes) -> None:
        """Note an act before it is written; it replaces the last one. Raises StorageError."""
        replace(self.root / subject, _SIGNED + b"\n" + file)

    def note_reported(self, subject: str, file: bytes) -> None:
        """Note that a command has reported this act. Raises StorageError."""
        if self.last(subject) != (file, True):
            replace(self.root / subject, _REPORTED + b"\n" + file)


class KeptFiles:
    """Whole files from one place in the game folder, by path, which are put back if they are lost.

    They are the orders of the seats that the referee plays, as they were sealed here: without the
    orders that a turn lists, the referee cannot make the next turn, and nobody else has them. And
    they are the joins that the referee's machine saw before turn 1: whoever takes one away must not
    get its player's seat.
    """

    def __init__(self, root: Path, place: str) -> None:
        """`place` is `orders` or `seats`."""
        self.root, self.place = root, place

    def keep(self, path: str, file: bytes) -> None:
        """Store a file under its path in the game folder. Raises StorageError."""
        replace(self.root / path.removeprefix(f"{self.place}/"), file)

    def all(self) -> Iterator[tuple[str, bytes]]:
        """Return each file's path and bytes. Raises StorageError, FileError."""
        for name in sorted(os.listdir(self.root)) if self.root.is_dir() else ():
            if parse_name(f"{self.place}/{name}"):
                yield f"{self.place}/{name}", read_file(self.root / name)


class Sighting(NamedTuple):
    """A turn whose date does not match what this machine saw."""

    turn: int
    seconds: int
    """How many seconds before its arrival the turn is dated.

    If the turn is dated ahead of this clock: minus the seconds that it is ahead.
    """
    when: int
    """The time here at the last look that did not find the turn, or the first that found it.

    The second is used for a turn that is dated ahead of this clock.
    """


class Sightings:
    """Remembers when this machine looked at the folder, and which turns have impossible dates."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def odd(self) -> list[Sighting]:
        """Return the turns whose dates do not match. Raises StorageError."""
        return [Sighting(*row) for row in self._rows(_read(self.path))]

    def look(self, times: Sequence[int], now: int) -> None:
        """Note that this machine sees these turns now: `times[k - 1]` is the date of turn k."""
        doc = _read(self.path)
        seen, looked = self._number(doc, "turn"), self._number(doc, "looked")
        looked = 0 if looked > now else looked  # this machine's clock was wrong at that time
        new = range(seen + 1, len(times) + 1)
        if not new and now - looked < BEFORE // 12:
            return  # a later look can note it
        rows = self._rows(doc)
        for turn in new:
            dated = times[turn - 1]
            if looked and looked - dated >= BEFORE:
                rows.append([turn, looked - dated, looked])
            elif dated - now > AHEAD:
                rows.append([turn, now - dated, now])
        kept = [",".join(map(str, row)) for row in rows[-MOST:]]
        doc = {"turn": max(seen, len(times)), "looked": now, "odd": kept}
        replace(self.path, emit(doc))

    def _number(self, doc: Mapping[str, Any], key: str) -> int:
        found = doc.get(key, 0)
        if type(found) is not int:
            raise _damaged(self.path)
        return found

    def _rows(self, doc: Mapping[str, Any]) -> list[list[int]]:
        try:
            rows = [[int(n) for n in row.split(",")] for row in doc.get("odd", [])]
            return [[turn, seconds, when] for turn, seconds, when in rows]
        except (ValueError, AttributeError, TypeError):
            raise _damaged(self.path) from None


class Arrivals:
    """Remembers when this machine first saw the order files that answer the open questions, by
    path."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def look(self, paths: Iterable[str], now: int) -> dict[str, int]:
        """Note that these files are here now; returns when each was first seen.

        Other files are forgotten, and a time ahead of the clock is replaced by now. Raises
        StorageError.
        """
        before = self._times(_read(self.path))
        seen = {path: min(before.get(path, now), now) for path in sorted(paths)[:MOST]}
        if seen != before:
            replace(self.path, emit({"here": [f"{when} {path}" for path, when in seen.items()]}))
        return seen

    def _times(self, doc: Mapping[str, Any]) -> dict[str, int]:
        try:
            rows = [row.split(" ", 1) for row in doc.get("here", [])]
            return {path: int(when) for when, path in rows}
        except (ValueError, AttributeError, TypeError):
            raise _damaged(self.path) from None


class Receipts:
    """Remembers when orders and joins were sealed here, by their ids in hex."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def times(self) -> dict[str, int]:
        """Return, by id, when orders and joins were sealed here, in seconds since 1970 UTC. Raises
        StorageError."""
        found = _read(self.path).get("sealed", {})
        if not isinstance(found, dict):
            raise _damaged(self.path)
        return {order: when for order, when in found.items() if type(when) is int}

    def note(self, order: str, now: int) -> None:
        """Note when these orders were sealed, if that was not noted before."""
        times = self.times()
        if order not in times:
            kept = dict(sorted((times | {order: now}).items(), key=lambda item: item[1])[-MOST:])
            replace(self.path, emit({"sealed": kept}))


def _read(path: Path) -> dict[str, Any]:
    data = read_if_there(path)
    if data is None:
        return {}
    try:
        return tomllib.loads(data.decode())
    except (ValueError, RecursionError):
        raise _damaged(path) from None


def _damaged(path: Path) -> StorageError:
    return StorageError(path, "is damaged; remove this file, and pbem will work without it")
