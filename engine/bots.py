"""Bots: anything that chooses among options from what one seat may see."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any, Protocol

from engine.decisions import Decision
from engine.legality import DONE

MOST_STEPS = 60
"""After so many steps of one script the random bot ends it, if it may."""


class Bot(Protocol):
    """A player. ``state`` is what its seat sees: the bot is never given more."""

    def choose(self, state: Any, decision: Decision, options: Sequence[str]) -> str:
        """One of the options. For a script it is asked again and again, until ``done``."""


_DETAIL = re.compile(r"\[[^\]]*\]|[\w/-]+ -?\d+|\b[a-h]\d+|\d+")


def kind_of(option: str) -> str:
    """An option without its cards, names and numbers: what kind of move it is."""
    return _DETAIL.sub("#", option)


class RandomBot:
    """Uniform over the kinds of option, then over the options of the kind.

    So that rare kinds of move happen as often as common ones.
    """

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._kinds: dict[str, str] = {}

    def choose(self, state: Any, decision: Decision, options: Sequence[str]) -> str:
        """See Bot; does not look at the state."""
        if len(options) == 1:
            return options[0]
        kinds: dict[str, list[str]] = {}
        known = self._kinds
        for option in options:
            kind = known.get(option)
            if kind is None:
                kind = known[option] = kind_of(option)
            kinds.setdefault(kind, []).append(option)
        groups = list(kinds.values())
        group = groups[int(self._rng.random() * len(groups))]
        return group[int(self._rng.random() * len(group))]


def answer(bot: Bot, state: Any, decision: Decision) -> str:
    """The bot's whole answer to one decision: a sentence, or a script step by step."""
    if not decision.script:
        return bot.choose(state, decision, decision.listed())
    steps: list[str] = []
    while not steps or steps[-1] != DONE:
        options = decision.listed(steps)
        late = len(steps) >= MOST_STEPS and DONE in options
        steps.append(DONE if late else bot.choose(state, decision, options))
    return "; ".join(steps)
