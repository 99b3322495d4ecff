"""Hints that say what you must still mail, to which player, and with which command."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.cli.session.session import Session

SEND = "pbem send; then send the referee, by mail, the file that it wrote"


def mail_hint(session: Session) -> None:
    """Tell the referee, for each player who plays by mail, what to type to send them the game."""
    from pbem.cli.failure import say

    for seat in seats_by_mail(session):
        say(f"seat {seat} plays by mail: pbem send --to {seat}")


def seats_by_mail(session: Session) -> list[str]:
    """The seats that are known to play by mail."""
    from pbem.mail.sent_mail import SentMail, sitting

    return SentMail(session.mine).by_mail(sitting(session.game_folder))


def sending_hint(session: Session) -> bool:
    """Print the next step if the player reaches the referee by mail; return whether they do."""
    from pbem.mail.sent_mail import SentMail

    if by_mail := SentMail(session.mine).with_referee:
        print(f"next: {SEND}")
    return by_mail


def unsent(session: Session, seat: str) -> str:
    """Say how to send orders that are sealed but not mailed yet; empty if that is not needed."""
    from pbem.mail.sent_mail import REFEREE, SentMail

    book = SentMail(session.mine)
    if not book.with_referee or session.roles.referee:
        return ""
    listing = session.listing
    last = listing.reached
    mine = [f.name for f in listing.orders if (f.name.turn, f.name.seat) == (last, seat)]
    newest = max((name.revision for name in mine), default=0)
    mine = [name for name in mine if name.revision == newest]
    if not last:
        mine = [found.name for found in listing.joins if found.name.seat == seat]
    mine += [f.name for f in listing.press if f.name.seat == seat and f.name.turn >= last]
    return "" if all(book.was_sent_as(REFEREE, name.digits) for name in mine) else SEND
