"""The random bot: it picks a kind of option at random, then an option of that kind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from sys import intern
from typing import Any

from engine.decisions import Decision
from engine.sentences.lazy_card_options import WHOLE_SENTENCE, Offers, say

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
