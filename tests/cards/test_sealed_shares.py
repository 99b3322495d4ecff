"""A share that only a seat can read: whoever checks it knows that the seat can."""

from __future__ import annotations

import pytest

from pbem.cards.card_keys_and_shares import SharePlace, check_card_share, make_card_share
from pbem.cards.sealed_shares import check_sealed_share, open_share, seal_share
from pbem.format.curve_group import IDENTITY, multiply_base
from pbem.records.seeded_decks_and_dice import Position
from tests.cards.dealers import GAME, SEAT_SECRET, Dealers, flipped_bits, refusal_reason

DEALERS = Dealers(b"sealed shares")
_, PAIRS = DEALERS.mixes("deck", 0, ["horns 1", "horns 2"])
PAIR, OTHER_PAIR = PAIRS
PLACE = SharePlace(GAME, Position("deck", 0, 0), 0)
KEY, OTHER_KEY = DEALERS.keys
POINT, OTHER_POINT = map(multiply_base, (SEAT_SECRET, SEAT_SECRET + 1))
SEALED = seal_share(DEALERS.secrets[0], PLACE, PAIR, POINT)


def test_the_seat_opens_the_sealed_share_that_everybody_checked() -> None:
    check_sealed_share(SEALED, PLACE, KEY, PAIR, POINT)
    share = make_card_share(DEALERS.secrets[0], PLACE, PAIR)
    point = check_card_share(share, PLACE, KEY, PAIR)
    assert open_share(SEALED, SEAT_SECRET) == point
    assert open_share(SEALED, SEAT_SECRET + 1) != point
    assert seal_share(DEALERS.secrets[0], PLACE, PAIR, POINT) == SEALED


@pytest.mark.sample(1)
@pytest.mark.parametrize("field", range(5))
def test_a_sealed_share_with_any_bit_flipped_is_refused(field: int) -> None:
    for changed in flipped_bits(SEALED, field):
        reason = refusal_reason(check_sealed_share, changed, PLACE, KEY, PAIR, POINT)
        assert reason in ("field", "commitment")


@pytest.mark.parametrize(
    "arguments",
    [
        (PLACE._replace(dealer=1), KEY, PAIR, POINT),
        (PLACE._replace(position=Position("deck", 0, 1)), KEY, PAIR, POINT),
        (PLACE._replace(game=bytes(32)), KEY, PAIR, POINT),
        (PLACE, OTHER_KEY, PAIR, POINT),
        (PLACE, KEY, OTHER_PAIR, POINT),
        (PLACE, KEY, PAIR, OTHER_POINT),
    ],
    ids=["dealer", "position", "game", "key", "pair", "seat"],
)
def test_a_sealed_share_is_refused_in_any_other_place(arguments: tuple[object, ...]) -> None:
    assert refusal_reason(check_sealed_share, SEALED, *arguments) == "commitment"


def test_a_sealed_share_of_a_wrong_size_or_secret_is_refused() -> None:
    for wrong in (b"", SEALED[:-1], SEALED + b"1", IDENTITY + SEALED[32:]):
        assert refusal_reason(check_sealed_share, wrong, PLACE, KEY, PAIR, POINT) == "field"
    lie = seal_share(777, PLACE, PAIR, POINT)
    assert refusal_reason(check_sealed_share, lie, PLACE, KEY, PAIR, POINT) == "commitment"
