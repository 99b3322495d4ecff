"""Play games with a deck in a given order: for the course's cases, tests, and benchmarks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine import CHANCE, Decision, Game, Table
from games.classroom.rules import CARDS, CLASSROOM
from games.classroom.silly_player import card_sort_key
from games.classroom.table import State

SORTED = tuple(sorted(CARDS, key=card_sort_key))
"""The deck in canonical order, which makes short games."""


class StackedDealer:
    """A dealer that deals from the top of a list and ignores shuffling; every die shows its first
    face."""

    def __init__(self, cards: Sequence[str]) -> None:
        self._cards, self._next = cards, 0
        """``_next`` is the index of the next card to deal."""

    def answer(self, key: str, decision: Decision) -> str:
        """Deal from the top of the list, or roll the first face (see Dealer)."""
        (text, *_) = decision.option_list()
        if decision.kind != "deal":
            return text
        seat, _, places = text.partition(" draws ")
        count = places.count("?")
        cards = self._cards[self._next : self._next + count]
        return f"{seat} draws " + " ".join(f"[{card}]" for card in cards)

    def learn(self, decision: Decision, text: str) -> None:
        """Count the dealt cards as gone from the list (see Dealer)."""
        if decision.kind == "deal":
            self._next += text.count("[")


def play_on(table: Table[State], dealer: StackedDealer, choose: Callable[[Decision], str]) -> None:
    """Play to the end: the dealer settles chance, and ``choose`` answers for every player."""
    while wave := table.open_decisions:
        for decision in wave:
            if decision.seat == CHANCE:
                text = dealer.answer("", decision)
                dealer.learn(decision, text)
            else:
                text = choose(decision)
            table.take_answer(text)


def silly_answer(decision: Decision) -> str:
    """Return the silly player's answer to this question."""
    assert decision.default is not None
    return decision.default()


def play_silly(game: Game[State], cards: Sequence[str]) -> Table[State]:
    """Play a game in which everybody is silent, on the full table; return the table at the end."""
    table = Table(game)
    play_on(table, StackedDealer(cards), silly_answer)
    return table


def silly_games(count: int, players: int = 5) -> int:
    """Play ``count`` games on the sorted deck; return the number of their log entries."""
    game = CLASSROOM.game("abcdefgh"[:players])
    return sum(play_silly(game, SORTED).entries for _ in range(count))
