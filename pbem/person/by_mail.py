"""Mail that the user must still send: to which player, and with which command."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.judge.archive import Archive, rank_of_file
from pbem.person.books import ACCOUNT_FILE, People, SentMail, mailboxes
from pbem.person.session import Session
from pbem.records.press import REFEREE
from pbem.screen.terminal import clean, say

SEND: Final = "pbem send, then mail the referee the file that it wrote"
RUN: Final = (
    "pbem run --once sends it to the referee; if pbem run is already running, you do not need to "
    "do anything"
)
MAX_TURNS_SEARCHED: Final = 12
"""In how many turns we look for orders that were taken without mail."""


def mail_hint(session: Session) -> None:
    """Print what `hint_lines` says."""
    for line in hint_lines(session):
        say(line)


def hint_lines(session: Session) -> list[str]:
    """Tell the referee what to type for each player who plays by mail or gets plain emails."""
    by_mail = [seat for seat in seats_by_mail(session) if not runs_post(session, seat)]
    lines = [f"seat {seat} plays by mail: pbem send --to {seat}" for seat in by_mail]
    return lines + unwritten_letters(session)


def unwritten_letters(session: Session) -> list[str]:
    """Return a line for each player by plain email whose email about the last turn is not written
    yet."""
    if not session.roles.mail or not session.listing.reached:
        return []
    turn = session.game_folder.turn(session.listing.turns[-1])
    asked_seats = {awaited.seat for awaited in turn.content.awaited}
    book = SentMail(session.game_home)
    hint = "pbem run sends it" if runs_post(session) else "pbem send"
    seats = session.roles.mail if turn.content.over else asked_seats & session.roles.mail
    return [
        f"the email to {clean(session.name_of(seat))} about turn {turn.content.turn} has "
        f"not been written yet: {hint}"
        for seat in sorted(seats)
        if not book.was_sent(seat, turn.id)
    ]


def seats_by_mail(session: Session) -> list[str]:
    """Return the seats that are known to play by mail."""
    seats = SentMail(session.game_home).by_mail(seats_by_join_id(session.game_folder))
    return [seat for seat in seats if seat not in session.roles.mail]


def seats_by_join_id(game_folder: Archive) -> Mapping[bytes, str]:
    """Return the seats of the joins that count, by the joins' ids.

    These are the joins in turn 1; before turn 1, all joins.
    """
    first_turn = next(game_folder.turns(), None)
    if first_turn is not None and first_turn.content.joins:
        return {join_id: seat for seat, join_id in first_turn.content.joins.items()}
    return {join_id: join.content.seat for join_id, join in game_folder.joins().items()}


def sending_hint(session: Session) -> bool:
    """If the player sends orders by mail, print the next step; return whether they do."""
    hint = _how_to_send(session)
    if hint:
        print(f"next: {hint}")
    return bool(hint)


def _how_to_send(session: Session) -> str:
    """Say how to mail orders; empty if the referee sees the folder, as turns show that took orders
    which were never mailed, even if you typed `pbem send` once."""
    if runs_post(session, REFEREE):
        return RUN
    book, seats = SentMail(session.game_home), session.roles.seats
    if not book.with_referee:
        return ""
    files = session.listing.turns[-MAX_TURNS_SEARCHED:] if book.only_sent(REFEREE) else ()
    for file in reversed(files):
        listed_orders = session.game_folder.turn(file).content.orders
        accepted = [orders for orders in listed_orders if orders.status == "accepted"]
        order_ids = [orders.id for orders in accepted if orders.seat in seats]
        if order_ids:
            return SEND if any(book.was_sent(REFEREE, i) for i in order_ids) else ""
    return SEND


def runs_post(session: Session, recipient: str = "") -> bool:
    """Return whether `pbem run` can send mail from this home, and the home has this person's
    address."""
    can_send = any(mailboxes(session.home).glob(f"*/{ACCOUNT_FILE}"))
    return can_send and (not recipient or recipient in People(session.game_home).addresses)


def unsent(session: Session, seat: str, first_turn: int = 0) -> str:
    """Say how to mail what is sealed but not sent; empty if nothing must be sent.

    Of orders, that is the set that can count for the next turn: it answers turn `first_turn`, which
    asked the open questions, or a later one. Before turn 1 it is the join.
    """
    hint = "" if session.roles.referee else _how_to_send(session)
    if not hint:
        return ""
    listing, last_turn, book = session.listing, session.listing.reached, SentMail(session.game_home)
    orders = (f for f in listing.orders if f.name.seat == seat and f.name.turn >= first_turn)
    files = sorted(orders, key=rank_of_file)[:1]
    if not last_turn:
        files = [file for file in listing.joins if file.name.seat == seat]
    press_files = (file for file in listing.press if file.name.turn >= last_turn)
    files += [file for file in press_files if file.name.seat == seat]
    return "" if all(book.was_sent_as(REFEREE, file.name.short_id) for file in files) else hint
