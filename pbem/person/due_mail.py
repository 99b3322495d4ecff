"""Mail that the user must still send: to which player, and with which command."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, Literal

from engine.value_classes import Value
from pbem.judge.records_of_game_folder import Archive, rank_of_file
from pbem.person.mail_notebooks import ACCOUNT_FILE, MailHistory, People, mailboxes
from pbem.person.own_and_pending_joins import own_joins
from pbem.person.session import Session
from pbem.records.join import is_let_in
from pbem.records.press_message import REFEREE

MailMethod = Literal["", "send", "run post"]
"""The way to mail sealed records: with `pbem send`, with `pbem run`, or none."""
MAX_TURNS_SEARCHED: Final = 12
"""In how many turns we look for orders that were taken without mail."""


class DueMail(Value):
    """Bundles and emails that the referee must still send to players."""

    bundle_seats: tuple[str, ...] = ()
    """The seats that play by mail, and to which `pbem run` sends nothing."""
    bundle_co_dealers: tuple[str, ...] = ()
    """The names of the co-dealers who deal by mail, and to whom `pbem run` sends nothing."""
    letter_seats: tuple[str, ...] = ()
    """The seats whose email about the last turn is not written yet."""
    turn: int = 0
    """The last turn."""
    is_run_sending: bool = False
    """Whether `pbem run` sends those emails."""


def due_mail(session: Session) -> DueMail:
    """Return what the referee must still mail: bundles to those who play by mail, and plain emails
    about the last turn."""
    letters = due_letters(session)
    seats = seats_by_mail(session)
    bundle_seats = tuple(seat for seat in seats if not runs_post(session, seat))
    co_dealers = tuple(
        name
        for recipient, name in session.charter.co_dealer_names_by_id.items()
        if recipient in _recipients_by_mail(session) and not runs_post(session, recipient)
    )
    return replace(letters, bundle_seats=bundle_seats, bundle_co_dealers=co_dealers)


def due_letters(session: Session) -> DueMail:
    """Return which players by plain email have no email about the last turn yet."""
    if not session.roles.mail_seats or not session.listing.reached:
        return DueMail()
    turn = session.game_folder.turn(session.listing.turns[-1])
    asked_seats = {awaited.seat for awaited in turn.content.awaited}
    seats = (
        session.roles.mail_seats if turn.content.over else asked_seats & session.roles.mail_seats
    )
    book = MailHistory(session.game_home)
    return DueMail(
        letter_seats=tuple(seat for seat in sorted(seats) if not book.was_sent(seat, turn.id)),
        turn=turn.content.turn,
        is_run_sending=runs_post(session),
    )


def seats_by_mail(session: Session) -> list[str]:
    """Return the seats that are known to play by mail."""
    return [
        seat
        for seat in _recipients_by_mail(session)
        if seat not in session.roles.mail_seats | session.charter.co_dealer_names_by_id.keys()
    ]


def _recipients_by_mail(session: Session) -> list[str]:
    return MailHistory(session.game_home).by_mail(seats_by_join_id(session.game_folder))


def seats_by_join_id(game_folder: Archive) -> Mapping[bytes, str]:
    """Return the seats of the joins that count, by the joins' ids.

    These are the joins in turn 1; before turn 1, all joins.
    """
    first_turn = next(game_folder.turns(), None)
    if first_turn is not None and first_turn.content.joins:
        return {join_id: seat for seat, join_id in first_turn.content.joins.items()}
    return {join_id: join.content.seat for join_id, join in game_folder.joins().items()}


def mail_method(session: Session) -> MailMethod:
    """Return how a player mails orders; empty if the referee sees the folder, as turns show that
    took orders which were never mailed, even if you typed `pbem send` once."""
    if runs_post(session, REFEREE):
        return "run post"
    book, seats = MailHistory(session.game_home), session.roles.seats
    if not book.with_referee:
        return ""
    files = session.listing.turns[-MAX_TURNS_SEARCHED:] if book.only_sent(REFEREE) else ()
    for file in reversed(files):
        listed_orders = session.game_folder.turn(file).content.orders
        accepted = [orders for orders in listed_orders if orders.status == "accepted"]
        order_ids = [orders.id for orders in accepted if orders.seat in seats]
        if order_ids:
            return "send" if any(book.was_sent(REFEREE, i) for i in order_ids) else ""
    return "send"


def runs_post(session: Session, recipient: str = "") -> bool:
    """Return whether `pbem run` can send mail from this home, and the home has this person's
    address."""
    can_send = any(mailboxes(session.home).glob(f"*/{ACCOUNT_FILE}"))
    return can_send and (not recipient or recipient in People(session.game_home).addresses)


def unsent_mail_method(session: Session, seat: str, first_turn: int = 0) -> MailMethod:
    """Return how to mail what is sealed but not sent; empty if nothing must be sent.

    Of orders, that is the set that can count for the next turn: it answers turn `first_turn`, which
    asked the open questions, or a later one. Before turn 1 it is the join.
    """
    if session.roles.referee:
        return ""
    listing, last_turn = session.listing, session.listing.reached
    orders = (f for f in listing.orders if f.name.seat == seat and f.name.turn >= first_turn)
    files = sorted(orders, key=rank_of_file)[:1]
    if not last_turn:
        files = [file for file in listing.joins if file.name.seat == seat]
    other_files = (file for file in (*listing.press, *listing.notices) if file.name.seat == seat)
    files += [file for file in other_files if file.name.turn >= last_turn]
    method = mail_method(session) if files else ""
    book = MailHistory(session.game_home)
    is_sent = all(book.was_sent_as(REFEREE, file.name.short_id) for file in files)
    return "" if not method or is_sent else method


def unsent_join_method(session: Session) -> MailMethod:
    """Return how to mail a join for an open seat, made with an invite from after turn 1; empty if
    there is none, or if it is sent."""
    doors, book = session.charter.doors, MailHistory(session.game_home)
    joins = own_joins(session).items()
    late_ids = [i for i, join in joins if not is_let_in(join.content, doors[join.content.seat])]
    is_sent = all(book.was_sent(REFEREE, join_id) for join_id in late_ids)
    return "" if session.roles.referee or is_sent else mail_method(session)
