"""Deal cards and roll dice as a rule case says."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine import UNKNOWN, Decision


class CaseDealer:
    """A dealer (engine.Dealer) that takes cards and dice from a case and leaves nothing to
    chance."""

    def __init__(self, dice: Sequence[str], shuffled: Sequence[str]) -> None:
        self.decks: dict[str, list[str]] = {}
        self._dice = list(dice)
        self._shuffled = list(shuffled)

    def answer(self, key: str, decision: Decision) -> str:
        """Return the face that the case names, else the first face.

        Raises ValueError for a face that the die does not have.
        """
        options = decision.listed()
        if decision.kind == "die":
            face = self._dice[0] if self._dice else options[0]
            if face not in options:
                raise ValueError(f"the die can show only one of {', '.join(options)}, not {face!r}")
            return face
        if decision.kind != "deal":
            return options[0]
        cards = iter(self.decks[decision.deck])
        return re.sub(r"\?", lambda _: next(cards), options[0])

    def saw(self, decision: Decision, text: str) -> None:
        """Note what was dealt; after a shuffle, put the named cards on top, and the others below
        them, sorted."""
        deck = self.decks.setdefault(decision.deck, [])
        if decision.kind == "die":
            del self._dice[:1]
        elif decision.kind == "deal":
            (pattern,) = decision.listed()
            del deck[: pattern.count(UNKNOWN)]
        elif decision.kind == "shuffle":
            deck[:0] = self._order(sorted(decision.cards))
        elif decision.kind == "under":
            depth = int(text.rsplit(" ", 1)[1])
            deck[depth:depth] = decision.cards

    def _order(self, cards: list[str]) -> list[str]:
        top, self._shuffled = self._shuffled, []
        for card in top:
            if card not in cards:
                raise ValueError(f"{card!r} is not among the cards that are shuffled")
            cards.remove(card)
        return top + cards

    def unused(self) -> list[str]:
        """Dice and cards that the case names but the game never needed."""
        return [*self._dice, *self._shuffled]
