"""The point under which dealers seal the shares of a seat, and the proof of its secret (§12).

The secret has no other use. If the key for boxes were also the seat point, a private message of the
seat could show which card is in a sealed share.
"""

from __future__ import annotations

from typing import Final

from pbem.cards import card_protocol_labels
from pbem.cards.secret_proofs import ProofKind, check_secret_proof, make_secret_proof
from pbem.format.curve_group import scalar_of
from pbem.format.hashes_and_streams import kdf

_SEAT_POINT: Final = ProofKind(
    "seat point", card_protocol_labels.SEAT_NONCE, card_protocol_labels.SEAT_PROOF
)


def make_seat_secret(seed: bytes, game: bytes, seat: str) -> int:
    """Return the secret scalar of a seat's point; `seed` is the 32-byte seed of the seat's signing
    key, `game` the game's 32-byte id."""
    key = kdf(seed, card_protocol_labels.SEAT_CARD, game, seat.encode())
    return scalar_of(card_protocol_labels.SEAT_SECRET, key)


def make_point_proof(secret: int, game: bytes, seat: str) -> bytes:
    """Return the 64-byte proof that this seat knows the secret of its point."""
    return make_secret_proof(_SEAT_POINT, secret, game, seat.encode())


def check_point_proof(seat_point: bytes, proof: bytes, game: bytes, seat: str) -> None:
    """Check that a seat knows the secret of its point. Raises RecordError `field`, `commitment`
    (see `check_secret_proof`)."""
    check_secret_proof(_SEAT_POINT, f"seat {seat}", seat_point, proof, game, seat.encode())
