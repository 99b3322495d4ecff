"""What a next turn is made from, and what was found while it was made."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field
from typing import Final

from engine import OrderSet
from engine.values import Mutable, Value
from pbem.files.folder import Name
from pbem.records.charter import FinalRecord, Join, Orders
from pbem.records.notice import Notice
from pbem.records.policies import Policies
from pbem.records.read_record import Record
from pbem.records.sealed_orders import Sealed
from pbem.records.turn import ListedOrders, Refusal, Turn


class Wishes(Value):
    """The options that the referee gives to `advance`."""

    start: bool = False
    accept: Collection[str] = ()
    """The first hex digits of the ids of joins to accept: before turn 1 even if they were not
    made with the invite; of several people who took over one open seat, the right one."""
    refuse: Collection[str] = ()
    go_on: bool = False
    no_wait: bool = False
    """Whether to go on without seats that are asked later in the round."""
    take_over: bool = False
    """Whether to take over as the deputy."""
    time_is_right: bool = False
    """Whether to date the turn now, although that is long after everything else in the folder."""


class Remembered(Value):
    """What the referee's machine remembers of a game, beside its records."""

    made_last_turn: bool = False
    """Whether this machine made the last turn that is here: then no turn is missing."""
    arrivals: Mapping[str, int] = field(default_factory=dict)
    """When this machine first saw that these orders would count, by path, in seconds since 1970;
    for the turn that asked, when all orders were here for the first time."""


JOIN: Final = ("join",)
"""What the game waits for from an empty seat, in `Outcome.waiting`."""


class Outcome(Mutable):
    """What `advance` found: the records to write, in order, or the players it is waiting for."""

    write: list[tuple[Name, Record[Turn] | Record[FinalRecord]]] = field(default_factory=list)
    notices: list[tuple[Name, Record[Notice]]] = field(default_factory=list)
    """The new notices that these records or `preview` list; they are written with the records."""
    waiting: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """For each seat that is asked, the kinds of its decisions; before turn 1, the empty seats."""
    answered: tuple[str, ...] = ()
    """The seats in `waiting` whose answers are already here."""
    left_open: tuple[str, ...] = ()
    """The seats in `waiting` whose newest orders do not answer every question."""
    first: tuple[str, ...] = ()
    """The seats in `plays` that must answer before the others see the turn."""
    preview: Record[Turn] | None = None
    """The turn so far, if only the seats in `first` have not answered.

    If it asks a seat in `plays`, it is the turn as it would be written; until then, that seat may
    change its answer.
    """
    held: tuple[str, ...] = ()
    """The seats that are not asked yet, but whose orders for the round the game is waiting for."""
    over: bool = False
    turn: Turn | None = None
    """The turn that the waiting seats answer; None before turn 1."""
    phase: str = ""
    """The phase that asks these seats."""
    policies: Policies = field(default_factory=Policies)
    """The deadlines that apply in that phase, and the other policies of the game."""
    held_until: int = 0
    """When the turn will be made, if all have answered but may still change their minds."""
    thought_over: tuple[str, ...] = ()
    """The paths of the orders that may be changed until then, and of the turn that asked."""
    doubtful: list[tuple[Record[Join], str]] = field(default_factory=list)
    """Before turn 1: the joins that do not count unless the referee acts, and why."""
    contested: dict[str, list[Record[Join]]] = field(default_factory=dict)
    """The seats that several people joined with the right code: before turn 1, or to take over an
    open seat."""

    @property
    def joining(self) -> bool:
        """Whether the game waits for players to join."""
        return JOIN in self.waiting.values()


class SortedOrders(Mutable):
    """The orders that no earlier turn lists, sorted for the next turn."""

    accepted: dict[str, Record[Orders]] = field(default_factory=dict)
    listed: list[ListedOrders] = field(default_factory=list)
    refused: dict[str, list[Refusal]] = field(default_factory=dict)
    ahead: dict[str, list[Record[Orders]]] = field(default_factory=dict)
    """Orders of seats in `plays` for a turn that is not made yet."""
    strange: list[Record[Orders]] = field(default_factory=list)
    """Orders that are signed, but build on a head that is not known here."""
    acts: list[tuple[str, int]] = field(default_factory=list)
    """For each set of orders of this chain that is listed: its seat, and the turn that it answers.
    They show that somebody with the seat's key was there."""


class TurnInputs(Value):
    """Everything from which a new turn is made, except the earlier turns."""

    orders: SortedOrders
    own: tuple[bytes, ...]
    """The ids of the orders with which seats in `plays` answer the new turn."""
    time: int
    silent: frozenset[str] = frozenset()
    unheard: frozenset[str] = frozenset()
    """Seats that were not asked but waited for; if a question reaches them now, they are silent."""
    by_word: tuple[bytes, ...] = ()
    """Turn 1 only: the ids of the joins about which the referee decided."""
    deadline: int | None = None
    """The deadline that the turn names, if it is made again; it counts if it fits the rules."""


class OpenedOrders(Mutable):
    """A seat's orders that count now, decrypted."""

    record: Record[Orders]
    sealed: Sealed
    lines: OrderSet
    since: int
    """How many log entries there were when the orders were accepted."""
