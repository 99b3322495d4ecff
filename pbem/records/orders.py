"""The record `orders`: the sealed orders of one seat that answer one turn (protocol §5, §8)."""

from __future__ import annotations

from typing import ClassVar

from pbem.format.encrypted_box import (
    TAG,
)
from pbem.records.order_lines_and_sheets import MAX_LINES, SHEET, SHEETS, SLOTS
from pbem.records.record_header import Header, Kind
from pbem.records.schema import FieldError, array, boxed, hash32, number, wire

_orders_box = boxed(
    lambda n: n in [TAG + SHEET * sheets for sheets in SHEETS],
    f"base64 of a box of {TAG} + {SHEET} bytes for every {SLOTS} slots",
)


class Orders(Header, kw_only=True):
    """The sealed orders of one seat that answer one turn; a file in `orders/`."""

    kind: ClassVar[Kind] = "orders"
    revision: int = wire(number(1, 99))
    """The highest revision that the referee has when the next turn is made counts."""
    lines: tuple[bytes, ...] = wire(array(hash32, SLOTS, MAX_LINES))
    """One commitment per slot: 64, 128, 256 or 512 of them."""
    box: bytes = wire(_orders_box)
    """Box to `audit`: the secret s and the texts."""

    def check(self) -> None:
        """Raise FieldError if the fields contradict each other (see Header)."""
        super().check()
        if (len(self.box) - TAG) // SHEET * SLOTS != len(self.lines):
            raise FieldError(
                "the size of the box (field box) does not fit the number of lines (field lines): "
                f"{SHEET} bytes go with every {SLOTS} lines"
            )


def orders_rank(turn: int, revision: int, id_digits: str) -> tuple[int, int, str]:
    """Return a sort key for a seat's orders: the orders that count come first (protocol §8).

    The latest turn counts, then the highest revision, then the smallest id. `id_digits`: the id in
    hex, or its first digits.

    >>> sorted([orders_rank(3, 1, "9f"), orders_rank(3, 2, "ab"), orders_rank(3, 2, "07")])
    [(-3, -2, '07'), (-3, -2, 'ab'), (-3, -1, '9f')]
    """
    return -turn, -revision, id_digits
