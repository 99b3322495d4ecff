"""Encrypted boxes between two X25519 keys, which both ends can open (protocol §2, *Box*).

They use AES-SIV, so the same inputs make the same bytes.
"""

from __future__ import annotations

import struct
from typing import Final, Literal

from engine.value_classes import Value
from pbem.format import crypto, protocol_labels
from pbem.format.hashes_and_streams import kdf, pae, u
from pbem.format.record_error import RecordError
from pbem.format.usable_public_keys import check_x25519

Field = Literal["r", "contact", "orders", "packet", "text", "handover", "deputy", "recovery"]
"""The fields of records that hold boxes."""

R_BOX: Final = 64
"""Padded size of the box `r`, whose text has 32 bytes."""
DEPUTY: Final = 128
"""Padded size of the deputy's box, whose text has 64 bytes."""
CONTACT: Final = 512
"""Padded size of the box `contact`."""
EMPTY_PACKET: Final = 64
"""Padded size of each packet in a turn that opens no card for any seat."""
PACKET_ROW: Final = 256
"""Bytes by which packets grow for each card; no opening of a card is longer."""
TAG: Final = 16
"""Number of bytes by which a box is longer than its padded text."""


class BoxContext(Value):
    """The field of a record to which a box is bound: the box opens nowhere else.

    It has the kind of record, the field, turn, seat, and revision (or 0; for a message its number).
    In a packet, `seat` is the one that it is for. In a join, `signer` is the key that signs the
    join: a box copied into another player's join does not open there.
    """

    kind: str
    field: Field
    turn: int
    seat: str
    revision: int = 0
    signer: bytes = b""

    def associated(self) -> bytes:
        """Return the context as bytes: the associated data of the encryption."""
        parts = [self.kind.encode(), self.field.encode()]
        parts += [u(self.turn), self.seat.encode(), u(self.revision)]
        return pae(*parts, self.signer) if self.signer else pae(*parts)


def public_of(secret: bytes) -> bytes:
    """Compute the X25519 public key of a 32-byte secret."""
    return crypto.x25519_public(secret)


def box_key(secret: bytes, public: bytes, game: bytes) -> bytes:
    """Compute the key of all boxes between these two keys in this game, from either end. Raises
    RecordError `key`."""
    check_x25519(public)
    shared_secret = crypto.x25519_shared(secret, public)
    low_key, high_key = sorted((public, crypto.x25519_public(secret)))
    return kdf(shared_secret, protocol_labels.BOX, game, low_key, high_key)


def padded(plaintext: bytes, size: int) -> bytes:
    """Return u(length) ‖ plaintext ‖ zeros, `size` bytes. Raises RecordError `padding` for a
    plaintext that is too long."""
    if 8 + len(plaintext) > size:
        raise RecordError(
            "padding",
            f"the text has {len(plaintext)} bytes, but its box has room for only {size - 8}",
        )
    return (u(len(plaintext)) + plaintext).ljust(size, b"\0")


def unpadded(padded_text: bytes) -> bytes:
    """Undo `padded`. Raises RecordError `padding` for a wrong length or non-zero padding."""
    if len(padded_text) < 8:
        raise RecordError(
            "padding",
            "the text in the box is too short: it must begin with its length, in 8 bytes",
        )
    (length,) = struct.unpack_from(">Q", padded_text)
    plaintext, padding = padded_text[8 : 8 + length], padded_text[8 + length :]
    if length > len(padded_text) - 8:
        sentence = f"the box has room for {len(padded_text) - 8} bytes, but says that its text has"
        raise RecordError("padding", f"{sentence} {length}")
    if padding.strip(b"\0"):
        raise RecordError("padding", "the box has something other than zeros after its text")
    return plaintext


def seal(key: bytes, context: BoxContext, plaintext: bytes, size: int) -> bytes:
    """Seal `plaintext` in a box of size + 16 bytes. The same inputs give the same bytes."""
    return crypto.siv_seal(key, padded(plaintext, size), context.associated())


def open_box(key: bytes, context: BoxContext, box: bytes) -> bytes:
    """Open a box and return its text; the caller checks the size. Raises RecordError `box` for a
    wrong key, context or box, `padding` for wrong padding."""
    padded_text = crypto.siv_open(key, box, context.associated())
    if padded_text is None:
        seat_clause = f" of seat {context.seat}" if context.seat else ""
        subject = f"the box{seat_clause} (field {context.field}) does not open"
        sentence = f"{subject}: somebody changed it, or it was made for a different place or key"
        raise RecordError("box", sentence)
    return unpadded(padded_text)
