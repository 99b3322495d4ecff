"""The lease: of several hosts over one place, only one deals at a time.

A lease is a row of numbered files beside the games, each made once. Whoever makes the next number
holds the lease, and renews it with another number. A host that sees the last number unchanged for
`TAKEOVER_SECONDS` of its own clock takes the lease; no clock of another computer is asked, and no
file is ever replaced. A host that was replaced finds its next number taken, and stops dealing. If
it has signed a turn meanwhile, the store refuses that turn, because another one has its name: so
nobody ever sees two.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable
from typing import Final

from pbem.files.write_once_files import WriteOnceFiles

TAKEOVER_SECONDS: Final = 30.0
"""Seconds after which a lease that nobody renews may be taken."""
RENEWAL_SECONDS: Final = 10.0
"""Seconds after which the holder renews the lease."""
CERTAIN_SECONDS: Final = 20.0
"""Seconds for which a renewed lease certainly is its holder's: less than `TAKEOVER_SECONDS`."""
MAX_ANSWER_SECONDS: Final = 5.0
"""Seconds after which the answers of a store are too old to be relied on."""
_NUMBER_PATTERN: Final = re.compile(r"[0-9]{12}")


class Lease:
    """The lease as one host knows it; `hold` is called again and again."""

    def __init__(self, files: WriteOnceFiles, clock: Callable[[], float] = time.monotonic) -> None:
        """`files` are the numbers, in a folder that all hosts share which sign with the same
        dealer's key. `clock` counts seconds; only its differences matter."""
        self._clock, self._files = clock, files
        self._host_mark = secrets.token_hex(16).encode()
        """The contents of the files that this host makes."""
        self._own_number = 0
        """The last number that this host made, if it holds the lease; else 0."""
        self._renewed_at = 0.0
        """The time when this host made that number."""
        self._other_number, self._other_seen_at = 0, 0.0
        """The last number that another host made, and the time when this host first saw it."""

    def hold(self) -> bool:
        """Take or renew the lease if that is due; return whether this host holds it. Raises
        StorageError."""
        now = self._clock()
        if self._own_number and now - self._renewed_at < RENEWAL_SECONDS:
            return True
        numbers = self._numbers()
        last_number = max(numbers, default=0)
        if last_number not in (0, self._own_number) and not self._may_take(last_number, now):
            self._own_number = 0
            return False
        was_held, self._own_number = bool(self._own_number), 0
        new_number = last_number + 1
        if not self._files.make(_name(new_number), self._host_mark):
            return False
        # if the list of numbers was old, another host may have made more of them meanwhile
        is_list_old = not was_held or self._clock() - now > MAX_ANSWER_SECONDS
        if is_list_old and max(self._numbers(), default=0) != new_number:
            return False
        self._own_number, self._renewed_at = new_number, now
        for number in numbers:
            self._files.remove(_name(number))
        return True

    def _may_take(self, number: int, now: float) -> bool:
        """Return whether this host may take the lease, whose last number another host has made, or
        this one without learning of it."""
        if self._other_number != number:
            self._other_number, self._other_seen_at = number, now
        holder = self._files.read(_name(number))
        if holder == self._host_mark:  # the answer to its making was lost
            return True
        was_given_up = holder == b""
        is_over = now - self._other_seen_at >= TAKEOVER_SECONDS
        return was_given_up or (not self._own_number and is_over)

    def _numbers(self) -> list[int]:
        """Return the numbers of the lease that are there."""
        return [int(name) for name in self._files.names() if _NUMBER_PATTERN.fullmatch(name)]

    @property
    def is_certain(self) -> bool:
        """Whether no other host can hold the lease at this moment."""
        return bool(self._own_number) and self._clock() - self._renewed_at < CERTAIN_SECONDS

    def give_up(self) -> None:
        """Let another host take the lease at once. Raises StorageError."""
        if self.is_certain:
            self._files.make(_name(self._own_number + 1), b"")
            self._files.remove(_name(self._own_number))
        self._own_number = 0


def _name(number: int) -> str:
    """Return the name of the file for a number."""
    return f"{number:012}"
