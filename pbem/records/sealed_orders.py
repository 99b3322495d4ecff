"""Seal and open orders: lines hidden in shuffled slots, opened one by one (protocol §8).

Anybody with the secret s and the texts can recompute every byte of `lines`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import cached_property

from engine import Line
from engine.value_classes import Value
from pbem.format import protocol_labels
from pbem.format.encrypted_box import BoxContext, open_box, seal
from pbem.format.hashes_and_streams import Kdf, Stream, shuffle, th, u
from pbem.format.record_error import RecordError
from pbem.records.orders import (
    BRACKET_PATTERN,
    SHEET_BYTES,
    SLOTS_PER_SHEET,
    Orders,
    parse_line,
    sheets_for,
    why_orders_too_long,
)
from pbem.records.turn import OpenCard, OpenLine

_BRACKET = re.compile(BRACKET_PATTERN)


class OrderPlace(Value):
    """The place of a set of orders: game, turn that it answers, seat, revision (from 1)."""

    game: bytes
    turn: int
    seat: str
    revision: int

    @staticmethod
    def of_orders(orders: Orders) -> OrderPlace:
        """Return the place that these orders name."""
        return OrderPlace(orders.game, orders.turn, orders.seat, orders.revision)

    def box(self) -> BoxContext:
        """Return the place that the orders' box is bound to."""
        return BoxContext("orders", "orders", self.turn, self.seat, self.revision)


def texts_bytes(texts: Sequence[str]) -> bytes:
    """Return the lines as they are hashed and unsealed, each followed by LF."""
    return "".join(f"{line}\n" for line in texts).encode("ascii")


def texts_digest(texts: Sequence[str]) -> bytes:
    """Return the SHA-256 of the texts, from which the orders' secret derives (`keys.Secrets`)."""
    return hashlib.sha256(texts_bytes(texts)).digest()


class UnsealedOrders:
    """A set of orders in clear, with the secret that only the owner and the referee know.

    `texts` are the lines, each `<kind>: <sentence>`; `secret` (32 bytes) hides them. Lines have a
    *rank*, from 0, in the order of the player; other people see only *slots*, of which each line
    has one at random.
    """

    def __init__(
        self, place: OrderPlace, secret: bytes, texts: Sequence[str], has_handles: bool = True
    ) -> None:
        """Without handles, the lines name cards by slots, and commitments cover them as they are
        (protocol §13)."""
        self.place, self.secret, self.texts = place, secret, tuple(texts)
        self.has_handles = has_handles
        self._kdf = Kdf(secret)
        self.sheets = sheets_for(texts)
        """The number of sheets that the lines need; 0 if they do not fit into any orders."""

    def check(self) -> tuple[Line, ...]:
        """Parse the lines. Raises RecordError `rule` for text that is no line, or is too long."""
        if reason := why_orders_too_long(self.texts):
            raise RecordError("rule", reason)
        return tuple(map(parse_line, self.texts))

    @cached_property
    def slots(self) -> list[int]:
        """Return the slot of each rank, in order; the slots after the last rank stay empty."""
        return shuffle(
            range(SLOTS_PER_SHEET * self.sheets), Stream(self._kdf.derive(protocol_labels.SLOTS))
        )

    @cached_property
    def lines(self) -> tuple[bytes, ...]:
        """Return the commitments, one for each slot: 32 bytes that depend on the slot's line, or,
        in an empty slot, bytes that look the same."""
        ranks = {slot: rank for rank, slot in enumerate(self.slots[: len(self.texts)])}
        filler = hashlib.shake_256(self._kdf.derive(protocol_labels.FILL)).digest(
            32 * len(self.slots)
        )
        commitments = [filler[32 * slot : 32 * slot + 32] for slot in range(len(self.slots))]
        for slot, rank in ranks.items():
            masked, salt = self.masked(rank), self._salt(slot)
            commitments[slot] = line_commitment(self.place, slot, masked, salt)
        return tuple(commitments)

    def masked(self, rank: int) -> str:
        """Return the line at this rank with a handle, `[#` and 64 hex digits `]`, instead of the
        card in each bracket."""
        if not self.has_handles:
            return self.texts[rank]
        handles = iter(self.cards(rank))
        return _BRACKET.sub(lambda _: f"[#{next(handles).handle.hex()}]", self.texts[rank])

    def cards(self, rank: int) -> list[OpenCard]:
        """Return handle, card and salt of each bracket of a line, in order."""
        slot, cards = self.slots[rank], list[OpenCard]()
        for j, card in enumerate(_BRACKET.findall(self.texts[rank])):
            salt = self._kdf.derive(protocol_labels.HIDE, u(slot), u(j))
            cards.append(OpenCard(hidden_handle(self.place, slot, j, card, salt), card, salt))
        return cards

    def opening(self, rank: int, order_id: bytes) -> OpenLine:
        """Return the opening that a turn publishes for a plain line that was carried out."""
        slot = self.slots[rank]
        return OpenLine(order_id, slot, self.masked(rank), self._salt(slot))

    def box(self, key: bytes) -> bytes:
        """Seal the orders in their box; `key` is the key of boxes between the seat and `audit`."""
        plaintext = self.secret + texts_bytes(self.texts)
        return seal(key, self.place.box(), plaintext, SHEET_BYTES * self.sheets)

    def _salt(self, slot: int) -> bytes:
        return self._kdf.derive(protocol_labels.LINE_SALT, u(slot))


def line_commitment(place: OrderPlace, slot: int, masked: str, salt: bytes) -> bytes:
    """Compute the commitment in the slot that this line is in."""
    game, seat = place.game, place.seat.encode()
    return th(
        protocol_labels.LINE, game, u(place.turn), seat, u(slot), masked.encode("ascii"), salt
    )


def hidden_handle(place: OrderPlace, slot: int, j: int, card: str, salt: bytes) -> bytes:
    """Compute the handle of the card in the j-th bracket (from 0) of the line in this slot."""
    game, seat, text = place.game, place.seat.encode(), card.encode("ascii")
    return th(protocol_labels.HIDDEN, game, u(place.turn), seat, u(slot), u(j), text, salt)


def handles_in(masked: str) -> list[bytes]:
    """Return the handles in a masked line, in order. Raises RecordError `opening`."""
    handles = []
    for bracket in _BRACKET.findall(masked):
        if not re.fullmatch("#[0-9a-f]{64}", bracket):
            sentence = (
                "the turn shows a line of orders with a face-down card that has no code (handle): "
                f"{bracket}"
            )
            raise RecordError("opening", sentence)
        handles.append(bytes.fromhex(bracket[1:]))
    return handles


def seal_orders(place: OrderPlace, prev: bytes, unsealed: UnsealedOrders, key: bytes) -> Orders:
    """Make the record, ready to sign, on the head `prev`; `key` is as in `UnsealedOrders.box`.
    Raises RecordError `rule`."""
    unsealed.check()
    return Orders(
        game=place.game, turn=place.turn, prev=prev, seat=place.seat,
        revision=place.revision, lines=unsealed.lines, box=unsealed.box(key),
    )  # fmt: skip


def unseal_orders(orders: Orders, key: bytes, has_handles: bool = True) -> UnsealedOrders:
    """Open sealed orders and recompute every commitment; `UnsealedOrders.check` tells
    whether the texts are lines.

    The seat and the referee have the box's `key`, and everybody after `final`. Raises RecordError
    `box`, `padding`, or `commitment` (bytes that do not follow from the texts, or too many slots).
    """
    place = OrderPlace.of_orders(orders)
    plaintext = open_box(key, place.box(), orders.box)
    if len(plaintext) < 32 or (len(plaintext) > 32 and not plaintext.endswith(b"\n")):
        raise RecordError(
            "commitment",
            "the box of these orders is incomplete: their secret is missing, or the last line was "
            "cut off",
        )
    if not plaintext[32:].isascii():
        raise RecordError("commitment", "the sealed text contains a byte that is not ASCII")
    texts = plaintext[32:].decode("ascii").split("\n")[:-1]
    unsealed = UnsealedOrders(place, plaintext[:32], texts, has_handles)
    if not unsealed.sheets:
        raise RecordError("commitment", "the box contains more lines than any orders can have")
    if SLOTS_PER_SHEET * unsealed.sheets != len(orders.lines):
        sentence = (
            "these orders have the wrong size: it must be the smallest size that holds their lines"
        )
        raise RecordError("commitment", sentence)
    if unsealed.lines != orders.lines:
        raise RecordError(
            "commitment",
            "the commitments of these orders do not match the lines in their box",
        )
    return unsealed


def check_line_opening(orders: Orders, opening: OpenLine) -> list[bytes]:
    """Check an opened line against its orders; returns the handles in its brackets.

    Raises RecordError `opening` for a wrong slot or bracket, `commitment` if line and salt do not
    match.
    """
    check_opened_line(orders, opening)
    return handles_in(opening.text)


def check_opened_line(orders: Orders, opening: OpenLine) -> None:
    """Check an opened line against its orders, whatever its brackets name. Raises what
    `check_line_opening` raises."""
    if opening.slot >= len(orders.lines):
        raise RecordError(
            "opening",
            f"the turn shows line {opening.slot} of these orders, but they have fewer lines",
        )
    place = OrderPlace.of_orders(orders)
    commitment = line_commitment(place, opening.slot, opening.text, opening.salt)
    if commitment != orders.lines[opening.slot]:
        raise RecordError(
            "commitment",
            f"line {opening.slot} of these orders is not the line that the turn shows",
        )


def check_hidden(place: OrderPlace, slot: int, j: int, card: OpenCard) -> None:
    """Check a card against its handle from an opened line. Raises RecordError `commitment`."""
    if hidden_handle(place, slot, j, card.card, card.salt) != card.handle:
        raise RecordError("commitment", f"{card.card} is not the card that was put down")
