"""What one machine saw and signed: it proves nothing to others, but tells its owner whom to ask."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import NamedTuple

from engine.values import Value
from pbem.files.folder import Name, parse_name
from pbem.files.home import AHEAD as SLACK
from pbem.files.home import Seen, Sighting
from pbem.game.deputy import Maker
from pbem.records.turn import Turn
from pbem.text.dates import odd_time, span
from pbem.text.dates import utc_time as date

# ---- orders that no turn lists, or that a turn lists as late


def settled_in(turn: int, busy: Sequence[bool]) -> int:
    """Return the first turn after this one that settles questions: in which something happened, or
    which ended the game; 0 if there is none. `busy[k - 1]` is about turn k."""
    return next((k for k in range(turn + 1, len(busy) + 1) if busy[k - 1]), 0)


class Late(NamedTuple):
    """One seat's orders that the turn which settles their questions does not list."""

    ident: str
    """The id of the orders in hex."""
    turn: int
    """The turn that they answer."""
    made: int
    """The turn that settles it."""
    time: int
    """The date of that turn."""
    maker: str
    """The name of who made it."""

    def ask(self, sealed: Mapping[str, int]) -> bool:
        """Return whether the owner should ask: neither clocks that differ nor slow folders explain
        it. `sealed` says when a machine sealed orders, by id."""
        when = sealed.get(self.ident)
        return when is None or when <= self.time - SLACK

    def told(self, sealed: Mapping[str, int], *, gone: bool = False) -> str:
        """Say to the owner what happened to the orders, and whom to ask. With `gone`, their file
        is not here any more."""
        when, digits = sealed.get(self.ident), self.ident[:6]
        missing = f"turn {self.made} does not list them"
        missing = f"the file is gone, and {missing}" if gone else missing
        if when is None:
            told = f"your orders {digits} answer turn {self.turn}, but {missing}"
            return f"{told}: if you sent them in time, ask {self.maker} why"
        if when >= self.time:
            told = f"your orders {digits} for turn {self.turn} came too late: {self.maker} had made"
            return f"{told} turn {self.made} without them"
        before = f"{span(self.time - when)} before the date of turn {self.made}"
        if not self.ask(sealed):
            told = f"your orders {digits} for turn {self.turn} came too late, or clocks differ"
            return f"{told}: sealed {before}, but {missing}"
        told = f"as far as this machine can tell, your orders {digits} answered turn {self.turn} in"
        told += f" time (sealed {date(when)}, {before}), but {missing}"
        return f"{told}: if you sent them by then, ask {self.maker} why"


def gone_orders(
    own: Mapping[str, Name],
    sealed: Mapping[str, int],
    here: Mapping[str, tuple[int, int]],
    dates: Sequence[int],
    busy: Sequence[bool],
    maker: Callable[[int], Maker],
) -> Iterator[tuple[str, Late]]:
    """Yield, with the path that they had, orders that a machine sealed, whose file is gone and
    which no turn lists; of each turn only the newest that were sealed in time.

    `own` are the seat's orders sealed here, by id; `here` are its orders that are in the folder or
    listed: the turn that they answer, and their revision. `dates[k - 1]` is the date of turn k.
    """
    newest = dict[int, tuple[bool, int, str]]()
    for ident, name in own.items():
        made = settled_in(name.turn, busy)
        if made and (when := sealed.get(ident)) is not None and when < dates[made - 1]:
            row = when <= dates[made - 1] - SLACK, name.revision, ident
            newest[name.turn] = max(row, newest.get(name.turn, row))
    for turn, (_, revision, ident) in sorted(newest.items()):
        replaced = any(at == turn and other >= revision for at, other in here.values())
        if ident not in here and not replaced:
            made = settled_in(turn, busy)
            yield own[ident].path, Late(ident, turn, made, dates[made - 1], maker(made).name)


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

    def orders(self) -> dict[str, Name]:
        """Return the orders of this seat that were sealed here, by id."""
        return own_orders(self.paths, self.seat)

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
            (one.turn, odd_time(one.turn, one.seconds, one.when, maker(one.turn).name))
            for one in self.odd
        ]


def own_orders(paths: Mapping[str, str], seat: str) -> dict[str, Name]:
    """Return the orders of a seat among files that were sealed here, by id."""
    names = {ident: parse_name(path) for ident, path in paths.items()}
    return {
        ident: name
        for ident, name in names.items()
        if name and name.kind == "orders" and name.seat == seat
    }
