"""The sealed way to deal: the referee knows all cards, but cannot swap one unnoticed (protocol §5,
§7)."""

from __future__ import annotations

from typing import Final

from pbem.format.record_error import RecordError
from pbem.judge.dealing_mode_interfaces import LINK_ERROR, OPENING_ERROR, CardDifferences, CardMode
from pbem.judge.sealed_cards_public_check import SealedPublicCards
from pbem.judge.sealed_cards_seat_check import SealedSeatCards
from pbem.judge.sealed_dealer import sealed_dealer
from pbem.records.seeded_decks_and_dice import deck_in_words
from pbem.records.turn import Turn


def _explain_decks(turn: Turn, expected_turn: Turn) -> RecordError:
    """Return the error for the first commitments to cards of a deck that differ. A deck's epoch
    counts its shuffles."""
    expected_rows = {(row.deck, row.epoch, row.first): row for row in expected_turn.decks}
    for row in turn.decks:
        subject = f"shuffle {row.epoch + 1} of {deck_in_words(row.deck)}"
        expected_row = expected_rows.get((row.deck, row.epoch, row.first))
        if expected_row is None:
            sentence = f"{subject}: the turn adds cards to this deck, but the game adds none here"
            return RecordError("chain", sentence)
        commitments = enumerate(zip(row.cards, expected_row.cards, strict=False))
        wrong_indexes = [i for i, (commitment, expected) in commitments if commitment != expected]
        if wrong_indexes:
            return RecordError(
                "chain",
                f"{subject}: {len(wrong_indexes)} of {len(row.cards)} cards are not where the "
                "seed of "
                f"this game puts them; the first is card {row.first + wrong_indexes[0]}",
            )
    return RecordError(
        "chain",
        "cards come into a deck, but the turn lacks the commitments to some of them",
    )


def _explain_shown(turn: Turn, expected_turn: Turn) -> RecordError:
    """Return the error for the first card that the turn wrongly shows as leaving a hand, or for one
    that it leaves out."""
    for opening in turn.shown:
        if opening not in expected_turn.shown:
            return RecordError(
                "opening",
                f"the turn shows the hidden card {opening.card}, which did not leave its hand",
            )
    return RecordError(
        "opening",
        "the turn does not prove all cards that players put down face up from their hands",
    )


SEALED_DIFFERENCES: Final = CardDifferences(
    before_orders={"link0": LINK_ERROR},
    before_log={"decks": _explain_decks},
    in_entry="the codes of the face-down cards (their handles) belong to other cards",
    after_log={
        "links": LINK_ERROR,
        "lines": OPENING_ERROR,
        "cards": OPENING_ERROR,
        "dealt": OPENING_ERROR,
        "shown": _explain_shown,
    },
    in_packet={"dealt": "chain", "under": "chain", "hidden": "commitment"},
)
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
