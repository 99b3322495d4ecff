"""Check the openings of a turn: it must have exactly those that its log needs (protocol §3, b)."""

from __future__ import annotations

from collections.abc import Container, Sequence

from pbem.format.errors import RecordError
from pbem.records.deck import Position, place_of
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
            raise RecordError(
                "opening", f"the card {handle.hex()[:6]} turns up, but no opening shows it"
            )
        self._needed.add(handle)
        return self._cards[handle]

    def position(self, at: Position) -> OpenPosition:
        """Return the opening of a card dealt openly.

        Raises RecordError `opening` if there is none.
        """
        if at not in self._dealt:
            raise RecordError(
                "opening", f"card {at.k} of {at.deck} is shown, but no opening proves it"
            )
        self._needed.add(("dealt", at))
        return self._dealt[at]

    def shown(self, card: str, hand: Container[Position]) -> OpenPosition | None:
        """Return the first opening of this card from a position in this hand; None if there is
        none."""
        for at, opening in self._shown.items():
            if opening.card == card and at in hand:
                self._needed.add(("shown", at))
                return opening
        return None

    def cards_of(self, first: Position, count: int) -> tuple[bytes, ...]:
        """Return the commitments to cards that enter a deck.

        Raises RecordError `opening` if missing.
        """
        cards = self._decks.get(first, ())
        if len(cards) != count:
            raise RecordError(
                "opening", f"{count} cards enter {first.deck}, but {len(cards)} have a commitment"
            )
        self._needed.add(("decks", first))
        return cards

    def link(self) -> bytes:
        """Return the link for the next die. Raises RecordError `opening` if there is none."""
        if not (link := next(self._links, b"")):
            raise RecordError(
                "opening", "a die is rolled, but the turn opens no link of the dice chain for it"
            )
        return link

    def all_used(self) -> None:
        """Raise RecordError `opening` if the turn opens something that the log did not need."""
        there: set[object] = {*self._lines, *self._cards}
        there |= {("dealt", at) for at in self._dealt} | {("decks", at) for at in self._decks}
        there |= {("shown", at) for at in self._shown}
        if there != self._needed or next(self._links, None):
            raise RecordError("opening", "the turn opens something that the log does not require")
