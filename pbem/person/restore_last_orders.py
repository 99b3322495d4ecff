"""Put the user's last sealed orders back if the file is missing, or say why other orders count.

A synced folder can hold files back and return them later, and you may seal orders on two computers.
So this machine remembers the last orders that each of your seats sealed here, and compares them
with the folder whenever a command looks at the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from pbem.errors import NOT_YET, CliError, PbemError
from pbem.files.home import GameHome
from pbem.files.record_names import Name
from pbem.format.record_error import RecordError
from pbem.judge.folder_contents import Archive, rank_of_file
from pbem.judge.order_fates import OpenQuestions, order_set
from pbem.judge.record_files import file_name
from pbem.records.orders import Orders
from pbem.records.read_and_sign_record import Record, read_as
from pbem.terminal.terminal import clean
from pbem.text.terminal_and_page_wording import TerminalText

MAX_WAIT_SECONDS: Final = 5.0
_OUTRANKED: Final = TerminalText(
    "for turn {turn}, your orders[[ {short_id} (revision {revision})]] count, and not "
    "your last orders on this computer[[, {last_short_id} (revision {last_revision})]]. "
    "Perhaps an old file came back, or you sealed orders on another computer. To use "
    "other orders, seal them again[[: pbem submit]]"
)
_PUT_BACK: Final = TerminalText(
    "your orders[[ {short_id} (revision {revision})]] for turn {turn} were missing from "
    "the folder; pbem has put the orders back"
)
_NOT_PUT_BACK: Final = TerminalText(
    "your orders[[ {short_id} (revision {revision})]] for turn {turn} are missing from the "
    "folder, and pbem cannot put the orders back now: {error}"
)


@contextmanager
def sealing_alone(game_home: GameHome) -> Iterator[None]:
    """Hold the lock under which this machine seals orders and puts them back. Raises CliError if
    another command keeps it."""
    with game_home.lock("orders", MAX_WAIT_SECONDS) as is_alone:
        if not is_alone:
            sentence = "another command is sealing orders for this game"
            raise CliError(sentence, "wait until that command has finished, and try again", NOT_YET)
        yield


def last_sealed_orders(game_home: GameHome, seat: str, key: bytes) -> Record[Orders] | None:
    """Return the last orders that this machine sealed for a seat with this key; None if it does not
    remember any."""
    file = game_home.last_orders.file(seat)
    try:
        record = read_as(Orders, file, lambda _, signer: signer == key) if file else None
    except RecordError:
        return None  # a damaged copy is worth nothing
    return record if record and record.content.seat == seat else None


def look_after_orders(
    archive: Archive,
    game_home: GameHome,
    keys: Mapping[str, bytes],
    questions: OpenQuestions | None,
) -> list[str]:
    """Put the last orders of each of your seats back if their file is missing, and return a note
    about each seat whose last orders were missing or do not count.

    Orders that a turn has settled or listed, and those of another version of the game, are left
    alone. So are older orders: later ones replaced them. `keys` are the public keys of your seats.
    """
    notes = list[str]()
    for seat, key in sorted(keys.items()) if questions else ():
        name = game_home.last_orders.name(seat)
        if questions is None or name is None or name.turn < questions.asking_turn:
            continue
        record = last_sealed_orders(game_home, seat, key)
        if record is None or record.id.hex() in questions.listed_sets:
            continue
        if not questions.may_count(order_set(record)):
            continue
        note = _outranked_note(archive, questions, record)
        if note := note or _missing_note(archive, game_home, record):
            notes.append(note)
    return notes


def _outranked_note(archive: Archive, questions: OpenQuestions, record: Record[Orders]) -> str:
    """Say that orders of the seat, in the folder or in force, count before the last ones; empty if
    none do."""
    orders, seat = order_set(record), record.content.seat
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
            if questions.may_count(order_set(other_record)):
                return _OUTRANKED.format(
                    short_id=file.name.short_id,
                    revision=file.name.revision,
                    turn=file.name.turn,
                    last_short_id=orders.id[:6],
                    last_revision=orders.revision,
                )
    return ""


def _missing_note(archive: Archive, game_home: GameHome, record: Record[Orders]) -> str:
    """Put the last orders back if their file is missing, and say so; empty if it is there."""
    name, orders = file_name(record), record.content
    for file in archive.listing.orders:
        if file.name == name and archive.orders_signed_by(file, record.signed.key):
            return ""
    facts = {"short_id": name.short_id, "revision": orders.revision, "turn": orders.turn}
    try:
        is_restored = _put_back(archive, game_home, name, record)
    except PbemError as error:
        return _NOT_PUT_BACK.format(**facts, error=clean(error.full_sentence))
    return _PUT_BACK.format(**facts) if is_restored else ""


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
