"""What one player's machine saw: it proves nothing to others, but its owner knows whom to ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pbem.screen.dates import date, odd_time, span
from pbem.storage.machine_memory import AHEAD as SLACK
from pbem.storage.machine_memory import Sighting


@dataclass(frozen=True)
class Witness:
    """A seat with its key, and what its owner's machine remembers."""

    seat: str
    seed: bytes
    """Of the seat's signing key."""
    sealed: Mapping[str, int] = field(default_factory=dict)
    """When orders and joins were sealed here, by id in hex; seconds since 1970 UTC."""
    sits: bool = True
    """Whether turn 1 seats this key there; else it only joined."""
    odd: Sequence[Sighting] = ()
    """Turns whose dates do not fit this machine's clock."""

    def dropped(self, ident: bytes, turn: int, made: int, referee: str) -> str:
        """Own orders that answer `turn` on the right head, and are not listed by the next turn,
        which is dated `made`: what to say, or nothing if they were sealed after it, or so shortly
        before that clocks and folders explain it."""
        when = self.sealed.get(ident.hex())
        missing = f"turn {turn + 1} does not list them"
        if when is None:
            told = f"your orders answer turn {turn}, and {missing}; if they were sent in time"
            return f"{told}, {referee} must explain"
        if when > made - SLACK:
            return ""
        told = f"your orders answer turn {turn} in time as far as this machine saw"
        dates = f"sealed {date(when)}, {span(made - when)} before turn {turn + 1} is dated"
        return f"{told} ({dates}), and {missing}: if they were sent by then, {referee} must explain"

    def unseated(self, ident: bytes, made: int, referee: str) -> str:
        """An own join that turn 1, dated `made`, does not name: what to say, or nothing."""
        when = self.sealed.get(ident.hex())
        if when is None or when > made - SLACK:
            return ""
        told = f"you joined {span(made - when)} before turn 1 is dated, and it does not name your"
        return f"{told} join: {referee} must explain"

    def sights(self, referee: str) -> list[tuple[int, str]]:
        """For each turn with an odd date: its number, and what this machine saw."""
        return [(one.turn, odd_time(one, referee)) for one in self.odd]
