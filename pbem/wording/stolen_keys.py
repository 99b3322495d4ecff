"""Stolen keys in words: a key of the user that somebody else may have, and what to do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pbem.judge.game_view import View
from pbem.judge.unlisted_notices import unlisted_notices
from pbem.judge.which_notices_count import SignedNotice
from pbem.person.session import Session
from pbem.text.numbers_and_lists import join_words
from pbem.wording.announced_acts import new_key_command

_ONLY_RECOVERY_KEY: Final = (
    "you have the recovery key of seat {seat}, but not its key. To take the seat back before any "
    "other change of its keys: {command}"
)
_FOREIGN_NOTICES: Final = (
    "your key signed {notices}, but not on this computer. If you did not sign on another "
    "computer, somebody else has your key. To get a new key: {command}"
)


def only_recovery_key(seat: str, command: str) -> str:
    """Say that only the recovery key of a seat is here; `command` takes the seat back."""
    return _ONLY_RECOVERY_KEY.format(seat=seat, command=command)


def foreign_notices(records: Iterable[SignedNotice], command: str) -> str:
    """Say that the user's key signed notices on another computer; `command` gives a new key."""
    notices = join_words(f"{record.content.about} {record.id.hex()[:6]}" for record in records)
    return _FOREIGN_NOTICES.format(notices=notices, command=command)


def lines_on_theft(session: Session, view: View) -> list[str]:
    """Return a line for each seat whose key somebody else may have: a notice in the seat's name was
    not signed on this computer, or only the recovery key is here. The line says what to do."""
    lines, publics, roles = [], session.keyring.publics, session.roles
    own_seats = roles.seats.keys() - roles.referee_seats
    safe_keys = {
        session.roster[seat].recovery for seat in own_seats
    }  # another seat may name the same key
    for seat, join in session.roster.items() if not view.is_over else ():
        recovery_profile = next((p for p, key in publics.items() if key == join.recovery), "")
        joins_with_key = [one for one in session.roster.values() if one.recovery == join.recovery]
        named_seat = seat if len(joins_with_key) > 1 else ""
        command = (
            new_key_command(recovery_profile, named_seat) if recovery_profile else "pbem notice key"
        )
        if seat not in own_seats and recovery_profile and join.recovery not in safe_keys:
            lines.append(only_recovery_key(seat, command))
        elif seat in own_seats and session.listing.notices:
            counted = {one.id for one in session.game_folder.standing.applied_notices}
            unlisted_records = [
                r
                for r in unlisted_notices(session.game_folder, counted)
                if r.signed.key == join.key
            ]
            signed = session.game_home.receipts.times()
            foreign_records = [
                r for r in unlisted_records if r.content.seat == seat and r.id.hex() not in signed
            ]
            if foreign_records:
                lines.append(foreign_notices(foreign_records, command))
    return lines
