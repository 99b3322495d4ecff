"""The seat point that new keys of a seat need in mode `dealers`, and only there (protocol §5, §12).

It comes with a join and with each notice that brings new keys. `pbem/cards/` is loaded only for
games that need it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from pbem.format.record_error import RecordError
from pbem.records.charter import Charter


class SeatPoint(NamedTuple):
    """A seat's point, and the proof of its secret; both are empty in other modes than `dealers`."""

    point: bytes
    proof: bytes


NO_SEAT_POINT: Final = SeatPoint(b"", b"")


def make_seat_point(charter: Charter, game: bytes, seat: str, seed: bytes) -> SeatPoint:
    """Return the point of a seat and the proof, from the 32-byte seed of the seat's signing key."""
    if not charter.dealers:
        return NO_SEAT_POINT
    from pbem.cards.sealed_shares import make_point_proof, make_seat_secret
    from pbem.format.curve_group import multiply_base

    secret = make_seat_secret(seed, game, seat)
    return SeatPoint(multiply_base(secret), make_point_proof(secret, game, seat))


def check_seat_point(
    charter: Charter, game: bytes, seat: str, seat_point: bytes, point_proof: bytes
) -> None:
    """Check that new keys of a seat have a seat point with its proof in mode `dealers`, and neither
    in other modes. Raises RecordError: `field`, or `commitment` for a proof that does not hold."""
    if not charter.dealers:
        if seat_point or point_proof:
            raise RecordError(
                "field",
                f"seat {seat} has the field seat_point or point_proof, but no co-dealers deal in "
                "this game",
            )
        return
    if not (seat_point and point_proof):
        raise RecordError(
            "field",
            f"seat {seat} lacks the field seat_point or point_proof, which co-dealers need to seal "
            "its cards",
        )
    from pbem.cards.sealed_shares import check_point_proof

    check_point_proof(seat_point, point_proof, game, seat)
