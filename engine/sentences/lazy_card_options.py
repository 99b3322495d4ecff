"""Offers: options that differ only in one card; a sentence is written only when somebody reads it.

A hand of ten cards, each with eight uses, makes eighty sentences. A bot that chooses one at random
need not see the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import final, overload

from engine.sentences.cards_in_brackets import UNKNOWN

Way = tuple[str, Sequence[str]]
"""A way to use any one of some cards, ``("[?] on a1", ["horns 4", "fertile 2"])``: a sentence whose
first ``?`` stands for the card, and the cards. It is a plain pair, because many are made."""
WHOLE_SENTENCE = (UNKNOWN,)
"""The cards of a whole sentence, where bots treat sentences and ways alike: ``say`` returns the
sentence unchanged."""


def say(text: str, card: str) -> str:
    """Return the sentence of a way with this card."""
    return text.replace(UNKNOWN, card, 1)


@final
class Offers(Sequence[str]):
    """A list of options: whole sentences, then ways to use cards."""

    def __init__(
        self,
        hand: Sequence[str],
        sentences: Sequence[str],
        by_way: Sequence[Way] = (),
        by_card: Sequence[Way] = (),
    ) -> None:
        """Make a list of options.

        After the sentences, ``by_way`` are listed way by way, each with all its cards, and then
        ``by_card`` are listed card by card, each with all its ways. ``hand`` has the cards in the
        order in which ``by_card`` goes through them.
        """
        self.hand, self.sentences = hand, sentences
        self._by_way, self._by_card = by_way, by_card
        self.ways = [way for way in (*by_way, *by_card) if way[1]]
        """All ways that fit at least one card."""
        self._count = len(sentences) + sum([len(cards) for _, cards in self.ways])

    @cached_property
    def uses(self) -> list[tuple[str, str]]:
        """Each pair of a way's sentence and a card, in the order of the list."""
        by_way = [(text, card) for text, cards in self._by_way for card in cards]
        by_card = [
            (text, card) for card in self.hand for text, cards in self._by_card if card in cards
        ]
        return by_way + by_card

    def distinct_sentences(self) -> Iterator[str]:
        """Yield each different sentence only once, even if the hand has several unknown cards."""
        yield from self.sentences
        for text, cards in self._by_way:
            yield from [say(text, card) for card in dict.fromkeys(cards)]
        for card in dict.fromkeys(self.hand):
            yield from [say(text, card) for text, cards in self._by_card if card in cards]

    def sentence(self, index: int) -> str:
        """Return the sentence at this position in the list; no other sentence is written."""
        if index < len(self.sentences):
            return self.sentences[index]
        return say(*self.uses[index - len(self.sentences)])

    @cached_property
    def _all_sentences(self) -> list[str]:
        return [*self.sentences, *[say(text, card) for text, card in self.uses]]

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[str]:
        return iter(self._all_sentences)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        return self._all_sentences[index]
