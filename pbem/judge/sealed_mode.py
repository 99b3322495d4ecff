"""The referee knows all cards; commitments, openings and packets show that nobody swaps one."""

from __future__ import annotations

from typing import Final

from pbem.judge.card_mode import CardMode
from pbem.judge.sealed_cards import sealed_dealer
from pbem.judge.sealed_public import SealedPublicCards
from pbem.judge.sealed_seat import SealedSeatCards

SEALED: Final = CardMode("referee", SealedPublicCards, SealedSeatCards, sealed_dealer)
