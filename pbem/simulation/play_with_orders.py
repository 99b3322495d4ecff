"""Play games of bots that send orders, as people do by mail, and count the waves of questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from engine import Decision, Entry, Game, Line, OrderSet, Referee
from engine.bots import answer
from engine.dealer import Dealer
from engine.ruleset import Bot
from pbem.play.orders.bot_lines import round_lines, standing_lines
from pbem.records.order_line import parse_line

WAYS: Final = ("ask", "policy", "whole")
"""How much a seat puts into one set of orders: `ask`, an answer to each question; `policy`, cards
when asked and standing orders for the rest; `whole`, everything at the start of the round."""


class PlayWithOrders:
    """One game that stops whenever seats must be asked, and counts these stops."""

    def __init__(
        self, game: Game[Any], bots: Mapping[str, Bot], ways: Mapping[str, str], dealer: Dealer
    ) -> None:
        """Prepare a game; `ways` gives one of WAYS for each seat."""
        self.game, self.bots, self.ways = game, bots, ways
        self.referee = Referee(game, dealer, check=False)
        self.waves: Counter[int] = Counter()
        """The number of times that seats were asked, by round."""
        self.decisions = 0
        """The number of questions with more than one possible answer, no matter who answered."""
        self.orders: dict[str, OrderSet] = {}
        self.answers: dict[str, str] = {}
        """Answers to questions that were asked alone, by key."""
        self._sent: set[tuple[str, int]] = set()

    def play(self) -> None:
        """Play the game to its end."""
        while pending := self.referee.advance(self):
            self.waves[self.state.round] += 1
            self.answers.clear()
            for seat in self.game.seats:
                mine = {key: one for key, one in pending if one.seat == seat}
                self._ask(seat, mine)

    @property
    def state(self) -> Any:
        """The state of the full table."""
        return self.referee.full.state

    @property
    def rounds(self) -> int:
        """The number of rounds that were played."""
        return int(self.state.round) - 1

    def waves_by_round(self) -> Counter[int]:
        """Return how many rounds had each number of waves."""
        return Counter(self.waves[number] for number in range(1, self.rounds + 1))

    # -------------------------------------------------------------- the settler
    def answer(self, key: str, decision: Decision) -> tuple[str, str] | None:
        """Answer a question with the orders of its seat (see engine.Settler)."""
        orders = self.orders.get(decision.seat)
        found = orders.answer(key, decision, self.state) if orders else None
        if found is None and key in self.answers:
            return self.answers[key], "line [0]"
        return found

    def entered(self, entry: Entry) -> None:
        """Tell the orders of the entry's seat about a new entry (see engine.Settler)."""
        self.decisions += entry.by.startswith(("line", "always"))
        if (orders := self.orders.get(entry.seat)) and entry.by != "line [0]":
            orders.entered(entry, self.state)

    # -------------------------------------------------------------- what seats send
    def _ask(self, seat: str, mine: Mapping[str, Decision]) -> None:
        way, now = self.ways[seat], (seat, self.state.round)
        if way == "whole" and now not in self._sent:
            self._sent.add(now)
            self._send(seat, self._whole(seat, mine))
        elif way == "policy" and mine:
            self._send(seat, [*self._cards(seat, mine), *standing_lines(self.game.ruleset)])
        for key, decision in mine.items():
            orders = self.orders.get(seat)
            if orders is None or orders.answer(key, decision, self.state) is None:
                self.answers[key] = answer(self.bots[seat], self.state, decision)

    def _whole(self, seat: str, mine: Mapping[str, Decision]) -> list[str]:
        ruleset = self.game.ruleset
        return round_lines(ruleset, self.state, seat, self.bots[seat], mine.values())

    def _cards(self, seat: str, mine: Mapping[str, Decision]) -> list[str]:
        """Return the order lines for the questions about cards that are asked now."""
        asked = {one.kind for one in mine.values() if self.game.ruleset.kinds[one.kind].cards}
        return [line for line in self._whole(seat, mine) if line.partition(":")[0] in asked]

    def _send(self, seat: str, texts: list[str]) -> None:
        parsed = [parse_line(text) for text in texts]
        lines = [Line(n, p.kind, p.sentence, p.always) for n, p in enumerate(parsed, start=1)]
        self.orders[seat] = self.game.ruleset.orders(seat, self.state.round, lines, self.state)
