"""The referee's agreement, which comes last: the notices of a host that deals."""

from __future__ import annotations

from contextlib import suppress

from pbem.acts.sign_notice import Declared, declare, standing_soon
from pbem.errors import CliError
from pbem.judge.notice_kinds import (
    Kind,
    SetClock,
    SetDeadline,
    Vouch,
)
from pbem.person.session import Session
from pbem.records.notice import REFEREE
from pbem.text.clock import now


def agree_last(session: Session) -> list[Declared]:
    """Sign the referee's agreement to each act on which all other necessary players agree, as a
    host that deals does; return the notices."""
    if not session.listing.notices or not session.listing.reached:
        return []
    if session.view(skip_cache=True).is_over:
        return []
    standing = standing_soon(session)
    calendar = standing.calendar
    wishes: list[Kind] = [
        Vouch(seat, *keys) for (_, seat), keys in sorted(standing.vouched.items())
    ]
    wishes += [SetDeadline(rule, phase) for phase, rule in sorted({*calendar.proposals.values()})]
    wishes += [SetClock(now())] if calendar.clocks else []
    notices = list[Declared]()
    for wish in wishes:
        with suppress(CliError):  # somebody has not agreed yet, or it is decided
            if not (declared := declare(session, wish, REFEREE)).is_repeat:
                notices.append(declared)
    return notices
