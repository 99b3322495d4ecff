"""Sealed orders: whoever has s and the texts recomputes every byte; nobody else learns anything."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Line
from pbem.format.encrypted_box import TAG, box_key, public_of, seal
from pbem.format.hashes_and_streams import u
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import SigningKey
from pbem.records.orders import (
    MAX_LINE_BYTES,
    MAX_LINES,
    MAX_TEXT_BYTES,
    SHEET_BYTES,
    SHEET_COUNTS,
    SLOTS_PER_SHEET,
    Orders,
    parse_line,
)
from pbem.records.read_and_sign_record import make
from pbem.records.sealed_orders import (
    OrderPlace,
    UnsealedOrders,
    check_hidden,
    check_line_opening,
    handles_in,
    line_commitment,
    seal_orders,
    unseal_orders,
)
from pbem.records.turn import OpenCard, OpenLine
from tests.kit.refusals import refused_for

GAME, HEAD = b"g" * 32, b"h" * 32
PLACE = OrderPlace(GAME, 7, "b", 2)
KEY = box_key(b"\x01" * 32, public_of(b"\x02" * 32), GAME)
words = st.text("abcdefgh 0123456789*;:#?", min_size=1, max_size=9)
cards = words.map(lambda card: f"[{card}]")
sentences = st.lists(st.one_of(words, cards), min_size=1, max_size=6).map("".join)
lines_of_orders = st.tuples(st.sampled_from(["food: ", "always feed: "]), sentences).map("".join)


def _unsealed(texts: list[str], secret: bytes = b"s" * 32) -> UnsealedOrders:
    return UnsealedOrders(PLACE, secret, texts)


@given(st.lists(lines_of_orders, max_size=70), st.binary(min_size=32, max_size=32))
def test_sealed_orders_open_for_their_player_and_the_referee(
    texts: list[str], secret: bytes
) -> None:
    unsealed = _unsealed(texts, secret)
    orders = seal_orders(PLACE, HEAD, unsealed, KEY)
    again = unseal_orders(orders, box_key(b"\x02" * 32, public_of(b"\x01" * 32), GAME))
    assert (again.secret, again.texts, again.lines) == (secret, tuple(texts), orders.lines)
    for rank, text in enumerate(texts):
        opening = unsealed.opening(rank, b"i" * 32)
        handles = check_line_opening(orders, opening)
        shown = unsealed.cards(rank)
        assert handles == [card.handle for card in shown] == handles_in(opening.text)
        for j, card in enumerate(shown):
            check_hidden(PLACE, opening.slot, j, card)
        unmasked = opening.text
        for card in shown:
            unmasked = unmasked.replace(f"#{card.handle.hex()}", card.card)
        assert unmasked == text


COUNTS = [(0, 1), (1, 1), (64, 1), (65, 2), (128, 2), (129, 4), (256, 4), (257, 8), (512, 8)]


@pytest.mark.parametrize(("count", "sheets"), COUNTS)
def test_sealed_orders_have_as_few_slots_as_hold_their_lines(count: int, sheets: int) -> None:
    orders = seal_orders(PLACE, HEAD, _unsealed(["food: x"] * count), KEY)
    assert (len(orders.lines), len(orders.box)) == (
        SLOTS_PER_SHEET * sheets,
        SHEET_BYTES * sheets + TAG,
    )


def _lines_of(size: int) -> list[str]:
    """Lines with so many bytes together, each with its LF."""
    full, rest = divmod(size, MAX_LINE_BYTES + 1)
    lengths = [MAX_LINE_BYTES] * full + [rest - 1] * (rest > 0)
    if 0 < rest < 8:  # no line is so short
        lengths[-2:] = [MAX_LINE_BYTES - 8, rest + 7]
    return ["feed: " + "x" * (length - 6) for length in lengths]


@pytest.mark.parametrize("sheets", SHEET_COUNTS)
def test_sealed_orders_have_as_few_slots_as_hold_their_text(sheets: int) -> None:
    """A box holds its length (8 bytes), the secret (32) and the lines, each with its LF."""
    most = SHEET_BYTES * sheets - 8 - 32
    for size, needed in ((most, sheets), (most + 1, 2 * sheets)):
        texts = _lines_of(size)
        assert sum(len(line) + 1 for line in texts) == size
        if needed in SHEET_COUNTS:
            orders = seal_orders(PLACE, HEAD, _unsealed(texts), KEY)
            assert (len(orders.lines), len(orders.box)) == (
                SLOTS_PER_SHEET * needed,
                SHEET_BYTES * needed + TAG,
            )
            assert unseal_orders(orders, KEY).texts == tuple(texts)
    assert MAX_TEXT_BYTES == 16344


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (["food: x"] * (MAX_LINES + 1), "there are 513 lines of orders; the maximum is 512"),
        (
            _lines_of(MAX_TEXT_BYTES + 1),
            "the lines of orders have 16345 bytes together; the maximum is 16344",
        ),
    ],
)
def test_orders_with_too_many_lines_or_bytes_are_not_sealed(texts: list[str], words: str) -> None:
    with pytest.raises(RecordError, match=rf"{words} \[rule\]"):
        seal_orders(PLACE, HEAD, _unsealed(texts), KEY)


def test_the_smallest_signed_orders_have_at_most_8000_bytes() -> None:
    """Most orders are of the smallest class: what one costs in the folder, with its signature."""
    sizes = {}
    for sheets in SHEET_COUNTS:
        lines = ["feed: * eats"] * (SLOTS_PER_SHEET * sheets)
        orders = seal_orders(OrderPlace(GAME, 9999, "p", 99), HEAD, _unsealed(lines), KEY)
        sizes[sheets] = len(make(orders, SigningKey(b"k" * 32)).file)
    print(f"bytes of signed orders by class: {sizes}")
    assert sizes[1] <= 8000


def test_texts_that_are_no_order_lines_are_not_sealed() -> None:
    for text in ("food", "food: [x", "Food: x"):
        with pytest.raises(RecordError, match=r"\[rule\]"):
            seal_orders(PLACE, HEAD, _unsealed(["food: x", text]), KEY)
    (line,) = _unsealed(["always feed: * eats"]).check()
    assert line == Line(0, "feed", "* eats", always=True)


def _boxed(plain: bytes, sheets: int = 1, texts: Sequence[str] = ()) -> Orders:
    """Orders whose slots hold these texts and whose box holds something else."""
    orders = seal_orders(PLACE, HEAD, _unsealed(list(texts)), KEY)
    fill = tuple(u(n) * 4 for n in range(SLOTS_PER_SHEET * (sheets - 1)))
    box = seal(KEY, PLACE.box(), plain, SHEET_BYTES * sheets)
    return replace(orders, lines=orders.lines + fill, box=box)


CUT_OFF = "their secret is missing, or the last line was cut off"
UNFIT = "do not match the lines in their box"
TOO_LARGE = "have the wrong size: it must be the smallest size that holds their lines"


@pytest.mark.parametrize(
    ("orders", "words"),
    [
        (_boxed(b"s" * 31), CUT_OFF),
        (_boxed(b""), CUT_OFF),
        (_boxed(b"s" * 32 + b"x"), CUT_OFF),
        (_boxed(b"s" * 32 + b"food: x\nx"), CUT_OFF),
        (_boxed(b"s" * 32 + b"\xff\n"), "contains a byte that is not ASCII"),
        (_boxed(b"s" * 32 + b"\n"), UNFIT),
        (_boxed(b"s" * 32 + b"food: x\n"), UNFIT),
        (_boxed(b"s" * 32, texts=["food: x"]), UNFIT),
        (_boxed(b"t" * 32), UNFIT),
        (_boxed(b"s" * 32, sheets=2), TOO_LARGE),
        (_boxed(b"s" * 32 + b"food: x\n" * 64, sheets=2), TOO_LARGE),
        (_boxed(b"s" * 32 + b"food: x\n" * 65), TOO_LARGE),
        (_boxed(b"s" * 32 + b"\n" * 513, sheets=8), "more lines than any orders can have"),
    ],
)
def test_orders_whose_box_does_not_fit_their_lines_are_refused(orders: Orders, words: str) -> None:
    with pytest.raises(RecordError, match=rf"{words} \[commitment\]"):
        unseal_orders(orders, KEY)


def test_sealed_orders_have_the_same_shape_whatever_their_lines_say() -> None:
    shapes = set()
    long = ["food: [" + "x" * 100 + "]"] * 18
    for texts in ([], ["food: [horns 4]"], ["always feed: * eats"] * 64, long):
        orders = seal_orders(PLACE, HEAD, _unsealed(texts), KEY)
        shapes.add((len(orders.lines), len(orders.box), len(set(orders.lines))))
    assert shapes == {(SLOTS_PER_SHEET, SHEET_BYTES + TAG, SLOTS_PER_SHEET)}


def test_a_lines_slot_tells_nothing_of_its_rank() -> None:
    firsts = Counter(_unsealed(["food: x"], bytes([n]) * 32).slots[0] // 16 for n in range(256))
    assert len(firsts) == 4
    assert all(30 < n < 110 for n in firsts.values())


def test_the_same_card_has_a_different_handle_in_every_bracket_line_and_set() -> None:
    one = _unsealed(["play: [horns 4] [horns 4]", "play: [horns 4]"])
    other = UnsealedOrders(OrderPlace(GAME, 7, "b", 3), b"t" * 32, ["play: [horns 4]"])
    handles = [c.handle for s in (one, other) for p in range(len(s.texts)) for c in s.cards(p)]
    assert len(set(handles)) == 4


@pytest.mark.parametrize(
    "change", [{"slot": 1}, {"text": "food: [#" + "0" * 64 + "]"}, {"salt": b"x" * 32}]
)
def test_a_wrongly_opened_line_is_refused(change: dict[str, object]) -> None:
    unsealed = _unsealed(["food: [horns 4]"])
    orders = seal_orders(PLACE, HEAD, unsealed, KEY)
    right = unsealed.opening(0, b"i" * 32)
    values = {"order": right.order, "slot": right.slot, "text": right.text, "salt": right.salt}
    assert values != values | change
    with pytest.raises(RecordError, match=r"is not the line that the turn shows.*\[commitment\]"):
        check_line_opening(orders, OpenLine(**(values | change)))  # type: ignore[arg-type]


def test_a_line_opened_beyond_the_slots_or_without_handles_is_refused() -> None:
    unsealed = _unsealed(["food: [horns 4]"])
    orders = seal_orders(PLACE, HEAD, unsealed, KEY)
    with pytest.raises(RecordError, match=r"they have fewer lines.*\[opening\]"):
        check_line_opening(orders, OpenLine(b"i" * 32, SLOTS_PER_SHEET, "x", b"s" * 32))
    with pytest.raises(RecordError, match=r"with a face-down card that has no code .*\[opening\]"):
        handles_in("food: [horns 4]")


def test_another_card_behind_a_handle_is_refused() -> None:
    unsealed = _unsealed(["food: [horns 4]"])
    card, slot = unsealed.cards(0)[0], unsealed.slots[0]
    for wrong in (
        OpenCard(card.handle, "horns 3", card.salt),
        OpenCard(card.handle, card.card, b"x" * 32),
    ):
        with pytest.raises(RecordError, match=r"not the card that was put down.*\[commitment\]"):
            check_hidden(PLACE, slot, 0, wrong)
    with pytest.raises(RecordError, match=r"not the card that was put down.*\[commitment\]"):
        check_hidden(PLACE, slot, 1, card)


@pytest.mark.parametrize(
    "place",
    [OrderPlace(b"x" * 32, 7, "b", 2), OrderPlace(GAME, 8, "b", 2), OrderPlace(GAME, 7, "c", 2)],
)
def test_a_lines_commitment_depends_on_game_turn_and_seat(place: OrderPlace) -> None:
    salt = b"s" * 32
    assert line_commitment(place, 3, "x", salt) != line_commitment(PLACE, 3, "x", salt)


@pytest.mark.parametrize(
    ("line", "parsed"),
    [
        ("food: [horns 4]", ("food", "[horns 4]", False)),
        ("always feed: * eats", ("feed", "* eats", True)),
        ("always: no", ("always", "no", False)),
    ],
)
def test_a_line_is_read_into_kind_text_and_always(line: str, parsed: tuple[str, str, bool]) -> None:
    found = parse_line(line)
    assert (found.kind, found.text, found.always) == parsed


@pytest.mark.parametrize(
    "line",
    ["", "food", "food:", "food: ", "Food: x", "food:x", "food: é", "food: [x", "food: x]",
     "food: [[x]]", "food: ]x[", "a b: x", "food: " + "x" * 195, "food: a\tb"],
)  # fmt: skip
def test_texts_that_are_no_order_lines_are_refused(line: str) -> None:
    with refused_for("rule"):
        parse_line(line)
