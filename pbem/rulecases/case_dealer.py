"""A dealer that deals cards and rolls dice as a rule case says."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine import UNKNOWN, Decision


class CaseDealer:
    """A dealer (engine.Dealer) that leaves nothing to chance."""

    def __init__(self, dice: Sequence[str], shuffled: Sequence[str], seats: int = 0) -> None:
        """`dice` are the results of the dice, in order; `shuffled` the cards on top of a deck after
        the next shuffle. `seats` is the number of players who may each roll a die in the set-up;
        those who tie roll again."""
        self.decks: dict[str, list[str]] = {}
        """The cards of each deck, top first."""
        self._dice = list(dice)
        self._first_rolls = seats
        """How many dice the players still roll in the set-up before some can roll again."""
        self._shuffled = list(shuffled)

    def answer(self, key: str, decision: Decision) -> str:
        """Return the sentence that settles a decision of chance (see engine.Dealer): the face that
        the case names for a die, else the first; a deal with the cards on top of the deck.

        Raises ValueError for a face that the die does not have. `key` is the decision's key in the
        log.
        """
        options = decision.option_list()
        if decision.kind == "die":
            # after everybody's first roll, one player gets another face, which ends a tie
            is_tie = self._first_rolls == 0 and ".setup." in key
            face = self._dice[0] if self._dice else options[-1 if is_tie else 0]
            if face not in options:
                raise ValueError(f"the die can show only one of {', '.join(options)}, not {face!r}")
            return face
        if decision.kind != "deal":
            return options[0]
        cards = iter(self.decks[decision.deck])
        return re.sub(r"\?", lambda _: next(cards), options[0])

    def learn(self, decision: Decision, text: str) -> None:
        """Note that chance settled a decision with `text` (see engine.Dealer): a die or cards are
        used up, or cards are put under a deck; a shuffle puts the named cards on top of the others,
        sorted. Raises ValueError if a named card is not among the shuffled ones."""
        deck = self.decks.setdefault(decision.deck, [])
        if decision.kind == "die":
            self._first_rolls -= bool(self._first_rolls or not self._dice)
            del self._dice[:1]
        elif decision.kind == "deal":
            (pattern,) = decision.option_list()
            del deck[: pattern.count(UNKNOWN)]
        elif decision.kind == "shuffle":
            other_cards = sorted(decision.cards)
            for card in self._shuffled:
                if card not in other_cards:
                    raise ValueError(f"{card!r} is not among the cards that are shuffled")
                other_cards.remove(card)
            deck[:0] = [*self._shuffled, *other_cards]
            self._shuffled = []
        elif decision.kind == "under":
            depth = int(text.rsplit(" ", 1)[1])
            deck[depth:depth] = decision.cards

    def unused(self) -> list[str]:
        """Dice and cards that the case names but the game never needed."""
        return [*self._dice, *self._shuffled]
