"""Report what one player's machine saw.

What it saw proves nothing to others, but tells its owner who to ask.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from pbem.frozen import frozen
from pbem.play.deputy.who_makes_turns import Maker
from pbem.records.turn import Turn
from pbem.storage.private.machine_memory import AHEAD as SLACK
from pbem.storage.private.machine_memory import Sighting
from pbem.text.dates import date, odd_time, span


@frozen
class Witness:
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

    def dropped(self, ident: bytes, turn: int, made: int, referee: str) -> str:
        """Say what to do if the next turn does not list the owner's orders for `turn`.

        The next turn is dated `made`. The answer is empty if the orders were sealed after that
        date, or so shortly before it that differing clocks or slow folders could explain why they
        are missing.
        """
        when = self.sealed.get(ident.hex())
        missing = f"turn {turn + 1} does not list them"
        if when is None:
            told = f"your orders answer turn {turn}, but {missing}: if you sent them in time"
            return f"{told}, ask {referee} why"
        if when > made - SLACK:
            return ""
        told = f"as far as this machine can tell, your orders answered turn {turn} in time"
        dates = f"sealed {date(when)}, {span(made - when)} before the date of turn {turn + 1}"
        return f"{told} ({dates}), but {missing}: if you sent them by then, ask {referee} why"

    def notice_dropped(self, ident: bytes, about: str, turn: Turn) -> str:
        """Say that a turn does not list a notice that its owner had already signed on this machine.

        The answer is empty if differing clocks or slow folders could explain that.
        """
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
        """Return the number of each turn with an odd date, and a sentence on what this machine
        saw."""
        return [
            (one.turn, odd_time(one.turn, one.seconds, one.when, maker(one.turn).name))
            for one in self.odd
        ]
