"""The wait before delivery, in which sealed orders that would end the turn can be taken back.

The orders are sealed and stored at once; only what cannot be undone waits: their upload to a host,
or the turn that a referee who plays makes of them. The wait is noted in the home, so that whatever
opens the game later delivers what a closed page left.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from math import ceil
from typing import Final

from pbem.files.home import GameHome, note_if_writable
from pbem.files.toml_notes_in_home import Notebook, Notes
from pbem.judge.game_view import View
from pbem.judge.read_and_check_record_file import file_name
from pbem.person.questions_left_open_by_orders import find_latest_orders
from pbem.person.session import Session

WAIT_SECONDS: Final = 4


class DeliveryNotes(Notes):
    """The orders that wait to be delivered, or that were taken back."""

    file = "delivery.toml"
    order_id: str = ""
    """The id of the orders in hex; empty if none wait and none were taken back."""
    deliver_at: int = 0
    """The time to deliver these orders, in seconds since 1970; 0 if they were taken back."""

    @property
    def seconds_left(self) -> float:
        """The seconds until these orders are due; 0 if they are due, or were taken back."""
        seconds = self.deliver_at - time.time()
        return seconds if 0 < seconds <= WAIT_SECONDS + 1 else 0  # a clock may have been wrong

    @property
    def is_waiting(self) -> bool:
        """Whether these orders are to be delivered, now or soon."""
        return bool(self.order_id and self.deliver_at)

    @property
    def is_due(self) -> bool:
        """Whether these orders are to be delivered now."""
        return self.is_waiting and not self.seconds_left


def delivery_book(game_home: GameHome) -> Notebook[DeliveryNotes]:
    """Return the book of the orders of one game that wait to be delivered."""
    return Notebook(game_home.root, DeliveryNotes)


def note_wait(session: Session, order_id: str) -> None:
    """Note that these orders are delivered after the wait. If the home cannot note it, they are due
    at once."""
    notes = DeliveryNotes(order_id, ceil(time.time()) + WAIT_SECONDS)
    note_if_writable(delivery_book(session.game_home).change, lambda _: notes)


def note_taken_back(session: Session, order_id: str) -> None:
    """Note that the player took these orders back. Raises StorageError."""
    delivery_book(session.game_home).change(lambda _: DeliveryNotes(order_id))


def forget_wait(session: Session) -> None:
    """Note that no orders wait to be delivered, and that none were taken back, if the home can be
    written."""
    note_if_writable(delivery_book(session.game_home).change, lambda _: DeliveryNotes())


def were_taken_back(session: Session, view: View) -> bool:
    """Return whether your newest orders for this turn were taken back and not sent again."""
    notes = delivery_book(session.game_home).read()
    if not notes.order_id or notes.deliver_at:
        return False
    record = find_latest_orders(session, view)
    return record is not None and record.id.hex() == notes.order_id


def are_kept_back(session: Session, view: View) -> bool:
    """Return whether your newest orders for this turn do not count: you took them back before
    anybody got them."""
    kept_back_paths = session.folder.kept_back_paths()
    if not kept_back_paths or not were_taken_back(session, view):
        return False
    record = find_latest_orders(session, view)
    return record is not None and file_name(record).path in kept_back_paths


def is_last_awaited(view: View, pending_seats: Collection[str]) -> bool:
    """Return whether your orders may end the turn: as far as you know, nobody else is awaited."""
    return view.seat in view.awaited and not {*pending_seats} - {view.seat, *view.bots}
