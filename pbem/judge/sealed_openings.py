"""The openings of sealed cards and lines in one turn, and which of them its log needs."""

from __future__ import annotations

from collections.abc import Container, Sequence

from engine.counts_and_lists_in_prose import counted
from pbem.format.record_error import RecordError
from pbem.records.seeded_decks_and_dice import Position, deck_in_words, position_of
from pbem.records.turn import OpenCard, OpenLine, OpenPosition, Turn


class Openings:
    """The openings of one turn: looks them up, and notes which ones the log needed.

    A position is a deck, its epoch (which counts shuffles) and the number of a card in it.
    """

    def __init__(self, turn: Turn) -> None:
        """Index the openings in a turn that was read and not checked yet."""
        self._lines = {(o.order, o.slot): o for o in turn.lines}
        self._cards = {o.handle: o for o in turn.cards}
        self._dealt = {position_of(o): o for o in turn.dealt}
        self._shown_openings = {position_of(o): o for o in turn.shown}
        self._decks = {Position(o.deck, o.epoch, o.first): o.cards for o in turn.decks}
        self._needed: set[object] = set()
        """The keys of the openings used so far, in the form of `check_all_used`."""
        self._links = iter(turn.links)

    def lines_of(self, order_id: bytes) -> Sequence[OpenLine]:
        """Return the lines of these orders that the turn opens."""
        return [opening for opening in self._lines.values() if opening.order == order_id]

    def use_line(self, line: OpenLine) -> None:
        """Note that this line settled a decision; an earlier turn may have opened the line."""
        if (line.order, line.slot) in self._lines:
            self._needed.add((line.order, line.slot))

    def use_card(self, handle: bytes) -> OpenCard:
        """Return the opening of a face-down card that turns up. Raises RecordError `opening` if
        there is none."""
        if handle not in self._cards:
            sentence = (
                f"the face-down card {handle.hex()[:6]} was turned face up, but the turn does not "
                "prove which card it is"
            )
            raise RecordError("opening", sentence)
        self._needed.add(handle)
        return self._cards[handle]

    def use_dealt(self, position: Position) -> OpenPosition:
        """Return the opening of a card dealt openly. Raises RecordError `opening`."""
        if position not in self._dealt:
            sentence = (
                f"the turn shows card {position.k} of {deck_in_words(position.deck)}, but does "
                "not prove "
                "which card it is"
            )
            raise RecordError("opening", sentence)
        self._needed.add(("dealt", position))
        return self._dealt[position]

    def use_shown(self, card: str, hand: Container[Position]) -> OpenPosition | None:
        """Return the first opening of this card from a position in the hand, or None."""
        for position, opening in self._shown_openings.items():
            if opening.card == card and position in hand:
                self._needed.add(("shown", position))
                return opening
        return None

    def use_commitments(self, first_position: Position, count: int) -> tuple[bytes, ...]:
        """Return the commitments to `count` cards that enter a deck from this position on. Raises
        RecordError `opening` if the turn has another number of them."""
        commitments = self._decks.get(first_position, ())
        if len(commitments) != count:
            sentence = (
                f"the turn has {counted(len(commitments), 'commitment')} to the cards that come "
                f"into {deck_in_words(first_position.deck)}; it needs {count}"
            )
            raise RecordError("opening", sentence)
        self._needed.add(("decks", first_position))
        return commitments

    def use_link(self) -> bytes:
        """Return the link for the next die. Raises RecordError `opening` if there is none."""
        if not (link := next(self._links, b"")):
            sentence = "a die is rolled, but the turn does not prove its number"
            raise RecordError("opening", sentence)
        return link

    def check_all_used(self) -> None:
        """Raise RecordError `opening` if the turn opens a card or line that its log did not need:
        no `use_` method has returned the opening."""
        published: set[object] = {*self._lines, *self._cards}
        published |= {("dealt", position) for position in self._dealt}
        published |= {("decks", position) for position in self._decks}
        published |= {("shown", position) for position in self._shown_openings}
        if published != self._needed or next(self._links, None):
            raise RecordError(
                "opening",
                "the turn shows a hidden card or a hidden line of orders that its log does "
                "not need",
            )
