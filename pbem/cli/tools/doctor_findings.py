"""Check the home, keys, clock and folder for `doctor`, and say how to fix each problem."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from pbem.cli.failure import FINDINGS, KEY, USAGE
from pbem.format.errors import EXIT, WORST_FIRST
from pbem.screen.terminal import clean
from pbem.storage.errors import StorageError
from pbem.storage.file_names import turn_path

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.storage.private.home import Home, Mine
    from pbem.storage.store.address import Place

FIRST = datetime(2020, 1, 1, tzinfo=UTC)
"""An earlier time on the clock must be wrong, because no game is that old."""
TOLERANCE = 300
"""Seconds by which clocks may differ."""


class Finding(NamedTuple):
    """A line of the report: a `warning` must be fixed, a `note` need not be, a `fact` is only
    information."""

    grade: Literal["warning", "note", "fact"]
    text: str
    cure: str = ""
    """What to do, if the text does not say it."""
    exit: int = 0
    """The exit code that a warning asks for."""
    file: str = ""
    """The path of the file in the game's folder that the line is about; empty if there is none."""
    reason: str = ""
    """Why that file does not count."""

    @property
    def line(self) -> str:
        """The finding as `doctor` prints it."""
        grade = "" if self.grade == "fact" else f"{self.grade}: "
        return f"{grade}{self.text}{self.cure and f'; fix: {self.cure}'}"


def _warning(text: str, cure: str = "", exit_code: int = FINDINGS) -> Finding:
    return Finding("warning", text, cure, exit_code)


def _fact(text: str) -> Finding:
    return Finding("fact", text)


def findings(session: Session, named: bool = False) -> Iterator[Finding]:
    """Yield the report: facts, and warnings that say how to fix something.

    `named` says whether the user named the folder: then it must contain a game.
    """
    yield from _home(session)
    yield from _keys(session)
    yield from _clock(session)
    yield from _folder(session, named)


def worst(found: Collection[Finding]) -> int:
    """Return the exit code of a report: that of its worst warning, or 0 if there is none."""
    codes = {one.exit for one in found}
    return next((code for code in (StorageError.exit, *WORST_FIRST, USAGE) if code in codes), 0)


def _home(session: Session) -> Iterator[Finding]:
    from pbem import __version__

    home = session.home.root
    yield _fact(f"pbem {__version__}, Python {sys.version.split()[0]}")
    yield _fact(f"your private folder: {home}")
    if others_may_look(home):
        yield _warning("other users of this computer can read it", f"chmod 700 {home}")
    size = sum(_size(path) for path in (*home.glob("games/*/cache/*"), *home.glob("stores/*/*")))
    if size:
        yield _fact(f"caches: {size // 1024 + 1} kB; pbem doctor --drop-caches deletes them")


def _keys(session: Session) -> Iterator[Finding]:
    from pbem.format.keys import is_encrypted

    for name in session.home.profiles():
        path = session.home.key_path(name)
        locked = "with" if is_encrypted(session.home.read_key(name)) else "without"
        yield _fact(f"key {name}: {path} ({locked} a passphrase)")
        if others_may_look(path):
            yield _warning("other users of this computer can read this key", f"chmod 600 {path}")
    if session.home.profiles():
        yield _fact("back up these files: without them, nobody can play your seats or help you")
    elif games := sum(_signed_in(session.home.game(x)) for x in session.home.games()):
        known = "a game" if games == 1 else f"{games} games"
        told = f"no key is here, but you played or refereed {known} on this computer"
        cure = "pbem keys import FILE, with your copy of the key"
        yield _warning(told, f"{cure}; without a copy: pbem notice key --lost", KEY)
    else:
        yield _fact("there are no keys yet; pbem will make one when you first need it")


def _signed_in(mine: Mine) -> bool:
    """Return whether orders, a join or a turn of a game were signed on this computer."""
    return bool(mine.receipts.times()) or mine.signed.last() is not None


def _clock(session: Session) -> Iterator[Finding]:
    from pbem.cli.clock import now

    here = now()
    said = datetime.fromtimestamp(here, UTC).strftime("%Y-%m-%d %H:%M UTC")
    yield _fact(f"clock: {said}")
    if here < FIRST.timestamp():
        yield _warning("the clock is wrong", "set it, because deadlines depend on it")
    last = _last_time(session)
    if last > here + TOLERANCE:
        minutes = (last - here) // 60
        long = f"{minutes} minutes" if minutes < 120 else f"{minutes // 60} hours"
        told = f"the last turn is {long} ahead of this clock"
        cure = (
            "set this clock; if it is right, all players, and last the referee: pbem notice clock"
        )
        yield _warning(told, cure)


def _last_time(session: Session) -> int:
    from pbem.format.errors import RecordError
    from pbem.play.checking.game_folder import NoGameError

    try:
        last = 0
        for turn in session.game_folder.turns():
            last = turn.content.time
        return last
    except (RecordError, StorageError, NoGameError):
        return 0  # reported where the folder is checked


def _folder(session: Session, named: bool) -> Iterator[Finding]:
    from pbem.cli.failure import CliError
    from pbem.format.errors import RecordError
    from pbem.play.checking.game_folder import NoGameError

    session.folder.read_anew()
    try:
        yield from _game(session)
    except NoGameError as error:
        told = f"folder: {clean(str(error))}"
        yield _warning(told, exit_code=error.exit) if named else _fact(told)
    except (CliError, StorageError) as error:
        yield _warning(f"folder: {clean(str(error))}", exit_code=error.exit)
    except RecordError as error:
        where = clean(getattr(error, "path", "") or "a record")
        yield _warning(f"{where}: {clean(error.sentence)}", exit_code=error.exit)


def _game(session: Session) -> Iterator[Finding]:
    from pbem.cli.session.missing_turns import need_seen

    game_folder, listing = session.game_folder, session.listing
    keys = _keys_of_players(session)
    yield _fact(f"folder: {session.place}")
    title = clean(game_folder.charter.content.title)
    yield _fact(f"game: {title} ({game_folder.game.hex()[:6]})")
    turns = f"turns 1 to {listing.turns[-1].name.turn}" if listing.turns else "no turn yet"
    turns += f" ({len(game_folder.gaps)} missing)" if game_folder.gaps else ""
    yield _fact(f"records: {len(listing.records)}, {turns}")
    game_folder.all_orders(lambda _, key: key in keys)
    yield from _messages(session)
    matters = [*_lost(session), *_matters(session)]
    yield from matters
    if listing.turns:
        _read_all(session)
    else:
        need_seen(session.here)
    if not matters:
        yield _fact("nothing is wrong here")


def _read_all(session: Session) -> None:
    """Read and check the whole game. Raises FileError for the first fault, except for a missing
    turn, which is reported anyway."""
    from pbem.storage.errors import FileError

    session.reading.use_checkpoints = False
    try:
        session.reading.fresh_view("")
    except FileError as error:
        if error.path not in {turn_path(gap) for gap in session.game_folder.gaps}:
            raise


def _keys_of_players(session: Session) -> set[bytes]:
    """Return the public keys with which a player may have signed orders, also before they got a
    new key."""
    from pbem.storage.errors import FileError

    keys = {join.content.key for join in session.game_folder.joins().values()}
    if not session.listing.reached:
        return keys
    try:
        return keys | session.here.standing.seats_of_keys().keys()
    except FileError:  # a turn, join or notice is wrong, which a later check reports
        return keys


def _messages(session: Session) -> Iterator[Finding]:
    """Count the messages; report files in `press/` that are not valid messages, and files in
    `notices/` that are not notices, as faults."""
    from pbem.mail.folder_so_far import FolderSoFar
    from pbem.play.notices.notice_files import new_notices
    from pbem.play.press.read_messages import PressReader
    from pbem.play.press.seating import seating_in
    from pbem.storage.errors import FileError

    game_folder = session.game_folder
    if not (session.listing.press or session.listing.notices):
        return
    try:
        game = FolderSoFar(game_folder)
        game.grow()
        new_notices(game_folder, game.listed_notices)
        if not session.listing.press:
            return
        reader = PressReader(game_folder, game.heads, seating_in(game_folder))
    except FileError:  # a turn or join is wrong, which a later check reports
        return
    yield _fact(f"messages: {len(reader.records())}")
    for fault in reader.faults:
        game_folder.note(fault)


def _lost(session: Session) -> Iterator[Finding]:
    """Report keys that are missing although this computer has used them, and joins that are gone or
    were not accepted."""
    from pbem.cli.session.lost_keys import lost_lines, watching
    from pbem.cli.session.own_joins import join_warnings

    roles, lines = session.roles, lost_lines(session.here)
    joins = [] if roles.seats and session.listing.reached else join_warnings(session.here)
    yield from (_warning(line) for line in joins)
    if lines:
        yield _warning("; ".join(lines), exit_code=KEY)
    elif not joins and session.listing.reached and not (roles.seats or roles.referee):
        yield Finding("note", watching(session.here))


def _matters(session: Session) -> Iterator[Finding]:
    from pbem.records.fields.header import near_the_last_turn

    game_folder, listing = session.game_folder, session.listing
    if not session.folder.may_be_written():
        yield _warning("you cannot write here", "ask the person who shares the folder")
    for gap in game_folder.gaps:
        told = f"{turn_path(gap)} is missing"
        yield _warning(told, "let the folder sync, or pbem receive it", EXIT["parent"])
    if not listing.final and (near := near_the_last_turn(listing.reached)):
        yield _warning(near, "finish the game, or agree on an end: pbem notice end")
    for fault in game_folder.faults:
        told = f"{clean(fault.path)} does not count: {clean(fault.sentence)}"
        told = f"{told} (pbem explain {fault.reason})"
        yield Finding("warning", told, "", EXIT[fault.reason], fault.path, fault.reason)
    for litter in listing.litter:
        told = f"{clean(litter.path)} is not read: {litter.why}"
        yield Finding("note", told, file=litter.path, reason=litter.kind)


def others_may_look(path: Path) -> bool:
    """Return whether the group or others have any rights to the file; always False on Windows."""
    try:
        return os.name != "nt" and bool(stat.S_IMODE(path.stat().st_mode) & 0o077)
    except OSError:
        return False


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


class Dropped(NamedTuple):
    """What `doctor --drop-caches` did."""

    games: int
    """How many games had caches, or copies of files in a store."""
    kept: list[str]
    """A sentence for each game whose copies were kept, because its store cannot be reached."""


def drop_caches(session: Session) -> Dropped:
    """Delete the caches of all games, and the copies of files that their stores have."""
    session.home.drop_caches()
    count, kept = 0, list[str]()
    for ident in session.home.games():
        mine = session.home.game(ident)
        had = (mine.root / "cache").exists()
        mine.drop_caches()
        try:
            had = _drop_copies(session.home, mine.place) or had
        except StorageError as error:
            kept.append(f"could not delete the cached copies of {mine.place}: {error}")
        count += had
    return Dropped(count, kept)


def _drop_copies(home: Home, place: Place | None) -> bool:
    """Delete our copies of the files in the store at a place; return whether there were any."""
    if place is None or isinstance(place, Path):
        return False
    from pbem.storage.store.store_folder import StoreFolder

    folder = home.folder(place)
    return isinstance(folder, StoreFolder) and folder.drop_copies() > 0
