"""Evidence from the memory of one's own machine: it proves nothing to others, but tells its owner
whom to ask.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import NamedTuple

from engine.value_classes import Value
from pbem.files.signed_and_seen import CLOCK_TOLERANCE_SECONDS, Seen, Sighting
from pbem.judge.order_fates import OrdersHeader, headers_of_seat
from pbem.records.turn import Turn


class DroppedNotice(NamedTuple):
    """A notice that was signed here well before a turn that does not list it."""

    id: bytes
    kind: str
    turn: int
    """The turn that does not list it."""
    seconds_early: int
    """The seconds between the signing and the date of that turn."""


class Unseated(NamedTuple):
    """A join that was sealed here well before turn 1, which does not name it."""

    id: bytes
    seconds_early: int
    """The seconds between the sealing and the date of turn 1."""


class Witness(Value):
    """A seat and its key, with the memory of the owner's machine."""

    seat: str
    seed: bytes
    """The seed of the seat's signing key."""
    sealing_times: Mapping[str, int] = field(default_factory=dict)
    """The times at which records were sealed here, in seconds since 1970 UTC; by id in hex."""
    sits: bool = True
    """Whether turn 1 gives this key a seat; if not, the key only signed a join."""
    implausible_dates: Sequence[Sighting] = ()
    """Turns whose dates do not match this machine's clock."""
    valid_from: int = 1
    """The first turn at which this key counts for the seat."""
    paths: Mapping[str, str] = field(default_factory=dict)
    """The paths of the files in the game folder that were sealed here; by id in hex."""
    last_seen_head: Seen | None = None
    """The last position in the chain that was seen here."""

    def orders(self) -> dict[str, OrdersHeader]:
        """Return the orders of this seat that were sealed here, by id."""
        return headers_of_seat(self.paths, self.seat)

    def dropped_notice(self, notice_id: bytes, kind: str, turn: Turn) -> DroppedNotice | None:
        """Describe a notice that was signed here well before `turn`, which does not list it; None
        if it may have come too late: clocks may differ by `CLOCK_TOLERANCE_SECONDS`."""
        seconds_early = self._seconds_early(notice_id, turn.time)
        if seconds_early is None:
            return None
        return DroppedNotice(notice_id, kind, turn.turn, seconds_early)

    def unseated(self, join_id: bytes, made_at: int) -> Unseated | None:
        """Describe the owner's join that turn 1, dated `made_at`, does not name; None if it may
        have come too late."""
        seconds_early = self._seconds_early(join_id, made_at)
        return None if seconds_early is None else Unseated(join_id, seconds_early)

    def _seconds_early(self, record_id: bytes, made_at: int) -> int | None:
        """Return the seconds between the sealing of a record here and a turn; None unless it was
        sealed clearly before."""
        sealed_at = self.sealing_times.get(record_id.hex())
        if sealed_at is None or sealed_at > made_at - CLOCK_TOLERANCE_SECONDS:
            return None
        return made_at - sealed_at
