"""Bots: they choose among the options of a decision, knowing only what one seat may see."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from sys import intern
from typing import Any

from engine.decisions import Decision
from engine.ruleset import Bot, Factory, Ruleset
from engine.sentences.offers import Offers

MOST_STEPS = 60
"""The number of steps after which a bot ends a script as soon as possible."""


_DETAIL = re.compile(r"\[[^\]]*\]|[\w/-]+ -?\d+(?: [a-z]+(?=:|$))?|\b[a-h]\d+|\d+")


class Kinds(dict[str, str]):
    """Maps each option to its kind of move: the option's text without cards, names and numbers.

    Random bots look up every option that they are offered, so the results are kept in a dictionary.
    The parts before and after a colon, or after a bracket, are kept too, because many options share
    them.
    """

    MOST = 1 << 16

    def __missing__(self, option: str) -> str:
        # forget everything, so that a long simulation does not fill the memory
        if len(self) >= self.MOST:
            self.clear()
        before, colon, after = option.partition(": ")
        if colon:
            kind = self[before] + colon + self[after]
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
        """Choose an option at random, without looking at the state (see Bot)."""
        if len(options) == 1:
            return options[0]
        if type(options) is Offers:
            return self._offered(options)
        kinds = list(map(KINDS.__getitem__, options))
        known = list(dict.fromkeys(kinds))
        kind = known[int(self._random() * len(known))]
        at = kinds.index(kind)
        for _ in range(int(self._random() * kinds.count(kind))):
            at = kinds.index(kind, at + 1)
        return options[at]

    def _offered(self, offers: Offers) -> str:
        """Choose as ``choose`` does, but write only the chosen sentence; a `Way` counts as one kind
        for all its cards."""
        whole, ways = offers.sentences, offers.ways
        kinds = list(map(KINDS.__getitem__, [*whole, *[way.text for way in ways]]))
        known = list(dict.fromkeys(kinds))
        kind = known[int(self._random() * len(known))]
        sentences = [text for text, other in zip(whole, kinds, strict=False) if other is kind]
        fitting = [
            way for way, other in zip(ways, kinds[len(whole) :], strict=True) if other is kind
        ]
        at = int(self._random() * (len(sentences) + sum([len(way.cards) for way in fitting])))
        if at < len(sentences):
            return sentences[at]
        at -= len(sentences)
        for way in fitting:
            if at < len(way.cards):
                return way.say(way.cards[at])
            at -= len(way.cards)
        raise AssertionError("the random choice is not among the options")


def factories(ruleset: Ruleset[Any]) -> dict[str, Factory]:
    """Return the bots that play this ruleset, by name; ``random`` plays every ruleset."""
    return {"random": RandomBot, **ruleset.bots}


def make_bot(ruleset: Ruleset[Any], name: str, rng: Random) -> Bot:
    """Return a bot of that name. Raises ValueError if the ruleset has no bot of that name."""
    known = factories(ruleset)
    if name not in known:
        raise ValueError(f"{ruleset.name} has no bot {name!r}; it has: {', '.join(known)}")
    return known[name](rng)


def answer(bot: Bot, state: Any, decision: Decision) -> str:
    """Let the bot answer one decision: with a sentence, or with a script that it chooses step by
    step.

    ``state`` may come from any table that knows what the seat may see; the bot gets a masked copy.
    """
    if decision.script:
        return script(bot, state, decision)[0]
    return pick(bot, state, decision, decision.listed())


def pick(
    bot: Bot, state: Any, decision: Decision, options: Sequence[str], steps: Sequence[str] = ()
) -> str:
    """Let the bot choose among options that are already listed."""
    seen = state.clone(decision.seat) if bot.sees else None
    return bot.choose(seen, decision, options, steps)


def script(bot: Bot, state: Any, decision: Decision) -> tuple[str, int]:
    """Let the bot choose a script step by step; also return how many steps offered a real
    choice."""
    end = decision.ends
    steps: list[str] = []
    choices = 0
    while not steps or steps[-1] != end:
        options = decision.offered(steps)
        if not options:
            break
        choices += len(options) > 1
        late = len(steps) >= MOST_STEPS and end in options
        steps.append(end if late else pick(bot, state, decision, options, steps))
    return "; ".join(steps), choices
