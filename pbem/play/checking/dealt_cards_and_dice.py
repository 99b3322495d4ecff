"""Check decks and dice without any secret, as everybody can (protocol §3, §4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from dataclasses import dataclass, field

from engine import PUBLIC, Decision, filled
from pbem.format.errors import RecordError
from pbem.frozen import frozen
from pbem.play.checking.openings import Openings
from pbem.records.deck import Pile, Position, check_position, place_of
from pbem.records.dice import check_link, die
from pbem.records.turn import OpenPosition, Turn


@frozen
class DealtPositions:
    """The positions of cards that one entry dealt to a seat, or that the seat put under a deck.

    Only this seat knows which cards they are.
    """

    entry: int
    seat: str
    positions: tuple[Position, ...]


@dataclass
class TurnDeals:
    """What one turn dealt or put under decks, as positions."""

    turn: Turn
    first: int
    """The number of the turn's first log entry."""
    dealt: list[DealtPositions] = field(default_factory=list)
    under: list[DealtPositions] = field(default_factory=list)
    """The cards that seats put under a deck, unseen by the others."""
    handles: list[tuple[str, bytes]] = field(default_factory=list)
    """For each card put down, the seat and the handle."""
    entry: int = 0
    """The number of the log entry that is being read."""

    def opened(self, in_lines: Container[bytes]) -> Counter[str]:
        """Count, for each seat, the cards that the turn opens only to that seat.

        `in_lines` are the handles in opened lines. A seat's packet must open all other handles of
        the seat's cards.
        """
        count = Counter(seat for seat, handle in self.handles if handle not in in_lines)
        for some in [*self.dealt, *self.under]:
            count[some.seat] += len(some.positions)
        return count


class ChanceChecker:
    """Checks log entries that come from chance against the commitments to decks and dice."""

    def __init__(self, game: bytes) -> None:
        self._game = game
        self.commitments: dict[Position, bytes] = {}
        self.piles: dict[str, Pile] = {}
        self.hands: dict[str, set[Position]] = {}
        """The positions dealt to each hand, without those that left it in public."""
        self.link = b""
        """The link of the last die, or the end of the chain if no die has fallen yet."""

    def check(
        self, key: str, decision: Decision, text: str, openings: Openings, deals: TurnDeals
    ) -> None:
        """Check one log entry of chance. Raises RecordError `chain`, `opening` or `commitment`."""
        pile = self.piles.setdefault(decision.deck, Pile(decision.deck))
        if decision.kind == "die":
            self._die(key, decision, text, openings)
        elif decision.kind == "shuffle":
            self._enter(tuple(pile.shuffle(len(decision.cards))), openings)
        elif decision.kind == "under":
            depth = int(text.rsplit(" ", 1)[1])
            positions = tuple(pile.under(len(decision.cards), depth))
            self._enter(positions, openings)
            self._put_under(decision, positions, openings, deals)
        else:
            self._deal(decision, text, pile, openings, deals)

    def _enter(self, positions: tuple[Position, ...], openings: Openings) -> None:
        if positions:
            commitments = openings.cards_of(positions[0], len(positions))
            self.commitments.update(zip(positions, commitments, strict=True))

    def _put_under(
        self,
        decision: Decision,
        positions: tuple[Position, ...],
        openings: Openings,
        deals: TurnDeals,
    ) -> None:
        if decision.to != PUBLIC:
            deals.under.append(DealtPositions(deals.entry, decision.to, positions))
            return
        for at, card in zip(positions, decision.cards, strict=True):
            self._shown(openings.position(at), card)

    def _shown(self, opening: OpenPosition, card: str) -> None:
        """Check that a card dealt openly matches its commitment."""
        self.check_dealt(opening)
        if opening.card != card:
            raise RecordError("opening", f"the log shows {card}, but the turn opens {opening.card}")

    def _deal(
        self, decision: Decision, text: str, pile: Pile, openings: Openings, deals: TurnDeals
    ) -> None:
        (pattern,) = decision.listed()
        positions = tuple(pile.deal(pattern.count("?")))
        if decision.to != PUBLIC:
            deals.dealt.append(DealtPositions(deals.entry, decision.to, positions))
            self.hands.setdefault(decision.to, set()).update(positions)
            return
        for at, card in zip(positions, filled(pattern, text), strict=True):
            self._shown(openings.position(at), card)

    def show(self, seat: str, card: str, openings: Openings) -> None:
        """Check that a card shown from a hand was dealt to that hand and not shown before.

        The first opening that matches is enough: the other openings may be needed for equal cards
        shown later in the turn. Raises RecordError `opening`, `commitment`.
        """
        hand = self.hands.get(seat, set())
        opening = openings.shown(card, hand)
        if opening is None:
            raise RecordError(
                "opening", f"seat {seat} shows {card}, but no opening proves that it had this card"
            )
        self.check_dealt(opening)
        hand.remove(place_of(opening))

    def check_dealt(self, opening: OpenPosition) -> None:
        """Check an opened card against its commitment. Raises RecordError `commitment`."""
        at = place_of(opening)
        if at not in self.commitments:
            raise RecordError("opening", f"card {at.k} of {at.deck} was never in the deck")
        check_position(self._game, opening, self.commitments[at])

    def _die(self, key: str, decision: Decision, text: str, openings: Openings) -> None:
        link = openings.link()
        check_link(link, self.link)
        self.link = link
        faces = decision.listed()
        face = faces[die(self._game, link, key, len(faces))]
        if text != face:
            raise RecordError("chain", f"{key}: the die shows {face!r}, but the turn says {text!r}")
