"""The bot that answers for open seats, if the charter says so.

It chooses by what its seat can see, and uses no luck. So the referee cannot choose for it: the
seat's owner makes each choice again immediately, and everybody else after `final`. The bot is thus
a part of the rules: when it plays differently, the ruleset's version has to rise.
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
    """Whether a ruleset has the bot that can answer for open seats."""
    return NAME in ruleset.bots


def bot_answer(table: Table[Any], decision: Decision) -> str:
    """What the bot answers; every table on which the seat's own cards are known gives the same."""
    return answer(table.game.ruleset.bots[NAME](Random(0)), table.state, decision)
