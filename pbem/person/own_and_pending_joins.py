"""The user's joins, in the folder and signed on this machine; and joins that wait for a turn."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from pbem.files.file_errors import StorageError
from pbem.judge.read_and_check_record_file import file_name
from pbem.judge.unlisted_notices import sort_unlisted_notices
from pbem.person.last_signed_record import last_signed_record
from pbem.person.user_game import UserGame
from pbem.records.join import Join, is_let_in
from pbem.records.read_and_sign_record import Record
from pbem.records.record_count_and_size_limits import MAX_DOOR_JOINS


def join_subject(seat: str) -> str:
    """Return the word under which the home keeps your join for a seat."""
    return f"join-{seat}"


def own_joins(game: UserGame) -> dict[bytes, Record[Join]]:
    """Return the joins of your keys by id, from folder and home."""
    user_keys = set(game.keyring.publics.values())
    plans = game.charter.seats
    signed_joins = [
        last_signed_record(game.game_home, join_subject(plan.seat))[0] for plan in plans
    ]
    joins = {record.id: record for record in signed_joins if record} | game.game_folder.joins()
    return {join_id: record for join_id, record in joins.items() if record.content.key in user_keys}


def gone_joins(game: UserGame) -> list[Record[Join]]:
    """Return your joins whose files are no longer in the folder."""
    return [join for join in own_joins(game).values() if not is_in_folder(game, join)]


def is_in_folder(game: UserGame, record: Record[Join]) -> bool:
    """Return whether a join is here, even if seats/ has too many files for all to be read."""
    if record.id in game.game_folder.joins():
        return True
    name = file_name(record)
    is_listed = any(file.name == name for file in game.names.joins)
    return is_listed and game.folder.has(name, record.file)


def keep_joins(game: UserGame) -> None:
    """As the referee, before turn 1: remember the joins that were made with invites, at most
    `MAX_DOOR_JOINS` of each seat. If the home is read-only, nothing is noted."""
    with suppress(StorageError):
        kept_paths = {path for path, _ in game.game_home.joined.files()}
        for plan in game.charter.seats:
            for record in invited_joins(game, plan.seat):
                path = file_name(record).path
                prefix = f"seats/{plan.seat}-"
                join_count = sum(kept_path.startswith(prefix) for kept_path in kept_paths)
                if path not in kept_paths and join_count < MAX_DOOR_JOINS:
                    game.game_home.joined.keep(path, record.file)
                    kept_paths.add(path)


def invited_joins(game: UserGame, seat: str) -> list[Record[Join]]:
    """Return the joins for a seat that were made with its first invite; strangers cannot make
    any."""
    door = game.charter.doors[seat]
    joins = (r for r in game.game_folder.joins().values() if r.content.seat == seat)
    invited = (record for record in joins if is_let_in(record.content, door))
    return sorted(invited, key=lambda record: record.id)


def pending_joins(game: UserGame) -> list[Record[Join]]:
    """Return the joins made with the invites that count now, which no turn has taken in yet."""
    doors = _open_doors(game)
    taken_in_ids = {notice.join for _, notice in game.game_folder.take_ins()}
    return [
        record
        for record in game.game_folder.joins().values()
        if is_let_in(record.content, doors.get(record.content.seat, b""))
        and record.id not in taken_in_ids
    ]


def _open_doors(game: UserGame) -> Mapping[str, bytes]:
    """Return the door by which somebody new may come to each seat: before turn 1 the doors of the
    charter; later those of open seats, once a turn lists the notices that are here."""
    archive = game.game_folder
    if not game.listing.reached:
        return archive.charter.content.doors
    chain = archive.chain_of(archive.turns())
    return sort_unlisted_notices(archive, chain, chain.time).next_standing.doors


def join_of_key(game: UserGame, key: bytes) -> Join | None:
    """Return the join that gives this key its seat now, or will do so in the next turn."""
    seated_joins = game.roster.values() if game.listing.reached else ()
    joins = [*seated_joins, *(record.content for record in pending_joins(game))]
    return next((join for join in joins if join.key == key), None)


def own_seat(game: UserGame) -> Join | None:
    """Return the join that gives one of your keys a seat; None if none does."""
    joins = (join_of_key(game, key) for key in game.keyring.publics.values())
    return next((join for join in joins if join), None)


def may_still_count(game: UserGame, record: Record[Join]) -> bool:
    """Return whether a join is the only one with the present invite for the seat of a departed
    player: then it waits for the turn that takes it in."""
    door = _open_doors(game).get(record.content.seat, b"")
    joins = game.game_folder.joins().values()
    return [join.id for join in joins if is_let_in(join.content, door)] == [record.id]
