"""The lease: of several hosts over one place, only one deals at a time.

A lease is a row of numbered files beside the games, each made once. Whoever makes the next number
holds the lease, and renews it with another number. A host that sees the last number unchanged for
`LONG` seconds of its own clock takes the lease; no clock of another computer is asked, and no file
is ever replaced. A host that was replaced finds its next number taken, and stops dealing. If it
has signed a turn meanwhile, the store refuses that turn, because another one has its name: so
nobody ever sees two.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable
from typing import Final

from pbem.host.beside import Beside

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

    def __init__(self, files: Beside, clock: Callable[[], float] = time.monotonic) -> None:
        """`files` are the numbers, in a folder that all hosts with the same key share."""
        self._clock, self._files = clock, files
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
        numbers = self._numbers()
        last = max(numbers, default=0)
        if last not in (0, self._mine) and not self._may_take(last, now):
            self._mine = 0
            return False
        before, self._mine = self._mine, 0
        if not self._files.make(_name(last + 1), self._me):
            return False
        long_past = not before or self._clock() - now > SLOW  # what was listed before
        if long_past and max(self._numbers(), default=0) != last + 1:
            return False
        self._mine, self._renewed_at = last + 1, now
        for number in numbers:
            self._files.remove(_name(number))
        return True

    def _may_take(self, last: int, now: float) -> bool:
        """Return whether the lease with this number, which is not the one that this host knows to
        be its own, may be taken."""
        if self._seen[0] != last:
            self._seen = last, now
        holder = self._files.read(_name(last))
        if holder == self._me:  # the answer to its making was lost
            return True
        return holder == b"" or (not self._mine and now - self._seen[1] >= LONG)

    def _numbers(self) -> list[int]:
        return [int(name) for name in self._files.names() if _NUMBER.fullmatch(name)]

    @property
    def is_sure(self) -> bool:
        """Whether no other host can hold the lease at this moment."""
        return bool(self._mine) and self._clock() - self._renewed_at < SURE

    def give_up(self) -> None:
        """Let another host take the lease at once. Raises StorageError."""
        if self.is_sure:
            self._files.make(_name(self._mine + 1), b"")
            self._files.remove(_name(self._mine))
        self._mine = 0


def _name(number: int) -> str:
    return f"{number:012}"
