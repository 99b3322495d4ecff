"""Settle decisions: by the orders in force, by default, or by the bot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping
from typing import Any, Protocol

from engine import (
    Decision,
    Entry,
    OrderSet,
    Pending,
    Table,
)
from engine.value_classes import Mutable
from pbem.judge.absent_seats import Absence, round_of
from pbem.judge.game_ruleset import bot_answer


class HasLines(Protocol):
    """A seat's orders in force, with their parsed lines."""

    lines: OrderSet


class LapsedOrders(Mutable):
    """The seats whose orders have lapsed while a wave waits for names (protocol §13).

    Nobody takes an answer back once names are known: these orders count for the wave that was said,
    and for nothing else.
    """

    seats: frozenset[str] = frozenset()
    wave_keys: frozenset[str] = frozenset()
    """The questions of this wave, by their keys in the log."""

    def add(
        self,
        seats: Iterable[str],
        in_force: MutableMapping[str, Any],
        pending: Pending,
        *,
        is_frozen: bool,
    ) -> None:
        """Let the orders of these seats lapse: remove them from `in_force`, unless the wave of the
        open questions waits for names (`is_frozen`). Those of earlier waves are removed."""
        wave_keys = (
            frozenset(question[0] for question in pending) if is_frozen else frozenset[str]()
        )
        waiting_seats = self.seats if wave_keys & self.wave_keys else frozenset[str]()
        new_seats = waiting_seats.union(seats)
        for seat in (self.seats | new_seats) - (new_seats if is_frozen else frozenset()):
            in_force.pop(seat, None)
        self.seats = new_seats if is_frozen else frozenset()
        self.wave_keys = wave_keys

    def may_answer(self, seat: str, key: str) -> bool:
        """Return whether the seat's orders in force may answer the question with this key."""
        return seat not in self.seats or key in self.wave_keys


class OrderSettler(Mutable):
    """Settles decisions by the orders in force; for absent seats by default or by the bot."""

    in_force: Mapping[str, HasLines]
    """The orders in force, by seat."""
    full_table: Table[Any]
    """A table that shows the cards that the lines and the bot may use."""
    absence: Absence
    """The absence of seats; it changes when an unheard seat becomes silent."""
    unheard_seats: frozenset[str]
    """The seats that were not asked, but for whose orders the game waited until the deadline."""
    round: int
    """The round of the questions that the previous turn asked."""
    lapsed_orders: LapsedOrders
    """The seats whose orders answer nothing but the wave that waited for names."""
    silent: frozenset[str] = frozenset()
    """The unheard seats that a question has reached: from now on they count as silent."""

    def answer(self, key: str, decision: Decision) -> tuple[str, str] | None:
        """Return the answer to a decision and its source: `line [3]`, `always [1]`, `default` or
        `bot`; None if the seat must be asked. `key` is the decision's key in the log.

        An unheard seat that this question reaches becomes silent, so its default settles it.
        """
        seat = decision.seat
        may_answer = self.lapsed_orders.may_answer(seat, key)
        orders = self.in_force.get(seat) if may_answer else None
        choice = orders.lines.answer(key, decision, self.full_table.state) if orders else None
        if choice is not None:
            return choice
        is_awaited = seat in self.unheard_seats and not self.absence.absence_reason(
            seat, self.round
        )
        may_be_silent = decision.default is not None and not decision.unasked
        if may_be_silent and is_awaited and round_of(key) == self.round:
            self.silent |= {seat}
            self.absence = self.absence.after_turn((), {seat}, self.round)
        match self.absence.unasked(key, decision):
            case "bot":
                return bot_answer(self.full_table, decision), "bot"
            case "default" if decision.default:
                return decision.default(), "default"
        return None

    def entered(self, entry: Entry) -> None:
        """Note a new entry of the log (see engine.Settler)."""
        for orders in self.in_force.values():
            orders.lines.entered(entry, self.full_table.state)
