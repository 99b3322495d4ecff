"""Hands, card by card: which dealt card lies in which; only the referee knows (protocol §7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pbem.format.errors import RecordError
from pbem.records.deck import Position, place_of
from pbem.records.turn import OpenPosition


class Hands:
    """What was dealt to each hand and has not left it."""

    def __init__(self, rank: Callable[[Position], bytes]) -> None:
        self._rank = rank
        self._held: dict[str, list[OpenPosition]] = {}

    def take(self, seat: str, cards: Iterable[OpenPosition]) -> None:
        """Cards come to the hand."""
        self._held.setdefault(seat, []).extend(cards)

    def leave(self, seat: str, card: str) -> OpenPosition:
        """A card leaves the hand; of equal ones that with the smallest rank.

        The rank is a secret and has nothing to do with the deal, so which one left tells neither
        when the others came nor whether there are any. (The published salt would not do: a large
        one would tell that there was no equal card.) Raises RecordError `rule` for a card that is
        not there: the rules do not keep law 5.
        """
        held = self._held.get(seat, [])
        equal = [opening for opening in held if opening.card == card]
        if not equal:
            raise RecordError(
                "rule", f"{card} leaves the hand of {seat}, but no such card was dealt to it"
            )
        opening = min(equal, key=lambda o: self._rank(place_of(o)))
        held.remove(opening)
        return opening
