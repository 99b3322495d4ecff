"""The dealer in mode `referee`: the seed determines every card and die (protocol §3 and §4)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from engine import PUBLIC, Decision, filled
from pbem.play.making.hands import Hands
from pbem.records.deck import Dealing, Pile, Position
from pbem.records.dice import DiceChain, die
from pbem.records.turn import NewCards, OpenPosition


@dataclass
class ChanceResults:
    """The results of chance in one turn, some published and some sealed for one seat."""

    decks: list[NewCards] = field(default_factory=list)
    dealt: list[OpenPosition] = field(default_factory=list)
    """Cards dealt openly."""
    hands: dict[str, list[OpenPosition]] = field(default_factory=dict)
    shown: list[OpenPosition] = field(default_factory=list)
    """Cards that left a hand and became known to all."""
    under: dict[str, list[OpenPosition]] = field(default_factory=dict)
    """For each seat, the cards that it put under a deck, unseen by others."""
    links: list[bytes] = field(default_factory=list)
    """One link for each die."""


class SealedDealer:
    """A dealer that knows the cards of every deck, and follows their public order."""

    def __init__(self, seed: bytes, game: bytes) -> None:
        self.dealing, self.dice = Dealing(seed, game), DiceChain(seed)
        self.results = ChanceResults()
        self.hands = Hands(self.dealing.rank)
        self.history: dict[str, list[OpenPosition]] = {}
        """For each seat, all cards ever dealt to its hand."""
        self.buried: dict[str, list[OpenPosition]] = {}
        """For each seat, all cards that it ever put under a deck, unseen by others."""
        self._game = game
        self._dice = 0
        """How many dice have fallen."""
        self._piles: dict[str, Pile] = {}
        self._cards: dict[Position, str] = {}

    def next_turn(self) -> None:
        """Begin a new turn: from now on collect new results."""
        self.results = ChanceResults()

    def answer(self, key: str, decision: Decision) -> str:
        """Return the sentence that settles a decision left to chance (see engine.Dealer)."""
        options = decision.listed()
        if decision.kind == "die":
            link = self.dice.link(self._dice + 1)
            return options[die(self._game, link, key, len(options))]
        if decision.kind != "deal":
            return options[0]
        pile = self._pile(decision)
        cards = iter([self._cards[at] for at in pile.top(options[0].count("?"))])
        return re.sub(r"\?", lambda _: next(cards), options[0])

    def saw(self, decision: Decision, text: str) -> None:
        """Note how chance settled a decision (see engine.Dealer)."""
        pile = self._pile(decision)
        if decision.kind == "die":
            self._dice += 1
            self.results.links.append(self.dice.link(self._dice))
        elif decision.kind == "shuffle":
            cards = self.dealing.shuffled(decision.deck, pile.epoch + 1, decision.cards)
            self._enter(pile.shuffle(len(cards)), cards)
        elif decision.kind == "under":
            depth = int(text.rsplit(" ", 1)[1])
            at = pile.under(len(decision.cards), depth)
            self._enter(at, list(decision.cards))
            self._put_under(decision, list(map(self._opening, at)))
        else:
            self._deal(pile, decision, text)

    def _deal(self, pile: Pile, decision: Decision, text: str) -> None:
        (pattern,) = decision.listed()
        openings = [self._opening(at) for at in pile.deal(len(filled(pattern, text)))]
        if decision.to == PUBLIC:
            self.results.dealt += openings
        else:
            self.results.hands.setdefault(decision.to, []).extend(openings)
            self.hands.take(decision.to, openings)
            self.history.setdefault(decision.to, []).extend(openings)

    def leave(self, seat: str, hidden: Iterable[str], shown: Iterable[str]) -> None:
        """Remove the cards of one sentence from a hand: first those put down, then those shown.

        Raises RecordError `rule` for a card that was not in the hand.
        """
        for card in hidden:
            self.hands.leave(seat, card)
        self.results.shown += [self.hands.leave(seat, card) for card in shown]

    def _put_under(self, decision: Decision, openings: list[OpenPosition]) -> None:
        if decision.to == PUBLIC:
            self.results.dealt += openings
        else:
            self.results.under.setdefault(decision.to, []).extend(openings)
            self.buried.setdefault(decision.to, []).extend(openings)

    def _enter(self, positions: list[Position], cards: list[str]) -> None:
        self._cards.update(zip(positions, cards, strict=True))
        if positions:
            first = positions[0]
            made = self.dealing.commitments(first, cards)
            self.results.decks.append(NewCards(first.deck, first.epoch, first.k, made))

    def _opening(self, at: Position) -> OpenPosition:
        return self.dealing.opening(at, self._cards[at])

    def _pile(self, decision: Decision) -> Pile:
        return self._piles.setdefault(decision.deck, Pile(decision.deck))
