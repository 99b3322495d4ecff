"""The hidden way to deal: several dealers hide the cards, and none of them alone can read a hand
(protocol §12, §13)."""

from __future__ import annotations

from typing import Final

from pbem.format.record_error import RecordError
from pbem.judge.dealing_mode import CardDifferences, CardMode
from pbem.judge.hidden_cards_public_check import HiddenPublicCards
from pbem.judge.hidden_cards_seat_check import HiddenSeatCards
from pbem.judge.hidden_dealer import hidden_dealer
from pbem.records.turn import Turn

_LINK_ERROR: Final = RecordError(
    "chain", "the dice of this turn do not come from the seed of this game"
)
_OPENING_ERROR: Final = RecordError(
    "opening", "the turn must show the lines and cards that it uses, and no others"
)
_HIDDEN_DIFFERENCES: Final = CardDifferences(
    before_orders={
        "link0": _LINK_ERROR,
        "card_key": RecordError(
            "commitment",
            "card_key: the key must follow from the referee's secret, which final.toml opens",
        ),
        "mix": RecordError(
            "commitment",
            "mix: the shuffle must follow from the referee's secret, which final.toml opens",
        ),
        "shares": RecordError(
            "commitment",
            "shares: the shares of cards must follow from the referee's secret, which "
            "final.toml opens",
        ),
        "opened": RecordError(
            "commitment",
            "opened: the shares of cards must follow from the referee's secret, which "
            "final.toml opens",
        ),
    },
    before_log={
        "decks": RecordError(
            "chain",
            "decks: the cards of the decks that are not hidden must come from the game's seed",
        )
    },
    in_entry="the turn must name the slots that the orders choose",
    after_log={
        "said": RecordError(
            "rule",
            "said: the turn repeats the players' answers wrongly: their orders give other answers",
        ),
        "need": RecordError(
            "opening", "need: the turn must ask the dealers for other slots than these"
        ),
        "links": _LINK_ERROR,
        "lines": _OPENING_ERROR,
        "dealt": _OPENING_ERROR,
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
