"""The record `final`: the secrets that open a finished game to everybody, and their check."""

from __future__ import annotations

from typing import ClassVar, Final

from pbem.format.encrypted_box import (
    public_of,
)
from pbem.format.record_error import RecordError
from pbem.records.charter import Charter
from pbem.records.record_field_codecs import hash32, hexed, wire
from pbem.records.record_header import DEALERS_MODE, Header, RecordKind
from pbem.records.seeded_decks_and_dice import referee_commitment


class FinalRecord(Header, kw_only=True):
    """The final record: the secrets that open the finished game to everybody; `final.toml`."""

    kind: ClassVar[RecordKind] = "final"
    r_ref: bytes = wire(hash32)
    """The referee's share in the seed."""
    audit: bytes = wire(hash32)
    """The X25519 secret of the charter's key `audit`."""
    card_secret: bytes = wire(hexed(32), b"")
    """Mode `dealers`: the referee's secret scalar, whose card key is in turn 1."""


FINAL_AFTER_OTHER_TURN: Final = (
    "final.toml follows a different turn, not the last turn in this folder"
)


def check_final(charter: Charter, final: FinalRecord) -> None:
    """Check that the secrets belong to the charter. Raises RecordError `commitment`; `field` for a
    card secret in another mode than `dealers`, none in it, or one that is not below L."""
    check_opened(charter, final.r_ref, final.audit)
    if final.card_secret and charter.mode != DEALERS_MODE:
        sentence = "this file has the field card_secret, which only games in mode dealers have"
        raise RecordError("field", sentence)
    if charter.mode == DEALERS_MODE and not final.card_secret:
        sentence = "this file lacks the field card_secret, which games in mode dealers have"
        raise RecordError("field", sentence)
    if final.card_secret:
        from pbem.format.curve_group import read_scalar  # late: most games have no such card

        read_scalar(final.card_secret)


def check_opened(charter: Charter, r_ref: bytes, audit: bytes) -> None:
    """Check that these secrets belong to the charter. Raises RecordError `commitment`."""
    if referee_commitment(charter.table, r_ref) != charter.commit:
        raise RecordError(
            "commitment",
            "the secret that the referee publishes (field r_ref) is not the secret that the "
            "referee committed to in game.toml",
        )
    if public_of(audit) != charter.audit:
        raise RecordError(
            "commitment",
            "the key that the referee publishes (field audit) is not the key that the referee "
            "committed to in game.toml",
        )
