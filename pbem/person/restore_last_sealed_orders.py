"""The last orders that the user sealed: put them back if the file is missing, and note which other
orders count.

A synced folder can hold files back and return them later, and you may seal orders on two computers.
So this machine remembers the last orders that each of your seats sealed here, and compares them
with the folder whenever a command looks at the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final, Literal, NamedTuple

from pbem.errors import NOT_YET, CliError, PbemError
from pbem.files.home import GameHome
from pbem.files.record_file_names import Name
from pbem.format.record_error import RecordError
from pbem.judge.order_fates import OpenQuestions, orders_header
from pbem.judge.read_and_check_record_file import file_name
from pbem.judge.records_of_game_folder import Archive, rank_of_file
from pbem.records.orders import Orders
from pbem.records.read_and_sign_record import Record, read_as

MAX_WAIT_SECONDS: Final = 5.0


class LastOrdersNote(NamedTuple):
    """A note on the last orders of a seat that this machine sealed."""

    event: Literal["outranked", "put_back", "not_put_back"]
    """Other orders count before them; or their file was missing, and is back now, or is not."""
    turn: int
    """The turn that the orders answer; if others count, the turn that those answer."""
    short_id: str
    """The short id of the last orders."""
    revision: int
    counting_short_id: str = ""
    """The short id of the orders that count, if these are others."""
    counting_revision: int = 0
    error_sentence: str = ""
    """The reason if the orders could not be put back."""


@contextmanager
def sealing_lock(game_home: GameHome) -> Iterator[None]:
    """Hold the lock under which this machine seals orders and puts them back. Raises CliError if
    another command keeps it."""
    with game_home.lock("orders", MAX_WAIT_SECONDS) as is_alone:
        if not is_alone:
            sentence = "another command is sealing orders for this game"
            raise CliError(sentence, "wait until that command has finished, and try again", NOT_YET)
        yield


def last_sealed_orders(game_home: GameHome, seat: str, key: bytes) -> Record[Orders] | None:
    """Return the last orders that this machine sealed for a seat with this key, from the copy in
    the home; None without an undamaged copy."""
    file = game_home.last_orders.file(seat)
    try:
        record = read_as(Orders, file, lambda _, signer: signer == key) if file else None
    except RecordError:
        return None  # a damaged copy is worth nothing
    return record if record and record.content.seat == seat else None


def restore_last_orders(
    archive: Archive,
    game_home: GameHome,
    keys: Mapping[str, bytes],
    questions: OpenQuestions | None,
) -> list[LastOrdersNote]:
    """Put the last orders of each of your seats back if their file is missing, and return a note
    about each seat whose last orders were missing or do not count.

    Orders that a turn has settled or listed, and those of another version of the game, are left
    alone. So are older orders: later ones replaced them. `keys` are the public keys of your seats.
    """
    notes = list[LastOrdersNote]()
    for seat, key in sorted(keys.items()) if questions else ():
        name = game_home.last_orders.name(seat)
        if questions is None or name is None or name.turn < questions.asking_turn:
            continue
        record = last_sealed_orders(game_home, seat, key)
        if record is None or record.id.hex() in questions.listed_sets:
            continue
        if not questions.may_count(orders_header(record)):
            continue
        note = _outranked_note(archive, questions, record)
        if note := note or _missing_note(archive, game_home, record):
            notes.append(note)
    return notes


def _outranked_note(
    archive: Archive, questions: OpenQuestions, record: Record[Orders]
) -> LastOrdersNote | None:
    """Return a note if orders of the seat, in the folder or in force, count before the last ones;
    None if none do."""
    orders, seat = orders_header(record), record.content.seat
    statuses = {
        i[:6]: entry.status for i, entry in questions.listed_sets.items() if entry.seat == seat
    }
    rank = orders._replace(id=orders.id[:6]).rank
    for file in sorted(archive.listing.orders, key=rank_of_file):
        if file.name.seat != seat or rank_of_file(file) >= rank:
            continue
        if statuses.get(file.name.short_id, "accepted") != "accepted":
            continue
        for other_record in archive.orders_signed_by(file, record.signed.key):
            if questions.may_count(orders_header(other_record)):
                return LastOrdersNote(
                    "outranked",
                    file.name.turn,
                    orders.id[:6],
                    orders.revision,
                    file.name.short_id,
                    file.name.revision,
                )
    return None


def _missing_note(
    archive: Archive, game_home: GameHome, record: Record[Orders]
) -> LastOrdersNote | None:
    """Put the last orders back if their file is missing; return a note, or None if it is there."""
    name, orders = file_name(record), record.content
    for file in archive.listing.orders:
        if file.name == name and archive.orders_signed_by(file, record.signed.key):
            return None
    note = LastOrdersNote("put_back", orders.turn, name.short_id, orders.revision)
    try:
        is_restored = _put_back(archive, game_home, name, record)
    except PbemError as error:
        return note._replace(event="not_put_back", error_sentence=error.full_sentence)
    return note if is_restored else None


def _put_back(archive: Archive, game_home: GameHome, name: Name, record: Record[Orders]) -> bool:
    """Write the last orders into the folder again, unless another command seals newer ones now;
    return whether they were missing. Raises FileError, StorageError."""
    with game_home.lock("orders") as is_alone:
        if not is_alone or game_home.last_orders.name(name.seat) != name:
            return False
        for file in archive.listing.orders:
            if file.name == name:  # it is damaged
                archive.folder.set_aside(file)
        return archive.folder.create(name, record.file)
