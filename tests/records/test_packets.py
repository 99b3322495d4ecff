"""Packets: what one seat alone learns, in boxes whose size tells what everybody knows."""

from contextlib import suppress

import pytest

from pbem.format.canonical_toml import emit
from pbem.format.encrypted_box import TAG
from pbem.format.record_error import RecordError
from pbem.records.packet import (
    Packet,
    RefusedLine,
    open_packet,
    packet_bytes,
    packet_size,
    read_packet,
    seal_packets,
)
from pbem.records.record_field_codecs import Codec, FieldError
from pbem.records.record_header import card_text, word
from pbem.records.turn import MAX_CARDS, MAX_EPOCH, ListedOrders, OpenCard, OpenPosition
from tests.kit.refusals import refused_for

OPENING = OpenPosition("deck", 0, 3, "horns 4", b"s" * 32)
CARD = OpenCard(b"h" * 32, "horns 4", b"s" * 32)
PACKETS = {
    "a": Packet(dealt=(OPENING,) * 12, hidden=(CARD,)),
    "b": Packet(under=(OPENING,), refused=(RefusedLine(b"o" * 32, "play: x", "b1 is not yours"),)),
    "c": Packet(),
}
KEYS = {seat: seat.encode() * 32 for seat in PACKETS}


def test_packets_open_only_for_their_seat_and_turn_and_have_one_size() -> None:
    boxes = seal_packets(7, PACKETS, KEYS)
    assert {len(box) for box in boxes.values()} == {64 + 13 * 256 + TAG}
    for seat, packet in PACKETS.items():
        assert open_packet(7, seat, boxes[seat], KEYS[seat]) == packet
    for turn, seat, key in ((8, "a", "a"), (7, "b", "a"), (7, "a", "b")):
        with pytest.raises(RecordError, match=r"does not open.*\[box\]"):
            open_packet(turn, seat, boxes["a"], KEYS[key])
    nothing = dict.fromkeys(PACKETS, Packet())
    assert {len(box) for box in seal_packets(7, nothing, KEYS).values()} == {64 + TAG}


@pytest.mark.parametrize(
    ("listed", "refusals"),
    [
        ([], 0),
        (
            [
                ListedOrders(b"o" * 32, "b", "accepted"),
                ListedOrders(b"p" * 32, "a", "refused", "late"),
            ],
            0,
        ),
        ([ListedOrders(b"o" * 32, "b", "refused", "unopenable")], 0),
        ([ListedOrders(b"o" * 32, "b", "refused", "rule")], 16),
        ([ListedOrders(b"o" * 32, s, "refused", "rule") for s in "abc"], 16),
    ],
)
def test_the_size_of_packets_follows_from_public_facts(
    listed: list[ListedOrders], refusals: int
) -> None:
    """From how many cards the turn opens to one seat, and whether the rules refused any orders."""
    assert packet_size([0, 5, 3], listed) == 64 + 5 * 256 + 912 * refusals
    assert packet_size([], listed) == 64 + 912 * refusals
    packets = PACKETS | {"b": Packet(hidden=(CARD,) * 14)}
    boxes = seal_packets(7, packets, KEYS, listed)
    assert {len(box) for box in boxes.values()} == {64 + 14 * 256 + 912 * refusals + TAG}


def _longest(codec: Codec[str]) -> tuple[int, int]:
    """How many characters a text may have, and the most bytes that one takes in a record."""
    length, taken = 0, []
    with suppress(FieldError):
        for length in range(1000):
            codec.read("x" * (length + 1))
    for char in map(chr, range(0x2000)):
        with suppress(FieldError):
            codec.read(f"x{char}x")
            taken.append(len(emit({"a": char})) - len(emit({"a": ""})))
    return length, max(taken)


def test_every_possible_packet_fits_the_computed_size() -> None:
    """Whatever the schema allows: 64 bytes for its length, 256 for a card, 912 for a refusal."""
    assert (_longest(card_text), _longest(word)) == ((80, 1), (32, 1))
    card, deck = "x" * 80, "y" * 32
    position = OpenPosition(deck, MAX_EPOCH, MAX_CARDS, card, b"s" * 32)
    hidden = OpenCard(b"h" * 32, card, b"s" * 32)
    for name, row in (("dealt", position), ("under", position), ("hidden", hidden)):
        assert len(packet_bytes(Packet(**{name: (row,)}))) <= 256
        assert len(packet_bytes(Packet(**{name: (row,) * 1000}))) <= 256 * 1000
    longest = RefusedLine(b"o" * 32, '"' * 200, "\\" * 200)
    assert read_packet(packet_bytes(Packet(refused=(longest,) * 16))).refused == (longest,) * 16
    assert 896 < len(packet_bytes(Packet(refused=(longest,)))) <= 912
    full = Packet((position,) * 9, (hidden,) * 9, (position,) * 9, (longest,) * 16)
    listed = [ListedOrders(b"o" * 32, "a", "refused", "rule")]
    box = seal_packets(1, {"a": full}, {"a": KEYS["a"]}, listed)["a"]
    assert open_packet(1, "a", box, KEYS["a"]) == full


def test_a_packet_with_unknown_content_is_refused() -> None:
    for text, reason in (
        (b"extra = 1\n", "field"),
        (b"dealt = []\n", "field"),
        (b"\n", "canonical"),
    ):
        with refused_for(reason):
            read_packet(text)


def test_a_packet_with_more_than_it_may_hold_is_refused() -> None:
    def packet(line: int = 1, why: int = 1, **counts: int) -> Packet:
        refusal = RefusedLine(b"o" * 32, "x" * line, "y" * why)
        rows = {"dealt": OPENING, "under": OPENING, "hidden": CARD, "refused": refusal}
        counts = {"refused": 1} | counts
        return Packet(**{name: (rows[name],) * n for name, n in counts.items()})

    for most in ({"line": 200, "why": 200}, dict.fromkeys(["dealt", "under", "hidden"], 1000)):
        for change in (most, {"refused": 16}):
            assert read_packet(packet_bytes(packet(**change))) == packet(**change)
    too_much = [{"line": 201}, {"why": 201}, {"line": 0}, {"why": 0}, {"refused": 17}]
    too_much += [{name: 1001} for name in ("dealt", "under", "hidden")]
    for change in too_much:
        with pytest.raises(RecordError, match=r"\[field\]"):
            read_packet(packet_bytes(packet(**change)))
