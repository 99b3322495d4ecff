"""What a program must refuse of hidden cards, each with the reason: rows of `hidden-cards.json`.

A row is about the three dealers of that file, and says which dealer writes these bytes. Where a
check could be forgotten, the rest holds: with torsion, the equations of a proof are right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

from pbem.cards import card_protocol_labels, mixing
from pbem.cards.card_keys_and_shares import SharePlace, make_card_share, make_key_proof
from pbem.cards.card_points_and_pairs import Pair, known_pairs, pairs_bytes
from pbem.cards.mixing import Mix, MixPlace, make_mix
from pbem.cards.sealed_shares import make_point_proof, seal_share
from pbem.format import curve_group
from pbem.format.curve_group import ScalarStream, scalar_bytes, scalar_of
from pbem.format.hashes_and_streams import u
from pbem.format.protocol_labels import Label
from pbem.format.usable_public_keys import L
from pbem.records.seeded_decks_and_dice import Position
from tests.cards.dealers import GAME, SEAT_SECRET, Dealers

ORDER_8 = bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")


def refused_rows(dealers: Dealers, deck: str, epoch: int, cards: list[str]) -> list[dict[str, Any]]:
    """All rows. Of a share, `k` is the position in this deck; of a mix, `in` is what the dealers
    before left."""
    _, pairs = dealers.mixes(deck, epoch, cards)
    rows = [*_joint_keys(dealers), *_keys(dealers)]
    rows += _seat_points(pairs[0].mask)
    rows += _shares(dealers, Position(deck, epoch, 0), pairs[0])
    rows += _sealed_shares(dealers, Position(deck, epoch, 0), pairs[0])
    return [*rows, *_mixes(dealers, MixPlace(GAME, deck, epoch, 1), cards)]


def with_field(data: bytes, field: int, change: Callable[[bytes], bytes]) -> bytes:
    """These bytes with another field of 32 bytes; negative numbers count from the end."""
    start = 32 * field % len(data)
    return data[:start] + change(data[start : start + 32]) + data[start + 32 :]


def plus_order(data: bytes) -> bytes:
    """The same scalar, too large."""
    return (int.from_bytes(data, "little") + L).to_bytes(32, "little")


def with_torsion(point: bytes) -> bytes:
    """A point of mixed order."""
    return curve_group.add(point, ORDER_8)


def _row(of: str, why: str, reason: str, **fields: Any) -> dict[str, Any]:
    return {"of": of, "why": why, "reason": reason, **fields}


def _joint_keys(dealers: Dealers) -> Iterator[dict[str, Any]]:
    key, other_key, _ = dealers.keys
    negative_key = curve_group.subtract(curve_group.IDENTITY, key)
    for why, keys in {
        "a key twice": [key, other_key, key],
        "the sum is O": [key, negative_key],
        "the sum is the key of dealer 1": [key, other_key, negative_key],
    }.items():
        yield _row("joint key", why, "field", keys=[one.hex() for one in keys])


def _keys(dealers: Dealers) -> Iterator[dict[str, Any]]:
    secret, key, proof = dealers.secrets[0], dealers.keys[0], dealers.key_proofs[0]
    label = card_protocol_labels.KEY_PROOF
    for why, reason, given_key, given_proof in (
        ("c + L", "field", key, with_field(proof, 0, plus_order)),
        ("z + L", "field", key, with_field(proof, 1, plus_order)),
        ("one byte less", "field", key, proof[:-1]),
        ("one byte more", "field", key, proof + b"\0"),
        (
            "torsion in S, and c is a multiple of 8",
            "field",
            *_with_torsion(secret, label, GAME, u(0)),
        ),
        ("another dealer's place", "commitment", key, make_key_proof(secret, GAME, 1)),
        ("another game", "commitment", key, make_key_proof(secret, bytes(32), 0)),
        ("another secret", "commitment", key, make_key_proof(secret + 1, GAME, 0)),
    ):
        yield _row("key", why, reason, dealer=0, key=given_key.hex(), proof=given_proof.hex())


def _with_torsion(secret: int, label: Label, *place: bytes) -> tuple[bytes, bytes]:
    """A point of mixed order, with a proof whose equation is right."""
    point = with_torsion(curve_group.multiply_base(secret))
    for nonce in range(1, 1000):
        challenge = scalar_of(label, *place, point, curve_group.multiply_base(nonce))
        if challenge % 8 == 0:
            break
    return point, scalar_bytes(challenge) + scalar_bytes(nonce + challenge * secret)


def _seat_points(foreign_point: bytes) -> Iterator[dict[str, Any]]:
    """Points of seat a; nobody knows the secret of `foreign_point`."""
    point, proof = curve_group.multiply_base(SEAT_SECRET), make_point_proof(SEAT_SECRET, GAME, "a")
    label = card_protocol_labels.SEAT_PROOF
    key_proof = make_key_proof(SEAT_SECRET, GAME, ord("a"))
    for why, reason, given_point, given_proof in (
        ("c + L", "field", point, with_field(proof, 0, plus_order)),
        ("z + L", "field", point, with_field(proof, 1, plus_order)),
        ("one byte less", "field", point, proof[:-1]),
        ("one byte more", "field", point, proof + b"\0"),
        ("Q is O", "field", curve_group.IDENTITY, proof),
        (
            "torsion in Q, and c is a multiple of 8",
            "field",
            *_with_torsion(SEAT_SECRET, label, GAME, b"a"),
        ),
        ("another seat", "commitment", point, make_point_proof(SEAT_SECRET, GAME, "b")),
        ("another game", "commitment", point, make_point_proof(SEAT_SECRET, bytes(32), "a")),
        ("another secret", "commitment", point, make_point_proof(SEAT_SECRET + 1, GAME, "a")),
        ("the proof of a card key", "commitment", point, key_proof),
        ("a point of others", "commitment", foreign_point, proof),
        (
            "the sum with a point of others",
            "commitment",
            curve_group.add(point, foreign_point),
            proof,
        ),
    ):
        fields = {"seat point": given_point.hex(), "proof": given_proof.hex()}
        yield _row("seat point", why, reason, seat="a", **fields)


def _shares(dealers: Dealers, position: Position, pair: Pair) -> Iterator[dict[str, Any]]:
    secret, place = dealers.secrets[0], SharePlace(GAME, position, 0)
    share = make_card_share(secret, place, pair)
    other_position = position._replace(k=1)
    other_epoch = position._replace(epoch=position.epoch + 1)
    for why, reason, given_share in (
        ("c + L", "field", with_field(share, 1, plus_order)),
        ("z + L", "field", with_field(share, 2, plus_order)),
        ("one byte less", "field", share[:-1]),
        ("one byte more", "field", share + b"\0"),
        ("D is O", "field", with_field(share, 0, lambda _: curve_group.IDENTITY)),
        (
            "torsion in D, and c is a multiple of 8",
            "field",
            _share_with_torsion(secret, place, pair),
        ),
        (
            "another k",
            "commitment",
            make_card_share(secret, SharePlace(GAME, other_position, 0), pair),
        ),
        (
            "another epoch",
            "commitment",
            make_card_share(secret, SharePlace(GAME, other_epoch, 0), pair),
        ),
        (
            "another dealer",
            "commitment",
            make_card_share(secret, SharePlace(GAME, position, 1), pair),
        ),
        ("another secret", "commitment", make_card_share(secret + 1, place, pair)),
    ):
        yield _row("share", why, reason, dealer=0, k=position.k, share=given_share.hex())


def _sealed_shares(dealers: Dealers, position: Position, pair: Pair) -> Iterator[dict[str, Any]]:
    secret, place = dealers.secrets[0], SharePlace(GAME, position, 0)
    point, other_point = map(curve_group.multiply_base, (SEAT_SECRET, SEAT_SECRET + 1))
    sealed = seal_share(secret, place, pair, point)
    for why, reason, given_share in (
        ("c + L", "field", with_field(sealed, 2, plus_order)),
        ("z2 + L", "field", with_field(sealed, 4, plus_order)),
        ("one byte less", "field", sealed[:-1]),
        ("E1 is O", "field", with_field(sealed, 0, lambda _: curve_group.IDENTITY)),
        ("torsion in E2", "field", with_field(sealed, 1, with_torsion)),
        ("another E2", "commitment", with_field(sealed, 1, lambda _: sealed[:32])),
        (
            "another dealer",
            "commitment",
            seal_share(secret, SharePlace(GAME, position, 1), pair, point),
        ),
        ("another secret", "commitment", seal_share(secret + 1, place, pair, point)),
        ("another seat", "commitment", seal_share(secret, place, pair, other_point)),
    ):
        fields = {"seat point": point.hex(), "sealed share": given_share.hex()}
        yield _row("sealed share", why, reason, dealer=0, k=position.k, **fields)


def _share_with_torsion(secret: int, place: SharePlace, pair: Pair) -> bytes:
    share_point = with_torsion(curve_group.multiply(secret, pair.mask))
    statement = (*place.parts(), curve_group.multiply_base(secret), pair.mask, share_point)
    for nonce in range(1, 1000):
        nonce_points = curve_group.multiply_base(nonce), curve_group.multiply(nonce, pair.mask)
        challenge = scalar_of(card_protocol_labels.SHARE_PROOF, *statement, *nonce_points)
        if challenge % 8 == 0:
            break
    return share_point + scalar_bytes(challenge) + scalar_bytes(nonce + challenge * secret)


def _mixes(dealers: Dealers, place: MixPlace, cards: list[str]) -> Iterator[dict[str, Any]]:
    """Mixes of dealer 1, who mixes what has masks already; one of dealer 0."""
    secret, key, count = dealers.secrets[1], dealers.joint_key, len(cards)
    before_place = place._replace(dealer=0)
    pairs = known_pairs(GAME, cards)
    equal_masks = _mix_with_numbers(5, dealers.secrets[0], before_place, key, pairs)
    yield _mix_row("all r are 5: a mask twice", "field", equal_masks, dealer=0)
    first = make_mix(dealers.secrets[0], before_place, key, pairs)
    pairs = mixing.check_mix(first, before_place, key, pairs)
    mix = make_mix(secret, place, key, pairs)
    challenge_field = 2 * count
    for why, field in {"c + L": 0, "z1 + L": 1, "z4 + L": 4, "the last z′ + L": -1}.items():
        number = field if field < 0 else challenge_field + field
        proof = with_field(mix.proof, number, plus_order)
        yield _mix_row(why, "field", mix._replace(proof=proof))
    other_epoch = place._replace(epoch=place.epoch + 1)
    for why, reason, given_mix in (
        ("proof: one byte less", "field", mix._replace(proof=mix.proof[:-1])),
        ("proof: one byte more", "field", mix._replace(proof=mix.proof + b"\0")),
        ("out: one byte less", "field", mix._replace(pairs=mix.pairs[:-1])),
        ("out: one byte more", "field", mix._replace(pairs=mix.pairs + b"\0")),
        ("torsion in out", "field", mix._replace(pairs=with_field(mix.pairs, 0, with_torsion))),
        ("torsion in C", "field", mix._replace(proof=with_field(mix.proof, 0, with_torsion))),
        ("torsion in Ĉ", "field", mix._replace(proof=with_field(mix.proof, count, with_torsion))),
        (
            "a mask twice",
            "field",
            mix._replace(pairs=with_field(mix.pairs, 3, lambda _: mix.pairs[32:64])),
        ),
        ("all r are 0: the points of in", "field", _mix_with_numbers(0, secret, place, key, pairs)),
        ("another epoch", "commitment", make_mix(secret, other_epoch, key, pairs)),
        (
            "another dealer's place",
            "commitment",
            make_mix(secret, place._replace(dealer=2), key, pairs),
        ),
        (
            "no permutation: a card twice",
            "commitment",
            _mix_with_a_card_twice(secret, place, key, pairs),
        ),
        (
            "no permutation: cards times 1/2 and 2; only T1 is wrong",
            "commitment",
            _scaled_mix(place, key, pairs),
        ),
    ):
        yield _mix_row(why, reason, given_mix)


def _mix_row(why: str, reason: str, mix: Mix, dealer: int = 1) -> dict[str, Any]:
    return _row("mix", why, reason, dealer=dealer, pairs=mix.pairs.hex(), proof=mix.proof.hex())


def _mix_with_numbers(number: int, secret: int, place: MixPlace, key: bytes, pairs: Any) -> Mix:
    """An honest mix but for the masks, which are all of this number."""
    honest, calls = ScalarStream.next_scalars, list[int]()

    def dishonest(stream: ScalarStream, count: int) -> list[int]:
        calls.append(count)
        return honest(stream, count) if len(calls) > 1 else [number] * count

    with mock.patch.object(ScalarStream, "next_scalars", dishonest):
        return make_mix(secret, place, key, pairs)


def _mix_with_a_card_twice(secret: int, place: MixPlace, key: bytes, pairs: list[Pair]) -> Mix:
    honest = mixing._masked_again
    with mock.patch.object(mixing, "_masked_again", lambda _, r, p: honest(pairs[0], r, p)):
        return make_mix(secret, place, key, pairs)


def _scaled_mix(place: MixPlace, key: bytes, pairs: list[Pair]) -> Mix:
    """A mix of two cards, times 1/2 and times 2, with the commitments and weights for it. The
    product of the weights is right, and so are all equations but that of the commitments' sum."""
    factors, half = [2, pow(2, -1, L)], [pow(2, -1, L), 2]
    numbers = ScalarStream(bytes(32))
    masks, blindings, chain_scalars = (numbers.next_scalars(2) for _ in range(3))
    scaled = [
        Pair(*(curve_group.multiply(f, p) for p in pair))
        for f, pair in zip(half, pairs, strict=True)
    ]
    mixed = [mixing._masked_again(pair, r, key) for pair, r in zip(scaled, masks, strict=True)]
    base_generator, generators = mixing._generators(2)
    commitments = [
        curve_group.add(
            curve_group.multiply_base(blinding), curve_group.multiply(factor, generator)
        )
        for blinding, factor, generator in zip(blindings, factors, generators, strict=True)
    ]
    transcript = mixing._Transcript(mixing._context(place, key, pairs), mixed, commitments)
    weights = transcript.weights
    new_weights = [factor * weight % L for factor, weight in zip(factors, weights, strict=True)]
    chain, chain_scalar = [base_generator], 0
    for scalar, weight in zip(chain_scalars, new_weights, strict=True):
        chain.append(mixing._chained(scalar, weight, chain[-1]))
        chain_scalar = (scalar + weight * chain_scalar) % L
    nonces, chain_nonces, weight_nonces = (numbers.next_scalars(n) for n in (4, 2, 2))
    masked_cards, new_masks = zip(*mixed, strict=True)
    nonce_points = [
        curve_group.multiply_base(nonces[0]),
        curve_group.multiply_base(nonces[1]),
        curve_group.add(
            curve_group.multiply_base(nonces[2]),
            curve_group.weighted_sum(weight_nonces, generators),
        ),
        curve_group.weighted_sum([*weight_nonces, -nonces[3]], [*masked_cards, key]),
        curve_group.subtract(
            curve_group.weighted_sum(weight_nonces, new_masks), curve_group.multiply_base(nonces[3])
        ),
        *map(mixing._chained, chain_nonces, weight_nonces, chain[:-1]),
    ]
    challenge = transcript.challenge(chain[1:], nonce_points)
    secrets = [
        sum(blindings),
        chain_scalar,
        sum(w * b for w, b in zip(weights, blindings, strict=True)),
        sum(v * r for v, r in zip(new_weights, masks, strict=True)),
        *chain_scalars,
        *new_weights,
    ]
    all_nonces = (*nonces, *chain_nonces, *weight_nonces)
    answers = [n + challenge * x for n, x in zip(all_nonces, secrets, strict=True)]
    proof = mixing._Proof(commitments, chain[1:], challenge, answers[:4], answers[4:6], answers[6:])
    read = mixing._read_scalars(proof.to_bytes(), 2)
    expected = mixing._nonce_points(read, weights, key, pairs, mixed)
    assert [a == b for a, b in zip(expected, nonce_points, strict=True)] == [False] + [True] * 6
    return Mix(pairs_bytes(mixed), proof.to_bytes())
