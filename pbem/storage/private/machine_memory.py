"""Remember what one machine did and saw of a game, outside the game folder.

It remembers the last turn it signed, the orders of seats that the referee holds, when turns came
here, and when orders were sealed. Records do not prove when something happened; from this memory,
its owner can tell what to ask the others.
"""

import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from pbem.format.canonical import MAX_BYTES, emit
from pbem.storage.atomic_write import replace
from pbem.storage.errors import FileError, StorageError
from pbem.storage.file_names import parse_name
from pbem.storage.read_file import read_file, read_if_there

AHEAD: Final = 600
"""Seconds that a turn's date may be ahead of this clock: clocks differ."""
BEFORE: Final = 3600
"""Seconds a turn may be dated before a look that missed it: folders sync slowly."""
_HEAD: Final = 200
"""The most bytes of the line before a signed record."""
MOST: Final = 500
"""How many orders and turns are remembered, the newest ones."""


class Signed(NamedTuple):
    """The last body that the referee signed here: its place in the chain, path, id and file."""

    place: int
    path: str
    id: str
    file: bytes


class SignedMemory:
    """Keeps what this machine signed last, so that it never signs two bodies for one place.

    The body is kept before the turn is written. It is kept in one file, so that one step changes
    it: a line `place path id`, then the unchanged record.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def last(self) -> Signed | None:
        """The last body signed; None before the first. Raises StorageError if it is damaged."""
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
        """Note a body before it is written. Raises FileError `fork` for a second body for a place,
        StorageError."""
        last = self.last()
        if last is not None and (new.place, new.id) == (last.place, last.id):
            return
        if last is not None and new.place <= last.place:
            told = f"this machine already signed {last.id[:6]} for this place, and has now made "
            raise FileError("fork", new.path, f"{told}{new.id[:6]}; nothing was written")
        replace(self.path, f"{new.place} {new.path} {new.id}\n".encode("ascii") + new.file)


class KeptOrders:
    """The orders of seats that the referee plays for, as sealed here: each whole file, by name.

    Without the orders that a turn lists, the referee can make no more turns; nobody else has them.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    def keep(self, name: str, file: bytes) -> None:
        """Keep an order file under the name that it has in `orders/`. Raises StorageError."""
        replace(self.root / name, file)

    def all(self) -> Iterator[tuple[str, bytes]]:
        """Each file's name and bytes. Raises StorageError, FileError."""
        for name in sorted(os.listdir(self.root)) if self.root.is_dir() else ():
            if parse_name(f"orders/{name}"):
                yield name, read_file(self.root / name)


class Sighting(NamedTuple):
    """A turn whose date does not fit what this machine saw."""

    turn: int
    seconds: int
    """How long before its arrival it is dated; below 0: how far ahead of this clock."""
    when: int
    """This clock at the last look that did not find it; if dated ahead, at the first that did."""


class Sightings:
    """Remembers when this machine looked at the folder, and which turns have dates that do not fit
    this.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def odd(self) -> list[Sighting]:
        """The turns whose dates do not fit. Raises StorageError."""
        return [Sighting(*row) for row in self._rows(_read(self.path))]

    def look(self, times: Sequence[int], now: int) -> None:
        """Note that this machine sees these turns now: `times[k - 1]` is the date of turn k."""
        doc = _read(self.path)
        seen, looked = self._number(doc, "turn"), self._number(doc, "looked")
        looked = 0 if looked > now else looked  # this machine's clock was wrong then
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
    """When this machine first saw the order files that answer the last turn, by their paths."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def look(self, paths: Iterable[str], now: int) -> dict[str, int]:
        """Note that these files are here now; returns when each was first seen.

        Other files are forgotten, and a time ahead of the clock counts as now. Raises StorageError.
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
    """When orders and joins were sealed here, by their id in hex."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def times(self) -> dict[str, int]:
        """When each was sealed, in seconds since 1970 UTC. Raises StorageError."""
        found = _read(self.path).get("sealed", {})
        if not isinstance(found, dict):
            raise _damaged(self.path)
        return {order: when for order, when in found.items() if type(when) is int}

    def note(self, order: str, now: int) -> None:
        """Note the first time that these orders were sealed."""
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
