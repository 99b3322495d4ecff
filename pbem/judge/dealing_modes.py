"""The way in which the cards of a game are dealt: the sealed way stands here, the hidden way in
`hidden_dealing_mode.py`, which few games need.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.judge.dealing_mode_interfaces import CardMode
from pbem.judge.sealed_cards_public_check import SealedPublicCards
from pbem.judge.sealed_cards_seat_check import SealedSeatCards
from pbem.judge.sealed_dealer import sealed_dealer
from pbem.judge.sealed_turn_differences import SEALED_DIFFERENCES
from pbem.records.charter import Charter
from pbem.records.record_header import DEALERS_MODE

SEALED: Final = CardMode(
    name="referee",
    public=SealedPublicCards,
    seat=SealedSeatCards,
    maker=sealed_dealer,
    differences=SEALED_DIFFERENCES,
    committed_cards=lambda turn: sum(len(row.cards) for row in turn.decks),
)
"""The sealed way: the referee knows all cards, but commitments, openings and packets show that
nobody swaps one."""


MODES: Final[Mapping[str, CardMode]] = {SEALED.name: SEALED}
"""The ways that are loaded with this module, by the mode in a charter: not that of mode
`dealers`."""


def mode_of(charter: Charter) -> CardMode:
    """Return the way in which the charter's cards are dealt."""
    if charter.mode == DEALERS_MODE:
        from pbem.judge.hidden_dealing_mode import HIDDEN

        return HIDDEN
    return MODES[charter.mode]
