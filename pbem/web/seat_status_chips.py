"""The chip beside each player's name on a page: a word for how far the seat is, and whether
its orders are sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from pbem.files.game_folder_on_host import HostFolder
from pbem.judge.read_and_check_record_file import file_name
from pbem.person.due_mail import mail_method
from pbem.person.mail_notebooks import MailHistory
from pbem.person.questions_left_open_by_orders import find_latest_orders
from pbem.records.press_message import REFEREE
from pbem.web.open_games import OpenGame

if TYPE_CHECKING:
    from starlette.requests import Request

Delivery = Literal["", "unsent", "sending", "sent"]
"""The way of sealed orders to the referee: not mailed yet, not sent to the host yet,
or sent; empty if nobody can know, or if nobody has to send them."""


class Chip(NamedTuple):
    """The word beside a player's name that says how far they are."""

    label: str
    explained_word: str
    """The word that `pbem explain` explains for it."""
    is_sending: bool = False
    """Whether it becomes "sent" while the page is open, as soon as the host has the orders."""


_CHIPS: Final = {
    "MISSING": Chip("choosing", "choosing"),
    "DRAFT": Chip("choosing", "choosing"),
    "ASKED": Chip("perhaps choosing", "asked"),
    "ACCEPTED": Chip("sent", "sent"),
    "STANDING": Chip("answered", "standing"),
    "DEFAULTED": Chip("missed the deadline", "defaulted"),
    "OPEN": Chip("seat open", "open"),
}
_SEALED_CHIPS: Final = {
    "": Chip("sealed", "sealed"),
    "unsent": Chip("sealed, not sent", "sealed"),
    "sending": Chip("sealed, not sent", "sealed", is_sending=True),
    "sent": Chip("sent", "sent"),
}


def chip_of(seat_status: str, delivery: Delivery) -> Chip | None:
    """Return the chip of a seat; None if the seat has nothing to do.

    `seat_status` is a word in capitals, as in the output of `pbem status`; `-` for nothing.
    """
    if seat_status == "-":
        return None
    if seat_status == "SEALED":
        return _SEALED_CHIPS[delivery]
    word = seat_status.lower()
    return _CHIPS.get(seat_status, Chip(word, word))


def delivery_of(request: Request, game: OpenGame, seat: str) -> Delivery:
    """Return whether the orders of a seat still wait to be sent.

    Of a folder that people share, nobody can know when the others get it; nor is there anything to
    send if the referee plays the seat.
    """
    session, view = game.session, game.view()
    if seat not in session.roles.seats:
        return "sent"  # or they would not be here
    orders = find_latest_orders(session, view) if seat == view.seat else None
    if orders is None or session.roles.referee:
        return ""
    if isinstance(session.folder, HostFolder):
        if file_name(orders).path in session.folder.kept_back_paths():
            return "unsent"
        is_waiting = file_name(orders).path in session.folder.waiting_paths()
        return "sending" if is_waiting else "sent"
    if mail_method(session):
        is_sent = MailHistory(session.game_home).was_sent(REFEREE, orders.id)
        return "sent" if is_sent else "unsent"
    return "sent" if session.place.is_remote else ""
