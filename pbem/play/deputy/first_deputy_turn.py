"""Find the first turn that the deputy signs as the referee, from the files of a folder.

A turn that a deputy signs too early does no harm: such a file does not count as a turn, and the
referee's program sets it aside. The turns' reader makes the same checks again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from pbem.format.errors import RecordError
from pbem.frozen import frozen
from pbem.play.calendar.charter_deadlines import deputy_after
from pbem.records.charter_join_orders import Charter
from pbem.records.notices.notice_record import Notice
from pbem.records.notices.sayings import HandOver
from pbem.records.read_record import Record
from pbem.records.turn import Turn
from pbem.storage.errors import StorageError
from pbem.storage.folder import Found, Listing


@frozen
class TakingOver:
    """A turn that the deputy signed, with its notices about the referee."""

    turn: Turn
    before: Turn | None
    """The previous turn, if it is here."""
    notices: tuple[Record[Notice], ...]


def deputy_since(
    charter: Charter, listing: Listing, read: Callable[[Found], TakingOver | None]
) -> int:
    """Return the first turn that the deputy signed as the referee; 0 if there is none.

    `read` returns a file in a turn's place if the deputy signed it to take over.
    """
    if not charter.deputy_key or not listing.notices:
        return 0
    for found in listing.turns:
        with contextlib.suppress(RecordError, StorageError):
            taking = read(found)
            if taking and any(_counts(charter, taking, one) for one in taking.notices):
                return found.name.turn
    return 0


def _counts(charter: Charter, taking: TakingOver, record: Record[Notice]) -> bool:
    """Return whether this notice makes the deputy the referee, as far as the records show."""
    turn, before = taking.turn, taking.before
    said, key = record.content.saying, record.signed.key
    if not isinstance(said, HandOver) or record.content.seat:
        return False
    if said.by == "referee":
        return key == charter.key
    quiet_since = max(before.time, before.deadline) if before else 0
    late = turn.time >= quiet_since + deputy_after(charter.policies)
    return key == charter.deputy_key and late
