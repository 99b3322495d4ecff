"""The point under which dealers seal the cards of a seat, and the proof that the seat knows its
secret."""

import pytest

from pbem.cards.sealed_shares import check_point_proof, make_point_proof, make_seat_secret
from pbem.format import curve_group
from pbem.format.secret_and_public_keys import Secrets
from tests.cards.dealers import GAME, SEAT_SECRET, SEAT_SEED, Dealers, flipped_bits, refusal_reason

POINT = curve_group.multiply_base(SEAT_SECRET)
PROOF = make_point_proof(SEAT_SECRET, GAME, "a")


def test_a_seat_points_proof_holds_only_for_its_seat_and_game():
    check_point_proof(POINT, PROOF, GAME, "a")
    for game, seat in ((GAME, "b"), (bytes(32), "a")):
        assert refusal_reason(check_point_proof, POINT, PROOF, game, seat) == "commitment"


def test_a_seats_secret_differs_by_seat_game_and_use():
    secrets = {
        make_seat_secret(SEAT_SEED, game, seat) for game in (GAME, bytes(32)) for seat in "ab"
    }
    assert len(secrets) == 4
    box_secret = int.from_bytes(Secrets(SEAT_SEED).box(GAME, "a"), "little")
    assert box_secret % curve_group.L not in secrets


def test_a_seat_point_made_from_what_others_published_has_no_proof():
    """Of the mask of somebody else's sealed share, nobody knows the secret, nor of any sum with
    it: whoever could name such a point would learn from what others compute with their secrets."""
    mask = Dealers(b"others").keys[0]
    for own_part in (0, 1, SEAT_SECRET):
        rogue = mask
        if own_part:
            rogue = curve_group.add(curve_group.multiply(own_part, mask), POINT)
        assert refusal_reason(check_point_proof, rogue, PROOF, GAME, "a") == "commitment"
        own_proof = make_point_proof(own_part + 1, GAME, "a")
        assert refusal_reason(check_point_proof, rogue, own_proof, GAME, "a") == "commitment"


@pytest.mark.parametrize("field", range(2))
def test_a_seat_points_proof_with_any_bit_flipped_is_refused(field):
    for changed in flipped_bits(PROOF, field):
        reason = refusal_reason(check_point_proof, POINT, changed, GAME, "a")
        assert reason in ("field", "commitment")
