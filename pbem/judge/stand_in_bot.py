"""The bot that answers for open seats."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from engine import (
    Decision,
    Ruleset,
    Table,
)
from engine.bots import answer

STAND_IN_BOT: Final = "greedy"
"""The bot's name in every ruleset that has one."""


def has_bot(ruleset: Ruleset[Any]) -> bool:
    """Return whether a ruleset has the bot that can answer for open seats."""
    return STAND_IN_BOT in ruleset.bots


def bot_answer(table: Table[Any], decision: Decision) -> str:
    """Return the bot's answer to a decision of an open seat.

    The bot uses no random numbers: its answer is the same on every table that shows the seat's
    cards. So the referee cannot choose for it. The seat's owner can check each answer at once,
    everybody can after `final`. The bot is part of the rules: if you change how it plays, raise the
    ruleset's version.
    """
    return answer(table.game.ruleset.bots[STAND_IN_BOT](Random(0)), table.state, decision)
