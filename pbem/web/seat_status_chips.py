"""The chip beside each player's name on a page: a word for how far the seat is."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

Delivery = Literal["", "unsent", "sending", "sent"]
"""The way of sealed orders to the referee: not mailed yet, not sent to the host yet,
or sent; empty if nobody can know, or if nobody has to send them."""


class Chip(NamedTuple):
    """The word beside a player's name that says how far they are."""

    label: str
    explained_word: str
    """The word that `pbem explain` explains for it."""
    is_sending: bool = False
    """Whether it becomes "sent" while the page is open, as soon as the host has the orders."""


_CHIPS: Final = {
    "MISSING": Chip("choosing", "choosing"),
    "DRAFT": Chip("choosing", "choosing"),
    "ASKED": Chip("perhaps choosing", "asked"),
    "ACCEPTED": Chip("sent", "sent"),
    "STANDING": Chip("answered", "standing"),
    "DEFAULTED": Chip("missed the deadline", "defaulted"),
    "OPEN": Chip("seat open", "open"),
}
_SEALED_CHIPS: Final = {
    "": Chip("sealed", "sealed"),
    "unsent": Chip("sealed, not sent", "sealed"),
    "sending": Chip("sealed, not sent", "sealed", is_sending=True),
    "sent": Chip("sent", "sent"),
}


def chip_of(seat_status: str, delivery: Delivery) -> Chip | None:
    """Return the chip of a seat; None if the seat has nothing to do.

    `seat_status` is a word in capitals, as in the output of `pbem status`; `-` for nothing.
    """
    if seat_status == "-":
        return None
    if seat_status == "SEALED":
        return _SEALED_CHIPS[delivery]
    word = seat_status.lower()
    return _CHIPS.get(seat_status, Chip(word, word))
