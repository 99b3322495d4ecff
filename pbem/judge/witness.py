"""What one machine saw and signed: it proves nothing to others, but tells its owner whom to ask."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from engine.values import Value
from pbem.files.home import AHEAD as SLACK
from pbem.files.home import Seen, Sighting
from pbem.judge.deputy import Maker
from pbem.judge.order_fates import OrderSet, sets_of_seat
from pbem.records.turn import Turn
from pbem.text.dates import implausible_date, span

# ---- a seat, its key and its machine


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

    def notice_dropped(self, ident: bytes, about: str, turn: Turn) -> str:
        """Say that a turn does not list a notice signed here well before; else empty."""
        when = self.sealed.get(ident.hex())
        if when is None or when > turn.time - SLACK:
            return ""
        told = f"your notice ({about}) was signed here {span(turn.time - when)} before the date of"
        return f"{told} turn {turn.turn}, but no turn lists it"

    def unseated(self, ident: bytes, made: int, referee: str) -> str:
        """Say what to do if turn 1, dated `made`, does not name the owner's join; else empty."""
        when = self.sealed.get(ident.hex())
        if when is None or when > made - SLACK:
            return ""
        told = f"you joined {span(made - when)} before the date of turn 1, but turn 1 does not name"
        return f"{told} your join: ask {referee} why"

    def sights(self, maker: Callable[[int], Maker]) -> list[tuple[int, str]]:
        """Return the number of each turn with an odd date, and what this machine saw."""
        return [
            (one.turn, implausible_date(one.turn, one.seconds, one.when, maker(one.turn).name))
            for one in self.odd
        ]
