"""Settle the questions of a turn: by the orders that count, else by default or by a bot."""

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
    """Settles decisions by the orders that count, and otherwise for seats that are away.

    For seats that are away it uses the default or, if the seat is open and the charter says so, a
    bot.
    """

    in_force: Mapping[str, Held]
    full: Table[Any]
    absence: Absence
    unheard: frozenset[str]
    round: int
    """The round of the questions that the turn before asked."""
    silent: frozenset[str] = frozenset()
    """The seats that were waited for without being asked, and that a question has now reached."""

    def answer(self, key: str, decision: Decision) -> tuple[str, str] | None:
        """Return the answer to a decision, and where it comes from; None if the seat must be
        asked."""
        held = self.in_force.get(decision.seat)
        state = self.full.state
        found = held.lines.answer(key, decision, state) if held else None
        return self._unasked(key, decision) if found is None else found

    def _unasked(self, key: str, decision: Decision) -> tuple[str, str] | None:
        """Return the answer for a seat that is away; None if the seat must be asked."""
        if decision.default:
            self._expect(key, decision)
        match self.absence.unasked(key, decision):
            case "bot":
                return bot_answer(self.full, decision), "bot"
            case "default" if decision.default:
                return decision.default(), "default"
        return None

    def _expect(self, key: str, decision: Decision) -> None:
        """Count a seat as silent if its orders for this round missed the deadline."""
        seat = decision.seat
        if seat not in self.unheard or round_of(key) != self.round:
            return
        if not self.absence.away(seat, self.round):
            self.silent |= {seat}
            self.absence = self.absence.after((), {seat}, self.round)

    def entered(self, entry: Entry) -> None:
        """Note a new entry of the log (see engine.Settler)."""
        for held in self.in_force.values():
            held.lines.entered(entry, self.full.state)
