"""Write a notice: sign it for its place in the chain."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.format.errors import RecordError
from pbem.format.keys import SigningKey
from pbem.play.seats.listed_notices import SignedNotice
from pbem.records.notices.notice_record import (
    MOST_NOTICES,
    REFEREE,
    Notice,
    notice_fields,
)
from pbem.records.notices.sayings import Saying
from pbem.records.read_record import make


def make_notice(
    place: tuple[bytes, int, bytes], writer: str, number: int, saying: Saying, key: SigningKey
) -> SignedNotice:
    """Make and sign a notice.

    `place` is the game, the turn after which it is written, and the head after that turn. `writer`
    is a seat or `referee`. Raises RecordError `field` for contents that a notice cannot have.
    """
    game, turn, head = place
    seat = "" if writer == REFEREE else writer
    fields = notice_fields(saying)
    return make(Notice(game=game, turn=turn, prev=head, seat=seat, number=number, **fields), key)


def next_number(here: Iterable[SignedNotice], turn: int, writer: str) -> int:
    """Return the number of this writer's next notice after a turn, which counts up from 1.

    `here` are the notices that the number is counted with (see `numbered_with`). Raises RecordError
    `state` if further notices would not count.
    """
    used = [r.content.number for r in here if (r.content.turn, r.content.writer) == (turn, writer)]
    number = max(used, default=0) + 1
    if number > MOST_NOTICES:
        told = f"you have written {MOST_NOTICES} notices since turn {turn}, the most allowed"
        raise RecordError("state", told)
    return number
