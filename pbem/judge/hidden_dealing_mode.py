"""The hidden way to deal: several dealers hide the cards, and none of them alone can read a hand
(protocol §12, §13)."""

from __future__ import annotations

from typing import Final

from pbem.format.record_error import RecordError
from pbem.judge.dealing_mode_interfaces import (
    LINK_ERROR,
    OPENING_ERROR,
    CardDifferences,
    CardMode,
)
from pbem.judge.hidden_cards_public_check import OTHER_CARDS_ASKED, HiddenPublicCards
from pbem.judge.hidden_cards_seat_check import HiddenSeatCards
from pbem.judge.hidden_dealer import hidden_dealer
from pbem.records.turn import Turn

_HIDDEN_DIFFERENCES: Final = CardDifferences(
    before_orders={
        "link0": LINK_ERROR,
        "card_key": RecordError(
            "commitment",
            "the referee's card key does not fit the secret that the referee published in "
            "final.toml",
        ),
        "mix": RecordError(
            "commitment",
            "the referee's shuffle does not fit the secret that the referee published in "
            "final.toml",
        ),
        "shares": RecordError(
            "commitment",
            "the referee's shares of dealt cards do not fit the secret that the referee published "
            "in final.toml",
        ),
        "opened": RecordError(
            "commitment",
            "the referee's shares of the cards shown do not fit the secret that the referee "
            "published in final.toml",
        ),
    },
    before_log={
        "decks": RecordError(
            "chain",
            "the order of the cards in a deck does not come from the seed of this game",
        )
    },
    in_entry="the turn takes other cards from the hand than the orders choose",
    after_log={
        "said": RecordError(
            "rule",
            "the answers in the turn are not those in the players' orders",
        ),
        "need": RecordError("opening", OTHER_CARDS_ASKED),
        "links": LINK_ERROR,
        "lines": OPENING_ERROR,
        "dealt": OPENING_ERROR,
    },
    in_packet={},
)


def _mixed_cards(turn: Turn) -> int:
    """Return the number of cards that the referee, as the last dealer, mixed in a turn."""
    mixed_count = len(turn.mix.pairs) // 64 if turn.mix else 0
    return mixed_count + sum(len(row.cards) for row in turn.decks)


HIDDEN: Final = CardMode(
    name="dealers",
    public=HiddenPublicCards,
    seat=HiddenSeatCards,
    maker=hidden_dealer,
    has_handles=False,
    differences=_HIDDEN_DIFFERENCES,
    committed_cards=_mixed_cards,
)
