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
from pbem.files.cache import Cache
from pbem.files.disk import (
    AwayError,
    FileError,
    Mark,
    StorageError,
    make_folder,
    storage_errors,
)
from pbem.files.folder import Listing, Name, RecordFile, SharedFolder
from pbem.files.home import Home
from pbem.files.http_store import DIGEST_DIGITS
from pbem.files.open_place import open_place
from pbem.files.places import Place, place_of
from pbem.files.store import asking
from pbem.host.gate import FullHostError, Gate, MissingGame, Refusal, check_charter
from pbem.host.room import FOR_FILES, FOR_FREE_GAMES, FOR_GAMES, FillMark, Limits, Room
from pbem.judge.archive import open_folder
from pbem.records.charter import Charter
from pbem.wording.game_list import unreadable_state

AWAKE: Final = 256
"""How many games are kept in memory: those that were used last."""
CHAIN_PURPOSE: Final = "host-3"
"""What the cache of each game's turns in the home is called; see `cache_chain`."""
FRESH: Final = 0.5
"""Seconds for which a list counts as new; another host may write to the same place."""
FULL: Final = "this host has no room for more files (its games are safe)"
COUNTED_EVERY: Final = 3_600.0
"""Seconds after which all games are counted again."""
COUNTED_WHEN_FULL: Final = 60.0
"""The same while the host is full: its owner may have removed some in another process."""
YEAR: Final = 365 * 86_400
"""Seconds after which a game that nobody has written to is removed."""


class Row(NamedTuple):
    """What a host's owner sees of a game."""

    name: str
    title: str
    turns: int
    files: int
    bytes: int
    touched: float
    """When its last file was written, seconds since 1970."""
    over: bool
    refused: int
    """How many files were refused since the host started, as long as the game is in memory."""


class Game:
    """One game on a host. One thread at a time works on it."""

    fresh = FRESH

    def __init__(self, name: str, folder: SharedFolder, cache: Cache | None = None) -> None:
        """`cache` keeps what the turns say: a host that starts need not read all of them again."""
        self.name, self.folder, self.lock = name, folder, threading.Lock()
        self.cache = cache
        self.listing: Listing | None = None
        self.listed_at = 0.0
        self._text: tuple[str, bytes] = ("", b"")
        self._digests: dict[tuple[str, Mark], str] = {}
        self._gate: Gate | None = None
        self.refused = 0
        """How many files were refused since the host started."""

    def look(self, fresh: float | None = None) -> Listing:
        """List the game's files, unless that was done a moment ago. Raises StorageError."""
        now = time.monotonic()
        if self.listing is None or now - self.listed_at > (self.fresh if fresh is None else fresh):
            self.listing, self.listed_at = self.folder.scan(), now
        return self.listing

    def list(self) -> tuple[str, bytes] | None:
        """Return the list as it is sent, after its ETag; None if there is no such game.

        The ETag depends only on names, sizes and digests, so two hosts over one store agree on it.
        """
        with self.lock:
            listing = self.look()
            if not (listing.records or listing.press):
                return None
            found = sorted((*listing.records, *listing.press), key=lambda one: one.path)
            text = "".join(f"{one.path} {one.mark.size}{self._digest(one)}\n" for one in found)
            if (data := text.encode()) != self._text[1]:
                self._text = f'"{hashlib.sha256(data).hexdigest()[:32]}"', data
            return self._text

    def _digest(self, found: RecordFile) -> str:
        """Return a space and the first digits of the SHA-256 of a turn or final record: its name
        does not tell it from another one for this place. Other files have digits in their names."""
        if found.name.kind not in ("turn", "final"):
            return ""
        if (at := (found.path, found.mark)) not in self._digests:
            try:
                data = self.folder.read(found)
            except AwayError:
                raise
            except (FileError, StorageError):
                return ""  # it is no file, or too long for a record
            self._digests[at] = f" {hashlib.sha256(data).hexdigest()[:DIGEST_DIGITS]}"
        return self._digests[at]

    def get(self, name: Name) -> bytes:
        """Return the bytes of a file. Raises StorageError, FileError."""
        return self.folder.read(name)

    def size_of(self, name: Name) -> int | None:
        """Return the bytes of a file that is there; None if it is not. Raises StorageError; Refusal
        if there is no game, except for the charter that makes it."""
        with self.lock:
            listing = self.look()
            if name.kind != "charter":
                self.need_charter(listing)
            found = (one for one in (*listing.records, *listing.press) if one.name == name)
            return next((one.mark.size for one in found), None)

    def put(self, name: Name, data: bytes) -> bool:
        """Keep a new file; return False if it is there already. Raises Refusal, TakenError,
        FileError, StorageError."""
        with self.lock:
            begun, listing = time.monotonic(), self.look()
            if self.listed_at < begun:
                self._need_it_still()
            if any(found.name == name for found in (*listing.records, *listing.press)):
                return self.folder.create(name, data)  # which compares the bytes
            try:
                try:
                    self.check(listing, name, data)
                except Refusal as refusal:
                    if refusal.status not in (403, 409) or self.listed_at >= begun:
                        raise
                    # another host may just have kept the turn or key that this file builds on
                    self.check(self.look(0), name, data)
            except Refusal:
                self.refused += 1
                raise
            new = self.folder.create(name, data)
            self.listing = None
            return new

    def need_charter(self, listing: Listing) -> None:
        """Raise Refusal if there is no game."""
        if listing.charter is None:
            raise MissingGame

    def _need_it_still(self) -> None:
        """Raise Refusal if the owner has removed the game since it was listed, so that no file of
        it comes back."""
        self.folder.read_anew()
        try:
            self.folder.read(Name("charter"))
        except StorageError as error:
            if not error.is_missing:
                raise
            self.drop()
            raise MissingGame from None

    def check(self, listing: Listing, name: Name, data: bytes) -> None:
        """Check a new file. Raises Refusal; FileError, StorageError for what is there."""
        self.need_charter(listing)
        self.gate(listing).check(name, data)

    def gate(self, listing: Listing) -> Gate:
        """Return what decides which files are taken, up to date. Raises FileError."""
        if self._gate is None:
            self._gate = Gate(self.folder, listing, self.cache)
        elif self._gate.listing is not listing:
            self._gate.see(listing)
        self.folder.read_anew()  # a folder in a store would keep each file that it read
        return self._gate

    def drop(self) -> None:
        """Forget what is known of the game, because its files are gone."""
        self.listing = self._gate = None
        if self.cache:
            self.cache.remove()

    def row(self) -> Row:
        """Return what the owner sees. Raises NoGameError, FileError, StorageError."""
        with self.lock:
            listing = self.look()
            charter = open_folder(self.folder, listing).charter.content
            found = [*listing.records, *listing.press]
            touched = max((one.mark.mtime_ns for one in found), default=0) / 1e9
            size = sum(one.mark.size for one in found)
            title, over = charter.title, listing.final is not None
            turns, files = listing.reached, len(found)
            return Row(self.name, title, turns, files, size, touched, over, self.refused)

    def waits_for(self) -> str:
        """Return the names of those who have not joined yet, or whose orders the last turn asks for
        and are not here; empty for a game that is over. Raises NoGameError, FileError,
        StorageError."""
        with self.lock:
            listing = self.look()
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
            self.folder.read_anew()  # a folder in a store would keep each file that it read
            return ", ".join(names) or "the referee"


class Games:
    """All games of a host, below one folder or one address of a store."""

    kind: type[Game] = Game

    def __init__(
        self, place: Place | Path, room_bytes: int | None = None, home: Home | None = None
    ) -> None:
        """`room_bytes`: what all games may fill, if it is not the usual limit; `home` keeps what
        the games' turns say."""
        self.place, self.home = place_of(place), home
        self.room = Room(self.place, Limits(room_bytes) if room_bytes else Limits())
        self._awake: OrderedDict[str, Game] = OrderedDict()
        self._lock = threading.Lock()
        self._count = self._bytes = 0
        self._counted_at = 0.0
        self._count_seconds = 0.0
        """How long the last count of all games took."""
        self._counting = threading.Lock()
        self._made: list[float] = []
        """When games were made without a token, during the last day."""

    def prepare(self) -> str:
        """Make the place for the games if it is missing, or see whether its store answers. Return
        the name of something there that is not a host's, if there is any. Raises StorageError, also
        for a folder in which nothing is a host's."""
        other = ""
        if path := self.place.path:
            make_folder(path)
            with storage_errors(path):
                names = sorted(one.name for one in path.iterdir())
            other = next((name for name in names if not _OF_ANYBODY.fullmatch(name)), "")
            if other and not any(_OF_HOSTS.fullmatch(name) for name in names):
                told = f"contains files that no host made, such as {other!r}; choose a new folder"
                raise StorageError(path, told)
            if not os.access(path, os.W_OK):
                told = "does not let pbem write, so it cannot keep games; choose another folder"
                raise StorageError(path, told)
        else:
            with asking(str(self.place)):
                next(self.names(), "")
        return other

    def at(self, digits: str) -> Game:
        """Return the game at an address, whether it is there or not; `digits` are 32 hex digits."""
        return self.named(name_of(digits))

    def named(self, name: str) -> Game:
        """Return the game in the folder with this name, whether it is there or not."""
        with self._lock:
            if (game := self._awake.pop(name, None)) is None:
                game = self._game(name)
            self._awake[name] = game
            while len(self._awake) > AWAKE:
                oldest = next(iter(self._awake))
                if self._awake[oldest].lock.locked():  # it is being used: two of them must not be
                    break
                del self._awake[oldest]
            return game

    def peek(self, name: str) -> Game:
        """Return the game in the folder with this name; it is not kept in memory for this."""
        with self._lock:
            return self._awake.get(name) or self._game(name)

    def forget(self, game: Game) -> None:
        """Keep nothing in memory of a game that is not there, so that guesses cost no room."""
        with self._lock:
            there = game.listing is not None and game.listing.charter is not None
            if not there and self._awake.get(game.name) is game and not game.lock.locked():
                del self._awake[game.name]

    def make(self, digits: str, data: bytes, *, free: bool) -> bool:
        """Make a game from its charter; return False if it was there already. `free`: without a
        token. Raises Refusal, TakenError, StorageError."""
        game = self.at(digits)
        with game.lock:
            there = game.look(0).charter is not None
        if not there:  # without the lock, because counting all games takes the lock of each
            check_charter(data)
            self.need_room(free=free)
        with game.lock:
            new = game.folder.create(Name("charter"), data)
            game.listing = None
        if new:
            self.count(len(data), free=free)
        return new

    def count(self, size: int, *, free: bool) -> None:
        """Count a new game, whose charter has `size` bytes."""
        self._count, self._bytes = self._count + 1, self._bytes + size
        self._made += [time.time()] if free else []

    def put(self, game: Game, name: Name, data: bytes) -> bool:
        """Keep a new file of a game, as `Game.put` does. Raises Refusal if the host is full too."""
        if game.size_of(name) is None and (full := self.what_is_full()):
            raise FullHostError(507, f"{FULL}: {full}; its owner must make room")
        try:
            new = game.put(name, data)
        except StorageError as error:
            if not error.is_disk_full:
                raise
            self.room.note_full_disk()
            told = f"{FULL}: {self.what_is_full()}; its owner must make room"
            raise FullHostError(507, told) from None
        self._bytes += len(data) * new
        return new

    def what_is_full(self, mark: FillMark = FOR_FILES) -> str:
        """Return what is filled up to this mark, as a clause; empty if there is room. While a host
        is full for files, it takes none. Raises StorageError."""
        full = self.room.what_is_full(self._totals()[1], mark)
        if full and self._is_counted_before(COUNTED_WHEN_FULL):
            full = self.room.what_is_full(self._totals(COUNTED_WHEN_FULL)[1], mark)
        return full

    def plan_at(self, digits: str) -> tuple[Charter, list[str]]:
        """Return the charter of the game at an address, and the names of its people now, in the
        order of their seats. Raises Refusal, FileError, StorageError."""
        game = self.peek(name_of(digits))
        with game.lock:
            listing = game.look()
            game.need_charter(listing)
            found = open_folder(game.folder, listing)
            charter = found.charter.content
            roster = found.standing.roster if listing.reached else {}
            people = [plan for plan in charter.seats if not plan.bot]
            return charter, [
                roster[plan.seat].name if plan.seat in roster else plan.name for plan in people
            ]

    def has(self, digits: str) -> bool:
        """Return whether there is a game at an address. Raises StorageError."""
        game = self.peek(name_of(digits))
        with game.lock:
            return game.look().charter is not None

    def need_room(self, *, free: bool) -> None:
        """Raise Refusal if this host takes no more games, `free`: of people without a token."""
        count, _ = self._totals()
        if count >= self.room.limits.games:
            raise Refusal(507, f"{FULL}: it has {count:,} games; its owner must remove some")
        if full := self.what_is_full(FOR_FREE_GAMES if free else FOR_GAMES):
            told = (
                "this host is nearly full and keeps the rest of its room for the games that it has"
            )
            raise Refusal(507, f"{told}: {full}; its owner must make room for new ones")
        yesterday = time.time() - 86_400
        self._made = [when for when in self._made if when > yesterday]
        if free and len(self._made) >= self.room.limits.new_each_day:
            raise Refusal(
                429, "too many games were made on this host today; try again tomorrow", 86_400
            )

    def names(self) -> Iterator[str]:
        """Yield the names of the folders of all games. Raises StorageError."""
        yield from sorted(filter(_is_name, open_place(self.place).folders_inside()))

    def rows(self) -> Iterator[Row | tuple[str, str]]:
        """Yield what the owner sees of each game; for one that cannot be read, its name and why."""
        for name in self.names():
            try:
                yield self.peek(name).row()
            except AwayError:
                raise
            except PbemError as error:
                yield name, str(error)

    def waits_for(self, name: str) -> str:
        """Return whom a game waits for, or that it cannot be read. Raises AwayError."""
        try:
            return self.peek(name).waits_for()
        except AwayError:
            raise
        except PbemError as error:
            return unreadable_state(str(error))

    def remove(self, name: str, before: float | None = None) -> bool:
        """Remove a game, with `before` only if nobody has written to it since that time; return
        whether it was removed. Nobody writes to it meanwhile. Raises StorageError."""
        game = self.named(name)
        with game.lock:
            listing = game.look(0)
            found = sorted(
                (*listing.records, *listing.press), key=lambda one: one.path != "game.toml"
            )
            last = max((one.mark.mtime_ns for one in found), default=0) / 1e9
            if not found or (before is not None and last >= before):
                return False
            game.folder.remove(found)  # the charter goes first: nothing is taken without it
            game.drop()
            self._counted_at = 0.0
            return True

    def remove_old(self, now: float) -> list[str]:
        """Remove the games that nobody has touched for a year; return their names."""
        old = [r for r in self.rows() if isinstance(r, Row) and r.touched < now - YEAR]
        return [row.name for row in old if self.remove(row.name, now - YEAR)]

    def _totals(self, every: float = COUNTED_EVERY) -> tuple[int, int]:
        """Return how many games there are, and their bytes; all are counted again after so many
        seconds, by one thread, while the others use the last numbers."""
        if self._counting.acquire(blocking=not self._counted_at):
            try:
                if self._is_counted_before(every):
                    begun = time.monotonic()
                    rows = [row for row in self.rows() if isinstance(row, Row)]
                    self._count, self._bytes = len(rows), sum(row.bytes for row in rows)
                    self._counted_at = time.monotonic()
                    self._count_seconds = self._counted_at - begun
            finally:
                self._counting.release()
        return self._count, self._bytes

    def _is_counted_before(self, seconds: float) -> bool:
        """Return whether the last count is older than this; counting takes little of the time."""
        age = time.monotonic() - self._counted_at
        return not self._counted_at or age > max(seconds, 20 * self._count_seconds)

    def _game(self, name: str) -> Game:
        cache = self.home.cache(f"{CHAIN_PURPOSE}-{name}") if self.home else None
        return self.kind(name, self.folder(name), cache)

    def folder(self, name: str) -> SharedFolder:
        """Return the folder with this name, whether it is there or not."""
        return open_place(self.place.place_below(name))


def name_of(digits: str) -> str:
    """Return the name of the folder of the game at an address."""
    return hashlib.sha256(digits.encode()).hexdigest()[:32]


_OF_HOSTS: Final = re.compile(r"[0-9a-f]{32}|(dealing|made|pauses)-[0-9a-f]{16}")
"""What is a host's: games, and what hosts keep beside them."""
_OF_ANYBODY: Final = re.compile(rf"{_OF_HOSTS.pattern}|lost\+found|\..*", re.DOTALL)
"""What may lie in a host's folder: what is a host's, and what systems put there."""


def _is_name(name: str) -> bool:
    return len(name) == 32 and all(c in "0123456789abcdef" for c in name)
