"""A mix and its proof: the same cards, in an order that nobody sees; all else is refused."""

from collections import Counter

import pytest

from pbem.cards import mixing
from pbem.cards.card_points_and_pairs import (
    Pair,
    cards_by_point,
    known_pairs,
    pairs_bytes,
    unmasked_point,
)
from pbem.cards.mixing import Mix, MixPlace, check_mix, make_mix, mix_proof_bytes
from pbem.format import curve_group
from pbem.format.curve_group import ScalarStream
from pbem.format.record_error import RecordError
from pbem.format.usable_public_keys import L
from tests.cards.dealers import GAME, Dealers, flipped_bits, refusal_reason
from tests.vectors.make_cards import no_points

DEALERS = Dealers()
SECRET, KEY = DEALERS.secrets[0], DEALERS.joint_key
PLACE = MixPlace(GAME, "deck", 0, 0)


def mix_of(cards: int, secret: int = SECRET) -> tuple[Mix, list[Pair]]:
    """A mix of so many different cards, and the pairs that were mixed."""
    pairs = known_pairs(GAME, [f"card {number}" for number in range(cards)])
    return make_mix(secret, PLACE, KEY, pairs), pairs


SMALL, SMALL_PAIRS = mix_of(2)
LARGER, LARGER_PAIRS = mix_of(5)


def why_refused(mix: Mix, pairs: list[Pair], place: MixPlace = PLACE, key: bytes = KEY) -> str:
    return refusal_reason(check_mix, mix, place, key, pairs)


# ---- each bit


@pytest.mark.sample(0)
@pytest.mark.parametrize("field", range(len(SMALL.proof) // 32))
def test_a_mix_with_any_bit_of_its_proof_flipped_is_refused(field):
    for changed in flipped_bits(SMALL.proof, field):
        assert why_refused(SMALL._replace(proof=changed), SMALL_PAIRS) in ("field", "commitment")


@pytest.mark.parametrize("field", range(len(SMALL.pairs) // 32))
def test_a_mix_with_any_bit_of_its_pairs_flipped_is_refused(field):
    for changed in flipped_bits(SMALL.pairs, field):
        assert why_refused(SMALL._replace(pairs=changed), SMALL_PAIRS) in ("field", "commitment")


# ---- honest mixes


@pytest.mark.parametrize("count", [0, 1, 2, 3, 8])
def test_an_honest_mix_contains_the_same_cards(count):
    cards = [f"card {number // 2}" for number in range(count)]
    mixes, pairs = DEALERS.mixes("deck", 7, cards)
    sizes = [(len(mix.pairs), len(mix.proof)) for mix in mixes]
    assert sizes == [(64 * count, 32 * (4 * count + 5))] * 2
    names = cards_by_point(GAME, cards)
    points = [
        unmasked_point(
            pair, [curve_group.multiply(secret, pair.mask) for secret in DEALERS.secrets], 2
        )
        for pair in pairs
    ]
    assert sorted(names[point] for point in points) == sorted(cards)


def test_a_mix_of_129_cards_has_24928_bytes():
    assert 64 * 129 + mix_proof_bytes(129) == 24928


def test_the_same_secret_mixes_to_the_same_bytes_and_another_to_others():
    assert mix_of(2)[0] == SMALL
    other, pairs = mix_of(2, DEALERS.secrets[1])
    assert check_mix(other, PLACE, KEY, pairs)
    pieces = [
        {data[start : start + 32] for data in mix for start in range(0, len(data), 32)}
        for mix in (SMALL, other)
    ]
    assert not pieces[0] & pieces[1]


@pytest.mark.sample(0)
def test_each_order_of_a_mix_comes_about_equally_often():
    """60 mixes of three cards: which secret would prefer an order?"""
    pairs = known_pairs(GAME, ["a", "b", "c"])
    names = cards_by_point(GAME, ["a", "b", "c"])
    orders = Counter[str]()
    for number in range(60):
        place = MixPlace(GAME, "deck", number, 0)
        mix = make_mix(SECRET, place, curve_group.multiply_base(SECRET), pairs)
        mixed = check_mix(mix, place, curve_group.multiply_base(SECRET), pairs)
        points = [
            unmasked_point(pair, [curve_group.multiply(SECRET, pair.mask)], 1) for pair in mixed
        ]
        orders["".join(names[point] for point in points)] += 1
    assert len(orders) == 6
    assert max(orders.values()) < 26


def test_no_mixed_pair_shows_where_it_came_from():
    """Neither point of a mixed pair is one of a pair before, and no mask differs by a card."""
    before = {point for pair in LARGER_PAIRS for point in pair}
    mixed = check_mix(LARGER, PLACE, KEY, LARGER_PAIRS)
    assert not before & {point for pair in mixed for point in pair}
    differences = {
        curve_group.subtract(new.masked_card, old.masked_card)
        for new in mixed
        for old in LARGER_PAIRS
    }
    assert not differences & {pair.mask for pair in mixed}


# ---- a proof is for one mix


@pytest.mark.parametrize(
    ("place", "key"),
    [
        (MixPlace(bytes(32), "deck", 0, 0), KEY), (MixPlace(GAME, "events", 0, 0), KEY),
        (MixPlace(GAME, "deck", 1, 0), KEY), (MixPlace(GAME, "deck", 0, 1), KEY),
        (PLACE, DEALERS.keys[0]),
    ],
)  # fmt: skip
def test_a_mix_is_refused_in_another_place_or_under_another_joint_key(place, key):
    assert why_refused(SMALL, SMALL_PAIRS, place, key) == "commitment"


def test_a_mix_is_refused_for_other_pairs_or_another_order():
    assert why_refused(LARGER, LARGER_PAIRS[::-1]) == "commitment"
    other_pairs = known_pairs(GAME, ["other 0", *(f"card {n}" for n in range(4))])
    assert why_refused(LARGER, other_pairs) == "commitment"
    masked = [LARGER_PAIRS[0]._replace(mask=KEY), *LARGER_PAIRS[1:]]
    assert why_refused(LARGER, masked) == "commitment"


def test_a_mix_proof_is_refused_with_the_pairs_of_another_mix():
    other = make_mix(SECRET, MixPlace(GAME, "deck", 1, 0), KEY, LARGER_PAIRS)
    assert why_refused(LARGER._replace(pairs=other.pairs), LARGER_PAIRS) == "commitment"
    mixed = check_mix(LARGER, PLACE, KEY, LARGER_PAIRS)
    swapped = pairs_bytes([mixed[1], mixed[0], *mixed[2:]])
    assert why_refused(LARGER._replace(pairs=swapped), LARGER_PAIRS) == "commitment"


# ---- dishonest dealers, who run the honest program on something else


def test_a_dealer_who_mixes_in_cards_of_their_own_is_refused():
    """He throws the deck away and masks his own order: his proof is of other pairs."""
    stacked = known_pairs(GAME, [f"card {n}" for n in (4, 4, 4, 4, 4)])
    assert why_refused(make_mix(SECRET, PLACE, KEY, stacked), LARGER_PAIRS) == "commitment"


@pytest.mark.parametrize("cheat", ["double", "drop", "swap a card for a card", "mark", "shift"])
def test_a_dealer_who_changes_one_pair_while_mixing_is_refused(monkeypatch, cheat):
    """His program is honest about all the rest: it proves the pairs that it publishes."""
    honest = mixing._masked_again
    calls = []

    def dishonest(pair: Pair, scalar: int, key: bytes) -> Pair:
        calls.append(pair)
        if len(calls) > 1:
            return honest(pair, scalar, key)
        if cheat == "double":
            return honest(LARGER_PAIRS[LARGER_PAIRS.index(pair) - 1], scalar, key)
        if cheat == "drop":
            return honest(Pair(curve_group.multiply_base(5), curve_group.IDENTITY), scalar, key)
        if cheat == "swap a card for a card":
            return honest(known_pairs(GAME, ["card 9"])[0], scalar, key)
        if cheat == "mark":  # a mask that does not fit: nobody could read this card
            return honest(pair, scalar, key)._replace(mask=curve_group.multiply_base(scalar + 1))
        return honest(pair, scalar, KEY)._replace(masked_card=curve_group.multiply_base(scalar + 2))

    monkeypatch.setattr(mixing, "_masked_again", dishonest)
    mix = make_mix(SECRET, PLACE, KEY, LARGER_PAIRS)
    assert len(calls) == 5
    monkeypatch.undo()
    assert why_refused(mix, LARGER_PAIRS) == "commitment"


def test_a_dealer_who_puts_one_card_in_twice_is_refused(monkeypatch):
    """Twice the same card with twice the same weight: the chain or the sum cannot hold."""
    monkeypatch.setattr(mixing, "shuffle", lambda items, stream: [0, 0, 1, 2, 3])
    mix = make_mix(SECRET, PLACE, KEY, LARGER_PAIRS)
    monkeypatch.undo()
    assert why_refused(mix, LARGER_PAIRS) in ("field", "commitment")


# ---- malformed input


def test_a_mix_of_another_size_than_the_cards_need_is_refused():
    for pairs in (b"", SMALL.pairs[:-1], SMALL.pairs + b"\0", LARGER.pairs):
        assert why_refused(SMALL._replace(pairs=pairs), SMALL_PAIRS) == "field"
    for proof in (b"", SMALL.proof[:-32], SMALL.proof + bytes(32), LARGER.proof):
        assert why_refused(SMALL._replace(proof=proof), SMALL_PAIRS) == "field"
    assert why_refused(SMALL, LARGER_PAIRS) == "field"


@pytest.mark.parametrize("why", [why for why, data in no_points().items() if len(data) == 32])
def test_a_mix_with_a_point_not_of_prime_order_is_refused(why):
    point = no_points()[why]
    for field in range(4):
        start = 32 * field
        pairs = SMALL.pairs[:start] + point + SMALL.pairs[start + 32 :]
        assert why_refused(SMALL._replace(pairs=pairs), SMALL_PAIRS) == "field"
        proof = SMALL.proof[:start] + point + SMALL.proof[start + 32 :]
        assert why_refused(SMALL._replace(proof=proof), SMALL_PAIRS) == "field"


@pytest.mark.parametrize("field", range(4, len(SMALL.proof) // 32))
def test_a_mix_with_a_number_above_the_group_order_is_refused(field):
    start = 32 * field
    larger = int.from_bytes(SMALL.proof[start : start + 32], "little") + L
    proof = SMALL.proof[:start] + larger.to_bytes(32, "little") + SMALL.proof[start + 32 :]
    assert why_refused(SMALL._replace(proof=proof), SMALL_PAIRS) == "field"


def test_a_mix_with_one_pair_twice_is_refused():
    assert why_refused(SMALL._replace(pairs=SMALL.pairs[:64] * 2), SMALL_PAIRS) == "field"


@pytest.mark.parametrize("place", [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)], ids=str)
def test_a_mix_with_one_point_twice_is_refused(place):
    """Not even in two pairs that differ: the program of such a dealer gives it a right proof."""
    points = [SMALL.pairs[start : start + 32] for start in range(0, 128, 32)]
    points[place[1]] = points[place[0]]
    with pytest.raises(
        RecordError,
        match=("a dealer's shuffle must hide each card differently, but has the same value twice"),
    ):
        check_mix(SMALL._replace(pairs=b"".join(points)), PLACE, KEY, SMALL_PAIRS)


@pytest.mark.parametrize(("mask_scalar", "before"), [(5, 0), (0, 1)], ids=["equal", "none"])
def test_a_dealer_who_mixes_without_hiding_the_order_is_refused(monkeypatch, mask_scalar, before):
    """With one mask for all cards, or with none, everybody sees the order; the proof is right."""
    pairs = [SMALL_PAIRS, check_mix(SMALL, PLACE, KEY, SMALL_PAIRS)][before]
    honest, calls = ScalarStream.next_scalars, []

    def dishonest(stream: ScalarStream, count: int) -> list[int]:
        calls.append(count)
        return honest(stream, count) if len(calls) > 1 else [mask_scalar] * count

    monkeypatch.setattr(ScalarStream, "next_scalars", dishonest)
    mix = make_mix(SECRET, PLACE, KEY, pairs)
    monkeypatch.undo()
    with pytest.raises(RecordError, match=["value twice", "value that was there"][before]):
        check_mix(mix, PLACE, KEY, pairs)


def test_a_second_dealer_who_mixes_without_hiding_the_order_is_found_at_the_end(monkeypatch):
    """One mask for all cards, after another dealer's mix: no point is there twice, and only what
    was opened at the end shows that the masks do not follow from the secret. With other masks that
    everybody can guess it would be the same."""
    pairs, place = check_mix(SMALL, PLACE, KEY, SMALL_PAIRS), PLACE._replace(dealer=1)
    secret, honest = DEALERS.secrets[1], ScalarStream.next_scalars
    calls: list[int] = []

    def dishonest(stream: ScalarStream, count: int) -> list[int]:
        calls.append(count)
        return honest(stream, count) if len(calls) > 1 else [5] * count

    monkeypatch.setattr(ScalarStream, "next_scalars", dishonest)
    mix = make_mix(secret, place, KEY, pairs)
    monkeypatch.undo()
    masks = [pair.mask for pair in check_mix(mix, place, KEY, pairs)]
    assert {curve_group.subtract(mask, curve_group.multiply_base(5)) for mask in masks} == {
        pair.mask for pair in pairs
    }
    assert mix != make_mix(secret, place, KEY, pairs)


@pytest.mark.parametrize("field", range(4))
def test_a_mix_with_a_point_from_before_the_mix_is_refused(field):
    pairs = check_mix(SMALL, PLACE, KEY, SMALL_PAIRS)
    other = make_mix(SECRET, PLACE, KEY, pairs)
    old = pairs_bytes(pairs)[32 * (3 - field) :][:32]
    changed = other.pairs[: 32 * field] + old + other.pairs[32 * field + 32 :]
    with pytest.raises(
        RecordError,
        match=(
            "a dealer's shuffle must hide each card anew, but has a value that was there before"
        ),
    ):
        check_mix(other._replace(pairs=changed), PLACE, KEY, pairs)


def test_oversized_mixes_are_refused_before_any_group_arithmetic(monkeypatch):
    monkeypatch.setattr(curve_group, "_library", None)
    huge, too_large = bytes(10**7), b"\xff" * 32
    assert why_refused(SMALL._replace(proof=huge), SMALL_PAIRS) == "field"
    assert why_refused(SMALL._replace(pairs=huge), SMALL_PAIRS) == "field"
    assert why_refused(SMALL._replace(proof=SMALL.proof[:-32] + too_large), SMALL_PAIRS) == "field"
    assert why_refused(Mix(huge, huge), LARGER_PAIRS) == "field"
