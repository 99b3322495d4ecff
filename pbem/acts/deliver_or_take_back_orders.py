"""Deliver the sealed orders that wait, or take them back."""

from __future__ import annotations

from engine.value_classes import Value
from pbem.acts.advance import make_turns_at_once, waits_for_nobody
from pbem.errors import CliError
from pbem.person.delivery_wait_of_sealed_orders import delivery_book, forget_wait, note_taken_back
from pbem.person.questions_left_open_by_orders import find_latest_orders
from pbem.person.session import Session


class Delivered(Value):
    """The result of a delivery."""

    is_turn_made: bool = False
    """Whether the next turn was made of them here."""
    error_sentence: str = ""
    """The error that prevented that turn; the orders count, and it can be made later."""


def deliver(session: Session) -> Delivered:
    """Deliver the orders that wait: send them, or make the turn that waited only for them. Orders
    that were taken back stay. Raises StorageError."""
    if not delivery_book(session.game_home).read().is_waiting:
        return Delivered()
    session.folder.release_kept_back()
    session.refresh()
    view = session.view()
    is_ready = waits_for_nobody(session, view)
    runs, error_sentence = make_turns_at_once(session) if is_ready else ([], "")
    forget_wait(session)
    return Delivered(bool(runs), error_sentence)


def take_back(session: Session, shown_turn: int) -> None:
    """Open your newest orders again: what waits is not delivered before you send again.

    `shown_turn` is the last turn that you saw. Raises CliError if a later one is here.
    """
    session.refresh()
    view = session.view()
    record = find_latest_orders(session, view)
    if record is None or session.listing.reached > shown_turn:
        raise CliError("the next turn is here already, so you cannot take your orders back")
    note_taken_back(session, record.id.hex())
