"""Boxes: both ends open them, nobody and nowhere else."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.format.crypto import siv_seal
from pbem.format.encrypted_box import (
    R_BOX,
    TAG,
    BoxContext,
    box_key,
    open_box,
    padded,
    public_of,
    seal,
    unpadded,
)
from pbem.format.hashes_and_streams import u
from pbem.format.record_error import RecordError
from tests.kit.refusals import refused_for

GAME = b"g" * 32
AUDIT, BO, CY = b"\x01" * 32, b"\x02" * 32, b"\x03" * 32
PLACE = BoxContext("orders", "orders", 7, "b", 2)
KEY = box_key(BO, public_of(AUDIT), GAME)


def test_both_ends_open_a_box_and_making_it_twice_gives_the_same_bytes() -> None:
    box = seal(KEY, PLACE, b"horns 4", R_BOX)
    assert len(box) == R_BOX + TAG
    assert open_box(box_key(AUDIT, public_of(BO), GAME), PLACE, box) == b"horns 4"
    assert seal(KEY, PLACE, b"horns 4", R_BOX) == box


@pytest.mark.parametrize(
    "place",
    [
        replace(PLACE, kind="turn"), replace(PLACE, field="packet"), replace(PLACE, turn=8),
        replace(PLACE, seat="c"), replace(PLACE, revision=1),
    ],
)  # fmt: skip
def test_a_box_opens_only_in_its_own_place(place: BoxContext) -> None:
    with pytest.raises(RecordError, match=r"does not open.*\[box\]"):
        open_box(KEY, place, seal(KEY, PLACE, b"x", R_BOX))


def test_a_box_opens_only_for_its_own_two_keys_and_game() -> None:
    box = seal(KEY, PLACE, b"x", R_BOX)
    others = ((CY, AUDIT, GAME), (BO, CY, GAME), (BO, AUDIT, b"h" * 32))
    for secret, other, game in others:
        with pytest.raises(RecordError, match=r"does not open.*\[box\]"):
            open_box(box_key(secret, public_of(other), game), PLACE, box)


@given(st.integers(0, R_BOX + TAG - 1), st.integers(1, 255))
def test_a_box_with_a_flipped_byte_does_not_open(at: int, flip: int) -> None:
    box = bytearray(seal(KEY, PLACE, b"x", R_BOX))
    box[at] ^= flip
    with pytest.raises(RecordError, match=r"does not open.*\[box\]"):
        open_box(KEY, PLACE, bytes(box))


def test_a_box_that_was_cut_short_does_not_open() -> None:
    box = seal(KEY, PLACE, b"x", 64)
    for length in range(len(box)):
        with pytest.raises(RecordError, match=r"does not open.*\[box\]"):
            open_box(KEY, PLACE, box[:length])


@given(st.binary(max_size=80), st.integers(0, 100))
def test_padded_text_has_the_wanted_length_and_is_read_back(plain: bytes, room: int) -> None:
    text = padded(plain, len(plain) + 8 + room)
    assert len(text) == len(plain) + 8 + room
    assert unpadded(text) == plain


def test_a_text_too_long_for_its_box_is_refused_and_not_cut() -> None:
    with pytest.raises(RecordError, match=r"\[padding\]"):
        padded(b"12345", 12)


def test_a_text_that_just_fills_its_box_is_read_back_whole() -> None:
    assert unpadded(padded(b"12345", 13)) == b"12345"


@pytest.mark.parametrize(
    "text",
    [
        b"", b"\0" * 7, b"\0" * 7 + b"\x01", b"\xff" * 9, padded(b"x", 30) + b"x",
        u(1) + b"xX" + bytes(20), u(1) + b"x" + bytes(20) + b"X",
    ],
)  # fmt: skip
def test_a_box_with_wrong_padding_is_refused(text: bytes) -> None:
    box = siv_seal(KEY, text, PLACE.associated()) if text else b""
    with refused_for("padding"):
        open_box(KEY, PLACE, box) if text else unpadded(text)


def test_a_low_order_key_makes_no_box() -> None:
    with pytest.raises(RecordError, match=r"so weak that others.*\[key\]"):
        box_key(BO, bytes(32), GAME)
