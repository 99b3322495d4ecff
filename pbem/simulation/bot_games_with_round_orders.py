"""Games of bots that send orders for a whole round, as people do by mail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from engine import Decision, Entry, Game, OrderSet, Referee
from engine.dealer import Dealer
from engine.make_and_ask_bots import ask_bot
from engine.ruleset import Bot
from pbem.judge.bot_order_lines import round_lines, standing_lines
from pbem.judge.order_line_checks import read_lines

WAYS: Final = ("ask", "policy", "whole")
"""The ways to fill one set of orders: `ask`, an answer to each question; `policy`, cards when asked
and standing orders for the rest; `whole`, everything at the start of the round."""


class PlayWithOrders:
    """One game that stops whenever seats must be asked, and counts these stops: the waves."""

    def __init__(
        self, game: Game[Any], bots: Mapping[str, Bot], ways: Mapping[str, str], dealer: Dealer
    ) -> None:
        """Prepare a game; `ways` gives one of WAYS for each seat."""
        self.game, self.bots, self.ways = game, bots, ways
        self.referee = Referee(game, dealer, checks_entries=False)
        self.waves: Counter[int] = Counter()
        """The number of times that seats were asked, by round."""
        self.decisions = 0
        """The number of questions with more than one possible answer, no matter who answered."""
        self.orders: dict[str, OrderSet] = {}
        """The orders in force, by seat."""
        self.answers: dict[str, str] = {}
        """Answers to questions that were asked alone, by key."""
        self._sent_rounds: set[tuple[str, int]] = set()
        """The rounds for which each seat has sent orders: seat and round."""

    def play(self) -> None:
        """Play the game to its end."""
        while pending := self.referee.advance(self):
            self.waves[self.state.round] += 1
            self.answers.clear()
            for seat in self.game.seats:
                questions = {key: question for key, question in pending if question.seat == seat}
                self._ask(seat, questions)

    @property
    def state(self) -> Any:
        """The state of the full table."""
        return self.referee.full_table.state

    @property
    def rounds(self) -> int:
        """The number of rounds that were played."""
        return int(self.state.round) - 1

    def waves_by_round(self) -> Counter[int]:
        """Return how many rounds had each number of waves."""
        return Counter(self.waves[number] for number in range(1, self.rounds + 1))

    def answer(self, key: str, decision: Decision) -> tuple[str, str] | None:
        """Answer a question with the orders of its seat (see engine.Settler)."""
        orders = self.orders.get(decision.seat)
        order_answer = orders.answer(key, decision, self.state) if orders else None
        if order_answer is None and key in self.answers:
            return self.answers[key], "line [0]"
        return order_answer

    def entered(self, entry: Entry) -> None:
        """Tell the orders of the entry's seat about a new entry (see engine.Settler)."""
        self.decisions += entry.by.startswith(("line", "always"))
        if (orders := self.orders.get(entry.seat)) and entry.by != "line [0]":
            orders.entered(entry, self.state)

    def _ask(self, seat: str, questions: Mapping[str, Decision]) -> None:
        """Let the bot of a seat send orders, if its way does so now, and answer the questions that
        its orders leave open. `questions` are those of the seat, by key; there may be none."""
        way, round_key = self.ways[seat], (seat, self.state.round)
        begins_round = way == "whole" and round_key not in self._sent_rounds
        if begins_round or (way == "policy" and questions):
            self._sent_rounds.add(round_key)
            self.send(seat, self._write_orders(seat, questions.values()))
        for key, decision in questions.items():
            orders = self.orders.get(seat)
            if orders is None or orders.answer(key, decision, self.state) is None:
                self.answers[key] = ask_bot(self.bots[seat], self.state, decision)

    def _write_orders(self, seat: str, questions: Collection[Decision]) -> list[str]:
        """Return the order lines that the bot of a seat writes in its way."""
        ruleset = self.game.ruleset
        texts = round_lines(ruleset, self.state, seat, self.bots[seat], questions)
        if self.ways[seat] != "policy":
            return texts
        cards = {question.kind for question in questions if ruleset.kinds[question.kind].cards}
        card_texts = [text for text in texts if text.partition(":")[0] in cards]
        return card_texts + standing_lines(ruleset)

    def send(self, seat: str, texts: Sequence[str]) -> None:
        """Put the order lines of a seat in force."""
        lines = read_lines(texts)
        self.orders[seat] = self.game.ruleset.orders(seat, self.state.round, lines, self.state)
