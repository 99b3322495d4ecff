"""The games that a host keeps: on a disk or in a store, found by their secret addresses.

An address is `/g/` and 32 hex digits, and whoever has it may read the game. On the host, a game's
folder is named by a hash of these digits. So neither a copy of the disk nor a log gives an address
away.
"""

from __future__ import annotations

import hashlib
import os
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from pbem.errors import PbemError
from pbem.files.caches_in_home import Cache
from pbem.files.disk import Mark, make_folder
from pbem.files.file_errors import AwayError, FileError, StorageError, storage_errors
from pbem.files.game_folder import Listing, RecordFile, SharedFolder
from pbem.files.game_folder_places import Place, place_of
from pbem.files.home import Home
from pbem.files.host_store import DIGEST_DIGITS, folder_name_of
from pbem.files.open_game_folder import open_place
from pbem.files.record_file_names import Name
from pbem.files.store_errors import translate_store_errors
from pbem.host.record_gate import FullHostError, Gate, HostRefusal, MissingGame, check_charter
from pbem.host.storage_capacity import (
    FILES_MARK,
    FREE_GAMES_MARK,
    GAMES_MARK,
    Capacity,
    FillMark,
    Limits,
)
from pbem.judge.records_of_game_folder import open_folder
from pbem.records.charter import Charter
from pbem.wording.game_list import unreadable_state

MAX_GAMES_IN_MEMORY: Final = 256
"""The most games that are kept in memory; the games used last stay."""
CHAIN_PURPOSE: Final = "host-3"
"""The beginning of the name of the cache of a game's turns in the home; see `cache_chain`."""
FRESH_SECONDS: Final = 0.5
"""Seconds for which a list counts as new; another host may write to the same place."""
SLOW_SCAN_SECONDS: Final = 0.125
"""The time in which a list should be made. If it takes longer, it also counts as new for longer:
people who look at a game of very many files must not keep the host busy with lists."""
FULL_HOST_CLAUSE: Final = "this host has no room for more files (its games are safe)"
RECOUNT_SECONDS: Final = 3_600.0
"""Seconds after which all games are counted again."""
FULL_RECOUNT_SECONDS: Final = 60.0
"""The same while the host is full: its owner may have removed some in another process."""
MAX_UNUSED_SECONDS: Final = 365 * 86_400
"""Seconds after which a game that nobody has written to is removed."""


class Row(NamedTuple):
    """The facts of a game that the host's owner sees. The names of the fields are keys of JSON."""

    name: str
    title: str
    turns: int
    files: int
    bytes: int
    touched: float
    """The time at which its last file was written, in seconds since 1970."""
    over: bool
    refused: int
    """The number of refused files since the game came into memory."""


class Game:
    """One game on a host. One thread at a time works on it."""

    fresh_seconds = FRESH_SECONDS

    def __init__(self, name: str, folder: SharedFolder, cache: Cache | None = None) -> None:
        """`name` is the folder's. `cache` keeps the chain of turns, so that a host that starts need
        not read all turns again."""
        self.name, self.folder, self.lock = name, folder, threading.Lock()
        self.cache = cache
        self.listing: Listing | None = None
        self.listed_at = self._scan_seconds = 0.0
        self._tagged_list: tuple[str, bytes] = ("", b"")
        """The last list of files that was sent, after its ETag."""
        self._tagged_listing: Listing | None = None
        """The listing from which it was made."""
        self._digests: dict[tuple[str, Mark], str] = {}
        self._gate: Gate | None = None
        self.refused_count = 0
        """The number of refused files since the game came into memory."""

    def list_files(self, max_age_seconds: float | None = None) -> Listing:
        """Return the listing of the game's files; make a new one if the last is older than
        `max_age_seconds` (by default `fresh_seconds`, or longer if a list takes long). Raises
        StorageError."""
        now = time.monotonic()
        if max_age_seconds is None:
            max_age_seconds = self.fresh_seconds * max(1.0, self._scan_seconds / SLOW_SCAN_SECONDS)
        if self.listing is None or now - self.listed_at > max_age_seconds:
            self.listing, self.listed_at = self.folder.scan(), now
            self._scan_seconds = time.monotonic() - now
        return self.listing

    def tagged_list(self) -> tuple[str, bytes] | None:
        """Return the ETag and the list of files as the host sends it; None if the folder has no
        game.

        Each line has a file's path, its size, and for turns the first digits of its hash. The ETag
        depends only on these, so two hosts over one store agree on it.
        """
        with self.lock:
            listing = self.list_files()
            if not (listing.records or listing.press):
                return None
            if listing is self._tagged_listing:  # many ask at once: a long list is made once
                return self._tagged_list
            record_files = sorted((*listing.records, *listing.press), key=lambda file: file.path)
            lines = [f"{file.path} {file.mark.size}{self._digest(file)}\n" for file in record_files]
            data = "".join(lines).encode()
            if data != self._tagged_list[1]:
                self._tagged_list = f'"{hashlib.sha256(data).hexdigest()[:32]}"', data
            self._tagged_listing = listing
            return self._tagged_list

    def _digest(self, file: RecordFile) -> str:
        """Return a space and the first digits of the SHA-256 of a turn or final record; else empty.

        The name of such a file does not tell it from another one for the same place in the chain.
        Other files have digits in their names.
        """
        if file.name.kind not in ("turn", "final"):
            return ""
        file_key = (file.path, file.mark)
        if file_key not in self._digests:
            try:
                data = self.folder.read(file)
            except AwayError:
                raise
            except (FileError, StorageError):
                return ""  # it is no file, or too long for a record
            self._digests[file_key] = f" {hashlib.sha256(data).hexdigest()[:DIGEST_DIGITS]}"
        return self._digests[file_key]

    def read_file(self, name: Name) -> bytes:
        """Return the bytes of a file. Raises StorageError, FileError."""
        return self.folder.read(name)

    def size_of(self, name: Name) -> int | None:
        """Return the size of a file in bytes; None if the file is not there.

        Raises StorageError; HostRefusal if there is no game, except for the charter that makes it.
        """
        with self.lock:
            listing = self.list_files()
            if name.kind != "charter":
                self.check_is_there(listing)
            for file in (*listing.records, *listing.press):
                if file.name == name:
                    return file.mark.size
            return None

    def keep_file(self, name: Name, data: bytes) -> bool:
        """Check and keep a new file; return False if it was there already. Raises HostRefusal,
        TakenError, FileError, StorageError."""
        with self.lock:
            begun_at, listing = time.monotonic(), self.list_files()
            has_old_listing = self.listed_at < begun_at
            if has_old_listing:
                self._check_is_still_there()
            if any(file.name == name for file in (*listing.records, *listing.press)):
                return self.folder.create(name, data)  # which compares the bytes
            try:
                self._check_with_newest_files(listing, name, data, may_be_old=has_old_listing)
            except HostRefusal:
                self.refused_count += 1
                raise
            is_new = self.folder.create(name, data)
            self.listing = None
            return is_new

    def _check_with_newest_files(
        self, listing: Listing, name: Name, data: bytes, *, may_be_old: bool
    ) -> None:
        """Check a new file. If the check refuses it and the listing may be old, check it with a new
        listing: another host may just have taken the turn or key on which the file builds."""
        try:
            self.check_file(listing, name, data)
        except HostRefusal as refusal:
            if refusal.status not in (403, 409) or not may_be_old:
                raise
            self.check_file(self.list_files(0), name, data)

    def check_is_there(self, listing: Listing) -> None:
        """Check that there is a game. Raises MissingGame."""
        if listing.charter is None:
            raise MissingGame

    def _check_is_still_there(self) -> None:
        """Check that the owner has not removed the game since the last listing: no file may bring
        it back. Raises MissingGame."""
        self.folder.bypass_copies()
        try:
            self.folder.read(Name("charter"))
        except StorageError as error:
            if not error.is_missing:
                raise
            self.forget_contents()
            raise MissingGame from None

    def check_file(self, listing: Listing, name: Name, data: bytes) -> None:
        """Check a new file against the files in the listing. Raises HostRefusal for the new file;
        FileError, StorageError for those that are there."""
        self.check_is_there(listing)
        self.gate(listing).check(name, data)

    def gate(self, listing: Listing) -> Gate:
        """Return the gate that decides which files are taken, up to date. Raises FileError."""
        if self._gate is None:
            self._gate = Gate(self.folder, listing, self.cache)
        elif self._gate.listing is not listing:
            self._gate.update(listing)
        self.folder.bypass_copies()  # a folder in a store would keep each file that it read
        return self._gate

    def forget_contents(self) -> None:
        """Forget all about the game, because its files are gone."""
        self.listing = self._gate = self._tagged_listing = None
        if self.cache:
            self.cache.remove()

    def row(self) -> Row:
        """Return the facts for the owner. Raises NoGameError, FileError, StorageError."""
        with self.lock:
            listing = self.list_files()
            charter = open_folder(self.folder, listing).charter.content
            record_files = [*listing.records, *listing.press]
            touched = max((file.mark.mtime_ns for file in record_files), default=0) / 1e9
            size = sum(file.mark.size for file in record_files)
            title, is_over = charter.title, listing.final is not None
            turns, files = listing.reached, len(record_files)
            return Row(self.name, title, turns, files, size, touched, is_over, self.refused_count)

    def say_awaited(self) -> str:
        """Return the names of the players who have not joined yet, or have not ordered for the last
        turn.

        `the referee` if the game waits for nobody else; empty if it is over. Raises NoGameError,
        FileError, StorageError.
        """
        with self.lock:
            listing = self.list_files()
            game_folder = open_folder(self.folder, listing)
            charter = game_folder.charter.content
            if listing.final:
                return ""
            if listing.reached:
                game_folder.turn(listing.turns[listing.reached - 1])  # a gate reads it only once
                gate = self.gate(listing)
                pending_seats = gate.chain.awaited.keys() - gate.answered_seats()
                names = [gate.chain.standing.names[seat] for seat in sorted(pending_seats)]
            else:
                joined_seats = {file.name.seat for file in listing.joins} | charter.held_seats
                names = [plan.name for plan in charter.seats if plan.seat not in joined_seats]
            self.folder.bypass_copies()  # a folder in a store would keep each file that it read
            return ", ".join(names) or "the referee"


class Games:
    """All games of a host, below one folder or one address of a store."""

    game_type: type[Game] = Game

    def __init__(
        self, place: Place | Path, room_bytes: int | None = None, home: Home | None = None
    ) -> None:
        """`place` is the folder or store address of all games. `room_bytes` is the most that they
        may fill, if not the usual limit. `home` keeps caches of the games' turns."""
        self.place, self.home = place_of(place), home
        self.capacity = Capacity(self.place, Limits(room_bytes) if room_bytes else Limits())
        self._games_in_memory: OrderedDict[str, Game] = OrderedDict()
        self._lock = threading.Lock()
        self._count = self._bytes = 0
        self._counted_at = 0.0
        self._count_seconds = 0.0
        """The seconds that the last count of all games took."""
        self._counting = threading.Lock()
        self._free_games_made_at: list[float] = []
        """The times at which games were made without a token, during the last day."""

    def prepare(self) -> str:
        """Make the folder for the games if it is missing, or ask whether the store answers.

        Return the name of something in the folder that does not belong to a host; empty if there is
        nothing. Raises StorageError, also if the folder has foreign files only.
        """
        path = self.place.path
        if not path:
            with translate_store_errors(str(self.place)):
                next(self.names(), "")
            return ""
        make_folder(path)
        with storage_errors(path):
            names = sorted(entry.name for entry in path.iterdir())
        foreign_names = [name for name in names if not _USUAL_NAME_PATTERN.fullmatch(name)]
        foreign_name = foreign_names[0] if foreign_names else ""
        if foreign_name and not any(_HOST_NAME_PATTERN.fullmatch(name) for name in names):
            problem = f"contains files that no host made, such as {foreign_name!r}"
            raise StorageError(path, f"{problem}; choose a new folder")
        if not os.access(path, os.W_OK):
            problem = "does not let pbem write, so it cannot keep games; choose another folder"
            raise StorageError(path, problem)
        return foreign_name

    def game_at(self, digits: str) -> Game:
        """Return the game at an address, whether it is there or not. `digits` are the 32 hex digits
        of the address."""
        return self.game_named(folder_name_of(digits))

    def game_named(self, name: str) -> Game:
        """Return the game in the folder with this name, whether it is there or not."""
        with self._lock:
            if (game := self._games_in_memory.pop(name, None)) is None:
                game = self._game(name)
            self._games_in_memory[name] = game
            while len(self._games_in_memory) > MAX_GAMES_IN_MEMORY:
                oldest = next(iter(self._games_in_memory))
                if self._games_in_memory[
                    oldest
                ].lock.locked():  # it is being used: two of them must not be
                    break
                del self._games_in_memory[oldest]
            return game

    def peek(self, name: str) -> Game:
        """Return the game in the folder with this name, without keeping it in memory."""
        with self._lock:
            return self._games_in_memory.get(name) or self._game(name)

    def forget(self, game: Game) -> None:
        """Drop a game that is not there from memory, so that guesses cost no room."""
        with self._lock:
            is_there = game.listing is not None and game.listing.charter is not None
            if (
                not is_there
                and self._games_in_memory.get(game.name) is game
                and not game.lock.locked()
            ):
                del self._games_in_memory[game.name]

    def make_game(self, digits: str, data: bytes, *, is_free: bool) -> bool:
        """Make a game from its charter; return False if it was there already.

        `digits` are those of its address. `is_free`: made without a token. Raises HostRefusal,
        TakenError, StorageError.
        """
        game = self.game_at(digits)
        with game.lock:
            is_there = game.list_files(0).charter is not None
        if not is_there:  # without the lock, because counting all games takes the lock of each
            check_charter(data)
            self.check_room_for_game(is_free=is_free)
        with game.lock:
            is_new = game.folder.create(Name("charter"), data)
            game.listing = None
        if is_new:
            self.count_new_game(len(data), is_free=is_free)
        return is_new

    def count_new_game(self, size: int, *, is_free: bool) -> None:
        """Add a new game, whose charter has `size` bytes, to the totals. `is_free`: made without a
        token."""
        self._count, self._bytes = self._count + 1, self._bytes + size
        self._free_games_made_at += [time.time()] if is_free else []

    def keep_file(self, game: Game, name: Name, data: bytes) -> bool:
        """Keep a new file of a game, as `Game.keep_file` does. Raises FullHostError if the host is
        full."""
        if game.size_of(name) is None and (full_clause := self.full_clause()):
            raise FullHostError(507, f"{FULL_HOST_CLAUSE}: {full_clause}; its owner must make room")
        try:
            is_new = game.keep_file(name, data)
        except StorageError as error:
            if not error.is_disk_full:
                raise
            self.capacity.note_full_disk()
            sentence = f"{FULL_HOST_CLAUSE}: {self.full_clause()}; its owner must make room"
            raise FullHostError(507, sentence) from None
        self._bytes += len(data) * is_new
        return is_new

    def full_clause(self, mark: FillMark = FILES_MARK) -> str:
        """Return a clause about what is filled up to a mark; empty if there is room. While a host
        is full for files, it takes none. Raises StorageError."""
        clause = self.capacity.full_clause(self._totals()[1], mark)
        if clause and self._is_counted_before(FULL_RECOUNT_SECONDS):
            clause = self.capacity.full_clause(self._totals(FULL_RECOUNT_SECONDS)[1], mark)
        return clause

    def plan_of(self, digits: str) -> tuple[Charter, list[str]]:
        """Return the charter of the game at an address, and the present names of its people, in the
        order of their seats.

        Raises HostRefusal, FileError, StorageError.
        """
        game = self.peek(folder_name_of(digits))
        with game.lock:
            listing = game.list_files()
            game.check_is_there(listing)
            game_folder = open_folder(game.folder, listing)
            charter = game_folder.charter.content
            roster = game_folder.standing.roster if listing.reached else {}
            people = [plan for plan in charter.seats if not plan.bot]
            return charter, [
                roster[plan.seat].name if plan.seat in roster else plan.name for plan in people
            ]

    def has_game(self, digits: str) -> bool:
        """Return whether there is a game at an address. Raises StorageError."""
        game = self.peek(folder_name_of(digits))
        with game.lock:
            return game.list_files().charter is not None

    def check_room_for_game(self, *, is_free: bool) -> None:
        """Check that this host takes one more game. `is_free`: of people without a token. Raises
        HostRefusal."""
        count, _ = self._totals()
        if count >= self.capacity.limits.max_games:
            raise HostRefusal(
                507,
                f"this host takes no new games, because it has the most that it may have "
                f"({count:,}); its owner must remove a game first",
            )
        if full_clause := self.full_clause(FREE_GAMES_MARK if is_free else GAMES_MARK):
            sentence = f"this host is nearly full, so it takes no new games: {full_clause}"
            raise HostRefusal(507, f"{sentence}; its owner must make room")
        yesterday = time.time() - 86_400
        self._free_games_made_at = [
            made_at for made_at in self._free_games_made_at if made_at > yesterday
        ]
        if is_free and len(self._free_games_made_at) >= self.capacity.limits.max_daily_games:
            raise HostRefusal(
                429, "too many games were made on this host today; try again tomorrow", 86_400
            )

    def names(self) -> Iterator[str]:
        """Yield the names of the folders of all games. Raises StorageError."""
        yield from sorted(filter(_is_game_name, open_place(self.place).folders_inside()))

    def rows(self) -> Iterator[Row | tuple[str, str]]:
        """Yield the owner's facts about each game; for a game that cannot be read, its name and the
        reason."""
        for name in self.names():
            try:
                yield self.peek(name).row()
            except AwayError:
                raise
            except PbemError as error:
                yield name, str(error)

    def say_awaited(self, name: str) -> str:
        """Return the names of the people whom a game waits for, or that it cannot be read. Raises
        AwayError."""
        try:
            return self.peek(name).say_awaited()
        except AwayError:
            raise
        except PbemError as error:
            return unreadable_state(str(error))

    def remove(self, name: str, unused_since: float | None = None) -> bool:
        """Remove a game; return whether it was removed.

        With `unused_since`, in seconds since 1970, remove it only if nobody has written to it since
        that time. Nobody can write to it meanwhile. Raises StorageError.
        """
        game = self.game_named(name)
        with game.lock:
            listing = game.list_files(0)
            record_files = sorted(
                (*listing.records, *listing.press), key=lambda file: file.path != "game.toml"
            )
            last_written_at = max((file.mark.mtime_ns for file in record_files), default=0) / 1e9
            if not record_files or (unused_since is not None and last_written_at >= unused_since):
                return False
            game.folder.remove(record_files)  # the charter goes first: nothing is taken without it
            game.forget_contents()
            self._counted_at = 0.0
            return True

    def remove_unused(self, now: float) -> list[str]:
        """Remove the games that nobody has written to for a year; return their names. `now` is in
        seconds since 1970."""
        unused_rows = [
            r for r in self.rows() if isinstance(r, Row) and r.touched < now - MAX_UNUSED_SECONDS
        ]
        return [row.name for row in unused_rows if self.remove(row.name, now - MAX_UNUSED_SECONDS)]

    def _totals(self, recount_seconds: float = RECOUNT_SECONDS) -> tuple[int, int]:
        """Return the number of games, and the bytes of all of them.

        They are counted again if the last count is older than `recount_seconds`: by one thread,
        while the other threads use the last numbers.
        """
        if self._counting.acquire(blocking=not self._counted_at):
            try:
                if self._is_counted_before(recount_seconds):
                    begun_at = time.monotonic()
                    rows = [row for row in self.rows() if isinstance(row, Row)]
                    self._count, self._bytes = len(rows), sum(row.bytes for row in rows)
                    self._counted_at = time.monotonic()
                    self._count_seconds = self._counted_at - begun_at
            finally:
                self._counting.release()
        return self._count, self._bytes

    def _is_counted_before(self, seconds: float) -> bool:
        """Return whether the last count is older than so many seconds. A count that takes long is
        made less often."""
        age = time.monotonic() - self._counted_at
        return not self._counted_at or age > max(seconds, 20 * self._count_seconds)

    def _game(self, name: str) -> Game:
        """Make the object for the game in the folder with this name."""
        cache = self.home.cache(f"{CHAIN_PURPOSE}-{name}") if self.home else None
        return self.game_type(name, self.folder(name), cache)

    def folder(self, name: str) -> SharedFolder:
        """Return the folder with this name, whether it is there or not."""
        return open_place(self.place.place_below(name))


_HOST_NAME_PATTERN: Final = re.compile(r"[0-9a-f]{32}|(dealing|made|pauses)-[0-9a-f]{16}|calls")
"""The names of folders of a host: of games, and of the little files beside them."""
_USUAL_NAME_PATTERN: Final = re.compile(
    rf"{_HOST_NAME_PATTERN.pattern}|lost\+found|\..*", re.DOTALL
)
"""The names that do not surprise in a host's folder: a host's, and those that systems put there."""


def _is_game_name(name: str) -> bool:
    """Whether a folder's name is a game's."""
    return len(name) == 32 and all(c in "0123456789abcdef" for c in name)
