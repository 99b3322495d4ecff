"""Whole games of bots on one full table, as fast as the rules allow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic

from engine.bots import Bot, answer
from engine.dealer import Dealer
from engine.decisions import Decision
from engine.ruleset import Game, S
from engine.table import Table
from engine.text import CHANCE, Seat


@dataclass
class Played(Generic[S]):
    """A finished game: its table, and how many decisions had at least two options."""

    table: Table[S]
    decisions: int


def play_out(game: Game[S], bots: Mapping[Seat, Bot], dealer: Dealer) -> Played[S]:
    """Play one game to its end.

    On the full table the options of a seat are those of its own table (law 3); a bot is given its
    seat's view of the state, made only if the bot's class says ``sees = True``.
    """
    table = Table(game)
    decisions = 0
    while table.asked:
        wave = table.pending
        texts = []
        for key, decision in wave:
            if decision.seat == CHANCE:
                text = dealer.answer(key, decision)
                assert text is not None
                dealer.saw(decision, text)
            else:
                text, counted = _choose(table.state, bots, decision)
                decisions += counted
            texts.append(text)
        for text in texts:
            table.send(text)
    return Played(table, decisions)


def _choose(state: S, bots: Mapping[Seat, Bot], decision: Decision) -> tuple[str, bool]:
    """The answer, and whether there was anything to decide."""
    if decision.script:
        bot = bots[decision.seat]
        return answer(bot, _seen(state, bot, decision.seat), decision), True
    options = decision.listed()
    if decision.fact or len(options) == 1:
        return options[0], False
    bot = bots[decision.seat]
    return bot.choose(_seen(state, bot, decision.seat), decision, options), True


def _seen(state: S, bot: Bot, seat: Seat) -> S | None:
    return state.clone(seat) if getattr(bot, "sees", False) else None
