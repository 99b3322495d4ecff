"""Forecast what a seat's orders do if nobody else acts, as far as the seat can know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from engine import CHANCE, DONE, PUBLIC, UNKNOWN, Decision, Entry, Line, Table, forced
from pbem.play.view import View

MOST_STEPS = 400


@dataclass
class Forecast:
    """The entries that would follow, the table after them, and the reason why the forecast ends."""

    table: Table[Any]
    entries: list[Entry] = field(default_factory=list)
    end: str = ""


def forecast(view: View, lines: Sequence[Line]) -> Forecast:
    """Play the seat's lines on a copy of its table; other seats do nothing wherever the rules allow
    that.

    The forecast ends where chance, another player's choice or a hidden card decides, and where the
    seat would be asked.
    """
    return _Forecasting(view, lines).run()


class _Forecasting:
    def __init__(self, view: View, lines: Sequence[Line]) -> None:
        self.view = view
        table = view.table_again()
        self.done = Forecast(table)
        self.told = 0
        """How many entries of the forecast were already played on the public table."""
        ruleset = view.play.ruleset
        self.orders = ruleset.orders(view.seat, table.state.round, lines, table.state)

    @cached_property
    def public(self) -> Table[Any]:
        """The table that everyone sees, made only when it is needed."""
        return self.view.table_again(PUBLIC)

    def run(self) -> Forecast:
        """Play entry by entry, until something cannot be known."""
        done = self.done
        while done.table.pending and len(done.entries) < MOST_STEPS:
            key, decision = done.table.pending[0]
            settled = self._settle(key, decision)
            if isinstance(settled, str):
                done.end = settled
                return done
            entry = Entry(key, decision.seat, *settled, to=decision.to)
            done.entries.append(entry)
            done.table.send(entry.text)
            self.orders.entered(entry, done.table.state)
        done.end = "" if done.table.pending else "then the game is over"
        return done

    def _settle(self, key: str, decision: Decision) -> tuple[str, str] | str:
        """Return the answer and how it is settled, or the reason why the answer cannot be known."""
        options = decision.listed([]) if decision.script else decision.listed()
        if decision.seat == CHANCE:
            return "then chance decides"
        if decision.fact:
            known = UNKNOWN not in options[0]
            return (options[0], "fact") if known else "then other players' cards are revealed"
        if decision.seat == self.view.seat:
            return self._mine(key, decision, options)
        return self._theirs(decision, options)

    def _mine(self, key: str, decision: Decision, options: list[str]) -> tuple[str, str] | str:
        if answer := self.orders.answer(key, decision, self.done.table.state):
            return answer
        if len(options) == 1 and self._all_see_one():
            return options[0], "forced"
        kind = self.view.play.ruleset.kinds[decision.kind]
        return f"then you are asked for {kind.name} ({kind.question})"

    def _all_see_one(self) -> bool:
        """Return whether everyone can see that there is only one answer.

        The other seats do not see which hidden cards are equal.
        """
        public = self.public
        for entry in self.done.entries[self.told :]:
            public.send(entry.seen(PUBLIC).text)
        self.told = len(self.done.entries)
        return forced(public.pending[0][1])

    def _theirs(self, decision: Decision, options: list[str]) -> tuple[str, str] | str:
        if len(set(options)) == 1 and not decision.script:  # one step is not an answer
            return options[0], "" if UNKNOWN in options[0] else "forced"
        if DONE in options:
            return DONE, "default"
        if decision.default and not decision.script and not any(UNKNOWN in o for o in options):
            return decision.default(), "default"
        name = self.view.names.get(decision.seat, decision.seat)
        kind = self.view.play.ruleset.kinds[decision.kind]
        return f"then {name} decides: {kind.question}"
