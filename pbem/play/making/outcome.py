"""The options that `advance` is given, and the result that it returns."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from pbem.frozen import frozen
from pbem.records.charter_join_orders import FinalRecord, Join
from pbem.records.notices.notice_record import Notice
from pbem.records.read_record import Record
from pbem.records.turn import Turn
from pbem.storage.file_names import Name


@frozen
class Wishes:
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
    all_here: bool = False
    """Whether this machine made the last turn that is here; not an option of the command."""
    arrived: Mapping[str, int] = field(default_factory=dict)
    """When this machine first saw each order file, by path; not an option of the command either."""
    held: Mapping[str, int] = field(default_factory=dict)
    """Until when the turn waits for a correction of these order files, by path: pbem read them from
    an email in free words. Not an option of the command either."""


@dataclass
class Outcome:
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
    policies: Mapping[str, str | int | bool] = field(default_factory=dict)
    """The deadlines that apply in that phase, and the other policies of the game."""
    held_until: int = 0
    """When the turn will be made, if all have answered but may still change their minds."""
    doubtful: list[tuple[Record[Join], str]] = field(default_factory=list)
    """Before turn 1: the joins that do not count unless the referee acts, and why."""
    contested: dict[str, list[Record[Join]]] = field(default_factory=dict)
    """The seats that several people joined with the right code: before turn 1, or to take over an
    open seat."""
