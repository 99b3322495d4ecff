"""The sealed way to deal: the referee knows all cards, but commitments, openings and packets show
that nobody swaps one.
"""

from __future__ import annotations

from typing import Final

from pbem.judge.dealing_mode import CardMode
from pbem.judge.sealed_cards_public_check import SealedPublicCards
from pbem.judge.sealed_cards_seat_check import SealedSeatCards
from pbem.judge.sealed_dealer import sealed_dealer
from pbem.judge.sealed_turn_differences import SEALED_DIFFERENCES

SEALED: Final = CardMode(
    name="referee",
    public=SealedPublicCards,
    seat=SealedSeatCards,
    maker=sealed_dealer,
    differences=SEALED_DIFFERENCES,
    committed_cards=lambda turn: sum(len(row.cards) for row in turn.decks),
)
