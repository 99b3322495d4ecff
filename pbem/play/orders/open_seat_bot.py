"""The bot that answers for open seats, if the charter says so.

The bot looks only at what its seat can see, and uses no random numbers. So the referee cannot
choose for it: the seat's owner can check each choice immediately, and everybody else can check it
after `final`. The bot is therefore part of the rules: if you change how it plays, you must raise
the ruleset's version.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, Final

from engine.bots import answer

if TYPE_CHECKING:
    from engine import Decision, Ruleset, Table

NAME: Final = "greedy"
"""The bot's name in every ruleset that has one."""


def has_bot(ruleset: Ruleset[Any]) -> bool:
    """Return whether a ruleset has the bot that can answer for open seats."""
    return NAME in ruleset.bots


def bot_answer(table: Table[Any], decision: Decision) -> str:
    """Return what the bot answers, which is the same on every table that shows the seat's cards."""
    return answer(table.game.ruleset.bots[NAME](Random(0)), table.state, decision)
