"""A dealer's mix of a deck: new masks and a new order, and the proof that nothing else changed.

The proof is Terelius and Wikström's (*Proofs of Restricted Shuffles*, AFRICACRYPT 2010), as R.
Haenni, P. Locher, R. Koenig and E. Dubuis write it down (*Pseudo-Code Algorithms for Verifiable
Re-Encryption Mix-Nets*, VOTING 2017). T. Haines proves this variant (*A Description and Proof of a
Generalised and Optimised Variant of Wikström's Mixnet*, arXiv 1901.08371). Protocol §12 has every
byte, with the letters of these papers; here they have words:

* The dealer commits to its order (`commitments`, C). A hash of everything so far gives each card a
  random weight (`weights`, u). The dealer has the same weights in its new order (`new_weights`, v).
* In both orders the weights have the same product (`chain`, Ĉ), and the commitments the same
  weighted sum. So the new weights are the old ones in the order of the commitments.
* Before and after the mix, the weighted sum of the pairs hides the same point. So the pairs too are
  the old ones in this order, with other masks.

Everything derives from the dealer's secret: once it is opened, it gives each byte again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from operator import mul
from typing import ClassVar, Final, NamedTuple, TypeVar

from pbem.cards import card_protocol_labels
from pbem.cards.card_points_and_pairs import Pair, pairs_bytes, read_mixed_pairs, split_points
from pbem.format import curve_group
from pbem.format.curve_group import SCALAR_BYTES, ScalarStream, scalar_bytes, scalar_of
from pbem.format.hashes_and_streams import Stream, kdf, pae, shuffle, u
from pbem.format.record_error import RecordError
from pbem.format.usable_public_keys import L

FIXED_SCALARS: Final = 5
"""The challenge and the four answers that a proof has for any number of cards."""
REPORTED_POINTS: Final = 16
"""The number of points, or rows of them, after which the progress of a check is reported again."""
_Points = TypeVar("_Points")


class MixPlace(NamedTuple):
    """The place that a mix is for: it proves nothing in any other."""

    game: bytes
    """The game's 32-byte id."""
    deck: str
    epoch: int
    """The number of this shuffle of the deck, counted from 0."""
    dealer: int
    """The dealer's number, counted from 0 in the order of the charter."""

    def parts(self) -> tuple[bytes, ...]:
        """Return the place as input of a hash: game, deck, u(epoch), u(dealer)."""
        return self.game, self.deck.encode("ascii"), u(self.epoch), u(self.dealer)


class Mix(NamedTuple):
    """A mix of N cards, as a record contains it."""

    pairs: bytes
    """The new pairs: 64·N bytes."""
    proof: bytes
    """32·(4·N + 5) bytes."""


def mix_proof_bytes(count: int) -> int:
    """Return the size of the proof for a number of cards."""
    return SCALAR_BYTES * (4 * count + FIXED_SCALARS)


class _Proof(NamedTuple):
    """The fields of a proof. Each list has one item for each card."""

    commitments: Sequence[bytes]
    chain: Sequence[bytes]
    challenge: int
    answers: Sequence[int]
    """The answers z1 to z4: for the sum of the commitments, the product of the weights, the order
    and the masks."""
    chain_answers: Sequence[int]
    weight_answers: Sequence[int]

    def to_bytes(self) -> bytes:
        scalars = (self.challenge, *self.answers, *self.chain_answers, *self.weight_answers)
        return b"".join((*self.commitments, *self.chain, *map(scalar_bytes, scalars)))


class _Transcript:
    """The hashes that make the proof non-interactive: of one mix, with these commitments."""

    def __init__(
        self,
        context: Sequence[bytes],
        mixed_pairs: Sequence[Pair],
        commitments: Sequence[bytes],
    ) -> None:
        """Hash all that stands before the weights; `context` has place, joint key and the pairs
        that were mixed."""
        parts = (*context, pairs_bytes(mixed_pairs), b"".join(commitments))
        self.seed = hashlib.sha512(pae(card_protocol_labels.MIX_SEED, *parts)).digest()
        self.weights = [
            scalar_of(card_protocol_labels.MIX_WEIGHT, self.seed, u(index))
            for index in range(len(mixed_pairs))
        ]

    def challenge(self, chain: Sequence[bytes], nonce_points: Sequence[bytes]) -> int:
        """Return the challenge, once everything is hashed."""
        return scalar_of(
            card_protocol_labels.MIX_PROOF, self.seed, b"".join(chain), b"".join(nonce_points)
        )


def _context(place: MixPlace, key: bytes, pairs: Sequence[Pair]) -> tuple[bytes, ...]:
    return *place.parts(), key, pairs_bytes(pairs)


def _generators(count: int) -> tuple[bytes, list[bytes]]:
    """Return H and a generator for each card: points whose logarithms nobody knows."""
    points = [
        curve_group.point_of(card_protocol_labels.MIX_GENERATOR, u(number))
        for number in range(count + 1)
    ]
    return points[0], points[1:]


# ---- the dealer


def make_mix(secret: int, place: MixPlace, key: bytes, pairs: Sequence[Pair]) -> Mix:
    """Mix a deck and prove it. Again with the same arguments it gives the same bytes.

    `secret` is the dealer's scalar, `key` the joint key under which the pairs are masked.
    """
    context = _context(place, key, pairs)
    mix_key = kdf(scalar_bytes(secret), card_protocol_labels.MIX, *context)
    order = shuffle(range(len(pairs)), Stream(kdf(mix_key, card_protocol_labels.MIX_ORDER)))
    numbers = ScalarStream(kdf(mix_key, card_protocol_labels.MIX_NUMBERS))
    mask_scalars = numbers.next_scalars(len(pairs))
    mixed_pairs = [_masked_again(pairs[index], mask_scalars[index], key) for index in order]

    base_generator, generators = _generators(len(pairs))
    commitment_scalars = numbers.next_scalars(len(pairs))
    commitments = [curve_group.IDENTITY] * len(pairs)
    for index, generator in zip(order, generators, strict=True):
        blinding = curve_group.multiply_base(commitment_scalars[index])
        commitments[index] = curve_group.add(blinding, generator)
    transcript = _Transcript(context, mixed_pairs, commitments)
    new_weights = [transcript.weights[index] for index in order]

    chain_scalars = numbers.next_scalars(len(pairs))
    chain, chain_scalar = [base_generator], 0
    for scalar, weight in zip(chain_scalars, new_weights, strict=True):
        chain.append(_chained(scalar, weight, chain[-1]))
        chain_scalar = (scalar + weight * chain_scalar) % L

    nonce_key = kdf(mix_key, card_protocol_labels.MIX_NONCES, transcript.seed, b"".join(chain[1:]))
    nonces = ScalarStream(nonce_key)
    fixed_nonces = nonces.next_scalars(FIXED_SCALARS - 1)
    sum_nonce, product_nonce, order_nonce, mask_nonce = fixed_nonces
    chain_nonces, weight_nonces = nonces.next_scalars(len(pairs)), nonces.next_scalars(len(pairs))
    nonce_points = [
        curve_group.multiply_base(sum_nonce),
        curve_group.multiply_base(product_nonce),
        curve_group.add(
            curve_group.multiply_base(order_nonce),
            curve_group.weighted_sum(weight_nonces, generators),
        ),
        curve_group.weighted_sum(
            [*weight_nonces, -mask_nonce], [*(pair.masked_card for pair in mixed_pairs), key]
        ),
        curve_group.subtract(
            curve_group.weighted_sum(weight_nonces, [pair.mask for pair in mixed_pairs]),
            curve_group.multiply_base(mask_nonce),
        ),
        *map(_chained, chain_nonces, weight_nonces, chain[:-1]),
    ]
    challenge = transcript.challenge(chain[1:], nonce_points)

    def answers(nonces: Sequence[int], secrets: Sequence[int]) -> list[int]:
        return [nonce + challenge * secret for nonce, secret in zip(nonces, secrets, strict=True)]

    fixed_secrets = [
        sum(commitment_scalars),
        chain_scalar,
        sum(map(mul, transcript.weights, commitment_scalars)),
        sum(map(mul, transcript.weights, mask_scalars)),
    ]
    proof = _Proof(
        commitments,
        chain[1:],
        challenge,
        answers(fixed_nonces, fixed_secrets),
        answers(chain_nonces, chain_scalars),
        answers(weight_nonces, new_weights),
    )
    return Mix(pairs_bytes(mixed_pairs), proof.to_bytes())


def _masked_again(pair: Pair, scalar: int, key: bytes) -> Pair:
    """Return the same card with another mask."""
    masked_card = curve_group.add(pair.masked_card, curve_group.multiply(scalar, key))
    return Pair(masked_card, curve_group.add(pair.mask, curve_group.multiply_base(scalar)))


def _chained(scalar: int, weight: int, previous: bytes) -> bytes:
    """Return a link of the chain: scalar times the base point, and weight times the link before."""
    return curve_group.add(
        curve_group.multiply_base(scalar), curve_group.multiply(weight, previous)
    )


# ---- everybody else


class MixCheck:
    """The progress of a check, for a face that shows it: in a browser tab, a check takes
    seconds."""

    on_progress: ClassVar[Callable[[int], object]] = staticmethod(lambda percent: None)
    """Gets the percentage that is done, several times in each check; 100 when it has ended, also by
    an error. A face sets it."""


def check_mix(mix: Mix, place: MixPlace, key: bytes, pairs: Sequence[Pair]) -> list[Pair]:
    """Check that a mix hides the cards of the given pairs, and return the new pairs.

    That nobody knows the new masks, or the order, is not proven: this is the dealer's own affair.
    `key` is the joint key; key and pairs have been checked before. Raises RecordError: `field` for
    a wrong length, a scalar that is too large, bytes that are no point of prime order, or a point
    that is there twice or was there before; `commitment` if the proof does not hold.
    """
    proof = _read_scalars(mix.proof, len(pairs))
    MixCheck.on_progress(0)
    try:
        mixed_pairs = read_mixed_pairs(mix.pairs, pairs)
        for point in _reported((*proof.commitments, *proof.chain), 15, 40):
            curve_group.read_point(point)
        transcript = _Transcript(_context(place, key, pairs), mixed_pairs, proof.commitments)
        nonce_points = _nonce_points(proof, transcript.weights, key, pairs, mixed_pairs)
    finally:
        MixCheck.on_progress(100)
    if proof.challenge != transcript.challenge(proof.chain, nonce_points):
        raise RecordError(
            "commitment",
            f"dealer {place.dealer} must prove that its shuffle has the same cards as "
            "before, but the proof is wrong",
        )
    return mixed_pairs


def _reported(
    points: Sequence[_Points], first_percent: int, last_percent: int
) -> Iterator[_Points]:
    """Yield the points, or rows of them, and report from time to time which part of the check is
    done: from the first percentage to the last."""
    for index, row in enumerate(points):
        if index % REPORTED_POINTS == 0:
            percents = (last_percent - first_percent) * index // len(points)
            MixCheck.on_progress(first_percent + percents)
        yield row


def _read_scalars(data: bytes, count: int) -> _Proof:
    """Split a proof into fields, and check the length and the scalars, but not the points.

    Raises RecordError `field`.
    """
    if len(data) != mix_proof_bytes(count):
        size = mix_proof_bytes(count)
        raise RecordError(
            "field", f"the proof for a shuffle of {count} cards must have {size} bytes"
        )
    pieces = split_points(data)
    points, scalars = pieces[: 2 * count], [*map(curve_group.read_scalar, pieces[2 * count :])]
    challenge, *answers = scalars[:FIXED_SCALARS]
    card_scalars = scalars[FIXED_SCALARS:]
    return _Proof(
        points[:count],
        points[count:],
        challenge,
        answers,
        card_scalars[:count],
        card_scalars[count:],
    )


def _nonce_points(
    proof: _Proof,
    weights: Sequence[int],
    key: bytes,
    pairs: Sequence[Pair],
    mixed_pairs: Sequence[Pair],
) -> list[bytes]:
    """Return T1 to T5 and each T̂, as they must have been if the proof's answers are right."""
    base_generator, generators = _generators(len(pairs))
    challenge = proof.challenge
    sum_answer, product_answer, order_answer, mask_answer = proof.answers
    chain = [base_generator, *proof.chain]
    blinding = curve_group.IDENTITY
    for commitment, generator in zip(proof.commitments, generators, strict=True):
        blinding = curve_group.add(blinding, curve_group.subtract(commitment, generator))
    product = 1
    for weight in weights:
        product = product * weight % L
    product_point = curve_group.multiply(product, base_generator)
    scalars = [*proof.weight_answers, *(-challenge * weight for weight in weights)]
    return [
        curve_group.subtract(
            curve_group.multiply_base(sum_answer), curve_group.multiply(challenge, blinding)
        ),
        curve_group.subtract(
            curve_group.multiply_base(product_answer),
            curve_group.multiply(challenge, curve_group.subtract(chain[-1], product_point)),
        ),
        curve_group.add(
            curve_group.multiply_base(order_answer),
            curve_group.weighted_sum(scalars, [*generators, *proof.commitments]),
        ),
        curve_group.weighted_sum(
            [*scalars, -mask_answer], [*(pair.masked_card for pair in (*mixed_pairs, *pairs)), key]
        ),
        curve_group.subtract(
            curve_group.weighted_sum(scalars, [pair.mask for pair in (*mixed_pairs, *pairs)]),
            curve_group.multiply_base(mask_answer),
        ),
        *(
            curve_group.add(
                curve_group.multiply_base(scalar),
                curve_group.weighted_sum((weight, -challenge), (previous, link)),
            )
            for scalar, weight, previous, link in _reported(
                [
                    *zip(
                        proof.chain_answers,
                        proof.weight_answers,
                        chain[:-1],
                        proof.chain,
                        strict=True,
                    )
                ],
                70,
                100,
            )
        ),
    ]
