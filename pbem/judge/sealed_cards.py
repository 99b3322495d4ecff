"""Cards and dice as the turn maker deals them: sealed in piles, hands and commitments."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import field

from engine import PUBLIC, Decision
from engine.values import Mutable
from pbem.format.canonical import RecordError
from pbem.judge.sealed_openings import moved
from pbem.records.deck import Dealing, DiceChain, Pile, Position, die, place_of
from pbem.records.turn import NewCards, OpenPosition


class Hands:
    """The cards that were dealt to each hand and are still in it."""

    def __init__(self, rank: Callable[[Position], bytes]) -> None:
        self._rank = rank
        self._held: dict[str, list[OpenPosition]] = {}

    def take(self, seat: str, cards: Iterable[OpenPosition]) -> None:
        """Add cards to the seat's hand."""
        self._held.setdefault(seat, []).extend(cards)

    def leave(self, seat: str, card: str) -> OpenPosition:
        """Remove a card from the hand: of equal cards, the one with the smallest rank. Raises
        RecordError `rule` if it is not there.

        The rank is secret and independent of the deal. So the card that leaves does not reveal when
        equal cards came, or whether there are any. (The published salt cannot be used: a large salt
        would reveal that there was no equal card.)
        """
        held = self._held.get(seat, [])
        equal = [opening for opening in held if opening.card == card]
        if not equal:
            told = f"{card} leaves the hand of seat {seat}, but it has no such card"
            raise RecordError("rule", told)
        opening = min(equal, key=lambda o: self._rank(place_of(o)))
        held.remove(opening)
        return opening


class ChanceResults(Mutable):
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
        options = decision.option_list()
        if decision.kind == "die":
            link = self.dice.link(self._dice + 1)
            return options[die(self._game, link, key, len(options))]
        if decision.kind != "deal":
            return options[0]
        pile = self._pile(decision)
        cards = iter([self._cards[at] for at in pile.top(options[0].count("?"))])
        return re.sub(r"\?", lambda _: next(cards), options[0])

    def learn(self, decision: Decision, text: str) -> None:
        """Note how chance settled a decision (see engine.Dealer)."""
        pile = self._pile(decision)
        if decision.kind == "die":
            self._dice += 1
            self.results.links.append(self.dice.link(self._dice))
            return
        cards = list(decision.cards)
        if decision.kind == "shuffle":
            cards = self.dealing.shuffled(decision.deck, pile.epoch + 1, cards)
        positions = moved(pile, decision, text)
        if decision.kind in ("shuffle", "under"):
            self._enter(positions, cards)
        if decision.kind == "shuffle":
            return
        openings = [self._opening(at) for at in positions]
        if decision.to == PUBLIC:
            self.results.dealt += openings
        elif decision.kind == "under":
            self.results.under.setdefault(decision.to, []).extend(openings)
            self.buried.setdefault(decision.to, []).extend(openings)
        else:
            self.results.hands.setdefault(decision.to, []).extend(openings)
            self.hands.take(decision.to, openings)
            self.history.setdefault(decision.to, []).extend(openings)

    def leave(self, seat: str, hidden: Iterable[str], shown: Iterable[str]) -> None:
        """Remove the cards of one sentence from a hand, put down or shown. Raises RecordError
        `rule`."""
        for card in hidden:
            self.hands.leave(seat, card)
        self.results.shown += [self.hands.leave(seat, card) for card in shown]

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
