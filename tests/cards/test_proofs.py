"""A dealer's key and its shares of cards: what is proven, and what is refused."""

import hashlib

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
from pbem.format import curve_group
from pbem.format.curve_group import scalar_of
from pbem.format.hashes_and_streams import kdf
from pbem.format.protocol_labels import make_label
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import Secrets
from pbem.format.usable_public_keys import L
from pbem.records.seeded_decks_and_dice import Position
from tests.cards.dealers import GAME, Dealers, flipped_bits, refusal_reason
from tests.vectors.make_cards import no_points

DEALERS = Dealers()
KEY, OTHER_KEY = DEALERS.keys
PROOF = DEALERS.key_proofs[0]
CARDS = ("horns 4", "fat tissue 6", "climbing 2")
PAIR, OTHER_PAIR, _ = DEALERS.mixes("deck", 0, CARDS)[1]
PLACE = SharePlace(GAME, Position("deck", 0, 0), 0)
SHARE = make_card_share(DEALERS.secrets[0], PLACE, PAIR)
MALFORMED = {**no_points(), "one byte more": bytes(33)}


# ---- card keys


def charter_id(table: bytes, title: str) -> bytes:
    """The id of a charter, of which only these two fields differ."""
    return hashlib.sha256(table + title.encode()).digest()


def test_a_dealers_card_secret_differs_from_game_to_game():
    """Also if a referee takes the `table` of an earlier charter: what a dealer's secret opens when
    one game is over must not open another."""
    games = [charter_id(bytes(16), title) for title in ("first", "second")]
    secrets = {make_card_secret(person, game=game) for person in DEALERS.people for game in games}
    assert len(secrets) == 4
    assert all(0 < secret < L for secret in secrets)


def test_the_secrets_that_a_final_opens_do_not_give_a_card_secret():
    """`audit` is the same in both games of a referee who chose one `table` twice, and the `final`
    of the first game opens it: so the secret follows from the seed."""
    seed, table = DEALERS.people[0], bytes(16)
    second_game = charter_id(table, "second")
    secret = make_card_secret(seed=seed, game=second_game)
    opened_secrets = [Secrets(seed).audit(table), Secrets(seed).r_ref(table)]
    assert secret not in [make_card_secret(opened, second_game) for opened in opened_secrets]
    assert scalar_of(make_label("card-secret"), kdf(seed, make_label("card-key"), second_game)) == (
        secret
    )


@pytest.mark.parametrize(
    ("data", "field", "check"),
    [
        *((PROOF, field, lambda x: check_key_proof(KEY, x, GAME, 0)) for field in range(2)),
        (KEY, 0, lambda x: check_key_proof(x, PROOF, GAME, 0)),
        *((SHARE, field, lambda x: check_card_share(x, PLACE, KEY, PAIR)) for field in range(3)),
    ],
)
def test_a_card_key_its_proof_or_a_share_with_any_bit_flipped_is_refused(data, field, check):
    for changed in flipped_bits(data, field):
        assert refusal_reason(check, changed) in ("field", "commitment")


def test_a_card_keys_proof_holds_only_for_its_dealer_and_game():
    assert check_key_proof(KEY, PROOF, GAME, 0) == KEY
    assert refusal_reason(check_key_proof, KEY, PROOF, GAME, 1) == "commitment"
    assert refusal_reason(check_key_proof, KEY, PROOF, bytes(32), 0) == "commitment"
    assert refusal_reason(check_key_proof, OTHER_KEY, PROOF, GAME, 0) == "commitment"


def test_a_card_key_made_from_another_dealers_has_no_proof():
    """The difference of a chosen key and the other's: with it the joint key would be the chosen
    one. Whoever makes it knows no secret for it."""
    chosen = 12345
    rogue_key = curve_group.subtract(curve_group.multiply_base(chosen), KEY)
    assert joint_key([KEY, rogue_key]) == curve_group.multiply_base(chosen)
    proof = make_key_proof(chosen, GAME, 1)
    assert refusal_reason(check_key_proof, rogue_key, proof, GAME, 1) == "commitment"


@pytest.mark.parametrize("why", MALFORMED)
def test_a_card_key_not_of_prime_order_is_refused(why):
    assert refusal_reason(check_key_proof, MALFORMED[why], PROOF, GAME, 0) == "field"


@pytest.mark.parametrize("proof", [b"", PROOF[:32], PROOF[:63], PROOF + b"\0", PROOF * 2])
def test_a_card_keys_proof_of_other_than_64_bytes_is_refused(proof):
    assert refusal_reason(check_key_proof, KEY, proof, GAME, 0) == "field"


@pytest.mark.parametrize("field", range(2))
def test_a_number_in_a_key_proof_plus_the_group_order_is_refused(field):
    start = 32 * field
    larger = int.from_bytes(PROOF[start : start + 32], "little") + L
    changed = PROOF[:start] + larger.to_bytes(32, "little") + PROOF[start + 32 :]
    assert refusal_reason(check_key_proof, KEY, changed, GAME, 0) == "field"


def test_refusals_name_the_dealer_and_what_must_be_proven():
    with pytest.raises(
        RecordError,
        match=(
            "dealer 1 must prove that it knows the secret of its card key, but the proof is wrong"
        ),
    ):
        check_key_proof(KEY, PROOF, GAME, 1)
    with pytest.raises(RecordError, match="the card key of dealer 0 must have 64 bytes"):
        check_key_proof(KEY, b"", GAME, 0)
    with pytest.raises(RecordError, match="dealer 0 must prove its share of card 0 of the deck"):
        check_card_share(SHARE, PLACE, OTHER_KEY, PAIR)
    with pytest.raises(RecordError, match="a share of a card must have 96 bytes"):
        check_card_share(b"", PLACE, KEY, PAIR)


def test_the_joint_key_is_the_sum_of_all_card_keys():
    secrets = [*DEALERS.secrets, 99]
    keys = [curve_group.multiply_base(secret) for secret in secrets]
    assert joint_key(keys) == curve_group.multiply_base(sum(secrets))


def test_card_keys_that_are_equal_or_cancel_each_other_are_refused():
    assert refusal_reason(joint_key, [KEY, KEY]) == "field"
    assert refusal_reason(joint_key, [KEY, OTHER_KEY, KEY]) == "field"
    negative_key = curve_group.subtract(curve_group.IDENTITY, KEY)
    assert refusal_reason(joint_key, [KEY, negative_key]) == "field"
    both = curve_group.add(KEY, OTHER_KEY)
    third_key = curve_group.subtract(curve_group.IDENTITY, both)
    assert refusal_reason(joint_key, [KEY, OTHER_KEY, third_key]) == "field"


@pytest.mark.parametrize("reader", range(3))
def test_a_joint_key_that_is_one_dealers_card_key_is_refused(reader):
    """Two dealers have secrets whose sum is 0, each with a right proof: the third reads alone."""
    keys = [KEY, curve_group.subtract(curve_group.IDENTITY, KEY)]
    keys.insert(reader, OTHER_KEY)
    with pytest.raises(RecordError, match="the dealers' joint key is the card key of one dealer"):
        joint_key(keys)
    with pytest.raises(RecordError, match="the dealers' joint key is the card key of one dealer"):
        joint_key([KEY])


# ---- shares


@pytest.mark.parametrize(
    "other_place",
    [
        SharePlace(bytes(32), Position("deck", 0, 0), 0),
        SharePlace(GAME, Position("events", 0, 0), 0),
        SharePlace(GAME, Position("deck", 1, 0), 0),
        SharePlace(GAME, Position("deck", 0, 1), 0),
        SharePlace(GAME, Position("deck", 0, 0), 1),
    ],
)
def test_a_share_is_refused_in_another_place(other_place):
    assert check_card_share(SHARE, PLACE, KEY, PAIR) == SHARE[:32]
    assert refusal_reason(check_card_share, SHARE, other_place, KEY, PAIR) == "commitment"


def test_a_share_is_refused_for_another_card_or_dealer():
    assert refusal_reason(check_card_share, SHARE, PLACE, KEY, OTHER_PAIR) == "commitment"
    assert refusal_reason(check_card_share, SHARE, PLACE, OTHER_KEY, PAIR) == "commitment"
    foreign_share = make_card_share(DEALERS.secrets[1], PLACE, PAIR)
    assert refusal_reason(check_card_share, foreign_share, PLACE, KEY, PAIR) == "commitment"


def test_a_share_made_with_another_secret_than_the_keys_is_refused():
    """So nobody can make a card another one: the point is a lie, the rest is as it should be."""
    lie = make_card_share(777, PLACE, PAIR)
    assert refusal_reason(check_card_share, lie, PLACE, KEY, PAIR) == "commitment"
    assert refusal_reason(check_card_share, lie[:32] + SHARE[32:], PLACE, KEY, PAIR) == "commitment"
    assert refusal_reason(check_card_share, SHARE[:32] + lie[32:], PLACE, KEY, PAIR) == "commitment"


@pytest.mark.parametrize("share", [b"", SHARE[:64], SHARE[:95], SHARE + b"\0", SHARE * 9])
def test_a_share_of_other_than_96_bytes_is_refused(share):
    assert refusal_reason(check_card_share, share, PLACE, KEY, PAIR) == "field"


@pytest.mark.parametrize("why", [why for why, data in no_points().items() if len(data) == 32])
def test_a_share_not_of_prime_order_is_refused(why):
    changed = no_points()[why] + SHARE[32:]
    assert refusal_reason(check_card_share, changed, PLACE, KEY, PAIR) == "field"


def test_wrong_sizes_and_numbers_of_shares_are_refused_before_group_arithmetic(monkeypatch):
    monkeypatch.setattr(curve_group, "_library", None)
    too_large = b"\xff" * 32
    for share in (bytes(10**7), SHARE[:64] + too_large, SHARE[:32] + too_large + SHARE[64:]):
        assert refusal_reason(check_card_share, share, PLACE, KEY, PAIR) == "field"
    for proof in (bytes(10**7), PROOF[:32] + too_large, too_large + PROOF[32:]):
        assert refusal_reason(check_key_proof, KEY, proof, GAME, 0) == "field"


def test_both_dealers_shares_give_the_card_and_one_alone_gives_nothing():
    for k, pair in enumerate(DEALERS.mixes("deck", 0, CARDS)[1]):
        position = Position("deck", 0, k)
        assert DEALERS.opened(position, pair, CARDS)["card"] in CARDS
        for dealer in (0, 1):
            place = SharePlace(GAME, position, dealer)
            share = make_card_share(DEALERS.secrets[dealer], place, pair)
            point = check_card_share(share, place, DEALERS.keys[dealer], pair)
            assert unmasked_point(pair, [point], 1) not in cards_by_point(GAME, CARDS)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_card_opens_only_with_as_many_shares_as_dealers(count):
    with pytest.raises(
        ValueError,
        match=(
            "a card that 2 dealers hid opens only with one share of each, but the number of "
            f"shares is {count}"
        ),
    ):
        unmasked_point(PAIR, [SHARE[:32]] * count, 2)


def test_a_share_made_twice_has_the_same_bytes_and_each_other_share_its_own_nonce():
    """Two answers to two challenges with one nonce would give the secret away."""
    assert make_card_share(DEALERS.secrets[0], PLACE, PAIR) == SHARE
    places = [
        PLACE,
        SharePlace(GAME, Position("deck", 0, 1), 0),
        SharePlace(GAME, Position("deck", 0, 0), 1),
    ]
    nonces = set()
    for place in places:
        for pair in (PAIR, OTHER_PAIR):
            share = make_card_share(DEALERS.secrets[0], place, pair)
            challenge, answer = (int.from_bytes(share[n : n + 32], "little") for n in (32, 64))
            nonces.add((answer - challenge * DEALERS.secrets[0]) % L)
    assert len(nonces) == 6


def test_equal_cards_are_one_point_in_a_game_and_another_in_other_games():
    pairs = known_pairs(GAME, ["b", "a", "b"])
    assert [pair.mask for pair in pairs] == [curve_group.IDENTITY] * 3
    assert pairs[0] != pairs[1] == pairs[2]
    assert Pair(*pairs[0]).masked_card not in cards_by_point(bytes(32), ["a", "b"])
