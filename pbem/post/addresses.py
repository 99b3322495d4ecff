"""Do the work of `pbem post address`: note who has which address in one game."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from pbem.cli.failure import CliError
from pbem.mail.people import People
from pbem.mail.sent_mail import REFEREE, SentMail
from pbem.post.account.account import boxes, check_address
from pbem.post.letters.outbox import Outbox
from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from pbem.cli.session.session import Session


def list_addresses(session: Session, as_json: bool) -> None:
    """Print the address of everybody in this game, as far as it is known."""
    found = People(session.mine).addresses | _by_email(session)
    if as_json:
        from pbem.cli.json_output import print_data

        print_data("post address", found)
        return
    for who, name in _everybody(session).items():
        print(f"{who} {clean(name)}: {clean(found.get(who, '-'))}")


def set_address(session: Session, who: str, address: str) -> None:
    """Note an address, and send again what went to the old address. Raises CliError."""
    seat = _meant(session, who)
    if seat in session.roles.mail:
        _move(session, seat, address)
        return
    people = People(session.mine)
    if address == "-":
        people.set(seat, "")
        print(f"pbem has no email address for {seat} now")
        return
    new = check_address(address)
    if people.addresses.get(seat, new) != new:
        SentMail(session.mine).forget(seat)  # the old address may never have received it
    people.set(seat, new)
    _goes_to(session, seat, new)


def _move(session: Session, seat: str, address: str) -> None:
    """Note the new address of a player without `pbem`, and send the turn mail again."""
    from pbem.cli.mail.mail_seats import MailSeat

    mail_seat = MailSeat(session, seat)
    if address == "-":
        told = f"{clean(_everybody(session)[seat])} plays by email, so they need an address"
        raise CliError(told, f"pbem post address {seat} NAME@EXAMPLE.ORG")
    new = check_address(address)
    if _by_email(session).get(seat) != new:
        SentMail(session.mine).forget(seat)
    mail_seat.book.move(seat, new)
    _goes_to(session, seat, new)


def _goes_to(session: Session, seat: str, new: str) -> None:
    """Print where mail for a seat goes now, and forget what a server refused for that address."""
    for box in boxes(session.home):
        Outbox(box, box.read()).forget_refused(new)
    print(f"mail for {clean(_everybody(session)[seat])} goes to {new}")


def _by_email(session: Session) -> dict[str, str]:
    """Return the addresses of the players without `pbem`, as far as they are known."""
    from pbem.cli.mail.mail_seats import MailSeat

    found = {}
    for seat in sorted(session.roles.mail):
        with contextlib.suppress(CliError):
            found[seat] = MailSeat(session, seat).address
    return found


def _meant(session: Session, who: str) -> str:
    """Return the seat, or `referee`, that a letter or a name means. Raises CliError."""
    from difflib import get_close_matches

    names = _everybody(session)
    known = {name.casefold(): seat for seat, name in names.items()} | {seat: seat for seat in names}
    wanted = who.strip().casefold()
    if wanted in known:
        return known[wanted]
    close = get_close_matches(wanted, known, 1)
    told = ", ".join(f"{seat} ({clean(name)})" for seat, name in names.items())
    raise CliError(f"nobody here is called {who!r}", f"did you mean {close[0]}?" if close else told)


def _everybody(session: Session) -> dict[str, str]:
    charter = session.game_folder.charter.content
    names = {p.seat: session.here.name_of(p.seat) for p in charter.seats if not p.bot}
    return {REFEREE: session.game_folder.maker().name, **names}
