"""The part of a dealer in a game whose cards several dealers hide (protocol §5, *deal*; §12).

A deal record has the part of a co-dealer; the referee's part is in turns, with the same rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from engine.value_classes import Value
from pbem.format.encrypted_box import TAG, BoxContext, open_box, seal
from pbem.records.record_field_codecs import (
    FieldError,
    boxed,
    hexed,
    left_out_if_empty,
    mapping,
    number,
    one_table,
    rising,
    rows,
    wire,
)
from pbem.records.record_header import (
    MAX_SEATS,
    SEAT_PATTERN,
    Header,
    RecordKind,
    card_text,
    seat_letter,
)

MAX_DEALERS: Final = 3
"""The most dealers of a game: the co-dealers, then the referee."""
MAX_CO_DEALERS: Final = MAX_DEALERS - 1
MAX_SLOT: Final = 9999
"""The highest number that a slot can have."""
MAX_MIXED_CARDS: Final = 2048
"""The most cards in a hidden deck: the file of a mix of so many has less than 1 MiB."""
PAIR_BYTES: Final = 64
SHARE_BYTES: Final = 96
"""The bytes of a share of a card: a point, and the two scalars of its proof."""
SEALED_SHARE_BYTES: Final = 160
"""The bytes of a share of a card for its seat: two points, and the three scalars of their proof."""
RECOVERY_BYTES: Final = 128
"""Padded size of the box with a co-dealer's secret for its deputy."""

_share_data: Final = boxed(lambda n: n == SHARE_BYTES, f"base64 of {SHARE_BYTES} bytes")
slot_number: Final = number(0, MAX_SLOT)
co_dealer: Final = number(0, MAX_CO_DEALERS - 1)
_pairs: Final = boxed(
    lambda n: 0 < n <= PAIR_BYTES * MAX_MIXED_CARDS and n % PAIR_BYTES == 0,
    f"base64 of {PAIR_BYTES} bytes for each card",
)
_mix_proof: Final = boxed(
    lambda n: n >= 32 * 9 and (n - 32 * 5) % 128 == 0,
    "base64 of 160 bytes and 128 more for each card",
)
shares_by_seat: Final = mapping(
    SEAT_PATTERN,
    boxed(
        lambda n: n > 0 and n % SEALED_SHARE_BYTES == 0,
        f"base64 of {SEALED_SHARE_BYTES} bytes for each card",
    ),
    MAX_SEATS,
    "a seat's letter",
)
_recovery_box: Final = boxed(
    lambda n: n == RECOVERY_BYTES + TAG, f"base64 of a box of {RECOVERY_BYTES + TAG} bytes"
)


class CardMix(Value):
    """A dealer's mix of the hidden deck, with its proof."""

    pairs: bytes = wire(_pairs)
    """The new pairs `out`: 64 bytes for each card."""
    proof: bytes = wire(_mix_proof)
    """The proof that the cards are the same."""


class NeededSlot(Value):
    """A slot that must be opened before the game goes on."""

    seat: str = wire(seat_letter)
    """The seat whose slot it is."""
    slot: int = wire(slot_number)
    """The slot."""


class OpenedShare(Value):
    """A co-dealer's share of a card that everybody may see."""

    seat: str = wire(seat_letter)
    """The seat whose slot it is."""
    slot: int = wire(slot_number)
    """The slot."""
    share: bytes = wire(_share_data)
    """The co-dealer's share of its card."""


class OpenedSlot(Value):
    """The card of a slot, which all dealers' shares together give."""

    seat: str = wire(seat_letter)
    """The seat whose slot it is."""
    slot: int = wire(slot_number)
    """The slot."""
    card: str = wire(card_text)
    """The card."""
    share: bytes = wire(_share_data)
    """The referee's share of it."""


class Deal(Header, kw_only=True):
    """A co-dealer's part after one turn; a file in `deals/`."""

    kind: ClassVar[RecordKind] = "deal"
    dealer: int = wire(co_dealer)
    """The co-dealer's number, from 0, in the order of the charter."""
    card_key: bytes = wire(hexed(32), b"")
    """Turn 0 only: the dealer's card key."""
    card_proof: bytes = wire(hexed(64), b"")
    """Turn 0 only: the proof that the dealer knows the secret of its card key."""
    recovery: bytes = wire(_recovery_box, b"")
    """Turn 0 only: a box to the dealer's deputy, with the secret."""
    mix: CardMix | None = wire(one_table(CardMix), None)
    """The dealer's mix of the deck."""
    shares: Mapping[str, bytes] | None = wire(shares_by_seat, None)
    """For each seat that got cards: the dealer's shares of them, sealed for the seat, slot by
    slot."""
    opened: tuple[OpenedShare, ...] = wire(rows(OpenedShare, 4096), ())
    """The dealer's shares of the slots that must be opened; by seat and slot."""
    secret: bytes = wire(hexed(32), b"")
    """After the turn that ends the game: the dealer's secret scalar, which opens everything."""

    def check(self) -> None:
        """Raise FieldError if the fields contradict each other (see Header)."""
        super().check()
        is_first = self.turn == 0
        if (bool(self.card_key), bool(self.card_proof)) != (is_first, is_first):
            raise FieldError(
                "the dealer's first file lacks the field card_key or card_proof"
                if is_first
                else "the field card_key or card_proof is here, but only a dealer's first file "
                "may have them"
            )
        if self.recovery and not is_first:
            raise FieldError(
                "the field recovery is here, but only a dealer's first file may have it"
            )
        if self.shares is not None and not self.shares:
            raise left_out_if_empty("shares")
        has_part = bool(self.mix or self.shares or self.opened)
        part_count = has_part + bool(self.secret) + is_first
        if part_count != 1:
            raise FieldError(
                "a dealer's file must contain one of three things: a key, dealt cards, or the "
                f"dealer's secret; this file contains {part_count or 'none'} of them"
            )
        rising("opened", [(row.seat, row.slot) for row in self.opened])


def split_shares(data: bytes) -> list[bytes]:
    """Return the sealed shares for a seat, one for each of its slots."""
    size = SEALED_SHARE_BYTES
    return [data[start : start + size] for start in range(0, len(data), size)]


def seal_recovery(secret: bytes, dealer: int, key: bytes) -> bytes:
    """Seal a co-dealer's 32-byte secret for its deputy; `key` is that of the boxes between them."""
    return seal(key, BoxContext("deal", "recovery", 0, "", dealer), secret, RECOVERY_BYTES)


def open_recovery(box: bytes, dealer: int, key: bytes) -> bytes:
    """Open what `seal_recovery` sealed. Raises RecordError `box`, `padding`."""
    return open_box(key, BoxContext("deal", "recovery", 0, "", dealer), box)
