"""A way to deal cards: what it must do for a reader, for a seat and for the turn maker.

The judge knows questions, orders, deadlines and the log. Whatever depends on how cards and dice are
dealt, hidden, shown and proven is behind these protocols. Today's way is in the modules that begin
with `sealed_`; `modes` names all ways.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from engine import Dealer, Decision, Entry, Seat, Table, Tag
from pbem.format.canonical import Reason, RecordError
from pbem.judge.chain import Chain, Finder
from pbem.judge.chain_checkpoint import Plain
from pbem.judge.deputy import RefereeSecrets
from pbem.judge.lines import OrdersInForce
from pbem.judge.turn_inputs import OpenedOrders, TurnInputs
from pbem.records.charter import Join
from pbem.records.read_record import Record
from pbem.records.sealed_orders import Sealed
from pbem.records.turn import LogEntry, Packet, Turn


class PublicCards(Protocol):
    """The cards and dice as everybody can check them without a key.

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
    """The cards that a seat's key opens, beside the `PublicCards` of the same reader.

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


class MakerCards(Dealer, Protocol):
    """The cards and dice of the turn maker, which deals, hides, shows and seals them.

    The turn maker calls `begin`; then, for each new entry, the methods of `Dealer`, `turn_up` and
    `leave`; then `entry` for each of them; and last what makes the turn's fields and packets. All
    of it follows from the arguments and from the secrets, so the audit can make a turn again.
    """

    viewpoint: Seat
    """Which table knows what orders may name: the full one, or only the public one."""

    def begin(self, number: int, inputs: TurnInputs) -> None:
        """Begin the turn with this number, which is made from these inputs."""

    def turn_up(self, tags: Sequence[Tag]) -> None:
        """Learn which cards that were put down turn up with an entry."""

    def leave(self, seat: str, hidden: Sequence[str], shown: Sequence[str]) -> None:
        """Learn which cards leave a hand with an entry: put down, or for all to see. Raises
        RecordError `rule` if they are not there."""

    def entry(
        self, number: int, entry: Entry, ranks: Sequence[int], orders: OpenedOrders | None
    ) -> Mapping[str, Any]:
        """Return the fields that a log entry has for its cards; lines with these ranks, of the
        seat's orders in force, settled it."""

    def fields(self) -> Mapping[str, Any]:
        """Return the turn's fields about cards and dice."""

    def packet(self, seat: str) -> Packet:
        """Return the cards that the turn opens only to this seat."""

    def handover(self, seat: str, log: Sequence[Entry]) -> Packet:
        """Return all cards that the seat could know; `log` ends before the turn."""

    def waits_for(self) -> Mapping[str, tuple[str, ...]]:
        """Return the seats that the cards wait for (see `PublicCards`): then `answer` returned
        None."""

    def state(self, counting: Container[bytes]) -> Plain:
        """Return what does not follow from the log, as data for a checkpoint (see
        `PublicCards`)."""

    def resume(self, state: Plain) -> None:
        """Take over what `state` returned. Raises KeyError, TypeError or ValueError for other
        data."""


NewMakerCards = Callable[
    [Chain, Mapping[str, Record[Join]], RefereeSecrets, Mapping[str, bytes]], MakerCards
]
"""Makes the cards of a turn maker from the chain before turn 1, the joins that count, the referee's
secrets and, for each seat, the key of the boxes between it and `audit`."""


Difference = RecordError | Callable[[Turn, Turn], RecordError]
"""The error for a field that differs from the right turn's, or its maker; the right turn is second.
"""


class CardDifferences(NamedTuple):
    """The audit's errors for a turn whose cards are not those that the secrets give."""

    before_orders: Mapping[str, Difference]
    """The fields of turn 1 that follow from the secrets alone."""
    before_log: Mapping[str, Difference]
    """The fields that explain a wrong log, in the order in which they are compared."""
    in_entry: str
    """The sentence for an entry that says the right thing, but with other fields for its cards."""
    after_log: Mapping[str, Difference]
    """The fields that follow from the log, in the order in which they are compared."""
    in_packet: Mapping[str, Reason]
    """The fields of a packet, in this order, with the reason of the finding."""


class CardMode(NamedTuple):
    """A way to deal: how its three parts are made, and what the audit needs to know of it."""

    name: str
    public: Callable[[Chain], PublicCards]
    seat: Callable[[Any, str], SeatCards]
    """Makes a seat's part, from the public part of the same mode."""
    maker: NewMakerCards
    differences: CardDifferences
    committed_cards: Callable[[Turn], int]
    """Returns to how many cards a turn has commitments: nobody can swap them unnoticed."""
