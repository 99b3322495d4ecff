"""Say what you must still mail, to which player, and with which command."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.cli.session.session import Session

SEND = "pbem send, then mail the referee the file that it wrote"
RUN = (
    "pbem run --once sends it to the referee; if pbem run is already running, you do not need to "
    "do anything"
)


def mail_hint(session: Session) -> None:
    """Print what `hint_lines` says."""
    from pbem.cli.failure import say

    for line in hint_lines(session):
        say(line)


def hint_lines(session: Session) -> list[str]:
    """Tell the referee what to type for each player who plays by mail or gets plain emails."""
    by_mail = [seat for seat in seats_by_mail(session) if not runs_post(session, seat)]
    told = [f"seat {seat} plays by mail: pbem send --to {seat}" for seat in by_mail]
    return told + unwritten_letters(session)


def unwritten_letters(session: Session) -> list[str]:
    """Return a line for each player by plain email whose email about the last turn is not written
    yet."""
    from pbem.mail.sent_mail import SentMail
    from pbem.screen.terminal import clean

    if not session.roles.mail or not session.listing.reached:
        return []
    last = session.game_folder.turn(session.listing.turns[-1])
    asked = {one.seat for one in last.content.awaited}
    book = SentMail(session.mine)
    how = "pbem run sends it" if runs_post(session) else "pbem send"
    due = session.roles.mail if last.content.over else asked & session.roles.mail
    return [
        f"the email to {clean(session.here.name_of(seat))} about turn {last.content.turn} has "
        f"not been written yet: {how}"
        for seat in sorted(due)
        if not book.was_sent(seat, last.id)
    ]


def seats_by_mail(session: Session) -> list[str]:
    """Return the seats that are known to play by mail."""
    from pbem.mail.sent_mail import SentMail, sitting

    found = SentMail(session.mine).by_mail(sitting(session.game_folder))
    return [seat for seat in found if seat not in session.roles.mail]


def sending_hint(session: Session) -> bool:
    """If the player sends orders by mail, print the next step; return whether they do."""
    from pbem.mail.sent_mail import REFEREE, SentMail

    by_mail = SentMail(session.mine).with_referee or runs_post(session, REFEREE)
    if by_mail:
        print(f"next: {RUN if runs_post(session, REFEREE) else SEND}")
    return by_mail


def runs_post(session: Session, who: str = "") -> bool:
    """Return whether `pbem run` can send mail from this home, and the home has this person's
    address."""
    from pbem.mail.people import People, has_mailbox

    return has_mailbox(session.home) and (not who or who in People(session.mine).addresses)


def unsent(session: Session, seat: str) -> str:
    """Say how to mail orders that are sealed but not sent; empty if nothing must be sent."""
    from pbem.mail.sent_mail import REFEREE, SentMail

    book = SentMail(session.mine)
    runs = runs_post(session, REFEREE)
    if session.roles.referee or not (book.with_referee or runs):
        return ""
    listing = session.listing
    last = listing.reached
    mine = [f.name for f in listing.orders if (f.name.turn, f.name.seat) == (last, seat)]
    newest = max((name.revision for name in mine), default=0)
    mine = [name for name in mine if name.revision == newest]
    if not last:
        mine = [found.name for found in listing.joins if found.name.seat == seat]
    mine += [f.name for f in listing.press if f.name.seat == seat and f.name.turn >= last]
    if all(book.was_sent_as(REFEREE, name.digits) for name in mine):
        return ""
    return RUN if runs else SEND
