"""What one machine saw and signed: it proves nothing to others, but tells its owner whom to ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import NamedTuple

from engine.values import Value
from pbem.files.home import CLOCK_TOLERANCE_SECONDS as SLACK_SECONDS
from pbem.files.home import Seen, Sighting
from pbem.judge.order_fates import OrderSet, sets_of_seat
from pbem.records.turn import Turn


class DroppedNotice(NamedTuple):
    """A notice that was signed here well before a turn that does not list it."""

    id: bytes
    about: str
    turn: int
    """The turn that does not list it."""
    early: int
    """How many seconds before the date of that turn it was signed."""


class Unseated(NamedTuple):
    """A join that was sealed here well before turn 1, which does not name it."""

    id: bytes
    early: int
    """How many seconds before the date of turn 1 it was sealed."""


class Witness(Value):
    """A seat, its key, and what its owner's machine remembers."""

    seat: str
    seed: bytes
    """The seed of the seat's signing key."""
    sealed: Mapping[str, int] = field(default_factory=dict)
    """When orders and joins were sealed here, in seconds since 1970 UTC; by id in hex."""
    sits: bool = True
    """Whether turn 1 gives this key a seat; if not, the key only signed a join."""
    odd: Sequence[Sighting] = ()
    """Turns whose dates do not match this machine's clock."""
    since: int = 1
    """The first turn at which this key counts for the seat."""
    paths: Mapping[str, str] = field(default_factory=dict)
    """Which file in the game folder was sealed here; by id in hex."""
    saw: Seen | None = None
    """The last position in the chain that was seen here."""

    def orders(self) -> dict[str, OrderSet]:
        """Return the orders of this seat that were sealed here, by id."""
        return sets_of_seat(self.paths, self.seat)

    def dropped_notice(self, ident: bytes, about: str, turn: Turn) -> DroppedNotice | None:
        """Return what is known of a notice signed here well before a turn that does not list it;
        None if it may have come too late."""
        early = self._seconds_early(ident, turn.time)
        return None if early is None else DroppedNotice(ident, about, turn.turn, early)

    def unseated(self, ident: bytes, made_at: int) -> Unseated | None:
        """Return what is known of the owner's join that turn 1, dated `made_at`, does not name;
        None if it may have come too late."""
        early = self._seconds_early(ident, made_at)
        return None if early is None else Unseated(ident, early)

    def _seconds_early(self, ident: bytes, made_at: int) -> int | None:
        """Return how long before a turn a record was sealed here; None if that was not, or not
        clearly before it."""
        sealed_at = self.sealed.get(ident.hex())
        if sealed_at is None or sealed_at > made_at - SLACK_SECONDS:
            return None
        return made_at - sealed_at
