"""The home: one person's private folder, with keys, caches, and what a machine did and saw."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import sys
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple, TypeVar

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
    storage_errors,
    sweep,
)
from pbem.files.folder import (
    Name,
    SharedFolder,
    parse_name,
    turn_path,
)
from pbem.files.open_place import open_place
from pbem.files.places import Place, place_of
from pbem.format.canonical import MAX_BYTES, RecordError, emit
from pbem.text.handwritten_toml import decoded

T = TypeVar("T")

# ---- a cache

_MAX_CACHE_BYTES: Final = 1 << 28
_HEAD_BYTES: Final = 9
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
        entry = self._load().get(path)
        is_unchanged = entry is not None and entry[0] == list(mark)
        return entry[1] if entry and is_unchanged else None

    def store(self, path: str, mark: Mark, value: Any) -> None:
        """Store a value for this file, valid as long as the file does not change."""
        self._load()[path] = (list(mark), value)
        self._changed = True

    def save(self, paths: Iterable[str] | None = None) -> None:
        """Write a changed cache with the values of these files (None: of all), if the disk lets
        us."""
        values = self._load()
        if paths is not None:
            kept_paths = set(paths)
            removed_paths = [path for path in values if path not in kept_paths]
            for path in removed_paths:
                del values[path]
            self._changed |= bool(removed_paths)
        if self._changed:
            body = json.dumps([self._stamp, values], separators=(",", ":")).encode()
            with contextlib.suppress(StorageError):  # everything works without a cache
                replace(self._path, _head(body) + body)
            self._changed = False

    def remove(self) -> None:
        """Delete the cache's file, if the disk lets us."""
        self._values = {}
        with contextlib.suppress(OSError):
            syscalls.unlink(self._path)

    def _load(self) -> dict[str, tuple[list[int], Any]]:
        if self._values is None:
            self._values = self._read()
        return self._values

    def _read(self) -> dict[str, tuple[list[int], Any]]:
        try:
            data = read_file(self._path, _MAX_CACHE_BYTES)
        except PbemError:
            return {}
        head, body = data[:_HEAD_BYTES], data[_HEAD_BYTES:]
        if _head(body) != head:
            return {}
        try:
            stamp, values = json.loads(body)
        except (TypeError, ValueError, RecursionError):
            return {}
        return values if stamp == self._stamp else {}


def _head(body: bytes) -> bytes:
    return f"{zlib.crc32(body):08x}\n".encode()


# ---- the home and its games

_PROFILE: Final = r"[a-z0-9][a-z0-9_-]{0,31}"
_GAME: Final = r"[0-9a-f]{64}"
MAX_SETTINGS_CHARACTERS: Final = 1 << 13
"""The most characters of a game's settings: tomlkit, which preserves comments, is slow."""


def home_path(environ: Mapping[str, str], platform: str, user: Path) -> Path:
    """Return the path of the home: `PBEM_HOME`, else the platform's folder for data of this user.

    Relative XDG paths are ignored, as their specification says.
    """
    if custom_path := environ.get("PBEM_HOME"):
        return Path(custom_path).expanduser().absolute()
    if platform == "win32":
        return Path(environ.get("LOCALAPPDATA") or user / "AppData/Local") / "pbem"
    if platform == "darwin":
        return user / "Library/Application Support/pbem"
    data = Path(environ.get("XDG_DATA_HOME") or "")
    return (data if data.is_absolute() else user / ".local/share") / "pbem"


class Home:
    """One person's keys and games on this machine, in a private folder outside game folders.

    It is made at the first write; its folders have mode 0700, its files 0600. `profiles/NAME/key`
    has one secret key each, `games/<id>/` drafts, acts, settings, notebooks and caches,
    `stores/<hash>/` copies of the files of a game folder in a store.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    def find(cls) -> Home:
        """Find the home of the user who runs this. Raises StorageError, also if it is in a game
        folder."""
        try:
            user = Path.home()
        except RuntimeError:
            sentence = "pbem cannot find your home folder; set PBEM_HOME to one of your own folders"
            raise StorageError("~", sentence) from None
        home = cls(home_path(os.environ, sys.platform, user))
        root = home.root.resolve()
        for folder in (root, *root.parents):
            data = b""
            with contextlib.suppress(PbemError):
                data = read_file(folder / "game.toml")
            if b'\nkind = "charter"\n' in data:  # a charter, whether it is valid or not
                raise home._exposed_error()
        return home

    def folder(self, place: Place) -> SharedFolder:
        """Return the game folder at a place; files in a store are copied to this home."""
        copies = hashlib.sha256(os.fsencode(str(place))).hexdigest()[:16]
        return open_place(place, self.root / "stores" / copies)

    def check_outside(self, place: Place) -> None:
        """Raise StorageError if this home is in a game folder, where others can see the keys."""
        if place.path and self.root.resolve().is_relative_to(place.path.resolve()):
            raise self._exposed_error()

    def _exposed_error(self) -> StorageError:
        sentence = "is the home with your keys, but is in the game folder, which others see; move "
        sentence += "the game's files into a separate folder, or move the home and set PBEM_HOME "
        return StorageError(self.root, sentence + "to it")

    # -------------------------------------------------------------- lessons
    def lesson(self, name: str) -> LessonHome:
        """Return the home of the lesson with this name, whether it has begun or not."""
        return LessonHome(self.root / LESSONS / name)

    def lessons(self) -> list[LessonHome]:
        """Return the homes of the lessons that have begun."""
        return [self.lesson(name) for name in _names(self.root / LESSONS, _PROFILE)]

    def lesson_at(self, place: Place) -> LessonHome | None:
        """Return the home of the lesson whose game is at this place; None for any other game."""
        if place.path is None:
            return None
        lesson = self.lesson(place.path.parent.name)
        return lesson if place.path.resolve() == lesson.place.resolve() else None

    def profiles(self) -> list[str]:
        """Return the names of the profiles that have a key, sorted."""
        names = _names(self.root / "profiles", _PROFILE)
        return [name for name in names if os.path.lexists(self.key_path(name))]

    def key_path(self, profile: str) -> Path:
        """Return the path of the profile's key. Raises ValueError for an impossible name."""
        if not re.fullmatch(_PROFILE, profile):
            sentence = "a profile's name has up to 32 characters: a-z, 0-9, - and _"
            raise ValueError(f"{profile!r}: {sentence}")
        return self.root / "profiles" / profile / "key"

    def read_key(self, profile: str) -> bytes:
        """Return the bytes of a key file. Raises ValueError (name), FileError, StorageError."""
        return read_file(self.key_path(profile))

    def write_key(self, profile: str, data: bytes) -> Path:
        """Write a new key; returns its path. Raises TakenError if the profile has a different
        one."""
        path = self.key_path(profile)
        make_folder(self.root, private=True)
        with storage_errors(self.root):  # another program may have made the home, open to others
            if os.name != "nt" and self.root.stat().st_mode & 0o077:
                syscalls.chmod(self.root, 0o700)
        create(path, data, private=True)
        return path

    def games(self) -> list[str]:
        """Return the ids (64 hex digits) of the games that this home knows, sorted."""
        return _names(self.root / "games", _GAME)

    def game(self, game: str) -> GameHome:
        """Return what this person stores about the game with this id in hex. Raises ValueError."""
        if not re.fullmatch(_GAME, game):
            raise ValueError(f"{game[:80]!r} is not the id of a game")
        return GameHome(self.root / "games" / game)

    def cache(self, purpose: str) -> Cache:
        """Return the cache about all games for one purpose, which is a word; see Cache."""
        return Cache(self.root / "cache" / purpose, purpose)

    def drop_caches(self) -> None:
        """Delete every cache about all games; commands fill them again. Raises StorageError."""
        _empty(self.root / "cache")


LESSONS: Final = "lessons"


class LessonHome(Home):
    """The home of one lesson, inside a person's home, with the lesson's game.

    Everybody's lesson has the same key, so that it is dealt alike. Here this key opens nothing but
    the lesson, and whoever lists, referees or answers a person's games does not meet it.
    """

    @property
    def place(self) -> Path:
        """The folder of the lesson's game."""
        return self.root / "game"

    def remove(self) -> None:
        """Remove the lesson, so that it can begin anew. Raises StorageError."""
        with storage_errors(self.root), contextlib.suppress(FileNotFoundError):
            syscalls.remove_tree(self.root)


class GameHome:
    """The part of a person's home about one game."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._place = Notebook(root / "place.toml")
        self.heads = Heads(root / "heads.toml")
        self.signed = SignedMemory(root / "signed")
        self.acts = SignedActs(root / "acts")
        self.held_orders = KeptFiles(root / "held", "orders")
        """The orders of the seats that the referee plays."""
        self.last_orders = LastOrders(root / "last-orders")
        """The last orders that each seat sealed on this machine."""
        self.joined = KeptFiles(root / "joined", "seats")
        """The joins with invites that the referee's machine saw before turn 1."""
        self.sightings = Sightings(root / "sightings.toml")
        self.arrivals = Arrivals(root / "arrivals.toml")
        self.receipts = Receipts(root / "receipts.toml")
        self.shown_messages = ShownMessages(root / "told.toml")
        self.seen_messages = SeenMessages(root / "seen-messages.toml")
        self.shown_turns = ShownTurns(root / "looks.toml")
        self.unanswered = Notebook(root / "unanswered.toml")
        """The questions that the last sealed orders leave open, and the draft at that time."""
        self.clicks = Notebook(root / "clicks.toml")
        """The change of each click at the table to the last draft, so that it can be undone."""
        self.way_back = Notebook(root / "way-back.toml")
        """Whether the person of a browser tab has kept the link that brings the seat back."""

    def draft(self, turn: int, seat: str) -> Path:
        """Return the path of the draft for this turn and seat, whether it exists or not."""
        return self.root / "drafts" / f"{turn:04}-{seat}.toml"

    def write_draft(self, turn: int, seat: str, text: str) -> Path:
        """Write or replace a draft; return its path. Raises StorageError."""
        path = self.draft(turn, seat)
        replace(path, text.encode())
        return path

    def back_up_draft(self, path: Path) -> Path:
        """Rename a draft to the next free name; returns the new path. Raises StorageError."""
        number = 1
        while os.path.lexists(backup_path := path.with_name(f"{path.stem}-old{number}.toml")):
            number += 1
        create(backup_path, read_file(path), private=True)
        syscalls.unlink(path)
        return backup_path

    def settings(self) -> dict[str, Any]:
        """Read the settings that the person wrote for this game; may be empty. Raises
        StorageError."""
        path = self.root / "settings.toml"
        try:
            return decoded(read_if_there(path) or b"", MAX_SETTINGS_CHARACTERS)
        except ValueError as error:
            sentence = f"is not valid TOML: {error}; correct or remove the file"
            raise StorageError(path, sentence) from None

    def change_setting(self, key: str, value: str | int | bool) -> None:
        """Change one setting, and keep the person's comments and layout. Raises StorageError."""
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
            return place_of(self._place.notes()["folder"])
        except (PbemError, ValueError, KeyError, TypeError):
            return None  # the next command in that folder will note it again

    def remember_place(self, folder: Place | Path) -> None:
        """Note the place of this game. Raises StorageError."""
        place = place_of(folder)
        if self.place != place:
            with contextlib.suppress(RecordError):  # a path that is not valid text cannot be noted
                self._place.write({"folder": str(place)})

    def forget_place(self) -> None:
        """Forget the folder of this game until `remember_place` notes one. Raises StorageError."""
        self._place.write({"forgotten": True})

    @property
    def is_forgotten(self) -> bool:
        """Whether the person asked to forget the folder, and has run no command in it since."""
        return self._place.notes().get("forgotten") is True

    def cache(self, purpose: str) -> Cache:
        """Return the cache for one purpose, which is a word; see Cache."""
        return Cache(self.root / "cache" / purpose, purpose)

    def drop_caches(self) -> None:
        """Delete every cache of this game; commands fill them again. Raises StorageError."""
        _empty(self.root / "cache")

    def lock(self, name: str) -> AbstractContextManager[bool]:
        """Take the lock with this name; yield False if another command of this person has it."""
        return lock(self.root / f"{name}.lock")

    def tidy(self) -> None:
        """Remove the temporary files that killed commands left."""
        for name in ("", "drafts", "seen", "acts", "cache"):
            sweep(self.root / name)


def _empty(folder: Path) -> None:
    with storage_errors(folder):
        for path in folder.iterdir() if folder.exists() else ():
            syscalls.unlink(path)


def _names(folder: Path, form: str) -> list[str]:
    with storage_errors(folder), contextlib.suppress(FileNotFoundError):
        return sorted(f.name for f in folder.iterdir() if re.fullmatch(form, f.name))
    return []


# ---- notebooks


class Notebook:
    """A little file of notes: one TOML document in the home, read and written as a whole.

    Subclasses say what is in it. A file that is not there is empty.
    """

    damage: ClassVar[str] = "is damaged; remove this file, and pbem will work without it"
    """The sentence about a damaged file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> dict[str, Any]:
        """Return the notes. Raises StorageError if the file is damaged."""
        data = read_if_there(self.path)
        try:
            return {} if data is None else decoded(data, MAX_BYTES)
        except ValueError:
            raise self.damaged() from None

    def notes(self) -> dict[str, Any]:
        """Return the notes; a file that is damaged or cannot be read is empty."""
        try:
            return self.read()
        except PbemError:
            return {}

    def write(self, notes: Mapping[str, Any], max_entries: int | None = None) -> None:
        """Replace the notes; of longer lists and tables, only the last `most` entries stay. Raises
        StorageError."""
        kept_notes = dict(notes)
        for name, value in notes.items():
            if max_entries and isinstance(value, list):
                kept_notes[name] = value[-max_entries:]
            elif max_entries and isinstance(value, dict):
                kept_notes[name] = dict([*value.items()][-max_entries:])
        replace(self.path, emit(kept_notes))

    def change(self, **notes: Any) -> None:
        """Replace some of the notes, and keep the others. Raises StorageError."""
        self.write(self.notes() | notes)

    def damaged(self) -> StorageError:
        """Return the error for a damaged file."""
        return StorageError(self.path, self.damage)


def strings_in(value: Any) -> list[str]:
    """Return the texts in a list of notes; none if the value is not a list."""
    return [x for x in value if isinstance(x, str)] if isinstance(value, list) else []


def table_of(value: Any, kind: type[T]) -> dict[str, T]:
    """Return the values of this type in a table of notes; none if the value is not a table."""
    table = value if isinstance(value, dict) else {}
    return {name: value for name, value in table.items() if type(value) is kind}


class Seen(NamedTuple):
    """A position in the chain: the turn (0: before turn 1) and its head, 64 hex digits."""

    turn: int
    head: str


class Heads(Notebook):
    """The last position in the chain that one person saw of one game, stored outside its folder.

    A chain that forks from it, or ends before it, is refused (protocol §5).
    """

    damage = "is damaged; remove it, then compare the twelve words with another player's"

    def last_position(self) -> Seen | None:
        """Return the last position seen; None before the first. Raises StorageError if
        unreadable."""
        notes = self.read()
        if not notes and not os.path.lexists(self.path):
            return None
        try:
            turn, head = notes["turn"], notes["head"]
            if type(turn) is not int or turn < 0 or len(bytes.fromhex(head)) != 32:
                raise ValueError
        except (ValueError, KeyError, TypeError):
            raise self.damaged() from None
        return Seen(turn, head)

    def check(self, heads: Sequence[str]) -> None:
        """Check a chain against the last position seen; `heads[k]` is the head after turn k, in
        hex. Raises FileError `fork`, with both ids."""
        position = self.last_position()
        if position is None:
            return
        if position.turn >= len(heads):
            end = f"turn {len(heads) - 1} ({heads[-1][:6]})" if heads else "nothing"
            sentence = f"turn {position.turn} ({position.head[:6]}) was seen here before, and the "
            sentence += f"folder now ends at {end}; get the missing turns: let the folder sync, or "
            sentence += "ask the referee to send them"
            raise FileError("fork", turn_path(max(1, len(heads))), sentence)
        if heads[position.turn] != position.head:
            sentence = (
                f"turn {position.turn} is not the one seen here before: its head was "
                f"{position.head[:6]} and is now {heads[position.turn][:6]}; ask the referee which "
                "one counts, and show both to the other players"
            )
            raise FileError("fork", turn_path(max(1, position.turn)), sentence)

    def remember(self, heads: Sequence[str]) -> None:
        """Check a chain, then remember its end if that is new. Also raises StorageError."""
        self.check(heads)
        if len(heads) > 1 and self.last_position() != (len(heads) - 1, heads[-1]):
            self.remember_instead(heads)

    def remember_instead(self, heads: Sequence[str]) -> None:
        """Remember the end of a chain without checking it against what was seen before."""
        self.write({"turn": len(heads) - 1, "head": heads[-1]})


# ---- a lock


@contextlib.contextmanager
def lock(path: Path) -> Iterator[bool]:
    """Take the lock file at `path`; yields False if another process, until it ends, has it. Raises
    StorageError.

    No data depends on the lock: two writers are safe without it, because creating a file fails if
    it exists.
    """
    make_folder(path.parent, private=True)
    with storage_errors(path):
        fd = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
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


# ---- what this machine did and saw

CLOCK_TOLERANCE_SECONDS: Final = 600
"""By how many seconds a turn's date may be ahead of this clock, because clocks differ."""
SYNC_TOLERANCE_SECONDS: Final = 3600
"""By how many seconds a turn's date may be before a look that did not find it: syncing is slow."""
_MAX_HEAD_BYTES: Final = 200
"""The most bytes of the line that is written before a signed record."""
MAX_REMEMBERED: Final = 500
"""The most orders and turns that are remembered; the oldest are forgotten."""

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

    One file, stored before the turn is written: a line `place path id`, then the unchanged record.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def last_record(self) -> Signed | None:
        """Return the last record signed; None before the first. Raises StorageError if damaged."""
        data = read_if_there(self.path, MAX_BYTES + _MAX_HEAD_BYTES)
        if data is None:
            return None
        head, _, file = data.partition(b"\n")
        try:
            place, path, ident = head.decode("ascii").split(" ")
            return Signed(int(place), path, ident, file)
        except ValueError:
            raise StorageError(self.path, Notebook.damage) from None

    def sign(self, record: Signed) -> None:
        """Note a record before it is written. Raises FileError `fork` for a second for a place,
        StorageError."""
        last_signed = self.last_record()
        if last_signed and (record.place, record.id) == (last_signed.place, last_signed.id):
            return
        if last_signed and record.place <= last_signed.place:
            sentence = f"this computer already signed {last_signed.id[:6]} for this place, and has "
            sentence += f"now made {record.id[:6]}; nothing was written"
            raise FileError("fork", record.path, sentence)
        head = f"{record.place} {record.path} {record.id}\n".encode("ascii")
        replace(self.path, head + record.file)


class Act(NamedTuple):
    """A notice, a message or a join that was signed here, and whether a command has reported it."""

    file: bytes
    reported: bool


class SignedActs:
    """Remembers the last act of each subject that was signed here: the whole file, by a word.

    An act is kept before it is written to the game folder. If the command is killed, or a store's
    answer is lost, the same command finds the same bytes here when it runs again.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    def last_act(self, subject: str) -> Act | None:
        """Return the last act of a subject; None before the first. Raises StorageError."""
        data = read_if_there(self.root / subject, MAX_BYTES + _MAX_HEAD_BYTES)
        if data is None:
            return None
        head, _, file = data.partition(b"\n")
        if head not in (_SIGNED, _REPORTED):
            raise StorageError(self.root / subject, Notebook.damage)
        return Act(file, head == _REPORTED)

    def keep(self, subject: str, file: bytes) -> None:
        """Note an act before it is written; it replaces the last one. Raises StorageError."""
        replace(self.root / subject, _SIGNED + b"\n" + file)

    def note_reported(self, subject: str, file: bytes) -> None:
        """Note that a command has reported this act. Raises StorageError."""
        if self.last_act(subject) != (file, True):
            replace(self.root / subject, _REPORTED + b"\n" + file)


class KeptFiles:
    """Whole files from one place in the game folder, by path, which are put back if they are lost.

    Orders of the seats that the referee plays: without those that a turn lists, the referee cannot
    make the next turn. And joins seen before turn 1: whoever takes one away must not get its
    player's seat.
    """

    def __init__(self, root: Path, place: str) -> None:
        """`place` is `orders` or `seats`."""
        self.root, self.place = root, place

    def keep(self, path: str, file: bytes) -> None:
        """Store a file under its path in the game folder. Raises StorageError."""
        replace(self.root / path.removeprefix(f"{self.place}/"), file)

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Return each file's path and bytes. Raises StorageError, FileError."""
        for name in sorted(os.listdir(self.root)) if self.root.is_dir() else ():
            if parse_name(f"{self.place}/{name}"):
                yield f"{self.place}/{name}", read_file(self.root / name)


class LastOrders:
    """Remembers the last orders that each seat sealed on this machine: one whole file a seat, under
    the name that it has in the folder `orders`."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def keep(self, name: Name, file: bytes) -> None:
        """Store a seat's last orders; those before them are forgotten. Raises StorageError."""
        seat_names = [seat_name for seat_name in self._names() if seat_name.seat == name.seat]
        replace(self._path(name), file)
        for older_name in seat_names:
            if older_name == name:
                continue
            with storage_errors(self.root), contextlib.suppress(FileNotFoundError):
                syscalls.unlink(self._path(older_name))

    def name(self, seat: str) -> Name | None:
        """Return the name of a seat's last orders; None before the first. Raises StorageError."""
        return next((name for name in self.names() if name.seat == seat), None)

    def file(self, seat: str) -> bytes | None:
        """Return the bytes of a seat's last orders; None before the first. Raises StorageError."""
        name = self.name(seat)
        return read_if_there(self._path(name), MAX_BYTES) if name else None

    def names(self) -> list[Name]:
        """Return the name of each seat's last orders. Raises StorageError."""
        in_order = sorted(self._names(), key=lambda name: (name.turn, name.revision))
        return [*{name.seat: name for name in in_order}.values()]

    def _names(self) -> list[Name]:
        with storage_errors(self.root):
            files = os.listdir(self.root) if self.root.is_dir() else []
        names = (parse_name(f"orders/{file}") for file in files)
        return [name for name in names if name]

    def _path(self, name: Name) -> Path:
        return self.root / name.path.removeprefix("orders/")


class Sighting(NamedTuple):
    """A turn whose date does not match what this machine saw."""

    turn: int
    seconds: int
    """The seconds from the date of the turn to its arrival; negative if the date is ahead of this
    clock."""
    seen_at: int
    """The time here at the last look that did not find the turn, or the first that found it.

    The second is used for a turn that is dated ahead of this clock.
    """


class Sightings(Notebook):
    """Remembers when this machine looked at the folder, and which turns have impossible dates.

    Records do not prove when something happened; so the machine's owner knows what to ask others.
    """

    def implausible_turns(self) -> list[Sighting]:
        """Return the turns whose dates do not match. Raises StorageError."""
        return [Sighting(*row) for row in self._rows(self.read())]

    def look(self, times: Sequence[int], now: int) -> None:
        """Note that this machine sees these turns now: `times[k - 1]` is the date of turn k."""
        doc = self.read()
        seen_turn, looked_at = doc.get("turn", 0), doc.get("looked", 0)
        if type(seen_turn) is not int or type(looked_at) is not int:
            raise self.damaged()
        if looked_at > now:  # this machine's clock was wrong at that time
            looked_at = 0
        new_turns = range(seen_turn + 1, len(times) + 1)
        if not new_turns and now - looked_at < SYNC_TOLERANCE_SECONDS // 12:
            return  # a later look can note it
        rows = self._rows(doc)
        for turn in new_turns:
            turn_time = times[turn - 1]
            if looked_at and looked_at - turn_time >= SYNC_TOLERANCE_SECONDS:
                rows.append([turn, looked_at - turn_time, looked_at])
            elif turn_time - now > CLOCK_TOLERANCE_SECONDS:
                rows.append([turn, now - turn_time, now])
        row_texts = [",".join(map(str, row)) for row in rows]
        self.write(
            {"turn": max(seen_turn, len(times)), "looked": now, "odd": row_texts}, MAX_REMEMBERED
        )

    def _rows(self, doc: Mapping[str, Any]) -> list[list[int]]:
        try:
            rows = [[int(n) for n in row.split(",")] for row in doc.get("odd", [])]
            return [[turn, seconds, seen_at] for turn, seconds, seen_at in rows]
        except (ValueError, AttributeError, TypeError):
            raise self.damaged() from None


class Arrivals(Notebook):
    """Remembers when this machine first saw the orders that count for the open questions, by path,
    and when all of them were here for the first time."""

    def look(self, paths: Iterable[str], now: int) -> None:
        """Note that these files are here now, unless this is known. Other files are forgotten, and
        a time ahead of the clock is replaced by now. Raises StorageError."""
        known_times = self.times()
        times = {path: min(known_times.get(path, now), now) for path in sorted(paths)}
        if times != known_times:
            self.write({"here": [f"{arrival} {path}" for path, arrival in times.items()]})

    def times(self) -> dict[str, int]:
        """Return when each file was first seen, by path. Raises StorageError."""
        try:
            rows = [row.split(" ", 1) for row in self.read().get("here", [])]
            return {path: int(arrival) for arrival, path in rows}
        except (ValueError, AttributeError, TypeError):
            raise self.damaged() from None


class Receipts(Notebook):
    """Remembers when orders and joins were sealed here, by their ids in hex."""

    def times(self) -> dict[str, int]:
        """Return, by id, the times at which orders and joins were sealed here, in seconds since
        1970 UTC. Raises StorageError."""
        sealed = self.read().get("sealed", {})
        if not isinstance(sealed, dict):
            raise self.damaged()
        return {order: sealed_at for order, sealed_at in sealed.items() if type(sealed_at) is int}

    def paths(self) -> dict[str, str]:
        """Return, by id, which files were sealed here, by their paths in the game folder. Raises
        StorageError."""
        return table_of(self.read().get("files", {}), str)

    def note(self, order_id: str, now: int, path: str = "") -> None:
        """Note the sealing time and the path of orders, unless both are known."""
        times, paths = self.times(), self.paths()
        if order_id not in times:
            times = dict(sorted((times | {order_id: now}).items(), key=lambda item: item[1]))
            paths = {known_id: paths[known_id] for known_id in times if known_id in paths}
            self.write({"sealed": times, "files": paths | {order_id: path}}, MAX_REMEMBERED)


MAX_SHOWN_PATHS: Final = 5_000
"""The most paths that are remembered for each of a person's seats or viewpoints in a game."""

MAX_SEEN_MESSAGES: Final = 800
"""The most messages of each writer that are remembered as seen."""


class _Lists(Notebook):
    def lists(self) -> dict[str, set[str]]:
        """Return the lists of texts in the file."""
        lists = {key: value for key, value in self.notes().items() if isinstance(value, list)}
        return {key: set(strings_in(value)) for key, value in lists.items()}


class ShownMessages(_Lists):
    """The paths of the messages that were shown, for each seat or for `table`."""

    def paths_shown_to(self, viewer: str) -> set[str]:
        """Return the paths of the messages that were shown to this seat, or at the table."""
        return self.lists().get(viewer, set())

    def add(self, viewer: str, paths: Iterable[str]) -> None:
        """Note that these messages were shown. Raises StorageError."""
        lists = self.lists()
        shown_paths = lists.get(viewer, set())
        new_paths = shown_paths | set(paths)
        if new_paths != shown_paths:
            lists[viewer] = new_paths
            self.write({key: sorted(lists[key]) for key in lists}, MAX_SHOWN_PATHS)


class ShownTurns(Notebook):
    """For each viewer, a seat or `table`, the last two turns shown."""

    def note_turn(self, viewer: str, turn: int, default: int) -> int:
        """Note that a turn is shown; return the turn shown before it, or the default if none is
        known. Raises StorageError."""
        row = self.notes().get(viewer)
        previous_turn, last_turn = default, turn
        if isinstance(row, list) and [type(number) for number in row] == [int, int]:
            previous_turn, last_turn = row
        if last_turn < turn:
            previous_turn = last_turn
        if [previous_turn, turn] != row and last_turn <= turn:
            self.change(**{viewer: [previous_turn, turn]})
        return max(0, min(previous_turn, turn - 1))


class SeenMessages(_Lists):
    """The ids, in hex, of messages that were here while their keys counted, for each writer."""

    def ids(self) -> set[str]:
        """Return all ids; none if the file is lost or damaged."""
        return set[str]().union(*self.lists().values())

    def add(self, ids: Mapping[str, Collection[str]]) -> None:
        """Note messages by writer; if there are too many, the new ones stay. Raises
        StorageError."""
        lists = self.lists()
        if all(lists.get(writer, set()).issuperset(new_ids) for writer, new_ids in ids.items()):
            return
        for writer, new_ids in ids.items():
            older_ids = sorted(lists.get(writer, set()).difference(new_ids))
            lists[writer] = {*[*older_ids, *new_ids][-MAX_SEEN_MESSAGES:]}
        self.write({name: sorted(message_ids) for name, message_ids in lists.items()})
