"""Bots: they choose among the options of a decision, knowing only what one seat may see."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from sys import intern
from typing import Any

from engine.decisions import Decision
from engine.ruleset import Bot, Factory, Ruleset
from engine.sentences.lazy_card_options import WHOLE_SENTENCE, Offers, say

MAX_STEPS = 60
"""The number of steps after which a bot ends a script as soon as possible."""


_DETAIL = re.compile(r"\[[^\]]*\]|[\w/-]+ -?\d+(?: [a-z]+(?=:|$))?|\b[a-h]\d+|\d+")
"""The parts of an option that do not belong to its kind: a card in brackets, a card with a number
(``horns 4``), the name of a piece (``a2``), a number."""


class Kinds(dict[str, str]):
    """Maps each option to its kind of move: the option's text without cards, names and numbers.

    Random bots look up every option that they are offered, so the results are kept in a dictionary.
    The parts before and after a colon, or after a bracket, are kept too, because many options share
    them.

    >>> Kinds()["horns 4: a1 body"], Kinds()["[horns 4] on a1"]
    ('#: # body', '# on #')
    """

    MAX_OPTIONS = 1 << 16
    """The number of texts at which the dictionary is emptied."""

    def __missing__(self, option: str) -> str:
        """Find the kind of an option that was not looked up yet, and keep it."""
        # forget everything, so that a long simulation does not fill the memory
        if len(self) >= self.MAX_OPTIONS:
            self.clear()
        prefix, colon, suffix = option.partition(": ")
        if colon:
            kind = self[prefix] + colon + self[suffix]
        elif option.startswith("["):
            kind = "#" + self[option.partition("]")[2]]
        else:
            kind = _DETAIL.sub("#", option)
        self[option] = kind = intern(kind)
        return kind


KINDS = Kinds()


class RandomBot:
    """Picks a kind of option at random, then an option of that kind.

    So rare kinds of move are chosen as often as common ones.
    """

    sees = False

    def __init__(self, rng: Random) -> None:
        self._random = rng.random

    def choose(
        self, state: Any, decision: Decision, options: Sequence[str], steps: Sequence[str] = ()
    ) -> str:
        """Choose an option at random, without looking at the state or the steps (see Bot).

        Every kind among the options is equally likely, then every option of the chosen kind.
        """
        if len(options) == 1:
            return options[0]
        if type(options) is Offers:
            return self._choose_offer(options)
        kinds = list(map(KINDS.__getitem__, options))
        distinct_kinds = list(dict.fromkeys(kinds))
        kind = distinct_kinds[int(self._random() * len(distinct_kinds))]
        index = kinds.index(kind)
        for _ in range(int(self._random() * kinds.count(kind))):
            index = kinds.index(kind, index + 1)
        return options[index]

    def _choose_offer(self, offers: Offers) -> str:
        """Choose as ``choose`` does, but write only the chosen sentence; a `Way` counts as one kind
        for all its cards."""
        # a whole sentence is treated as a way with a single card
        ways = [*[(text, WHOLE_SENTENCE) for text in offers.sentences], *offers.ways]
        kinds = [KINDS[text] for text, _ in ways]
        distinct_kinds = list(dict.fromkeys(kinds))
        kind = distinct_kinds[int(self._random() * len(distinct_kinds))]
        # equal kinds are one object, because `Kinds` interns them
        fitting = [way for way, way_kind in zip(ways, kinds, strict=True) if way_kind is kind]
        index = int(self._random() * sum([len(cards) for _, cards in fitting]))
        for text, cards in fitting:
            if index < len(cards):
                return say(text, cards[index])
            index -= len(cards)
        raise AssertionError("the random choice is not among the options")


def factories(ruleset: Ruleset[Any]) -> dict[str, Factory]:
    """Return the bots that play this ruleset, by name; ``random`` plays every ruleset."""
    return {"random": RandomBot, **ruleset.bots}


def make_bot(ruleset: Ruleset[Any], name: str, rng: Random) -> Bot:
    """Return a bot of that name. Raises ValueError if the ruleset has no bot of that name."""
    bots_by_name = factories(ruleset)
    if name not in bots_by_name:
        raise ValueError(
            f"{ruleset.name} has no bot called {name!r}; it has: {', '.join(bots_by_name)}"
        )
    return bots_by_name[name](rng)


def answer(bot: Bot, state: Any, decision: Decision) -> str:
    """Let the bot answer one decision: with a sentence, or with a script that it chooses step by
    step.

    ``state`` may come from any table that knows what the seat may see; the bot gets a masked copy.
    """
    if decision.script:
        return script(bot, state, decision)[0]
    return pick(bot, state, decision, decision.option_list())


def pick(
    bot: Bot, state: Any, decision: Decision, options: Sequence[str], steps: Sequence[str] = ()
) -> str:
    """Let the bot choose among options that are already listed."""
    seat_view = state.clone(decision.seat) if bot.sees else None
    return bot.choose(seat_view, decision, options, steps)


def script(bot: Bot, state: Any, decision: Decision) -> tuple[str, int]:
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
        steps.append(end if must_end else pick(bot, state, decision, options, steps))
    return "; ".join(steps), choices
