"""A dealer's card key and shares of cards, each with a proof of the secret in it.

The proof of a key is one of `secret_proofs.py`; that of a share is by D. Chaum and T. P. Pedersen,
*Wallet Databases with Observers*, CRYPTO '92, with a nonce and a hash of the same kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, NewType

from pbem.cards import card_protocol_labels
from pbem.cards.card_points_and_pairs import Pair, split_points
from pbem.cards.secret_proofs import (
    ProofKind,
    check_secret_proof,
    make_nonce,
    make_secret_proof,
)
from pbem.format import curve_group
from pbem.format.curve_group import POINT_BYTES, SCALAR_BYTES, scalar_bytes, scalar_of
from pbem.format.hashes_and_streams import kdf, u
from pbem.format.record_error import RecordError
from pbem.records.seeded_decks_and_dice import Position, deck_in_words

SHARE_BYTES: Final = POINT_BYTES + 2 * SCALAR_BYTES
_CARD_KEY: Final = ProofKind(
    "card key", card_protocol_labels.KEY_NONCE, card_protocol_labels.KEY_PROOF
)


ProvenKey = NewType("ProvenKey", bytes)
"""A card key whose dealer proved to know its secret: no other may enter the joint key."""


class SharePlace(NamedTuple):
    """The place that a share is for: it proves nothing in any other."""

    game: bytes
    """The game's 32-byte id."""
    position: Position
    dealer: int
    """The dealer's number, counted from 0 in the order of the charter."""

    def parts(self) -> tuple[bytes, ...]:
        """Return the place as input of a hash: game, deck, u(epoch), u(k), u(dealer)."""
        return self.game, *self.position.parts(), u(self.dealer)


def make_card_secret(seed: bytes, game: bytes) -> int:
    """Return a dealer's secret scalar for one game.

    `seed` is the 32-byte seed of the dealer's key, also of a referee: the secrets that a referee
    opens with `final` are the same in all games with one `table`. `game` is the game's 32-byte id.
    """
    return scalar_of(
        card_protocol_labels.CARD_SECRET, kdf(seed, card_protocol_labels.CARD_KEY, game)
    )


def make_key_proof(secret: int, game: bytes, dealer: int) -> bytes:
    """Return the 64-byte proof that the dealer with this number knows the secret of its key."""
    return make_secret_proof(_CARD_KEY, secret, game, u(dealer))


def check_key_proof(key: bytes, proof: bytes, game: bytes, dealer: int) -> ProvenKey:
    """Check that a dealer knows the secret of its card key, and return the key. Raises RecordError
    `field`, `commitment` (see `check_secret_proof`)."""
    check_secret_proof(_CARD_KEY, f"dealer {dealer}", key, proof, game, u(dealer))
    return ProvenKey(key)


def joint_key(keys: Sequence[ProvenKey]) -> bytes:
    """Return the sum of the dealers' card keys, which hides the cards.

    Raises RecordError `field` if two dealers have one key, or if keys cancel each other: all of
    them, or all but one, who would then read every card alone.
    """
    if len(set(keys)) < len(keys):
        raise RecordError("field", "two dealers have the same card key")
    total = curve_group.IDENTITY
    for key in keys:
        total = curve_group.add(total, key)
    if total == curve_group.IDENTITY:
        raise RecordError(
            "field", "the dealers' card keys cancel each other out, so they would hide no card"
        )
    if total in keys:
        raise RecordError(
            "field",
            "the dealers' joint key is the card key of one dealer, who could read all cards alone",
        )
    return total


def make_card_share(secret: int, place: SharePlace, pair: Pair) -> bytes:
    """Return a dealer's share of a hidden card: secret · mask, 32 bytes, and its 64-byte proof."""
    key, share_point = curve_group.multiply_base(secret), curve_group.multiply(secret, pair.mask)
    statement = (*place.parts(), key, pair.mask, share_point)
    nonce = make_nonce(secret, card_protocol_labels.SHARE_NONCE, *statement)
    nonce_points = curve_group.multiply_base(nonce), curve_group.multiply(nonce, pair.mask)
    challenge = scalar_of(card_protocol_labels.SHARE_PROOF, *statement, *nonce_points)
    return share_point + scalar_bytes(challenge) + scalar_bytes(nonce + challenge * secret)


def check_card_share(share: bytes, place: SharePlace, key: bytes, pair: Pair) -> bytes:
    """Check a dealer's share of a hidden card, and return its point.

    `key` is the dealer's card key; key and pair have been checked before. Raises RecordError:
    `field` for a wrong length, a scalar that is too large, or bytes that are no point of prime
    order; `commitment` if the proof does not hold.
    """
    if len(share) != SHARE_BYTES:
        raise RecordError("field", f"a share of a card must have {SHARE_BYTES} bytes")
    share_point, *proof = split_points(share)
    challenge, answer = map(curve_group.read_scalar, proof)
    curve_group.read_point(share_point)
    nonce_points = (
        curve_group.subtract(
            curve_group.multiply_base(answer), curve_group.multiply(challenge, key)
        ),
        curve_group.weighted_sum((answer, -challenge), (pair.mask, share_point)),
    )
    statement = (*place.parts(), key, pair.mask, share_point)
    if challenge != scalar_of(card_protocol_labels.SHARE_PROOF, *statement, *nonce_points):
        card = f"card {place.position.k} of {deck_in_words(place.position.deck)}"
        sentence = f"dealer {place.dealer} must prove its share of {card}, but the proof is wrong"
        raise RecordError("commitment", sentence)
    return share_point
