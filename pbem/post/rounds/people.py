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
    """Check whether a join has the code of an invite that counts now; only the referee can.

    Anybody with the charter can write a join for any seat, and put any address into `From:`.
    """
    from pbem.cli.notices.notice_here import standing_now
    from pbem.play.making.advance import secrets_of
    from pbem.play.seats.invites import fresh_code, has_code
    from pbem.records.joining import invite_code

    game = session.game_folder.game
    audit = secrets_of(session.game_folder, session.referee_key()).audit
    if session.listing.reached:
        code = fresh_code(standing_now(session), audit, game, join.seat)
    else:
        code = invite_code(audit, game, join.seat)
    return has_code(join, audit, game, code)


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
