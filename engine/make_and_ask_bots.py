"""Make bots and ask them: they choose among the options of a decision, knowing only what one seat
may see."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from engine.decisions import Decision
from engine.random_bot import RandomBot
from engine.ruleset import Bot, Factory, Ruleset

MAX_STEPS = 60
"""The number of steps after which a bot ends a script as soon as possible."""


def bot_factories(ruleset: Ruleset[Any]) -> dict[str, Factory]:
    """Return the bots that play this ruleset, by name; ``random`` plays every ruleset."""
    return {"random": RandomBot, **ruleset.bots}


def make_bot(ruleset: Ruleset[Any], name: str, rng: Random) -> Bot:
    """Return a bot of that name. Raises ValueError if the ruleset has no bot of that name."""
    bots_by_name = bot_factories(ruleset)
    if name not in bots_by_name:
        raise ValueError(
            f"{ruleset.name} has no bot called {name!r}; it has: {', '.join(bots_by_name)}"
        )
    return bots_by_name[name](rng)


def ask_bot(bot: Bot, state: Any, decision: Decision) -> str:
    """Let the bot answer one decision: with a sentence, or with a script that it chooses step by
    step.

    ``state`` may come from any table that knows what the seat may see; the bot gets a masked copy.
    """
    if decision.script:
        return choose_script(bot, state, decision)[0]
    return pick_option(bot, state, decision, decision.option_list())


def pick_option(
    bot: Bot, state: Any, decision: Decision, options: Sequence[str], steps: Sequence[str] = ()
) -> str:
    """Let the bot choose among options that are already listed."""
    seat_view = state.clone(decision.seat) if bot.sees else None
    return bot.choose(seat_view, decision, options, steps)


def choose_script(bot: Bot, state: Any, decision: Decision) -> tuple[str, int]:
    """Let the bot choose a script step by step; return the script and how many of its steps were
    a choice among at least two options.

    The script ends with the sentence ``decision.ends``. From step MAX_STEPS on, that sentence is
    taken as soon as it is an option. If no step is possible, the script stops without it.
    """
    end = decision.ends
    steps: list[str] = []
    choices = 0
    while not steps or steps[-1] != end:
        options = decision.offered(steps)
        if not options:
            break
        choices += len(options) > 1
        must_end = len(steps) >= MAX_STEPS and end in options
        steps.append(end if must_end else pick_option(bot, state, decision, options, steps))
    return "; ".join(steps), choices
