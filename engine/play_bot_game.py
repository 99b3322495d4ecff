"""Play whole games between bots on one full table, which is the fastest way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic

from engine.dealer import Dealer
from engine.decisions import Decision
from engine.log import CHANCE, Seat
from engine.make_and_ask_bots import choose_script, pick_option
from engine.replayed_table import Table
from engine.ruleset import Bot, Game, S
from engine.value_classes import Mutable


class Played(Mutable, Generic[S]):
    """A finished game."""

    table: Table[S]
    decisions: int
    """The number of choices among at least two options; each step of a script is one choice."""

    @property
    def rounds(self) -> int:
        """The number of rounds that were played."""
        return self.table.state.round - 1


Watch = Callable[[S, Seat, str], None]
"""A function that is told of each answer of a seat: the state before it, the seat, the sentence."""


def play_out(
    game: Game[S], bots: Mapping[Seat, Bot], dealer: Dealer, watch: Watch[S] | None = None
) -> Played[S]:
    """Play one game to its end, with the bot of each seat.

    On the full table, a seat has the same options as on its own table (law 3). A bot gets its
    seat's view of the state, which is made only if the bot looks at it. `watch` is told of every
    answer that is no fact.
    """
    table = Table(game)
    decisions = 0
    while table.open_decisions:
        for index, decision in enumerate(table.open_decisions):
            if decision.seat == CHANCE:
                text = dealer.answer(table.keys[index], decision)
                assert text is not None
                dealer.learn(decision, text)
            else:
                text, choice_count = _choose(table.state, bots, decision)
                decisions += choice_count
                if watch and not decision.fact:
                    watch(table.state, decision.seat, text)
            table.take_answer(text)
    return Played(table, decisions)


def _choose(state: S, bots: Mapping[Seat, Bot], decision: Decision) -> tuple[str, int]:
    """Return the bot's answer, and the number of choices that it had to make."""
    if decision.script:
        return choose_script(bots[decision.seat], state, decision)
    options = decision.offered()
    if decision.fact or len(options) == 1:
        return options[0], 0
    return pick_option(bots[decision.seat], state, decision, options), 1
