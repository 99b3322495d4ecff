"""The invite with which a new player takes over an open seat."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.acts.sign_notice import declare, standing_soon
from pbem.errors import NOT_YET, CliError
from pbem.judge.notice_kinds import SetDoor, not_open_in_words
from pbem.judge.seat_holders_keys_and_agreements import Standing
from pbem.person.session import Session
from pbem.records.invite import Invite, door_key, invite_code, slug
from pbem.text.terminal_and_page_wording import to_type


def invite_of(session: Session, standing: Standing, seat: str) -> Invite:
    """Return the invite for the next player of an open seat. Raises CliError for all but the
    referee."""
    from pbem.judge.referee_secrets import secrets_of

    secrets = secrets_of(session.game_folder, session.refereeing.key())
    code = next_code(standing, secrets.audit, seat)
    return Invite(slug(standing.charter.title), seat, code, session.game_folder.game)


def invite_next_player(session: Session, seat: str) -> tuple[Invite, Sequence[str]]:
    """Return the invite for the next player of an open seat, and publish the door that it opens,
    unless it is published; also return notes on files that were moved out of the way.

    Raises CliError if the seat is not open, before turn 1, after the end, and for all but the
    referee; FileError or StorageError if the folder cannot be read or written.
    """
    standing = standing_soon(session)
    if not standing.is_open(seat):
        free = [s for s in sorted(standing.roster) if standing.is_open(s)]
        hint = (
            f"the open seats are: {', '.join(free)}"
            if free
            else to_type("no seat is open now; pbem status says which players are away")
        )
        raise CliError(not_open_in_words(seat), hint, NOT_YET)
    invite = invite_of(session, standing, seat)
    if seat in standing.doors:
        return invite, ()
    saying = SetDoor(seat, door_key(invite.code, seat).public)
    return invite, declare(session, saying).notes


def next_code(standing: Standing, audit: bytes, seat: str) -> bytes:
    """Compute the code in the invite for the next player of this seat: that of its present door, if
    nobody has used it yet, else that of a new door. `audit` is the X25519 secret that `final`
    opens; the doors of a seat are numbered, so the same code can be computed again."""
    door_count = standing.doors_made.get(seat, 0)
    number = door_count if seat in standing.doors else door_count + 1
    return invite_code(audit, standing.charter.table, seat, number)
