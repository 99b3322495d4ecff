"""The user's joins: in the folder, and signed on this machine; and who else joined."""

from __future__ import annotations

from contextlib import suppress

from pbem.files.disk import StorageError
from pbem.judge.record_files import file_name
from pbem.person.seen import last_signed_record
from pbem.person.user_game import UserGame
from pbem.records.charter import Join, is_let_in
from pbem.records.limits import MAX_DOOR_JOINS
from pbem.records.read_record import Record
from pbem.records.words import words_of
from pbem.screen.terminal import clean


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
    return [join for join in own_joins(game).values() if not _is_in_folder(game, join)]


def _is_in_folder(game: UserGame, record: Record[Join]) -> bool:
    """Return whether a join is here, even if seats/ has too many files for all to be read."""
    if record.id in game.game_folder.joins():
        return True
    name = file_name(record)
    is_listed = any(file.name == name for file in game.names.joins)
    return is_listed and game.folder.has(name, record.file)


def keep_joins(game: UserGame) -> None:
    """As the referee, before turn 1: remember the joins that were made with invites, a few of each
    seat. If the home is read-only, nothing is noted."""
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
    doors = dict(game.game_folder.doors())
    taken_in_ids = {notice.join for _, notice in game.game_folder.take_ins()}
    return [
        record
        for record in game.game_folder.joins().values()
        if is_let_in(record.content, doors.get(record.content.seat, b""))
        and record.id not in taken_in_ids
    ]


def join_of_key(game: UserGame, key: bytes) -> Join | None:
    """Return the join that gives this key its seat now, or will do so in the next turn."""
    seated_joins = game.roster.values() if game.listing.reached else ()
    joins = [*seated_joins, *(record.content for record in pending_joins(game))]
    return next((join for join in joins if join.key == key), None)


def own_seat(game: UserGame) -> Join | None:
    """Return the join that gives one of your keys a seat; None if none does."""
    joins = (join_of_key(game, key) for key in game.keyring.publics.values())
    return next((join for join in joins if join), None)


def words_line(record: Record[Join]) -> str:
    """Return the six digits and the twelve words of a join: by phone, only the words prove that two
    people mean the same join."""
    return f"join {record.id.hex()[:6]}  {' '.join(words_of(record.id))}"


# ---- Warn of joins that are gone, have a rival, or were not accepted


def join_warnings(game: UserGame) -> list[str]:
    """Return a sentence for each of your joins that is gone or has a rival, before turn 1; and for
    each that was not accepted, from turn 1 on. The referee gets none."""
    if game.roles.referee:
        return []
    return _unaccepted_join_lines(game) if game.listing.reached else _endangered_join_lines(game)


def _endangered_join_lines(game: UserGame) -> list[str]:
    lines, referee = [], clean(game.charter.referee)
    user_keys = set(game.keyring.publics.values())
    ask = f"phone {referee} before turn 1 is made, and read out the twelve words of your join"
    for join_id, record in sorted(own_joins(game).items()):
        seat, short_id = record.content.seat, join_id.hex()[:6]
        rivals = [join for join in invited_joins(game, seat) if join.content.key not in user_keys]
        names = ", ".join(f"{clean(r.content.name)} ({r.id.hex()[:6]})" for r in rivals[:4])
        if not _is_in_folder(game, record):
            sentence = f"your join for seat {seat} ({short_id}) is no longer in the folder"
            rival_clause = f", but with your invite somebody else joined: {names}; {ask}"
            sentence += rival_clause if rivals else ""
            lines.append(f"{sentence}; to put it back, type pbem join again, with the same invite")
        elif rivals:
            lines.append(f"somebody else joined seat {seat} with your invite: {names}; {ask}")
    return lines


def _unaccepted_join_lines(game: UserGame) -> list[str]:
    lines, accepted_ids = [], set((game.first_joins or {}).values())
    accepted_ids |= {notice.join for _, notice in game.game_folder.take_ins()}
    referee, publics = clean(game.charter.referee), game.keyring.publics
    seats_by_key = {publics[profile]: seat for seat, profile in game.roles.seats.items()}
    for join_id, record in sorted(own_joins(game).items()):
        seat, short_id = record.content.seat, join_id.hex()[:6]
        if seat in game.roles.seats or join_id in accepted_ids:
            continue
        if _may_still_count(game, record):
            sentence = f"you have joined seat {seat} ({short_id}): it is yours from the next"
            lines.append(f"{sentence} turn on, which {referee} makes")
            continue
        name = game.name_of(seat) if seat in game.roster else ""
        cause = f"{clean(name)} has that seat" if name else "the game began without that seat"
        if other_seat := seats_by_key.get(record.content.key):
            cause = f"its key has seat {other_seat} already, and a key can have only one seat"
        loss = "" if _is_in_folder(game, record) else "; somebody took it out of the folder"
        sentence = f"your join for seat {seat} ({short_id}) was not accepted: {cause}{loss}"
        words = " ".join(words_of(join_id))
        ask = f"; phone {referee} and ask why; the twelve words of your join are: {words}"
        lines.append(sentence if game.roles.seats else f"{sentence}{ask}")
    return lines


def _may_still_count(game: UserGame, record: Record[Join]) -> bool:
    """Return whether a join is the only one with the last invite for the seat of a departed player:
    then it waits for the turn that takes it in."""
    door = dict(game.game_folder.doors()).get(record.content.seat, b"")
    joins = game.game_folder.joins().values()
    return [join.id for join in joins if is_let_in(join.content, door)] == [record.id]
