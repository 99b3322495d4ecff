"""The hidden way to deal: several dealers hide the cards, and none of them alone can read a hand
(protocol §12, §13)."""

from __future__ import annotations

from typing import Final

from pbem.format.canonical_toml import RecordError
from pbem.judge.dealing_mode import CardDifferences, CardMode
from pbem.judge.hidden_cards_public_check import HiddenPublicCards
from pbem.judge.hidden_cards_seat_check import HiddenSeatCards
from pbem.judge.hidden_dealer import hidden_dealer
from pbem.records.turn import Turn

_LINK_ERROR: Final = RecordError(
    "chain", "the dice of this turn do not come from the seed of this game"
)
_OPENING_ERROR: Final = RecordError(
    "opening", "the turn must show exactly the lines and cards that it uses"
)
_HIDDEN_DIFFERENCES: Final = CardDifferences(
    before_orders={
        "link0": _LINK_ERROR,
        "card_key": RecordError("commitment", "card_key: it is not that of the opened secret"),
        "mix": RecordError("commitment", "mix: it does not follow from the referee's secret"),
        "opened": RecordError("commitment", "opened: the shares do not follow from the secret"),
    },
    before_log={
        "decks": RecordError("chain", "decks: the cards of other decks do not come from the seed")
    },
    in_entry="the slots are not those of the orders",
    after_log={
        "said": RecordError("rule", "said: the orders give other answers"),
        "need": RecordError("opening", "need: other slots must be opened"),
        "links": _LINK_ERROR,
        "lines": _OPENING_ERROR,
        "dealt": _OPENING_ERROR,
    },
    in_packet={"shares": "commitment"},
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
    has_checkpoints=False,
    differences=_HIDDEN_DIFFERENCES,
    committed_cards=_mixed_cards,
)
