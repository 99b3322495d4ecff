"""Law 5: what is known was shown, turned up or dealt openly; a hand is what was dealt and not left.

The public table is kept like an account. Each sentence of a seat adds the cards that it shows and
turns up, each card dealt openly is added, each that goes into a deck is taken off; and after each
wave the account is what the table knows. So no card becomes known without a word, and none leaves
a hand in a way that the referee, who follows hands card by card, does not see.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from engine import (
    CHANCE,
    PUBLIC,
    UNKNOWN,
    Decision,
    Entry,
    Game,
    Referee,
    SeedDealer,
    cards_in,
    filled,
)


class Accounts(Referee[Any]):
    """A referee with tables for all viewpoints; keeps law 5 or raises AssertionError."""

    def __init__(self, game: Game[Any], dealer: SeedDealer, log: Iterable[Entry] = ()) -> None:
        self.known: Counter[str] = Counter()
        self.hands = {seat: Counter[str]() for seat in game.seats}
        self.count: Counter[str] = Counter()
        super().__init__(game, dealer, log, viewpoints=game.seats, checks_entries=True)

    def push(self, entry: Entry) -> None:
        decision = self.public_table.pending[0][1]
        if decision.seat == CHANCE:
            self._chance(decision, entry)
        else:
            self._sentence(entry)
        super().push(entry)
        if len(self.public_table.pending) == len(
            self.public_table.open_decisions
        ):  # the wave is complete
            self._balance()

    def _sentence(self, entry: Entry) -> None:
        """What it says becomes known, and leaves the hand."""
        ruleset, text = self.game.ruleset, entry.masked_for(PUBLIC).text
        shown = ruleset.shows(self.public_table.state, text)
        for table in self.tables.values():
            here = ruleset.shows(table.state, entry.masked_for(table.viewpoint).text)
            assert here == shown, f"law 5: {text} shows {here} on the table of {table.viewpoint}"
        turned = [c for _, c in ruleset.turned_up(self.public_table.state, text, len(self.log))]
        self.known.update(shown + turned)
        if entry.seat in self.hands:
            self.hands[entry.seat].subtract(shown + cards_in(entry.text))
        self.count["cards shown"] += len(shown)
        self.count["cards turned up"] += len(turned)

    def _chance(self, decision: Decision, entry: Entry) -> None:
        if decision.kind in ("shuffle", "under"):
            self.known -= Counter(decision.cards)  # unknown ones were never in it
        elif decision.kind == "deal":
            cards = filled(decision.option_list()[0], entry.text)
            to = self.known if decision.to == PUBLIC else self.hands[decision.to]
            to.update(card.strip("[]") for card in cards)

    def _balance(self) -> None:
        """The account is the table, unless cards are just on their way into a deck."""
        if any(decision.cards for _, decision in self.public_table.pending):
            return
        known = Counter(card for card in self.public_table.state.cards() if card != UNKNOWN)
        told = Counter({card: n for card, n in self.known.items() if n})
        assert known == told, f"law 5: known {known - told}, only told {told - known}"
        for place in self.game.ruleset.scene(self.full_table.state).places:
            held = Counter({card: n for card, n in self.hands[place.seat].items() if n})
            assert Counter(place.hand) == held, f"law 5: the hand of {place.seat} is not {held}"
