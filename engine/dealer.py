"""Dealers decide which cards are dealt and how dice fall.

A real game and a simulation differ only in their dealers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from engine.sentences.cards_in_brackets import UNKNOWN

if TYPE_CHECKING:
    from random import Random

    from engine.decisions import Decision


class Dealer(Protocol):
    """Decides which cards are dealt and how dice fall."""

    def answer(self, key: str, decision: Decision) -> str | None:
        """Return the sentence that settles the chance decision; None if the dealer does not know it
        yet, because players must first exchange messages."""

    def learn(self, decision: Decision, text: str) -> None:
        """Learn of a chance entry in the log.

        Entries of earlier turns are passed in too, so that a resumed dealer knows the deck.
        """


class SeedDealer:
    """A dealer for simulations and tests: every die and deck follows from one seed.

    A die depends on the seed and the die's key. A deck depends on the seed, the number of the
    shuffle and the cards that go in (sorted first, so that the order of a hidden zone cannot
    influence it).
    """

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._shuffles = 0
        """The number of shuffles so far, of all decks."""
        self._decks: dict[str, list[str]] = {}
        """The cards that are left in each deck, by the deck's name, top card first."""

    def answer(self, key: str, decision: Decision) -> str:
        """Return the rolled face, or the sentence of a deal with the deck's top cards (see Dealer).

        The cards stay in the deck until `learn` gets the sentence. For other kinds (shuffle,
        under), return the only option, which names no card.
        """
        options = decision.option_list()
        if decision.kind == "die":
            return options[_random_below(self._chance("die", key), len(options))]
        if decision.kind != "deal":
            return options[0]
        text = options[0]
        for card in self._decks[decision.deck][: text.count(UNKNOWN)]:
            text = text.replace(UNKNOWN, card, 1)
        return text

    def learn(self, decision: Decision, text: str) -> None:
        """Change the deck as a chance entry says: take dealt cards off, put shuffled cards on top,
        put others below the depth that ``text`` ends with (see Dealer). A die changes nothing.
        """
        deck = self._decks.setdefault(decision.deck, [])
        if decision.kind == "deal":
            # the option has a `?` for each card, also where the text names the cards
            (pattern,) = decision.option_list()
            del deck[: pattern.count(UNKNOWN)]
        elif decision.kind == "shuffle":
            cards = sorted(decision.cards)
            self._shuffles += 1
            chance = self._chance("shuffle", str(self._shuffles))
            # the Fisher-Yates shuffle
            for i in range(len(cards) - 1, 0, -1):
                j = _random_below(chance, i + 1)
                cards[i], cards[j] = cards[j], cards[i]
            deck[:0] = cards
        elif decision.kind == "under":
            depth = int(text.rsplit(" ", 1)[1])
            deck[depth:depth] = decision.cards

    def _chance(self, *label: str) -> Random:
        from random import Random

        return Random(self._seed + "\0".join(label).encode())


def _random_below(chance: Random, bound: int) -> int:
    """Return a random whole number from 0 to ``bound`` - 1.

    It uses only ``random()``: of the methods of ``random.Random``, only this one gives the same
    sequence in every version of Python.
    """
    return int(chance.random() * bound)
