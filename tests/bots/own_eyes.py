"""Bots whose answers are compared with those that they give from their own seat's view."""

from collections import Counter
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from engine import Decision, Entry, Referee, Ruleset, SeedDealer, Table
from engine.make_and_ask_bots import ask_bot, make_bot

Ask = Callable[[Table[Any], Decision], str]
"""What a bot answers on a table."""


class OwnEyes:
    """Asks each question twice: on the full table, and on that of the seat. The first counts."""

    def __init__(
        self, rules: Ruleset[Any], players: int, options: Mapping[str, str] | None, seed: bytes,
        ask: Ask, *, is_compared: bool = True, by: str = "line [1]",
    ) -> None:  # fmt: skip
        game = rules.game("abcdefgh"[:players], options)
        self.forms, self.ask, self.is_compared, self.by = rules.forms, ask, is_compared, by
        self.referee = Referee(game, SeedDealer(seed), viewpoints=game.seats)
        self.peeked: list[str] = []
        """The questions that got another answer than from the seat's own view."""
        self.said: Counter[str] = Counter()
        """How often each form of sentence was chosen."""

    def answer(self, key: str, decision: Decision) -> tuple[str, str]:
        own = self.referee.tables[decision.seat]
        text = self.ask(self.referee.full_table, decision)
        if self.is_compared and self.ask(own, dict(own.pending)[key]) != text:
            self.peeked.append(key)
        return text, self.by

    def entered(self, entry: Entry) -> None:
        for step in entry.text.split("; ") if entry.by.startswith(("line", "forced")) else ():
            self.said[self.forms.parse(step)[0]] += 1


def played_with_own_eyes(
    rules: Ruleset[Any], players: int, bot: str, seed: int, options: Mapping[str, str] | None = None
) -> OwnEyes:
    """A game of bots of this name to its end; every table has checked every answer."""
    bots = {seat: make_bot(rules, bot, Random(seed)) for seat in "abcdefgh"[:players]}

    def ask(table: Table[Any], decision: Decision) -> str:
        return ask_bot(bots[decision.seat], table.state, decision)

    eyes = OwnEyes(rules, players, options, bytes([seed]), ask, is_compared=bots["a"].sees)
    assert eyes.referee.advance(eyes) == []
    return eyes
