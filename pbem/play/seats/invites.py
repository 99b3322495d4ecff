"""The invites of open seats: each has its own door, which a notice of the referee publishes."""

from __future__ import annotations

from pbem.play.seats.standing import Standing
from pbem.records.joining import invite_code


def next_code(standing: Standing, audit: bytes, seat: str) -> bytes:
    """Compute the code in the invite for the next player of this seat.

    It is that of the seat's present door, if nobody has used it yet. `audit` is the X25519 secret
    that `final` opens.
    """
    made = standing.doors_made.get(seat, 0)
    number = made if seat in standing.doors else made + 1
    return invite_code(audit, standing.charter.table, seat, number)
