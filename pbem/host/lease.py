"""The lease: of several hosts over one place, only one deals at a time.

A lease is a row of numbered files beside the games, each made once. Whoever makes the next number
holds the lease, and renews it with another number. A host that sees the last number unchanged for
`LONG` seconds of its own clock takes the lease; no clock of another computer is asked, and no file
is ever replaced. A host that was replaced finds its next number taken, and stops dealing. If it
has signed a turn meanwhile, the store refuses that turn, because another one has its name: so
nobody ever sees two.
"""

from __future__ import annotations

import os
import re
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from pbem.files import syscalls
from pbem.files.disk import TakenError, create, make_folder, read_if_there, storage_error
from pbem.files.folder import Place, StoreAddress
from pbem.files.store import FileSystemStore, asking
from pbem.files.store_folder import connect

FOLDER: Final = "dealing"
"""The folder beside the games in which the numbers are."""
LONG: Final = 30.0
"""Seconds after which a lease that nobody renews may be taken."""
RENEWED: Final = 10.0
"""Seconds after which its holder renews it."""
SURE: Final = 20.0
"""Seconds for which a renewed lease certainly is its holder's: well before `LONG`."""
SLOW: Final = 5.0
"""Seconds after which the answers of a store are too old to be relied on."""
_NUMBER: Final = re.compile(r"[0-9]{12}")


class Lease:
    """What one host knows of the lease; `hold` is called again and again."""

    def __init__(self, place: Place, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._files = _Disk(place / FOLDER) if isinstance(place, Path) else _InStore(place)
        self._me = secrets.token_hex(16).encode()
        self._mine = 0
        """The last number that this host made, if it holds the lease; else 0."""
        self._renewed_at = 0.0
        self._seen = (0, 0.0)
        """The last number that another host made, and when this host first saw it."""

    def hold(self) -> bool:
        """Take or renew the lease if that is due; return whether this host holds it. Raises
        StorageError."""
        now = self._clock()
        if self._mine and now - self._renewed_at < RENEWED:
            return True
        numbers = self._files.numbers()
        last = max(numbers, default=0)
        if last not in (0, self._mine) and not self._may_take(last, now):
            self._mine = 0
            return False
        before, self._mine = self._mine, 0
        if not self._files.make(last + 1, self._me):
            return False
        if (not before or self._clock() - now > SLOW) and max(self._files.numbers()) > last + 1:
            return False  # what was listed before is long past
        self._mine, self._renewed_at = last + 1, now
        for number in numbers:
            self._files.remove(number)
        return True

    def _may_take(self, last: int, now: float) -> bool:
        """Return whether the lease with this number, which is not the one that this host knows to
        be its own, may be taken."""
        if self._seen[0] != last:
            self._seen = last, now
        holder = self._files.read(last)
        if holder == self._me:  # the answer to its making was lost
            return True
        return holder == b"" or (not self._mine and now - self._seen[1] >= LONG)

    @property
    def is_sure(self) -> bool:
        """Whether no other host can hold the lease at this moment."""
        return bool(self._mine) and self._clock() - self._renewed_at < SURE

    def give_up(self) -> None:
        """Let another host take the lease at once. Raises StorageError."""
        if self.is_sure:
            self._files.make(self._mine + 1, b"")
            self._files.remove(self._mine)
        self._mine = 0


class _Disk:
    """The numbers in a folder of this computer."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def numbers(self) -> list[int]:
        make_folder(self._folder, private=True)
        try:
            return [int(name) for name in os.listdir(self._folder) if _NUMBER.fullmatch(name)]
        except OSError as error:
            raise storage_error(error, self._folder) from error

    def make(self, number: int, data: bytes) -> bool:
        try:
            return create(self._folder / f"{number:012}", data, private=True)
        except TakenError:
            return False

    def read(self, number: int) -> bytes | None:
        return read_if_there(self._folder / f"{number:012}")

    def remove(self, number: int) -> None:
        try:
            syscalls.unlink(self._folder / f"{number:012}")
        except FileNotFoundError:
            return
        except OSError as error:
            raise storage_error(error, self._folder) from error


class _InStore:
    """The numbers in a store."""

    def __init__(self, place: StoreAddress) -> None:
        self._where = StoreAddress(place.scheme, f"{place.rest}/{FOLDER}")

    def _store(self) -> FileSystemStore:
        store = connect(self._where)
        assert isinstance(store, FileSystemStore), "no host keeps its games on another host"
        return store

    def numbers(self) -> list[int]:
        with asking(str(self._where)):
            try:
                found = self._store().list("")
            except FileNotFoundError:
                return []
        return [int(one.name) for one in found if _NUMBER.fullmatch(one.name)]

    def make(self, number: int, data: bytes) -> bool:
        with asking(str(self._where)):
            try:
                self._store().put_new(f"{number:012}", data)
            except FileExistsError:
                return False
        return True

    def read(self, number: int) -> bytes | None:
        with asking(str(self._where)):
            try:
                return self._store().get(f"{number:012}", 100)
            except FileNotFoundError:
                return None

    def remove(self, number: int) -> None:
        with asking(str(self._where)):
            try:
                self._store().remove(f"{number:012}")
            except FileNotFoundError:
                return
