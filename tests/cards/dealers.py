"""Some dealers of a small deck: what the tests of hidden cards begin with."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from pbem.cards.card_keys_and_shares import (
    SharePlace,
    check_card_share,
    check_key_proof,
    joint_key,
    make_card_secret,
    make_card_share,
    make_key_proof,
)
from pbem.cards.card_points_and_pairs import Pair, cards_by_point, known_pairs, unmasked_point
from pbem.cards.mixing import Mix, MixPlace, check_mix, make_mix
from pbem.cards.sealed_shares import make_seat_secret
from pbem.format.curve_group import multiply_base
from pbem.format.record_error import RecordError
from pbem.records.seeded_decks_and_dice import Position

GAME = hashlib.sha256(b"a game").digest()


class Dealers:
    """The secrets of dealers, and what they write; each piece is checked as it is made."""

    def __init__(self, seed: bytes = b"two dealers", count: int = 2) -> None:
        self.people = [hashlib.sha256(seed + bytes([d])).digest() for d in range(count)]
        self.secrets = [make_card_secret(person, GAME) for person in self.people]
        self.key_proofs = [make_key_proof(secret, GAME, d) for d, secret in enumerate(self.secrets)]
        self.keys = [
            check_key_proof(multiply_base(secret), proof, GAME, d)
            for d, (secret, proof) in enumerate(zip(self.secrets, self.key_proofs, strict=True))
        ]
        self.joint_key = joint_key(self.keys)

    def mixes(self, deck: str, epoch: int, cards: Iterable[str]) -> tuple[list[Mix], list[Pair]]:
        """The mix of each dealer, and the pairs after all."""
        pairs, mixes = known_pairs(GAME, cards), []
        for number, secret in enumerate(self.secrets):
            place = MixPlace(GAME, deck, epoch, number)
            mixes.append(make_mix(secret, place, self.joint_key, pairs))
            pairs = check_mix(mixes[-1], place, self.joint_key, pairs)
        return mixes, pairs

    def opened(self, position: Position, pair: Pair, cards: Iterable[str]) -> dict[str, Any]:
        """All dealers' shares of a card, as hex, and the card that they give."""
        shares, points = [], []
        for number, secret in enumerate(self.secrets):
            place = SharePlace(GAME, position, number)
            shares.append(make_card_share(secret, place, pair))
            points.append(check_card_share(shares[-1], place, self.keys[number], pair))
        card = cards_by_point(GAME, cards)[unmasked_point(pair, points, len(self.secrets))]
        return {"shares": [share.hex() for share in shares], "card": card}


SEAT_SEED = hashlib.sha256(b"a seat").digest()
"""The seed of the signing key of seat a."""
SEAT_SECRET = make_seat_secret(SEAT_SEED, GAME, "a")
"""The secret of its seat point."""


def flipped_bits(data: bytes, field: int) -> Iterator[bytes]:
    """The bytes with one bit changed: each bit of the field with this number, of 32 bytes."""
    number = int.from_bytes(data, "little")
    for bit in range(256 * field, 256 * (field + 1)):
        yield (number ^ 1 << bit).to_bytes(len(data), "little")


def refusal_reason(check: Callable[..., object], *arguments: object) -> str:
    """The reason why a check refuses these; fails if it does not."""
    with pytest.raises(RecordError) as caught:
        check(*arguments)
    return caught.value.reason
