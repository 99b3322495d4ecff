"""Seal orders and put them into the folder, in the same way for people, bots and demos."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from pbem.cli.failure import CliError

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.play.checking.seat_reader import SeatReader
    from pbem.records.charter_join_orders import Orders
    from pbem.records.read_record import Record

MOST_REVISIONS = 99


def send(session: Session, reader: SeatReader, seat: str, texts: Sequence[str]) -> Record[Orders]:
    """Seal the lines as the seat's next revision of its orders, write the file and return the
    record.

    If the lines are the same as in the last revision, return that revision and write no file.
    """
    from pbem.play.making.advance import orders_name
    from pbem.play.making.sign import make_orders, order_place
    from pbem.records.sealed_orders import unseal_orders
    from pbem.storage.errors import StorageError

    ahead = session.reading.is_ahead(reader, seat)
    last = latest(session, reader, seat, order_place(reader, ahead=ahead)[0])
    if last is not None and list(unseal_orders(last.content, reader.key).texts) == list(texts):
        return last
    revision = last.content.revision + 1 if last else 1
    if revision > MOST_REVISIONS:
        raise CliError(
            "you have already sealed 99 revisions for this turn, and no more are possible"
        )
    record = make_orders(reader, session.seat_key(seat), texts, revision, ahead=ahead)
    name = orders_name(record)
    session.folder.create(name, record.file)
    if seat in session.roles.held | session.roles.mail:
        with suppress(StorageError):  # the home is read-only, so the note is not kept
            session.mine.held.keep(name.path, record.file)
    return record


def latest(session: Session, reader: SeatReader, seat: str, turn: int) -> Record[Orders] | None:
    """Return the newest revision of a seat's orders for this turn in the folder."""
    key = reader.roster[seat].key if seat in reader.roster else session.seat_key(seat).public
    mine = [
        record
        for found in session.game_folder.listing.orders
        if (found.name.turn, found.name.seat) == (turn, seat)
        for record in session.game_folder.orders_signed_by(found, key)
    ]
    return max(mine, key=lambda r: (r.content.revision, r.id), default=None)
