"""Packets: what only one seat learns in a turn, sealed by the referee (protocol §3, f)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.format.canonical import parse
from pbem.format.encrypted_box import Place, open_box, packet_size, seal
from pbem.records.fields.schema import as_bytes, from_doc, hash32, rows, text, wire
from pbem.records.turn import OpenCard, OpenPosition


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why the rules refused a line of this seat; the table learns only that it was refused."""

    order: bytes = wire(hash32)
    """The id of the orders."""
    line: str = wire(text(1, 400))
    """The line as its owner wrote it."""
    why: str = wire(text(1, 1000))
    """The ruleset's sentence."""


@dataclass(frozen=True, slots=True)
class Packet:
    """What only this seat learns in one turn; may be empty."""

    dealt: tuple[OpenPosition, ...] = wire(rows(OpenPosition, 1000), ())
    """Cards that came to the seat's hand, in the order of the log."""
    hidden: tuple[OpenCard, ...] = wire(rows(OpenCard, 1000), ())
    """Openings of the seat's own hidden-ref handles."""
    under: tuple[OpenPosition, ...] = wire(rows(OpenPosition, 1000), ())
    """Cards that the seat put under a deck, with the position they got."""
    refused: tuple[Refusal, ...] = wire(rows(Refusal, 1000), ())
    """Details of refusals by the rules."""


def packet_bytes(packet: Packet) -> bytes:
    """The canonical TOML inside a packet's box."""
    return as_bytes(packet)


def read_packet(plain: bytes) -> Packet:
    """Read what `packet_bytes` wrote. Raises RecordError `grammar`, `canonical` or `field`."""
    return from_doc(Packet, parse(plain))


def seal_packets(
    turn: int, packets: Mapping[str, Packet], keys: Mapping[str, bytes]
) -> dict[str, bytes]:
    """Seal one box for each seat, all of the smallest size that fits the largest packet.

    `keys` holds the seats' box keys with `audit` (`format.box.box_key`).
    """
    plains = {seat: packet_bytes(packet) for seat, packet in packets.items()}
    size = packet_size(list(plains.values()))
    return {
        seat: seal(keys[seat], Place("turn", "packet", turn, seat), plain, size)
        for seat, plain in plains.items()
    }


def open_packet(turn: int, seat: str, box: bytes, key: bytes) -> Packet:
    """Open one seat's packet.

    Raises RecordError `box`, `padding`, or what `read_packet` raises.
    """
    return read_packet(open_box(key, Place("turn", "packet", turn, seat), box))
