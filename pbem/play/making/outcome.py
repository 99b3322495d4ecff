"""The options that `advance` is given, and the result that it returns."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from pbem.records.charter_join_orders import FinalRecord, Join
from pbem.records.notices.notice_record import Notice
from pbem.records.read_record import Record
from pbem.records.turn import Turn
from pbem.storage.file_names import Name


@dataclass(frozen=True, slots=True)
class Wishes:
    """The options that the referee gives to `advance`."""

    start: bool = False
    accept: Collection[str] = ()
    """Hex digits that begin the ids of joins to accept although they have no code."""
    refuse: Collection[str] = ()
    go_on: bool = False
    no_wait: bool = False
    """Do not wait for seats that are asked later in the round."""
    take_over: bool = False
    """Take over as the deputy."""
    all_here: bool = False
    """Not an option of the command: whether this machine made the last turn that is here."""
    arrived: Mapping[str, int] = field(default_factory=dict)
    """Not an option either: when this machine first saw each order file, by its path."""


@dataclass
class Outcome:
    """What `advance` found: the records to write, in order, or the players it waits for."""

    write: list[tuple[Name, Record[Turn] | Record[FinalRecord]]] = field(default_factory=list)
    notices: list[tuple[Name, Record[Notice]]] = field(default_factory=list)
    """The notices to write before them."""
    waiting: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """For each seat that is asked, the kinds of decision; before turn 1 the empty seats."""
    answered: tuple[str, ...] = ()
    """The seats in `waiting` whose answer is here already."""
    left_open: tuple[str, ...] = ()
    """The seats in `waiting` whose newest orders leave a question open."""
    first: tuple[str, ...] = ()
    """Seats in `plays` that must answer before the others see the turn."""
    preview: Record[Turn] | None = None
    """If only the seats in `first` are missing, the turn so far; if it asks a seat in `plays`,
    the turn as it would be written: until then, that seat may change its answer."""
    held: tuple[str, ...] = ()
    """The seats whose orders for the round are waited for, though they are not asked yet."""
    over: bool = False
    turn: Turn | None = None
    """The turn that the waiting seats answer; None before turn 1."""
    phase: str = ""
    """The phase that asks them."""
    policies: Mapping[str, str | int | bool] = field(default_factory=dict)
    """The deadlines that count for that phase, and what else says how the game is run."""
    held_until: int = 0
    """If all have answered, but may change their minds: when the turn will be made."""
    doubtful: list[tuple[Record[Join], str]] = field(default_factory=list)
    """Before turn 1: joins that do not count unless the referee acts, and why."""
    contested: dict[str, list[Record[Join]]] = field(default_factory=dict)
    """Before turn 1: seats that several people joined with the right code."""
