"""Find out whose address an email shows, and which addresses stay in use when a seat gets new
keys."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.mail.people import People
    from pbem.records.charter_join_orders import Join


def is_invited(session: Session, join: Join) -> bool:
    """Check whether a join was made with an invite that counts now.

    Anybody with the charter can write a join for any seat, and put any address into `From:`.
    """
    from pbem.cli.notices.notice_here import standing_soon
    from pbem.records.joining import is_let_in

    if session.listing.reached:
        return is_let_in(join, standing_soon(session).doors.get(join.seat, b""))
    plans = session.game_folder.charter.content.seats
    return any(is_let_in(join, plan.door) for plan in plans if plan.seat == join.seat)


def carry_over(session: Session, people: People) -> None:
    """Note the addresses of players who had no `pbem` and then took their seats over with it.

    Turns then go to the address to which the turn emails went. Raises StorageError.
    """
    from pbem.cli.failure import CliError
    from pbem.cli.mail.mail_seats import MailSeat

    if not session.roles.referee:
        return
    by_mail = set(session.game_folder.charter.content.by_mail)
    for seat in sorted(by_mail - session.roles.mail - people.addresses.keys()):
        with contextlib.suppress(CliError):  # it is not known here
            people.learn(seat, MailSeat(session, seat).address)
