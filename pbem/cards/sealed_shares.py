"""A dealer's share of a card that only the card's seat can read, and that everybody can check; and
the seat point under which dealers seal the shares of a seat, with the proof of its secret.

The share's point is enciphered under the seat's point (T. ElGamal, CRYPTO '84), with a proof that
it is the right one (protocol §12). So a dealer cannot shut a seat out with a wrong share, as in B.
Schoenmakers, *A Simple Publicly Verifiable Secret Sharing Scheme*, CRYPTO '99.

The secret of a seat point has no other use. If the key for boxes were also the seat point, a
private message of the seat could show which card is in a sealed share.
"""

from __future__ import annotations

from typing import Final

from pbem.cards import card_protocol_labels
from pbem.cards.card_keys_and_shares import SharePlace
from pbem.cards.card_points_and_pairs import Pair, split_points
from pbem.cards.secret_proofs import ProofKind, check_secret_proof, make_secret_proof
from pbem.format import curve_group
from pbem.format.curve_group import POINT_BYTES, SCALAR_BYTES, ScalarStream, scalar_bytes, scalar_of
from pbem.format.hashes_and_streams import kdf
from pbem.format.record_error import RecordError
from pbem.records.seeded_decks_and_dice import deck_in_words

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


SEALED_SHARE_BYTES: Final = 2 * POINT_BYTES + 3 * SCALAR_BYTES


def seal_share(secret: int, place: SharePlace, pair: Pair, seat_point: bytes) -> bytes:
    """Return a dealer's share of a hidden card, sealed for the seat with this point: two points of
    32 bytes, and their 96-byte proof."""
    key, share_point = curve_group.multiply_base(secret), curve_group.multiply(secret, pair.mask)
    statement = (*place.parts(), key, pair.mask, seat_point)
    nonces_key = kdf(scalar_bytes(secret), card_protocol_labels.SEALED_SHARE_NONCES, *statement)
    mask_scalar, share_nonce, mask_nonce = ScalarStream(nonces_key).next_scalars(3)
    sealed_points = (
        curve_group.multiply_base(mask_scalar),
        curve_group.add(share_point, curve_group.multiply(mask_scalar, seat_point)),
    )
    nonce_points = (
        curve_group.multiply_base(share_nonce),
        curve_group.multiply_base(mask_nonce),
        curve_group.weighted_sum((share_nonce, mask_nonce), (pair.mask, seat_point)),
    )
    challenge = scalar_of(
        card_protocol_labels.SEALED_SHARE_PROOF, *statement, *sealed_points, *nonce_points
    )
    answers = share_nonce + challenge * secret, mask_nonce + challenge * mask_scalar
    return b"".join((*sealed_points, *map(scalar_bytes, (challenge, *answers))))


def check_sealed_share(
    sealed_share: bytes, place: SharePlace, key: bytes, pair: Pair, seat_point: bytes
) -> None:
    """Check that a sealed share opens for its seat as the dealer's share of the hidden card.

    `key` is the dealer's card key; key, pair and `seat_point`, with the proof of its secret, have
    been checked before. Raises RecordError: `field` for a wrong length, a scalar that is too large,
    or bytes that are no point of prime order; `commitment` if the proof does not hold.
    """
    if len(sealed_share) != SEALED_SHARE_BYTES:
        sentence = f"a sealed share of a card must have {SEALED_SHARE_BYTES} bytes"
        raise RecordError("field", sentence)
    mask, sealed_point, *proof = split_points(sealed_share)
    challenge, share_answer, mask_answer = map(curve_group.read_scalar, proof)
    for point in (mask, sealed_point):
        curve_group.read_point(point)
    nonce_points = (
        curve_group.subtract(
            curve_group.multiply_base(share_answer), curve_group.multiply(challenge, key)
        ),
        curve_group.subtract(
            curve_group.multiply_base(mask_answer), curve_group.multiply(challenge, mask)
        ),
        curve_group.weighted_sum(
            (share_answer, mask_answer, -challenge), (pair.mask, seat_point, sealed_point)
        ),
    )
    statement = (*place.parts(), key, pair.mask, seat_point, mask, sealed_point)
    if challenge != scalar_of(card_protocol_labels.SEALED_SHARE_PROOF, *statement, *nonce_points):
        card = f"card {place.position.k} of {deck_in_words(place.position.deck)}"
        raise RecordError(
            "commitment",
            f"dealer {place.dealer} must prove its sealed share of {card}, but the proof is wrong",
        )


def open_share(sealed_share: bytes, scalar: int) -> bytes:
    """Return the point of a checked sealed share; `scalar` is the secret of the seat's point."""
    mask, sealed_point, *_ = split_points(sealed_share)
    return curve_group.subtract(sealed_point, curve_group.multiply(scalar, mask))
