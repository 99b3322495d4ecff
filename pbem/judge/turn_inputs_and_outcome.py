"""The inputs of a next turn, and the outcome of making it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field
from typing import Final

from engine import OrderSet
from engine.value_classes import Mutable, Value
from pbem.files.record_file_names import Name
from pbem.records.deadline_and_silence_policies import Policies
from pbem.records.deal_record import Deal
from pbem.records.final_record import FinalRecord
from pbem.records.join import Join
from pbem.records.notice import Notice
from pbem.records.orders import Orders
from pbem.records.packet import RefusedLine
from pbem.records.read_and_sign_record import Record
from pbem.records.sealed_orders import UnsealedOrders
from pbem.records.turn import ListedOrders, Turn


class AdvanceOptions(Value):
    """The options that the referee gives to `advance`."""

    start: bool = False
    """Whether to begin the game although seats are still empty."""
    accept: Collection[str] = ()
    """The first hex digits of the ids of joins to accept: before turn 1 even joins without the
    invite; for a contested open seat, the join that gets it."""
    refuse: Collection[str] = ()
    """The first hex digits of the ids of joins to refuse."""
    go_on: bool = False
    """Whether to make the turn although a file may belong to a turn that is not here."""
    no_wait: bool = False
    """Whether to go on without seats that will be asked later in the round."""
    take_over: bool = False
    """Whether to take over as the deputy."""
    time_is_right: bool = False
    """Whether to date the turn now, although that is long after everything else in the folder."""


class RefereeMemory(Value):
    """The memory of the referee's machine about a game, beside its records."""

    made_last_turn: bool = False
    """Whether this machine made the last turn in the folder: then no turn is missing."""
    arrivals: Mapping[str, int] = field(default_factory=dict)
    """By path, in seconds since 1970: for orders, the time when this machine first saw that they
    would count; for the turn that asked, the time when all orders had first arrived."""


JOIN: Final = ("join",)
"""The kinds of an empty seat in `Outcome.awaited_kinds`."""


class Outcome(Mutable):
    """The result of `advance`: the records to write, in order, or the seats to wait for."""

    new_records: list[tuple[Name, Record[Turn] | Record[FinalRecord]]] = field(default_factory=list)
    """The records to write, each with the name of its file: none, or the next turn; after the last
    turn, the final record."""
    notices: list[tuple[Name, Record[Notice]]] = field(default_factory=list)
    """The new notices in the lists of these records or of `preview`, each with the name of its
    file; to be written with the records."""
    awaited_kinds: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """For each seat that is asked, the kinds of its decisions; before turn 1, the empty seats."""
    answered_seats: tuple[str, ...] = ()
    """The seats in `awaited_kinds` whose orders answer everything."""
    incomplete_seats: tuple[str, ...] = ()
    """The seats in `awaited_kinds` whose latest orders do not answer every question."""
    preview_seats: tuple[str, ...] = ()
    """The seats in `plays`, which the referee plays, that must answer before the others see the
    turn. Then no record is new."""
    preview: Record[Turn] | None = None
    """The signed turn, for seats in `plays` that it asks; else None.

    With `preview_seats`, the turn as far as it can be made without their answers. Without, a copy
    of the turn in `new_records`: until it is written, such a seat may change its answer.
    """
    unheard_seats: tuple[str, ...] = ()
    """The seats that are not asked yet, but for whose orders for the round the game waits."""
    awaited_dealers: tuple[int, ...] = ()
    """The numbers of the co-dealers for whose part the game waits."""
    is_over: bool = False
    """Whether the game is over, perhaps by a new turn."""
    turn: Turn | None = None
    """The turn that the awaited seats answer; None before turn 1."""
    phase: str = ""
    """The phase of the open questions."""
    policies: Policies = field(default_factory=Policies)
    """The deadlines that apply in that phase, and the other policies of the game."""
    revisable_until: int = 0
    """The time at which the turn will be made, in seconds since 1970 UTC, if all have answered but
    may still change their orders; else 0."""
    revisable_paths: tuple[str, ...] = ()
    """The paths of the turn that asked, and of the orders that may be changed until then."""
    doubtful: list[tuple[Record[Join], str]] = field(default_factory=list)
    """Before turn 1: each join that does not count unless the referee acts, with the reason."""
    contested: dict[str, list[Record[Join]]] = field(default_factory=dict)
    """The seats that several people joined with the right code: before turn 1, or to take over an
    open seat."""

    @property
    def joining(self) -> bool:
        """Whether the game waits for players to join."""
        return JOIN in self.awaited_kinds.values()


class SortedOrders(Mutable):
    """The orders that no earlier turn lists, sorted for the next turn."""

    accepted: dict[str, Record[Orders]] = field(default_factory=dict)
    """For each seat whose orders come into force in the next turn: these orders."""
    listed_orders: list[ListedOrders] = field(default_factory=list)
    """The rows with which the next turn lists orders: id, seat, status, reason."""
    rule_refusals: dict[str, list[RefusedLine]] = field(default_factory=dict)
    """For each seat whose orders are refused by the rules: its wrong lines, each with an
    explanation for its packet."""
    early_orders: dict[str, list[Record[Orders]]] = field(default_factory=dict)
    """Orders of seats in `plays`, by seat, for a turn that is not made yet."""
    unplaced_orders: list[Record[Orders]] = field(default_factory=list)
    """Signed orders on a head that this chain does not have."""
    acts: list[tuple[str, int]] = field(default_factory=list)
    """For each listed order set of this chain: its seat, and the turn that it answers. It shows
    that somebody with the seat's key was there."""


class TurnInputs(Value):
    """The inputs of a new turn. Together with the earlier turns, they decide all its bytes."""

    orders: SortedOrders
    own_order_ids: tuple[bytes, ...]
    """The ids of the orders with which seats in `plays` answer the new turn."""
    time: int
    """The date of the turn, in seconds since 1970 UTC."""
    silent: frozenset[str] = frozenset()
    """The seats that were asked and did not answer before the deadline."""
    unheard_seats: frozenset[str] = frozenset()
    """The seats that were not asked, but waited for. A question that reaches one makes it
    silent."""
    by_word: tuple[bytes, ...] = ()
    """Turn 1 only: the ids of the joins about which the referee decided, whether accepted without
    the invite, refused or passed over."""
    deadline: int | None = None
    """The published deadline of a turn that is made again; it counts if it fits the rules."""
    deals: tuple[Record[Deal], ...] = ()
    """The parts of the co-dealers that the new turn lists."""


class OpenedOrders(Mutable):
    """A seat's orders in force, decrypted."""

    record: Record[Orders]
    unsealed: UnsealedOrders
    """The decrypted contents: the texts of the lines, and the secret that opens each."""
    lines: OrderSet
    """The parsed lines, which answer decisions and note what the log has used up."""
    log_length: int
    """The number of log entries when the orders were accepted."""
