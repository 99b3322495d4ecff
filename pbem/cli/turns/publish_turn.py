"""Write turns and final records, but never two different ones for one place (protocol §6)."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from pbem.screen.terminal import clean
from pbem.storage.file_names import Name

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.records.charter_join_orders import FinalRecord
    from pbem.records.read_record import Record
    from pbem.records.turn import Turn
    from pbem.storage.private.machine_memory import Signed


def publish(session: Session, name: Name, record: Record[Turn] | Record[FinalRecord]) -> list[str]:
    """Write a turn or the final record; return notes on files that were moved out of the way.

    Before writing, note on this machine that it signed the record. Raises FileError `fork` if it
    has signed a different body for that place.
    """
    from pbem.storage.private.machine_memory import Signed

    place = record.content.turn
    room = _make_room(session, name.path)
    session.mine.signed.sign(Signed(place, name.path, record.id.hex(), record.file))
    session.folder.create(name, record.file)
    return room


def _make_room(session: Session, path: str) -> list[str]:
    """Move a file away that has the name of a turn, or of the final record, but is not that record;
    return a note."""
    final = session.listing.final
    for found in (*session.game_folder.strays, *([final] if final else ())):
        if found.path == path:
            aside = session.folder.set_aside(found)
            what = ("the final record", "record") if found == final else ("a turn", "turn")
            told = f"{path} had the name of {what[0]} of this game, but was not that {what[1]}"
            return [f"note: {told}; it is now called {aside}, and its contents are unchanged"]
    return []


def put_right(session: Session) -> list[str]:
    """Give the turns that count their plain names, in a game with a deputy; return a note on each.

    A sync program can give the plain name to the turn that the other one signed for that place.
    """
    told = []
    for moved in session.game_folder.moved_turns if session.roles.referee else ():
        name = Name("turn", moved.place)
        for found in session.here.names.turns:
            if found.name == name:
                aside = session.folder.set_aside(found)
                told.append(f"note: {name.path}, which does not count, is now called {aside}")
        session.folder.create(name, moved.record.file)
        told.append(f"note: {name.path} is now the turn that counts, which was in {moved.path}")
    if told:
        session.refresh()
    return told


def put_back(session: Session) -> list[str]:
    """Restore missing joins and orders of the seats that the referee plays and, before turn 1,
    missing joins of players; return a note on each.

    The referee's own joins are made again from their key; the home keeps copies of the others.
    """
    from pbem.storage.file_names import parse_name

    session.referee_key()
    own = "which belongs to a seat that you play"
    files = [(path, file, own) for path, file in _joins_gone(session)]
    files += [(path, file, own) for path, file in session.mine.held.all()]
    files += _players_joins(session)
    told = []
    for path, file, what in files:
        name = parse_name(path)
        if name is None or _lies_there(session, path, file):
            continue
        found = [one for one in session.here.names.records if one.name == name]
        aside = [session.folder.set_aside(one) for one in found]
        session.folder.create(name, file)
        how = f"was damaged, and is now called {aside[0]}" if aside else "was missing"
        told.append(f"note: {path}, {what}, {how}; pbem has rewritten it")
    if told:
        session.refresh()
    return told


def _players_joins(session: Session) -> list[tuple[str, bytes, str]]:
    """Return the joins that this machine has seen, before turn 1: path, bytes, and what it is.

    Somebody with an invite may take its player's join away and put their own in its place. A join
    that the referee refused is left out.
    """
    from pbem.cli.session.own_joins import keep_joins
    from pbem.cli.session.start_wishes import wishes_of
    from pbem.format.errors import RecordError
    from pbem.play.checking.which_join_counts import is_named
    from pbem.records.charter_join_orders import Join
    from pbem.records.read_record import read_as

    if session.listing.reached:
        return []
    keep_joins(session.here)
    refused, found = wishes_of(session.mine, None).refuse, list[tuple[str, bytes, str]]()
    for path, file in session.mine.joined.all():
        with suppress(RecordError):  # a damaged copy is worth nothing
            record = read_as(Join, file)
            if not is_named(record, refused):
                what = f"the join of {clean(record.content.name)} that was here before"
                found.append((path, file, what))
    return found


def _lies_there(session: Session, path: str, file: bytes) -> bool:
    from pbem.storage.errors import FileError, StorageError

    try:
        return session.folder.read(path) == file
    except FileError:
        return False
    except StorageError as error:
        if error.missing:
            return False
        raise


def _joins_gone(session: Session) -> list[tuple[str, bytes]]:
    """Make the missing joins of the seats that the referee plays; return the path and bytes of
    each.

    Once the game has begun, make only the joins that turn 1 names.
    """
    from pbem.cli.starting.make_game import address_of, held_join

    game_folder = session.game_folder
    first = next(game_folder.turns(), None)
    here, named = game_folder.joins(), first.content.joins or {} if first else {}
    gone = []
    for seat in sorted(game_folder.charter.content.held):
        if seat in named and named[seat] in here:
            continue
        record = held_join(
            game_folder.charter, session.referee_key(), seat, address_of(session, seat)
        )
        if first is None or record.id == named.get(seat):
            gone.append((f"seats/{seat}-{record.id.hex()[:6]}.toml", record.file))
    return gone


def restore(session: Session) -> list[str]:
    """If the last record that this machine signed is missing, write it again; return notes.

    A record can be missing after a crash, or in a folder that is half synced. A different record in
    its place would look like cheating. Raises FileError `parent` if earlier turns are missing too.
    """
    from pbem.cli.session.missing_turns import is_gone

    last = session.mine.signed.last()
    if last is None:
        return []
    if not is_gone(session.listing, last):
        return _another(session, last)
    room = _make_room(session, last.path)
    session.folder.create(last.path, last.file)
    session.refresh()
    told = "was made here and was missing; pbem has put it back, byte for byte"
    return [*room, f"note: {last.path} {told}"]


def _another(session: Session, last: Signed) -> list[str]:
    """Return a note, in a list, if a different record has replaced the last one that this machine
    signed.

    Most likely the referee's second computer made the other record. Two signed records prove that
    the referee signed twice, so the referee must learn of it before players get both.
    """
    from pbem.format.errors import RecordError
    from pbem.records.read_record import read

    try:
        found = read(session.folder.read(last.path))
    except RecordError:
        return []  # the commands that read the game say what is wrong with it
    if (
        found.id.hex() == last.id
        or found.signed.key not in session.game_folder.charter.content.referee_keys
    ):
        return []
    ids = f"{found.id.hex()[:6]} there, {last.id[:6]} signed here"
    told = (
        f"if you ever sent {last.id[:6]} to anybody, tell all players; make turns on only one "
        "machine"
    )
    return [f"note: {last.path} is not the one that this machine made ({ids}): {told}"]
