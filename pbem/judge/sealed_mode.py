"""The referee knows all cards; commitments, openings and packets show that nobody swaps one.

What the audit says of a turn that opens or hides other cards than the seed gives is here too
(protocol §1, §7).
"""

from __future__ import annotations

from typing import Final

from pbem.format.canonical import RecordError
from pbem.judge.card_mode import CardDifferences, CardMode
from pbem.judge.sealed_cards import sealed_dealer
from pbem.judge.sealed_public import SealedPublicCards
from pbem.judge.sealed_seat import SealedSeatCards
from pbem.records.turn import NewCards, Turn


def _decks(turn: Turn, right: Turn) -> RecordError:
    right_cards = {(new.deck, new.epoch, new.first): new for new in right.decks}
    for new in turn.decks:
        expected = right_cards.get((new.deck, new.epoch, new.first))
        if expected is None:
            return RecordError("chain", f"{_deck(new)}: no cards enter the deck here")
        pairs = enumerate(zip(new.cards, expected.cards, strict=False))
        if wrong := [k for k, (one, other) in pairs if one != other]:
            clause = f"{len(wrong)} of {len(new.cards)} cards do not come from this seed"
            first = f"the first is card {new.first + wrong[0]}"
            return RecordError("chain", f"{_deck(new)}: {clause}; {first}")
    return RecordError("chain", "decks: some cards that enter a deck have no commitment")


def _deck(new: NewCards) -> str:
    return f"decks, {new.deck}, epoch {new.epoch}"


def _shown(turn: Turn, right: Turn) -> RecordError:
    for opening in turn.shown:
        if opening not in right.shown:
            card = f"{opening.card}, shown as card {opening.k} of {opening.deck}"
            return RecordError("opening", f"shown: {card}, did not leave the hand")
    return RecordError("opening", "shown: must list all cards that left a hand in public")


_LINKS: Final = RecordError("chain", "the dice do not come from this seed: the chain is different")
_USED: Final = RecordError("opening", "the turn must open exactly the lines and cards used")
_DIFFERENCES: Final = CardDifferences(
    before_orders={"link0": _LINKS},
    before_log={"decks": _decks},
    in_entry="the handles do not match the cards put down",
    after_log={"links": _LINKS, "lines": _USED, "cards": _USED, "dealt": _USED, "shown": _shown},
    in_packet={"dealt": "chain", "under": "chain", "hidden": "commitment"},
)


def _committed_cards(turn: Turn) -> int:
    return sum(len(new.cards) for new in turn.decks)


SEALED: Final = CardMode(
    name="referee",
    public=SealedPublicCards,
    seat=SealedSeatCards,
    maker=sealed_dealer,
    differences=_DIFFERENCES,
    committed_cards=_committed_cards,
)
