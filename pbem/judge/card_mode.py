"""A way to deal cards: what it must do for a reader, for a seat and for the turn maker.

The judge knows questions, orders, deadlines and the log. Whatever depends on how cards and dice are
dealt, hidden, shown and proven is behind these protocols. Today's way is in the modules that begin
with `sealed_`; `modes` names all ways.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from engine import Decision, Entry, Table, Tag
from pbem.judge.chain import Chain, Finder
from pbem.judge.chain_checkpoint import Plain
from pbem.judge.lines import OrdersInForce
from pbem.records.sealed_orders import Sealed
from pbem.records.turn import LogEntry, Packet, Turn


class PublicCards(Protocol):
    """What everybody can check of cards and dice without a key.

    A reader calls `begin`, then the checks for each log entry, then `end`. All of them raise
    RecordError for what is wrong.
    """

    def begin(self, turn: Turn, first: int, table: Table[Any], find: Finder) -> None:
        """Begin a turn, whose first log entry has the number `first`; `table` is the public one,
        which the reader plays on with each entry."""

    def check_chance(self, number: int, key: str, decision: Decision, text: str) -> None:
        """Check an entry of chance."""

    def check_choice(
        self, number: int, decision: Decision, logged: LogEntry, force: OrdersInForce | None
    ) -> None:
        """Check the cards that a seat puts down. If a plain line settled the entry, `force` are the
        orders with that line, and this checks too that the turn opens it."""

    def check_turned_up(self, tag: Tag, card: str) -> None:
        """Check a card that was put down and now turns up."""

    def check_shown(self, seat: str, card: str) -> None:
        """Check a card that leaves a hand for all to see."""

    def end(self) -> None:
        """Check that the turn opens nothing that the log did not need."""

    def packet_size(self, turn: Turn) -> int:
        """Return the size of the contents of each packet of the turn that was read."""

    def handover_size(self, seat: str, log: Sequence[Entry]) -> int:
        """Return the size of all that a seat with new keys gets; `log` ends before the turn."""

    def waits_for(self) -> Mapping[str, tuple[str, ...]]:
        """Return the seats that the cards wait for, and for what: kinds that no ruleset asks."""

    def state(self, counting: Container[bytes]) -> Plain:
        """Return what is known after a turn, as data for a checkpoint; `counting` are the ids of
        the orders in force."""

    def resume(self, state: Plain) -> None:
        """Take over what `state` returned. Raises KeyError, TypeError or ValueError for other
        data."""


class SeatCards(Protocol):
    """What a seat's key opens, beside the `PublicCards` of the same reader.

    All methods raise RecordError for what is wrong.
    """

    def begin(self, packet: Packet, sealed: Sealed | None) -> None:
        """Begin the turn that the public cards have read; `sealed` are the seat's orders that count
        in it."""

    def know_chance(self, number: int, decision: Decision, entry: Entry) -> Entry:
        """Check an entry of chance, and return it as the seat may read it."""

    def check_put_down(self, number: int, entry: Entry, logged: LogEntry) -> None:
        """Check that the cards put down are those that the seat's own entry names."""

    def end(self) -> None:
        """Check that the packet opens nothing that the log did not need."""

    def pass_by(self) -> None:
        """Note the turn that the public cards have read: the seat had other keys then."""

    def take_over(self, packet: Packet, table: Table[Any], log: Sequence[Entry]) -> list[Entry]:
        """Play a public log on the seat's new table with the cards that a handover opens, and
        return the log as the seat may read it."""


class CardMode(NamedTuple):
    """A way to deal: how its three parts are made."""

    name: str
    public: Callable[[Chain], PublicCards]
    seat: Callable[[Any, str], SeatCards]
    """Makes a seat's part, from the public part of the same mode."""
