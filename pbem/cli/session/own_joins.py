"""Compare the joins that you signed on this machine with those in the folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from pbem.cli.session.game_here import GameHere
    from pbem.records.charter_join_orders import Join
    from pbem.records.read_record import Record
    from pbem.storage.file_names import Name


def subject_of(seat: str) -> str:
    """Return the word under which the home keeps your join for a seat."""
    return f"join-{seat}"


def own_joins(here: GameHere) -> dict[bytes, Record[Join]]:
    """Return the joins of your keys by id: those in the folder, and those that you signed on this
    machine."""
    from pbem.cli.session.seen_on_this_machine import last_signed

    mine = set(here.keyring.publics.values())
    plans = here.game_folder.charter.content.seats
    kept = [last_signed(here.mine, subject_of(plan.seat))[0] for plan in plans]
    found = {record.id: record for record in kept if record}
    found |= here.game_folder.joins()
    return {ident: record for ident, record in found.items() if record.content.key in mine}


def gone_joins(here: GameHere) -> list[Record[Join]]:
    """Return your joins whose files are no longer in the folder."""
    return [one for one in own_joins(here).values() if not _is_in_folder(here, one)]


def _is_in_folder(here: GameHere, record: Record[Join]) -> bool:
    """Return whether a join is here, also among so many other files that not all are read."""
    from pbem.storage.errors import FileError, StorageError

    if record.id in here.game_folder.joins():
        return True
    path = join_name(record).path
    if path not in {found.path for found in here.names.joins}:
        return False
    try:
        return here.folder.read(path) == record.file
    except (FileError, StorageError):
        return False


def join_name(record: Record[Join]) -> Name:
    """Return the name that a join must have in the folder."""
    from pbem.storage.file_names import Name

    return Name("join", seat=record.content.seat, digits=record.id.hex()[:6])


def keep_joins(here: GameHere) -> None:
    """As the referee, before turn 1: remember the joins that were made with invites, a few of each
    seat. If the home is read-only, nothing is noted."""
    from contextlib import suppress

    from pbem.play.checking.which_join_counts import MOST_LET_IN
    from pbem.storage.errors import StorageError

    with suppress(StorageError):
        kept = {path for path, _ in here.mine.joined.all()}
        for plan in here.game_folder.charter.content.seats:
            for record in let_in(here, plan.seat):
                path = join_name(record).path
                room = sum(one.startswith(f"seats/{plan.seat}-") for one in kept) < MOST_LET_IN
                if path not in kept and room:
                    here.mine.joined.keep(path, record.file)
                    kept.add(path)


def rivals(here: GameHere, seat: str) -> list[Record[Join]]:
    """Return the joins for a seat that were made with its invite by keys that are not yours."""
    mine = set(here.keyring.publics.values())
    return [record for record in let_in(here, seat) if record.content.key not in mine]


def let_in(here: GameHere, seat: str) -> list[Record[Join]]:
    """Return the joins for a seat that were made with its first invite; strangers cannot make
    any."""
    from pbem.records.joining import is_let_in

    doors = {plan.seat: plan.door for plan in here.game_folder.charter.content.seats}
    joins = (r for r in here.game_folder.joins().values() if r.content.seat == seat)
    found = (record for record in joins if is_let_in(record.content, doors[seat]))
    return sorted(found, key=lambda record: record.id)


def words_line(record: Record[Join]) -> str:
    """Return the six digits and the twelve words of a join: by phone, only the words prove that two
    people mean the same join."""
    from pbem.records.chain import words_of

    return f"join {record.id.hex()[:6]}  {' '.join(words_of(record.id))}"


def join_warnings(here: GameHere) -> list[str]:
    """Return a sentence for each of your joins that is gone or has a rival, before turn 1; and for
    each that was not accepted, from turn 1 on. The referee gets none."""
    if here.roles.referee:
        return []
    return _not_accepted(here) if here.listing.reached else _in_danger(here)


def _in_danger(here: GameHere) -> list[str]:
    lines, referee = [], clean(here.game_folder.charter.content.referee)
    for ident, record in sorted(own_joins(here).items()):
        seat, digits, others = (
            record.content.seat,
            ident.hex()[:6],
            rivals(here, record.content.seat),
        )
        names = ", ".join(f"{clean(r.content.name)} ({r.id.hex()[:6]})" for r in others[:4])
        ask = f"phone {referee} before turn 1 is made, and read out the twelve words of your join"
        if not _is_in_folder(here, record):
            told = f"your join for seat {seat} ({digits}) is no longer in the folder"
            told += f", but with your invite somebody else joined: {names}; {ask}" * bool(others)
            lines.append(f"{told}; to put it back, type pbem join again, with the same invite")
        elif others:
            lines.append(f"somebody else joined seat {seat} with your invite: {names}; {ask}")
    return lines


def _not_accepted(here: GameHere) -> list[str]:
    first, lines = next(here.game_folder.turns(), None), []
    accepted = set((first.content.joins or {}).values()) if first else set[bytes]()
    accepted |= here.game_folder.taken_in()
    referee = clean(here.game_folder.charter.content.referee)
    for ident, record in sorted(own_joins(here).items()):
        seat = record.content.seat
        if seat in here.roles.seats or ident in accepted:
            continue
        name = here.name_of(seat) if seat in here.roster else ""
        who = f"{clean(name)} has that seat" if name else "the game began without that seat"
        who = _sits_already(here, record.content.key) or who
        gone = "" if _is_in_folder(here, record) else "; somebody took it out of the folder"
        told = f"your join for seat {seat} ({ident.hex()[:6]}) was not accepted: {who}{gone}"
        words = words_line(record).partition("  ")[2]
        ask = f"; phone {referee} and ask why; the twelve words of your join are: {words}"
        lines.append(told if here.roles.seats else f"{told}{ask}")
    return lines


def _sits_already(here: GameHere, key: bytes) -> str:
    """Say that the join's key already has a different seat: a key can have only one."""
    roles, publics = here.roles, here.keyring.publics
    seats = [seat for seat, profile in roles.seats.items() if publics[profile] == key]
    return f"its key has seat {seats[0]} already, and a key can have only one seat" if seats else ""
