"""The present standing of a game: with the notices in the folder that no turn lists yet."""

from __future__ import annotations

from pbem.judge.seat_holders_keys_and_agreements import Standing
from pbem.judge.unlisted_notices import sort_unlisted_notices
from pbem.judge.which_notices_count import SortedNotices
from pbem.person.session import Session
from pbem.text.clock import now


def standing_now(session: Session) -> Standing:
    """Return the current standing, including which seats are idle and which joins are in the
    folder."""
    chain = session.readers.table().chain
    return chain.standing_at(max(now(), chain.time), session.game_folder.joins())


def sort_new_notices(session: Session) -> SortedNotices:
    """Return the notices that no turn lists yet, sorted as the next turn would sort them."""
    chain = session.readers.table().chain
    return sort_unlisted_notices(session.game_folder, chain, max(now(), chain.time))
