"""The invites of open seats: each new player of a seat gets a new code."""

from __future__ import annotations

from pbem.format.encrypted_box import box_key
from pbem.format.errors import RecordError
from pbem.play.seats.standing import Standing
from pbem.records.charter_join_orders import Join
from pbem.records.joining import invite_code, open_invite


def earlier_players(standing: Standing, seat: str) -> int:
    """Count the people who have taken over the seat so far."""
    return sum(one.about == "seat" and one.seat == seat for one in standing.listed)


def fresh_code(standing: Standing, audit: bytes, game: bytes, seat: str) -> bytes:
    """Compute the code in the invite of the next player of this seat."""
    return invite_code(audit, game, seat, earlier_players(standing, seat) + 1)


def has_code(join: Join, audit: bytes, game: bytes, code: bytes) -> bool:
    """Return whether a join has this code; `audit` is the X25519 secret that `final` opens."""
    try:
        return open_invite(box_key(audit, join.x25519, game), join) == code
    except RecordError:
        return False


def check_codes(standing: Standing, audit: bytes, game: bytes, turn: int) -> None:
    """Check that each player who takes over a seat in this turn was invited.

    Raises RecordError `rule`.
    """
    for one in standing.listed:
        if (one.turn, one.about) != (turn, "seat") or not one.seat:
            continue
        code = invite_code(audit, game, one.seat, earlier_players(standing, one.seat))
        if not has_code(standing.roster[one.seat], audit, game, code):
            told = f"the join that takes over seat {one.seat} lacks the code of its invite"
            raise RecordError("rule", f"notices: {told}")
