"""The home: one person's private folder, with keys, caches, and what a machine did and saw."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import sys
import tomllib
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

from pbem import __version__
from pbem.errors import PbemError
from pbem.files import syscalls
from pbem.files.disk import (
    FileError,
    Mark,
    StorageError,
    create,
    make_folder,
    read_file,
    read_if_there,
    replace,
    storage_error,
    sweep,
)
from pbem.files.folder import Folder, Place, SharedFolder, parse_name, place_of, turn_path
from pbem.format.canonical import MAX_BYTES, RecordError, emit
from pbem.text.handwritten_toml import decoded

# ---- A cache of results from files. Deleting it is safe; a broken or old cache is treated as
# empty
#
# A result is used while its file's size, times and inode are unchanged (interface). Commands that
# must not trust the cache do not use it.

_LIMIT: Final = 1 << 28
_HEAD: Final = 9
"""The bytes of the first line."""


class Cache:
    """Cached values, by file and mark: None, numbers, str, and lists and dicts of these.

    `purpose` says what the values mean, and changes whenever their meaning does. If the purpose or
    the version of pbem is different, the cache is treated as empty.

    The first line of the file is the CRC-32 of the rest in hex, which shows damage. It need not
    stop forgers: only the owner can write in the home. The rest is JSON: data, never code.
    """

    def __init__(self, path: Path, purpose: str) -> None:
        self._path = path
        self._stamp = f"{purpose} {__version__}"
        self._values: dict[str, tuple[list[int], Any]] | None = None
        self._changed = False

    def get(self, path: str, mark: Mark) -> Any:
        """Return the value that was stored for this file if the file is unchanged, else None."""
        kept = self._load().get(path)
        same = kept is not None and kept[0] == list(mark)
        return kept[1] if kept and same else None

    def put(self, path: str, mark: Mark, value: Any) -> None:
        """Store a value for this file, valid as long as the file does not change."""
        self._load()[path] = (list(mark), value)
        self._changed = True

    def save(self, paths: Iterable[str] | None = None) -> None:
        """Write the cache if it changed, and keep only the values of these files (None: of all).

        Disk errors are ignored.
        """
        values = self._load()
        if paths is not None:
            wanted = set(paths)
            gone = [path for path in values if path not in wanted]
            for path in gone:
                del values[path]
            self._changed |= bool(gone)
        if self._changed:
            body = json.dumps([self._stamp, values], separators=(",", ":")).encode()
            with contextlib.suppress(StorageError):  # everything works without a cache
                replace(self._path, _head(body) + body)
            self._changed = False

    def _load(self) -> dict[str, tuple[list[int], Any]]:
        if self._values is None:
            self._values = self._read()
        return self._values

    def _read(self) -> dict[str, tuple[list[int], Any]]:
        try:
            data = read_file(self._path, _LIMIT)
        except PbemError:
            return {}
        head, body = data[:_HEAD], data[_HEAD:]
        if _head(body) != head:
            return {}
        try:
            stamp, values = json.loads(body)
        except (TypeError, ValueError, RecursionError):
            return {}
        return values if stamp == self._stamp else {}


def _head(body: bytes) -> bytes:
    return f"{zlib.crc32(body):08x}\n".encode()


# ---- The home: the private folder of one person, outside game folders (interface, *What is
# mine*)
#
#     <home>/profiles/NAME/key            one secret key each, OpenSSH format
#     <home>/games/<game id>/             drafts/ acts/ settings.toml heads.toml seen/ cache/ …
#     <home>/cache/                       the ids of the games in the folders that were read
#     <home>/stores/<hash>/               copies of the files of a game folder in a store
#
# The home is `PBEM_HOME` or the user's data folder; its folders have mode 0700, its files 0600.

_PROFILE: Final = r"[a-z0-9][a-z0-9_-]{0,31}"
_GAME: Final = r"[0-9a-f]{64}"
MOST_SETTINGS: Final = 1 << 13
"""The most characters of a game's settings: tomlkit, which preserves comments, is slow."""


def home_path(environ: Mapping[str, str], platform: str, user: Path) -> Path:
    """Return the path of the home: `PBEM_HOME`, else the platform's folder for a user's data.

    `user` is the user's own folder. Relative XDG paths are ignored, as their specification says.
    """
    if chosen := environ.get("PBEM_HOME"):
        return Path(chosen).expanduser().absolute()
    if platform == "win32":
        return Path(environ.get("LOCALAPPDATA") or user / "AppData/Local") / "pbem"
    if platform == "darwin":
        return user / "Library/Application Support/pbem"
    data = Path(environ.get("XDG_DATA_HOME") or "")
    return (data if data.is_absolute() else user / ".local/share") / "pbem"


class Home:
    """One person's keys and games on this machine. The folder is made at the first write."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    def find(cls) -> Home:
        """Find the home of the user who runs this.

        Raises StorageError if it cannot be found, or is in a game folder.
        """
        try:
            user = Path.home()
        except RuntimeError:
            raise StorageError(
                "~", "pbem cannot find your home folder; set PBEM_HOME to one of your own folders"
            ) from None
        home = cls(home_path(os.environ, sys.platform, user))
        root = home.root.resolve()
        if any(_has_charter(folder) for folder in (root, *root.parents)):
            raise home._inside()
        return home

    def folder(self, place: Place) -> SharedFolder:
        """Return the game folder at a place; files in a store are copied to this home."""
        from pbem.files.store_folder import StoreFolder

        if isinstance(place, Path):
            return Folder(place)
        named = hashlib.sha256(str(place).encode()).hexdigest()[:16]
        return StoreFolder(place, self.root / "stores" / named)

    def stay_outside(self, folder: Place) -> None:
        """Raise StorageError if this home is in a game folder, where others can see the keys."""
        if not isinstance(folder, Path):
            return  # a store is not on this computer
        if self.root.resolve().is_relative_to(folder.resolve()):
            raise self._inside()

    def _inside(self) -> StorageError:
        told = "is the home with your keys, but is in the game folder, which others see; move the"
        told += " game's files into a separate folder, or move the home and set PBEM_HOME to it"
        return StorageError(self.root, told)

    def profiles(self) -> list[str]:
        """Return the names of the profiles that have a key, sorted."""
        return [
            n for n in _names(self.root / "profiles", _PROFILE) if os.path.lexists(self.key_path(n))
        ]

    def key_path(self, profile: str) -> Path:
        """Return the path of the profile's key. Raises ValueError for an impossible name."""
        if not re.fullmatch(_PROFILE, profile):
            raise ValueError(
                f"{profile!r}: a profile's name has up to 32 characters: a-z, 0-9, - and _"
            )
        return self.root / "profiles" / profile / "key"

    def read_key(self, profile: str) -> bytes:
        """Return the bytes of a key file. Raises ValueError (name), FileError, StorageError."""
        return read_file(self.key_path(profile))

    def write_key(self, profile: str, data: bytes) -> Path:
        """Write a new key; returns its path.

        Raises TakenError if the profile has a different key.
        """
        path = self.key_path(profile)
        self._make()
        create(path, data, private=True)
        return path

    def games(self) -> list[str]:
        """Return the ids (64 hex digits) of the games that this home knows, sorted."""
        return _names(self.root / "games", _GAME)

    def game(self, game: str) -> Mine:
        """Return what this person stores about the game with this id in hex.

        Raises ValueError for any other text.
        """
        if not re.fullmatch(_GAME, game):
            raise ValueError(f"{game[:80]!r} is not the id of a game")
        return Mine(self.root / "games" / game)

    def cache(self, purpose: str) -> Cache:
        """Return the cache about all games for one purpose, which is a word; see Cache."""
        return Cache(self.root / "cache" / purpose, purpose)

    def drop_caches(self) -> None:
        """Delete every cache about all games; commands fill them again. Raises StorageError."""
        _empty(self.root / "cache")

    def _make(self) -> None:
        """Make the home and close it to others, even if another program has made the folder."""
        make_folder(self.root, private=True)
        try:
            if os.name != "nt" and self.root.stat().st_mode & 0o077:
                syscalls.chmod(self.root, 0o700)
        except OSError as error:
            raise storage_error(error, self.root) from error


class Mine:
    """What one person stores about one game, in their home."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @cached_property
    def heads(self) -> Heads:
        """The last position in the chain that this person saw."""

        return Heads(self.root / "heads.toml")

    @cached_property
    def signed(self) -> SignedMemory:
        """The last record that the referee signed on this machine."""

        return SignedMemory(self.root / "signed")

    @cached_property
    def acts(self) -> SignedActs:
        """The last notices, messages and joins that were signed on this machine."""

        return SignedActs(self.root / "acts")

    @cached_property
    def held(self) -> KeptFiles:
        """The orders of the seats that the referee plays."""

        return KeptFiles(self.root / "held", "orders")

    @cached_property
    def joined(self) -> KeptFiles:
        """The joins with invites that the referee's machine saw before turn 1."""

        return KeptFiles(self.root / "joined", "seats")

    @cached_property
    def sightings(self) -> Sightings:
        """When this machine looked at the folder, and turns with impossible dates."""

        return Sightings(self.root / "sightings.toml")

    @cached_property
    def arrivals(self) -> Arrivals:
        """When this machine first saw the order files that answer the last turn."""

        return Arrivals(self.root / "arrivals.toml")

    @cached_property
    def receipts(self) -> Receipts:
        """When orders and joins were sealed on this machine."""

        return Receipts(self.root / "receipts.toml")

    @cached_property
    def told(self) -> ToldMessages:
        """Which messages this person was shown."""

        return ToldMessages(self.root / "told.toml")

    @cached_property
    def seen_messages(self) -> SeenMessages:
        """Which messages were here while the keys that signed them counted."""

        return SeenMessages(self.root / "seen-messages.toml")

    def draft(self, turn: int, seat: str) -> Path:
        """Return the path of the draft for this turn and seat, whether it exists or not."""
        return self.root / "drafts" / f"{turn:04}-{seat}.toml"

    def write_draft(self, turn: int, seat: str, text: str) -> Path:
        """Write or replace a draft; return its path. Raises StorageError."""
        path = self.draft(turn, seat)
        replace(path, text.encode())
        return path

    def keep_draft(self, path: Path) -> Path:
        """Rename a draft to the next free name; returns the new path. Raises StorageError."""
        number = 1
        while os.path.lexists(kept := path.with_name(f"{path.stem}-old{number}.toml")):
            number += 1
        create(kept, read_file(path), private=True)
        syscalls.unlink(path)
        return kept

    def settings(self) -> dict[str, Any]:
        """Read the settings that the person wrote for this game; may be empty.

        Raises StorageError.
        """
        path = self.root / "settings.toml"
        try:
            return decoded(read_if_there(path) or b"", MOST_SETTINGS)
        except ValueError as error:
            raise StorageError(
                path, f"is not valid TOML: {error}; correct or remove the file"
            ) from None

    def set(self, key: str, value: str | int | bool) -> None:
        """Change one setting, without losing the person's comments and layout.

        Raises StorageError.
        """
        import tomlkit

        self.settings()  # raises StorageError if the file is wrong
        path = self.root / "settings.toml"
        doc = tomlkit.parse((read_if_there(path) or b"").decode())
        doc[key] = value
        replace(path, tomlkit.dumps(doc).encode())

    def keep_original(self, data: bytes) -> Path:
        """Save an email that was refused or repaired, under its hash; returns the path."""
        path = self.root / "seen" / hashlib.sha256(data).hexdigest()
        create(path, data, private=True)
        return path

    def forget_original(self, path: Path) -> None:
        """Remove a saved file that is in the game's folder now, or that nobody in it signed."""
        with contextlib.suppress(OSError):  # then it takes some room
            syscalls.unlink(path)

    @property
    def place(self) -> Place | None:
        """Return the folder where this game was last seen; None if unknown."""
        try:
            return place_of(decoded(read_file(self.root / "place.toml"))["folder"])
        except (PbemError, ValueError, KeyError, TypeError):
            return None  # the next command in that folder will note it again

    def remember_place(self, folder: Place) -> None:
        """Note the folder of this game. Raises StorageError."""
        place = place_of(folder)
        if self.place != place:
            with contextlib.suppress(RecordError):  # a path that is not valid text cannot be noted
                replace(self.root / "place.toml", emit({"folder": str(place)}))

    def forget_place(self) -> None:
        """Forget the folder of this game until `remember_place` notes one. Raises StorageError."""
        replace(self.root / "place.toml", emit({"forgotten": True}))

    @property
    def is_forgotten(self) -> bool:
        """Whether the person asked to forget the folder, and has run no command in it since."""
        try:
            return decoded(read_file(self.root / "place.toml")).get("forgotten") is True
        except (PbemError, ValueError):
            return False

    def cache(self, purpose: str) -> Cache:
        """Return the cache for one purpose, which is a word; see Cache."""
        return Cache(self.root / "cache" / purpose, purpose)

    def drop_caches(self) -> None:
        """Delete every cache of this game; commands fill them again. Raises StorageError."""
        _empty(self.root / "cache")

    def lock(self, name: str) -> AbstractContextManager[bool]:
        """Take the lock with this name; yield False if another command of this person has it.

        No data depends on this lock.
        """

        return lock(self.root / f"{name}.lock")

    def tidy(self) -> None:
        """Remove the temporary files that killed commands left."""
        for name in ("", "drafts", "seen", "acts", "cache"):
            sweep(self.root / name)


def _has_charter(folder: Path) -> bool:
    """Return whether a folder is a game's: its `game.toml` says so, whether it is valid or not."""
    try:
        return b'\nkind = "charter"\n' in read_file(folder / "game.toml")
    except PbemError:
        return False


def _empty(folder: Path) -> None:
    try:
        for path in folder.iterdir() if folder.exists() else ():
            syscalls.unlink(path)
    except OSError as error:
        raise storage_error(error, folder) from error


def _names(folder: Path, form: str) -> list[str]:
    try:
        return sorted(f.name for f in folder.iterdir() if re.fullmatch(form, f.name))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise storage_error(error, folder) from error


# ---- Remember the last head of a game that this person saw, and refuse a chain that forks (§5)
#
# A chain that ends before that head is refused too.


class Seen(NamedTuple):
    """A position in the chain: the turn (0: before turn 1) and its head, 64 hex digits."""

    turn: int
    head: str


class Heads:
    """The last position in the chain that one person saw of one game, stored outside its folder."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def last(self) -> Seen | None:
        """Return the last position seen; None before the first.

        Raises StorageError if unreadable.
        """
        data = read_if_there(self.path)
        if data is None:
            return None
        try:
            doc = decoded(data)
            turn, head = doc["turn"], doc["head"]
            if type(turn) is not int or turn < 0 or len(bytes.fromhex(head)) != 32:
                raise ValueError
        except (ValueError, KeyError, TypeError):
            told = "is damaged; remove it, then compare the twelve words with another player's"
            raise StorageError(self.path, told) from None
        return Seen(turn, head)

    def check(self, heads: Sequence[str]) -> None:
        """Check a chain against the last position seen.

        `heads[k]` is the head after turn k, in hex.

        Raises FileError `fork`, with both ids, if the chain ends before the last position seen or
        has a different head there.
        """
        seen = self.last()
        if seen is None:
            return
        if seen.turn >= len(heads):
            raise FileError("fork", turn_path(max(1, len(heads))), _back(seen, heads))
        if heads[seen.turn] != seen.head:
            told = (
                f"turn {seen.turn} is not the one seen here before: its head was {seen.head[:6]} "
                f"and is now {heads[seen.turn][:6]}; ask the referee which one counts, and show "
                "both to the other players"
            )
            raise FileError("fork", turn_path(max(1, seen.turn)), told)

    def remember(self, heads: Sequence[str]) -> None:
        """Check a chain, then remember its end if that is new. Also raises StorageError.

        Before turn 1 there is nothing to remember.
        """
        self.check(heads)
        if len(heads) > 1 and self.last() != (len(heads) - 1, heads[-1]):
            self.remember_instead(heads)

    def remember_instead(self, heads: Sequence[str]) -> None:
        """Remember the end of a chain without checking it against what was seen before."""
        replace(self.path, emit({"turn": len(heads) - 1, "head": heads[-1]}))


def _back(seen: Seen, heads: Sequence[str]) -> str:
    here = f"turn {len(heads) - 1} ({heads[-1][:6]})" if heads else "nothing"
    return (
        f"turn {seen.turn} ({seen.head[:6]}) was seen here before, and the folder now ends at "
        f"{here}; get the missing turns: let the folder sync, or ask the referee to send them"
    )


# ---- A lock, so that only one of a person's commands on a machine works at a time
#
# No data depends on the lock: two writers are safe without it, because creating a file fails if
# the file exists.


@contextlib.contextmanager
def lock(path: Path) -> Iterator[bool]:
    """Take the lock file at `path`; yields False if another process has the lock.

    The system releases the lock when the process ends or is killed. Raises StorageError.
    """
    make_folder(path.parent, private=True)
    try:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    except OSError as error:
        raise storage_error(error, path) from error
    try:
        yield _take(fd)
    finally:
        os.close(fd)


if sys.platform == "win32":

    def _take(fd: int) -> bool:
        import msvcrt

        with contextlib.suppress(OSError):
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
            return True  # Windows reports this if the lock is ours
        return False  # another process has the lock

else:

    def _take(fd: int) -> bool:
        import fcntl

        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return True  # the disk has no locks: continue without one
        return True


# ---- Remember, outside the game folder, what one machine did and saw in a game
#
# The memory holds the last turn signed here, the last notices, messages and joins signed here, the
# orders of the referee's seats, when turns arrived, and when orders were sealed. Records do not
# prove when something happened. With this memory, the machine's owner knows what to ask the
# others.

AHEAD: Final = 600
"""By how many seconds a turn's date may be ahead of this clock, because clocks differ."""
BEFORE: Final = 3600
"""By how many seconds a turn's date may be before a look that did not find it: syncing is slow."""
_MEMORY_HEAD: Final = 200
"""The most bytes of the line that is written before a signed record."""
MOST: Final = 500
"""How many orders and turns are remembered; the oldest are forgotten."""


_SIGNED: Final = b"signed"
"""The first line of an act that no command has reported yet."""
_REPORTED: Final = b"reported"


class Signed(NamedTuple):
    """The last record that the referee signed here: its place in the chain, path, id and file."""

    place: int
    path: str
    id: str
    file: bytes


class SignedMemory:
    """Remembers what this machine signed last, so that it never signs two records for one place.

    The record is stored before the turn is written. It is in one file, so that one step can replace
    it: a line `place path id`, then the unchanged record.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def last(self) -> Signed | None:
        """Return the last record signed; None before the first. Raises StorageError if damaged."""
        data = read_if_there(self.path, MAX_BYTES + _MEMORY_HEAD)
        if data is None:
            return None
        head, _, file = data.partition(b"\n")
        try:
            place, path, ident = head.decode("ascii").split(" ")
            return Signed(int(place), path, ident, file)
        except ValueError:
            raise _damaged(self.path) from None

    def sign(self, new: Signed) -> None:
        """Note a record before it is written.

        Raises FileError `fork` for a second record for a place, StorageError.
        """
        last = self.last()
        if last is not None and (new.place, new.id) == (last.place, last.id):
            return
        if last is not None and new.place <= last.place:
            told = f"this machine already signed {last.id[:6]} for this place, and has now made "
            raise FileError("fork", new.path, f"{told}{new.id[:6]}; nothing was written")
        replace(self.path, f"{new.place} {new.path} {new.id}\n".encode("ascii") + new.file)


class Act(NamedTuple):
    """A notice, a message or a join that was signed here: its file, and whether a command has
    reported it."""

    file: bytes
    reported: bool


class SignedActs:
    """Remembers the last act of each subject that was signed here: the whole file, by a word for
    its subject.

    An act is kept before it is written to the game folder. If the command is killed, or the answer
    of a store is lost, the same command finds the same bytes here when it runs again.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    def last(self, subject: str) -> Act | None:
        """Return the last act of a subject; None before the first. Raises StorageError."""
        data = read_if_there(self.root / subject, MAX_BYTES + _MEMORY_HEAD)
        if data is None:
            return None
        head, _, file = data.partition(b"\n")
        if head not in (_SIGNED, _REPORTED):
            raise _damaged(self.root / subject)
        return Act(file, head == _REPORTED)

    def keep(self, subject: str, file: bytes) -> None:
        """Note an act before it is written; it replaces the last one. Raises StorageError."""
        replace(self.root / subject, _SIGNED + b"\n" + file)

    def note_reported(self, subject: str, file: bytes) -> None:
        """Note that a command has reported this act. Raises StorageError."""
        if self.last(subject) != (file, True):
            replace(self.root / subject, _REPORTED + b"\n" + file)


class KeptFiles:
    """Whole files from one place in the game folder, by path, which are put back if they are lost.

    They are the orders of the seats that the referee plays, as they were sealed here: without the
    orders that a turn lists, the referee cannot make the next turn, and nobody else has them. And
    they are the joins that the referee's machine saw before turn 1: whoever takes one away must not
    get its player's seat.
    """

    def __init__(self, root: Path, place: str) -> None:
        """`place` is `orders` or `seats`."""
        self.root, self.place = root, place

    def keep(self, path: str, file: bytes) -> None:
        """Store a file under its path in the game folder. Raises StorageError."""
        replace(self.root / path.removeprefix(f"{self.place}/"), file)

    def all(self) -> Iterator[tuple[str, bytes]]:
        """Return each file's path and bytes. Raises StorageError, FileError."""
        for name in sorted(os.listdir(self.root)) if self.root.is_dir() else ():
            if parse_name(f"{self.place}/{name}"):
                yield f"{self.place}/{name}", read_file(self.root / name)


class Sighting(NamedTuple):
    """A turn whose date does not match what this machine saw."""

    turn: int
    seconds: int
    """How many seconds before its arrival the turn is dated.

    If the turn is dated ahead of this clock: minus the seconds that it is ahead.
    """
    when: int
    """The time here at the last look that did not find the turn, or the first that found it.

    The second is used for a turn that is dated ahead of this clock.
    """


class Sightings:
    """Remembers when this machine looked at the folder, and which turns have impossible dates."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def odd(self) -> list[Sighting]:
        """Return the turns whose dates do not match. Raises StorageError."""
        return [Sighting(*row) for row in self._rows(_read(self.path))]

    def look(self, times: Sequence[int], now: int) -> None:
        """Note that this machine sees these turns now: `times[k - 1]` is the date of turn k."""
        doc = _read(self.path)
        seen, looked = self._number(doc, "turn"), self._number(doc, "looked")
        looked = 0 if looked > now else looked  # this machine's clock was wrong at that time
        new = range(seen + 1, len(times) + 1)
        if not new and now - looked < BEFORE // 12:
            return  # a later look can note it
        rows = self._rows(doc)
        for turn in new:
            dated = times[turn - 1]
            if looked and looked - dated >= BEFORE:
                rows.append([turn, looked - dated, looked])
            elif dated - now > AHEAD:
                rows.append([turn, now - dated, now])
        kept = [",".join(map(str, row)) for row in rows[-MOST:]]
        doc = {"turn": max(seen, len(times)), "looked": now, "odd": kept}
        replace(self.path, emit(doc))

    def _number(self, doc: Mapping[str, Any], key: str) -> int:
        found = doc.get(key, 0)
        if type(found) is not int:
            raise _damaged(self.path)
        return found

    def _rows(self, doc: Mapping[str, Any]) -> list[list[int]]:
        try:
            rows = [[int(n) for n in row.split(",")] for row in doc.get("odd", [])]
            return [[turn, seconds, when] for turn, seconds, when in rows]
        except (ValueError, AttributeError, TypeError):
            raise _damaged(self.path) from None


class Arrivals:
    """Remembers when this machine first saw the orders that count for the open questions, by path,
    and when all of them were here for the first time."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def look(self, paths: Iterable[str], now: int) -> None:
        """Note that these files are here now, unless this is known. Other files are forgotten, and
        a time ahead of the clock is replaced by now. Raises StorageError."""
        before = self.times()
        seen = {path: min(before.get(path, now), now) for path in sorted(paths)}
        if seen != before:
            replace(self.path, emit({"here": [f"{when} {path}" for path, when in seen.items()]}))

    def times(self) -> dict[str, int]:
        """Return when each file was first seen, by path. Raises StorageError."""
        try:
            rows = [row.split(" ", 1) for row in _read(self.path).get("here", [])]
            return {path: int(when) for when, path in rows}
        except (ValueError, AttributeError, TypeError):
            raise _damaged(self.path) from None


class Receipts:
    """Remembers when orders and joins were sealed here, by their ids in hex."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def times(self) -> dict[str, int]:
        """Return, by id, when orders and joins were sealed here, in seconds since 1970 UTC. Raises
        StorageError."""
        found = _read(self.path).get("sealed", {})
        if not isinstance(found, dict):
            raise _damaged(self.path)
        return {order: when for order, when in found.items() if type(when) is int}

    def note(self, order: str, now: int) -> None:
        """Note when these orders were sealed, if that was not noted before."""
        times = self.times()
        if order not in times:
            kept = dict(sorted((times | {order: now}).items(), key=lambda item: item[1])[-MOST:])
            replace(self.path, emit({"sealed": kept}))


def _read(path: Path) -> dict[str, Any]:
    data = read_if_there(path)
    if data is None:
        return {}
    try:
        return tomllib.loads(data.decode())
    except (ValueError, RecursionError):
        raise _damaged(path) from None


def _damaged(path: Path) -> StorageError:
    return StorageError(path, "is damaged; remove this file, and pbem will work without it")


# ---- Remember in the home which messages a person was shown, so that pbem knows which are new,
# and which were here while the keys that signed them counted

MOST_TOLD: Final = 5_000
"""How many paths are remembered for each seat or viewpoint that a person has in a game."""


MOST_SEEN: Final = 800
"""How many messages of each writer are remembered as seen."""


class ToldMessages:
    """The paths of the messages that were shown, for each seat or for `table`."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def of(self, who: str) -> set[str]:
        """Return the paths of the messages that were shown to this seat, or at the table.

        If the file is lost or damaged, every message counts as new again.
        """
        return _lists(self.path).get(who, set())

    def add(self, who: str, paths: Iterable[str]) -> None:
        """Note that these messages were shown. Raises StorageError."""
        lists = _lists(self.path)
        before = lists.get(who, set())
        after = before | set(paths)
        if after != before:
            lists[who] = {*sorted(after)[-MOST_TOLD:]}
            replace(self.path, emit({name: sorted(some) for name, some in lists.items()}))


class SeenMessages:
    """The ids, in hex, of messages that were here while the keys that signed them counted, for each
    writer: a seat or `referee`."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def ids(self) -> set[str]:
        """Return all ids; none if the file is lost or damaged."""
        return set[str]().union(*_lists(self.path).values())

    def add(self, ids: Mapping[str, Collection[str]]) -> None:
        """Note messages by writer; if a writer has too many, the new ones stay. Raises
        StorageError."""
        lists = _lists(self.path)
        if all(lists.get(who, set()).issuperset(new) for who, new in ids.items()):
            return
        for who, new in ids.items():
            old = sorted(lists.get(who, set()).difference(new))
            lists[who] = {*[*old, *new][-MOST_SEEN:]}
        replace(self.path, emit({name: sorted(some) for name, some in lists.items()}))


def _lists(path: Path) -> dict[str, set[str]]:
    """Read a file of lists of texts; empty if it is lost or damaged."""
    try:
        read: dict[str, Any] = decoded(read_file(path), MAX_BYTES)
    except (PbemError, ValueError):
        return {}
    lists = {who: some for who, some in read.items() if isinstance(some, list)}
    return {who: {x for x in some if isinstance(x, str)} for who, some in lists.items()}
