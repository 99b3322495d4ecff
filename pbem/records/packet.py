"""Packets: what only one seat learns in a turn, sealed by the referee (protocol §3, f)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from pbem.format.canonical import parse
from pbem.format.encrypted_box import DEPUTY, EMPTY_PACKET, PACKET_ROW, Place, open_box, seal
from pbem.format.errors import RecordError
from pbem.frozen import frozen
from pbem.records.fields.schema import as_bytes, from_doc, hash32, rows, text, wire
from pbem.records.order_line import MAX_LINE
from pbem.records.turn import Listed, OpenCard, OpenPosition

MOST_REFUSALS: Final = 16
"""How many refused lines one packet may explain."""
MAX_REASON: Final = 200
"""The most characters of the reason for a refusal."""
REFUSAL: Final = 912
"""The most bytes of one refusal, rounded up to 16: line and reason may be all quotation marks."""


@frozen
class Refusal:
    """Why the rules refused a line of this seat; everybody else learns only that it was refused."""

    order: bytes = wire(hash32)
    """The id of the orders."""
    line: str = wire(text(1, MAX_LINE, r"[ -~]+", "printable ASCII"))
    """The line as its owner wrote it."""
    why: str = wire(text(1, MAX_REASON, r"[ -~]+", "printable ASCII"))
    """The ruleset's sentence: its first 200 characters, with `?` for each that is not ASCII."""


@frozen
class Packet:
    """What only this seat learns in one turn; may be empty."""

    dealt: tuple[OpenPosition, ...] = wire(rows(OpenPosition, 1000), ())
    """Cards that came to the seat's hand, in the order of the log."""
    hidden: tuple[OpenCard, ...] = wire(rows(OpenCard, 1000), ())
    """Openings of the seat's own hidden-ref handles."""
    under: tuple[OpenPosition, ...] = wire(rows(OpenPosition, 1000), ())
    """Cards that the seat put under a deck, with the position they got."""
    refused: tuple[Refusal, ...] = wire(rows(Refusal, MOST_REFUSALS), ())
    """Details of refusals by the rules."""

    @property
    def opened(self) -> int:
        """Return how many cards the packet opens."""
        return len(self.dealt) + len(self.hidden) + len(self.under)


def packet_bytes(packet: Packet) -> bytes:
    """Return the canonical TOML inside a packet's box."""
    return as_bytes(packet)


def read_packet(plain: bytes) -> Packet:
    """Read what `packet_bytes` wrote. Raises RecordError `grammar`, `canonical` or `field`."""
    return from_doc(Packet, parse(plain))


def packet_size(opened: Iterable[int], listed: Iterable[Listed]) -> int:
    """Compute the padded size of a turn's packets, from what everybody knows.

    `opened` says, for each seat, how many cards the turn opens only to that seat. `listed` are the
    turn's orders. If the rules refused any of them, the packets have room for the longest reasons.
    """
    refusals = MOST_REFUSALS * REFUSAL if any(one.reason == "rule" for one in listed) else 0
    return EMPTY_PACKET + PACKET_ROW * max(opened, default=0) + refusals


def seal_packets(
    turn: int,
    packets: Mapping[str, Packet],
    keys: Mapping[str, bytes],
    listed: Iterable[Listed] = (),
) -> dict[str, bytes]:
    """Seal one box for each seat, all of the same size; `listed` is as in `packet_size`.

    `keys` are the box keys of the seats and of `audit` (`encrypted_box.box_key`).
    """
    plains = {seat: packet_bytes(packet) for seat, packet in packets.items()}
    size = packet_size((packet.opened for packet in packets.values()), listed)
    return {
        seat: seal(keys[seat], Place("turn", "packet", turn, seat), plain, size)
        for seat, plain in plains.items()
    }


def handover_size(opened: int) -> int:
    """Return the padded size of a handover that opens this many cards."""
    return EMPTY_PACKET + PACKET_ROW * opened


def seal_handover(turn: int, seat: str, packet: Packet, key: bytes) -> bytes:
    """Seal all that a seat could know before this turn in a box for the seat's new `key`."""
    place = Place("turn", "handover", turn, seat)
    return seal(key, place, packet_bytes(packet), handover_size(packet.opened))


def open_handover(turn: int, seat: str, box: bytes, key: bytes) -> Packet:
    """Open what `seal_handover` sealed. Raises what `open_packet` raises."""
    return read_packet(open_box(key, Place("turn", "handover", turn, seat), box))


def seal_secrets(key: bytes, secrets: bytes) -> bytes:
    """Seal the deputy's box of turn 1: r_ref and the secret of `audit`.

    `key` is the key of boxes between `audit` and the deputy.
    """
    return seal(key, Place("turn", "deputy", 1, ""), secrets, DEPUTY)


def open_secrets(key: bytes, box: bytes) -> tuple[bytes, bytes]:
    """Return r_ref and the secret of `audit` from a deputy's box.

    Raises RecordError `box`, `padding`, or `field` for other contents.
    """
    secrets = open_box(key, Place("turn", "deputy", 1, ""), box)
    if len(secrets) != 64:
        raise RecordError("field", "the deputy's box does not hold the referee's secrets")
    return secrets[:32], secrets[32:]


def open_packet(turn: int, seat: str, box: bytes, key: bytes) -> Packet:
    """Open one seat's packet.

    Raises RecordError `box`, `padding`, or what `read_packet` raises.
    """
    return read_packet(open_box(key, Place("turn", "packet", turn, seat), box))
