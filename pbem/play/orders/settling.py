"""Settle the questions of a turn: by the lines that count, then by default or by a bot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from engine import Decision, Entry, OrderSet, Table
from pbem.play.orders.absence import Absence, round_of
from pbem.play.orders.open_seat_bot import bot_answer


class Held(Protocol):
    """A seat's orders that count now."""

    lines: OrderSet


@dataclass
class Settler:
    """Settles decisions by the lines that count; for seats that are away, then by the default or,
    if the seat is open and the charter says so, by a bot."""

    in_force: Mapping[str, Held]
    full: Table[Any]
    absence: Absence
    unheard: frozenset[str]
    round: int
    """The round of the questions that the turn before asked."""
    silent: frozenset[str] = frozenset()
    """Those of the unheard seats that a question of this round has found silent."""

    def answer(self, key: str, decision: Decision) -> tuple[str, str] | None:
        """See engine.Settler."""
        held = self.in_force.get(decision.seat)
        state = self.full.state
        found = held.lines.answer(key, decision, state) if held else None
        return self._unasked(key, decision) if found is None else found

    def _unasked(self, key: str, decision: Decision) -> tuple[str, str] | None:
        """The answer for a seat that is away; None if the seat must be asked."""
        if decision.default:
            self._expect(key, decision)
        match self.absence.unasked(key, decision):
            case "bot":
                return bot_answer(self.full, decision), "bot"
            case "default" if decision.default:
                return decision.default(), "default"
        return None

    def _expect(self, key: str, decision: Decision) -> None:
        """Name a seat as silent if the game waited for its orders for this round until the
        deadline.
        """
        seat = decision.seat
        if seat not in self.unheard or round_of(key) != self.round:
            return
        if not self.absence.away(seat, self.round):
            self.silent |= {seat}
            self.absence = self.absence.after((), {seat}, self.round)

    def entered(self, entry: Entry) -> None:
        """See engine.Settler."""
        for held in self.in_force.values():
            held.lines.entered(entry, self.full.state)
