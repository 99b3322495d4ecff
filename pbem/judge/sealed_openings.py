"""Openings of sealed cards and lines: what a turn opens, and whether it follows from decks and dice
(protocol §7, §9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import field

from engine import PUBLIC, Decision, filled
from engine.values import Mutable, Value
from pbem.format.canonical import RecordError
from pbem.records.deck import Pile, Position, check_link, check_position, die, place_of
from pbem.records.turn import OpenCard, OpenLine, OpenPosition, Turn


class Openings:
    """Looks up what a turn opens, and remembers which openings the log needed."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self._lines = {(o.order, o.slot): o for o in turn.lines}
        self._cards = {o.handle: o for o in turn.cards}
        self._dealt = {place_of(o): o for o in turn.dealt}
        self._shown = {place_of(o): o for o in turn.shown}
        self._decks = {Position(o.deck, o.epoch, o.first): o.cards for o in turn.decks}
        self._needed: set[object] = set()
        self._links = iter(turn.links)

    def lines_of(self, order: bytes) -> Sequence[OpenLine]:
        """Return the lines of these orders that the turn opens."""
        return [o for (wanted, _), o in self._lines.items() if wanted == order]

    def use_line(self, line: OpenLine) -> None:
        """Note that this line settled a decision; an earlier turn may have opened the line."""
        if (line.order, line.slot) in self._lines:
            self._needed.add((line.order, line.slot))

    def card(self, handle: bytes) -> OpenCard:
        """Return the opening of a face-down card. Raises RecordError `opening` if there is none."""
        if handle not in self._cards:
            told = f"the card {handle.hex()[:6]} turns up, but no opening shows it"
            raise RecordError("opening", told)
        self._needed.add(handle)
        return self._cards[handle]

    def position(self, at: Position) -> OpenPosition:
        """Return the opening of a card dealt openly. Raises RecordError `opening`."""
        if at not in self._dealt:
            told = f"card {at.k} of {at.deck} is shown, but no opening proves it"
            raise RecordError("opening", told)
        self._needed.add(("dealt", at))
        return self._dealt[at]

    def shown(self, card: str, hand: Container[Position]) -> OpenPosition | None:
        """Return the first opening of this card from a position in this hand, or None."""
        for at, opening in self._shown.items():
            if opening.card == card and at in hand:
                self._needed.add(("shown", at))
                return opening
        return None

    def cards_of(self, first: Position, count: int) -> tuple[bytes, ...]:
        """Return the commitments to cards that enter a deck. Raises RecordError `opening`."""
        cards = self._decks.get(first, ())
        if len(cards) != count:
            told = f"{count} cards enter {first.deck}, but {len(cards)} have a commitment"
            raise RecordError("opening", told)
        self._needed.add(("decks", first))
        return cards

    def link(self) -> bytes:
        """Return the link for the next die. Raises RecordError `opening` if there is none."""
        if not (link := next(self._links, b"")):
            told = "a die is rolled, but the turn opens no link of the dice chain for it"
            raise RecordError("opening", told)
        return link

    def all_used(self) -> None:
        """Raise RecordError `opening` if the turn opens something that the log did not need."""
        there: set[object] = {*self._lines, *self._cards}
        there |= {("dealt", at) for at in self._dealt} | {("decks", at) for at in self._decks}
        there |= {("shown", at) for at in self._shown}
        if there != self._needed or next(self._links, None):
            raise RecordError("opening", "the turn opens something that the log does not require")


class DealtPositions(Value):
    """The positions of cards that one entry dealt to a seat, or that the seat put under a deck;
    only this seat knows which cards they are."""

    entry: int
    seat: str
    positions: tuple[Position, ...]


class TurnDeals(Mutable):
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
        """Count, for each seat, the cards that its packet must open: all but those whose handles
        are `in_lines`."""
        count = Counter(seat for seat, handle in self.handles if handle not in in_lines)
        for some in [*self.dealt, *self.under]:
            count[some.seat] += len(some.positions)
        return count


def moved(pile: Pile, decision: Decision, text: str) -> list[Position]:
    """Let an entry of chance that is no die change a deck; return the positions of the cards that
    enter it or are dealt from it. Raises RecordError `chain`."""
    if decision.kind == "shuffle":
        return pile.shuffle(len(decision.cards))
    if decision.kind == "under":
        return pile.under(len(decision.cards), int(text.rsplit(" ", 1)[1]))
    (pattern,) = decision.option_list()
    return pile.deal(pattern.count("?"))


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
            self._check_die(key, decision, text, openings)
            return
        positions = moved(pile, decision, text)
        if decision.kind in ("shuffle", "under") and positions:
            commitments = openings.cards_of(positions[0], len(positions))
            self.commitments.update(zip(positions, commitments, strict=True))
        dealt = DealtPositions(deals.entry, decision.to, tuple(positions))
        if decision.kind == "shuffle":
            return
        if decision.to == PUBLIC:
            under = decision.kind == "under"
            cards = decision.cards if under else filled(decision.option_list()[0], text)
            for at, card in zip(positions, cards, strict=True):
                opening = openings.position(at)
                self.check_dealt(opening)
                if opening.card != card:
                    told = f"the log shows {card}, but the turn opens {opening.card}"
                    raise RecordError("opening", told)
        elif decision.kind == "under":
            deals.under.append(dealt)
        else:
            deals.dealt.append(dealt)
            self.hands.setdefault(decision.to, set()).update(positions)

    def _check_die(self, key: str, decision: Decision, text: str, openings: Openings) -> None:
        link = openings.link()
        check_link(link, self.link)
        self.link = link
        faces = decision.option_list()
        face = faces[die(self._game, link, key, len(faces))]
        if text != face:
            raise RecordError("chain", f"{key}: the die shows {face!r}, but the turn says {text!r}")

    def show(self, seat: str, card: str, openings: Openings) -> None:
        """Check that a card shown from a hand was dealt to it and not shown before. Raises
        RecordError.

        The first opening that matches is enough: others may be for equal cards shown later in the
        turn.
        """
        hand = self.hands.get(seat, set())
        opening = openings.shown(card, hand)
        if opening is None:
            told = f"seat {seat} shows {card}, but no opening proves that it had this card"
            raise RecordError("opening", told)
        self.check_dealt(opening)
        hand.remove(place_of(opening))

    def check_dealt(self, opening: OpenPosition) -> None:
        """Check an opened card against its commitment. Raises RecordError `commitment`."""
        at = place_of(opening)
        if at not in self.commitments:
            raise RecordError("opening", f"card {at.k} of {at.deck} was never in the deck")
        check_position(self._game, opening, self.commitments[at])
