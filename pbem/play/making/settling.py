"""Settling questions while a turn is made: by lines, by defaults; and what the entries show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import engine
from engine import Decision, Entry, Tag, cards_in
from pbem.play.making.sealed_dealer import SealedDealer
from pbem.play.orders.absence import Absence, round_of

if TYPE_CHECKING:
    from pbem.play.making.turn_maker import TurnMaker


class Recorder(engine.Referee[Any]):
    """The referee's tables, which also note the cards that turn up and those that leave a hand."""

    def __init__(self, game: engine.Game[Any], dealer: SealedDealer) -> None:
        super().__init__(game, dealer, check=False)
        self._hands = dealer
        self.turned: list[Tag] = []
        self.scripts: set[str] = set()
        """Keys of the decisions that a whole script answered."""

    def push(self, entry: Entry) -> None:
        """Add an entry, and note what it shows. Raises Misfit or Illegal."""
        state, ruleset = self.full.state, self.game.ruleset
        number = len(self.log)
        self.turned += [tag for tag, _ in ruleset.turned_up(state, entry.text, number)]
        if entry.seat != engine.CHANCE:
            self._hands.leave(entry.seat, cards_in(entry.text), ruleset.shows(state, entry.text))
        if self.full.pending[0][1].script:
            self.scripts.add(entry.key)
        super().push(entry)


@dataclass
class Settler:
    """Settles decisions by the lines that count, then by the default for seats that are away."""

    maker: TurnMaker
    absence: Absence
    unheard: frozenset[str]
    round: int
    """The round of the questions that the turn before asked."""
    silent: frozenset[str] = frozenset()
    """Those of the unheard seats that a question of this round has found silent."""

    def answer(self, key: str, decision: Decision) -> tuple[str, str] | None:
        """See engine.Settler."""
        held = self.maker.in_force.get(decision.seat)
        state = self.maker.table.full.state
        found = held.lines.answer(key, decision, state) if held else None
        if found is None and decision.default:
            self._expect(key, decision)
            if self.absence.settles(key, decision):
                return decision.default(), "default"
        return found

    def _expect(self, key: str, decision: Decision) -> None:
        """Name a seat as silent whose orders for this round were waited for until the deadline."""
        seat = decision.seat
        if seat not in self.unheard or round_of(key) != self.round:
            return
        if not self.absence.away(seat, self.round):
            self.silent |= {seat}
            self.absence = self.absence.after((), {seat}, self.round)

    def entered(self, entry: Entry) -> None:
        """See engine.Settler."""
        for held in self.maker.in_force.values():
            held.lines.entered(entry, self.maker.table.full.state)
