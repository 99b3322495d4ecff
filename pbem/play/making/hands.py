"""Keep track of which dealt card is in which hand; only the referee knows this (protocol §7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pbem.format.errors import RecordError
from pbem.records.deck import Position, place_of
from pbem.records.turn import OpenPosition


class Hands:
    """The cards that were dealt to each hand and are still in it."""

    def __init__(self, rank: Callable[[Position], bytes]) -> None:
        self._rank = rank
        self._held: dict[str, list[OpenPosition]] = {}

    def take(self, seat: str, cards: Iterable[OpenPosition]) -> None:
        """Add cards to the seat's hand."""
        self._held.setdefault(seat, []).extend(cards)

    def leave(self, seat: str, card: str) -> OpenPosition:
        """Remove a card from the hand: of equal cards, the one with the smallest rank.

        The rank is secret and independent of the deal. So the card that leaves does not reveal when
        equal cards came, or whether there are any. (The published salt cannot be used for this: a
        large salt would reveal that there was no equal card.) Raises RecordError `rule` for a card
        that is not there: then the ruleset breaks law 5.
        """
        held = self._held.get(seat, [])
        equal = [opening for opening in held if opening.card == card]
        if not equal:
            raise RecordError(
                "rule", f"{card} leaves the hand of seat {seat}, but it has no such card"
            )
        opening = min(equal, key=lambda o: self._rank(place_of(o)))
        held.remove(opening)
        return opening
