"""The files of turns and of held seats: publish a record, and put back records that are gone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from pbem.files.file_errors import FileError, StorageError
from pbem.files.game_folder import RecordFile
from pbem.files.process_locks import MAX_WAIT_SECONDS
from pbem.files.record_file_names import Name, parse_name
from pbem.files.signed_and_seen import Signed
from pbem.format.record_error import RecordError
from pbem.judge.make_signed_records import join_by_referee
from pbem.judge.read_and_check_record_file import file_name
from pbem.judge.which_joins_count import is_named
from pbem.person.check_seen_and_made_turns import is_last_record_gone
from pbem.person.mail_notebooks import MailBook
from pbem.person.own_and_pending_joins import keep_joins
from pbem.person.referees_next_turn_and_options import remembered_options
from pbem.person.restore_last_sealed_orders import LastOrdersNote
from pbem.person.session import Session
from pbem.records.final_record import FinalRecord
from pbem.records.join import Join
from pbem.records.read_and_sign_record import Record, read, read_as
from pbem.records.turn import Turn
from pbem.wording.game_folder_repairs import (
    not_the_record_note,
    put_back_note,
    renamed_note,
    rewritten_note,
    set_aside_note,
    two_records_note,
)
from pbem.wording.sealed_orders import last_orders_sentence

# ---- Write turns and final records, but never two different ones for one place (protocol §1)


def publish(session: Session, name: Name, record: Record[Turn] | Record[FinalRecord]) -> list[str]:
    """Write a turn or the final record; return notes on files that were moved out of the way.

    Before writing, note on this machine that it signed the record. Raises FileError `fork` if it
    has signed a different body for that place.
    """
    notes = _make_room(session, name.path)
    signed = session.game_home.signed
    with signed.publishing(MAX_WAIT_SECONDS):
        signed.sign(Signed(record.content.turn, name.path, record.id.hex(), record.file))
        session.folder.create(name, record.file)
    return notes


def _make_room(session: Session, path: str) -> list[str]:
    final = session.listing.final
    for record_file in (*session.game_folder.stray_files, *([final] if final else ())):
        if record_file.path == path:
            aside_path = session.folder.set_aside(record_file)
            return [not_the_record_note(path, aside_path, is_final=record_file == final)]
    return []


# ---- Put right what is missing or displaced


def restore_records(session: Session) -> list[str]:
    """Put right what is missing or displaced in the folder, before a turn is made; return notes."""
    notes = [*_restore_turn_names(session), *_restore_held_records(session)]
    return [*notes, *_restore_last_record(session), *_restore_last_orders(session)]


def _restore_turn_names(session: Session) -> list[str]:
    """Put each turn that counts under its standard name: a sync program may have given the name to
    a turn of the deputy, or of the referee, for the same place. Return notes."""
    notes = []
    for misplaced in (
        session.game_folder.deputy_turns.misplaced_turns() if session.roles.referee else ()
    ):
        name = Name("turn", misplaced.turn_number)
        turn_files = [turn_file for turn_file in session.names.turns if turn_file.name == name]
        with session.game_home.signed.publishing(MAX_WAIT_SECONDS):
            notes += [
                set_aside_note(name.path, session.folder.set_aside(turn_file))
                for turn_file in turn_files
            ]
            session.folder.create(name, misplaced.record.file)
        notes.append(renamed_note(name.path, misplaced.path))
    if notes:
        session.refresh()
    return notes


def _restore_held_records(session: Session) -> list[str]:
    """Write the joins and orders of held seats that are missing or damaged again, from the key or
    from copies in the home."""
    session.refereeing.key()
    own_files = session.game_home.held_orders.files()
    files = [(path, file, "") for path, file in (*_own_joins(session), *own_files)]
    files += _players_joins(session)
    files_by_name = {record_file.name: record_file for record_file in session.names.records}
    notes = []
    for path, file, joiner in files:
        name = parse_name(path)
        record_file = files_by_name.get(name) if name else None
        if name is None or (record_file and _has_contents(session, record_file, file)):
            continue
        aside_path = session.folder.set_aside(record_file) if record_file else ""
        session.folder.create(name, file)
        notes.append(rewritten_note(path, joiner, aside_path))
    if notes:
        session.refresh()
    return notes


def _restore_last_orders(session: Session) -> list[str]:
    """Put the last orders of seats that you have with another key than the referee's back before a
    turn is made without them."""
    notes, seats = list[LastOrdersNote](), session.roles.seats.keys() - session.roles.referee_seats
    if session.listing.reached and any(map(session.game_home.last_orders.name, seats)):
        chain = session.game_folder.chain_of(session.game_folder.turns())
        session.restore_last_orders(chain.open_questions, notes.append)
    return [f"note: {last_orders_sentence(note)}" for note in notes]


def _players_joins(session: Session) -> list[tuple[str, bytes, str]]:
    """Return the path, file and name of each player's join that was seen earlier and is gone:
    somebody with an invite may have put their own join in the place of its player's."""
    if session.listing.reached:
        return []
    keep_joins(session)
    refused, joins = (
        remembered_options(session.game_home, None).refuse,
        list[tuple[str, bytes, str]](),
    )
    for path, file in session.game_home.joined.files():
        with suppress(RecordError):  # a damaged copy is worth nothing
            record = read_as(Join, file)
            if not is_named(record, refused):
                joins.append((path, file, record.content.name))
    return joins


def _has_contents(session: Session, record_file: RecordFile, file: bytes) -> bool:
    """Return whether the stored file has exactly these bytes; False if it is missing or unreadable
    as a record. Raises StorageError."""
    try:
        return session.folder.read(record_file) == file
    except FileError:
        return False
    except StorageError as error:
        if error.is_missing:
            return False
        raise


def _own_joins(session: Session) -> Iterator[tuple[str, bytes]]:
    """Yield path and bytes of each join of a held seat that is missing in the folder. After turn 1,
    only the join that turn 1 lists is made again."""
    game_folder, first_ids = session.game_folder, session.first_joins
    joins_by_id, ids_by_seat = game_folder.joins(), first_ids or {}
    for seat in sorted(game_folder.charter.content.held_seats):
        if seat in ids_by_seat and ids_by_seat[seat] in joins_by_id:
            continue
        address = MailBook(session.game_home).first_address(seat)
        record = join_by_referee(game_folder.charter, session.refereeing.key(), seat, address)
        if first_ids is None or record.id == ids_by_seat.get(seat):
            yield file_name(record).path, record.file


def _restore_last_record(session: Session) -> list[str]:
    """Write the last record that this machine signed again, if it is missing, as after a crash:
    signing a different one in its place would look like cheating. Raises FileError `parent` if
    earlier turns are missing too."""
    last_record = session.game_home.signed.last_record()
    if last_record is None:
        return []
    if not is_last_record_gone(session.listing, last_record):
        return _other_record_notes(session, last_record)
    notes = _make_room(session, last_record.path)
    with session.game_home.signed.publishing(MAX_WAIT_SECONDS):
        session.folder.create(last_record.path, last_record.file)
    session.refresh()
    return [*notes, put_back_note(last_record.path)]


def _other_record_notes(session: Session, last_record: Signed) -> list[str]:
    """Return a note if the folder has a different record from the one that was signed here, as the
    referee's second computer may make one: players who get both have proof of cheating."""
    record_file = next(file for file in session.listing.records if file.path == last_record.path)
    try:
        other_record = read(session.folder.read(record_file))
    except RecordError:
        return []  # the commands that read the game say what is wrong with it
    keys = session.charter.referee_keys
    if other_record.id.hex() == last_record.id or other_record.signed.key not in keys:
        return []
    return [two_records_note(last_record.path, other_record.id.hex()[:6], last_record.id[:6])]
