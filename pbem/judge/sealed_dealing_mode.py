"""The sealed way to deal: the referee knows all cards, but commitments, openings and packets show
that nobody swaps one.

The audit's errors about a turn that opens or hides other cards than the seed gives are here too
(protocol §1, §7).
"""

from __future__ import annotations

from typing import Final

from pbem.format.record_error import RecordError
from pbem.judge.dealing_mode import CardDifferences, CardMode
from pbem.judge.sealed_cards_public_check import SealedPublicCards
from pbem.judge.sealed_cards_seat_check import SealedSeatCards
from pbem.judge.sealed_dealer import sealed_dealer
from pbem.records.turn import Turn


def _explain_decks(turn: Turn, expected_turn: Turn) -> RecordError:
    """Return the error for the first commitments to cards of a deck that differ. A deck's epoch
    counts its shuffles."""
    expected_rows = {(row.deck, row.epoch, row.first): row for row in expected_turn.decks}
    for row in turn.decks:
        subject = f"decks, {row.deck}, shuffle {row.epoch + 1}"
        expected_row = expected_rows.get((row.deck, row.epoch, row.first))
        if expected_row is None:
            sentence = f"{subject}: the turn adds cards, but no cards come into this deck"
            return RecordError("chain", sentence)
        commitments = enumerate(zip(row.cards, expected_row.cards, strict=False))
        wrong_indexes = [i for i, (commitment, expected) in commitments if commitment != expected]
        if wrong_indexes:
            return RecordError(
                "chain",
                f"{subject}: {len(wrong_indexes)} of {len(row.cards)} cards do not come from "
                f"the seed; the first of them is card {row.first + wrong_indexes[0]}",
            )
    return RecordError(
        "chain",
        "decks: the turn must have a commitment for each card that comes into a deck, but "
        "some are missing",
    )


def _explain_shown(turn: Turn, expected_turn: Turn) -> RecordError:
    """Return the error for the first card that the turn wrongly shows as leaving a hand, or for one
    that it leaves out."""
    for opening in turn.shown:
        if opening not in expected_turn.shown:
            return RecordError(
                "opening",
                f"shown: the turn shows {opening.card} as card {opening.k} of {opening.deck}, but "
                "this card did not leave the hand",
            )
    return RecordError(
        "opening",
        "shown: the turn must list all cards that players put down face up from their hands",
    )


_LINK_ERROR: Final = RecordError(
    "chain", "the dice of this turn do not come from the seed of this game"
)
_OPENING_ERROR: Final = RecordError(
    "opening", "the turn must show the lines and cards that it uses, and no others"
)
_DIFFERENCES: Final = CardDifferences(
    before_orders={"link0": _LINK_ERROR},
    before_log={"decks": _explain_decks},
    in_entry="the codes of the face-down cards (their handles) do not match these cards",
    after_log={
        "links": _LINK_ERROR,
        "lines": _OPENING_ERROR,
        "cards": _OPENING_ERROR,
        "dealt": _OPENING_ERROR,
        "shown": _explain_shown,
    },
    in_packet={"dealt": "chain", "under": "chain", "hidden": "commitment"},
)


SEALED: Final = CardMode(
    name="referee",
    public=SealedPublicCards,
    seat=SealedSeatCards,
    maker=sealed_dealer,
    differences=_DIFFERENCES,
    committed_cards=lambda turn: sum(len(row.cards) for row in turn.decks),
)
