"""Packets: what only one seat learns in a turn, and handovers (protocol §5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from engine.value_classes import Value
from pbem.format.canonical_toml import parse
from pbem.format.encrypted_box import (
    EMPTY_PACKET,
    PACKET_ROW,
    BoxContext,
    open_box,
    seal,
)
from pbem.records.orders import MAX_LINE_BYTES
from pbem.records.record_field_codecs import (
    as_bytes,
    from_doc,
    hash32,
    rows,
    text,
    wire,
)
from pbem.records.turn import ListedOrders, OpenCard, OpenPosition

YOUR_PACKET: Final = "the secret part of the turn for your seat (your packet)"
MAX_PACKET_REFUSALS: Final = 16
"""The most refused lines that one packet may explain."""
MAX_REASON: Final = 200
"""The most characters of the reason for a refusal."""
REFUSAL: Final = 912
"""The most bytes of one refusal, rounded up to 16: line and reason may be all quotation marks."""


class RefusedLine(Value):
    """A line that the rules refused, with the reason; everybody else learns only that there is
    one."""

    order: bytes = wire(hash32)
    """The id of the orders."""
    line: str = wire(text(1, MAX_LINE_BYTES, r"[ -~]+", "printable ASCII"))
    """The line, as the owner wrote it."""
    why: str = wire(text(1, MAX_REASON, r"[ -~]+", "printable ASCII"))
    """The ruleset's sentence: its first 200 characters, with `?` for each that is not ASCII."""


class Packet(Value):
    """The secrets that one seat learns in one turn; may be empty."""

    dealt: tuple[OpenPosition, ...] = wire(rows(OpenPosition, 1000), ())
    """Cards that came to the seat's hand, in the order of the log."""
    hidden: tuple[OpenCard, ...] = wire(rows(OpenCard, 1000), ())
    """Openings of the seat's own hidden-ref handles."""
    under: tuple[OpenPosition, ...] = wire(rows(OpenPosition, 1000), ())
    """Cards that the seat put under a deck, with the position they got."""
    refused: tuple[RefusedLine, ...] = wire(rows(RefusedLine, MAX_PACKET_REFUSALS), ())
    """Details of refusals by the rules."""

    @property
    def opened(self) -> int:
        """Return the number of cards that the packet opens."""
        return len(self.dealt) + len(self.hidden) + len(self.under)


def packet_bytes(packet: Packet) -> bytes:
    """Return the canonical TOML inside a packet's box."""
    return as_bytes(packet)


def read_packet(plaintext: bytes) -> Packet:
    """Read what `packet_bytes` wrote. Raises RecordError `grammar`, `canonical` or `field`."""
    return from_doc(Packet, parse(plaintext))


def packet_size(opened: Iterable[int], listed_orders: Iterable[ListedOrders]) -> int:
    """Compute the padded size of a turn's packets, from public facts.

    `opened`: for each seat, the number of cards that the turn opens only to this seat. If the
    rules refused any of `listed_orders`, every packet has room for 16 refusals.
    """
    size = EMPTY_PACKET + PACKET_ROW * max(opened, default=0)
    if any(orders.reason == "rule" for orders in listed_orders):
        size += MAX_PACKET_REFUSALS * REFUSAL
    return size


def seal_packets(
    turn: int,
    packets: Mapping[str, Packet],
    keys: Mapping[str, bytes],
    listed_orders: Iterable[ListedOrders] = (),
) -> dict[str, bytes]:
    """Seal one box for each seat, all of the same size; return them by seat. `keys` are the keys of
    the boxes between the seats and `audit`; `listed_orders` is the turn's list of orders, which the
    size depends on."""
    plaintexts = {seat: packet_bytes(packet) for seat, packet in packets.items()}
    size = packet_size((packet.opened for packet in packets.values()), listed_orders)
    return {
        seat: seal(keys[seat], BoxContext("turn", "packet", turn, seat), plaintext, size)
        for seat, plaintext in plaintexts.items()
    }


def handover_size(opened: int) -> int:
    """Return the padded size of a handover that opens this many cards."""
    return EMPTY_PACKET + PACKET_ROW * opened


def seal_handover(turn: int, seat: str, packet: Packet, key: bytes) -> bytes:
    """Seal a packet with all earlier secrets of a seat in a box for the seat's new `key`."""
    context = BoxContext("turn", "handover", turn, seat)
    return seal(key, context, packet_bytes(packet), handover_size(packet.opened))


def open_handover(turn: int, seat: str, box: bytes, key: bytes) -> Packet:
    """Open what `seal_handover` sealed. Raises what `open_packet` raises."""
    return read_packet(open_box(key, BoxContext("turn", "handover", turn, seat), box))


def open_packet(turn: int, seat: str, box: bytes, key: bytes) -> Packet:
    """Open one seat's packet. Raises RecordError `box`, `padding`, or what `read_packet` raises."""
    return read_packet(open_box(key, BoxContext("turn", "packet", turn, seat), box))
