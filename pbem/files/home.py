"""The home: one person's private folder, with keys, caches and the memory of a machine."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final, ParamSpec

from pbem.errors import PbemError
from pbem.files import syscalls
from pbem.files.caches_in_home import Cache
from pbem.files.co_dealer_answered_heads import AnsweredHeads
from pbem.files.disk import (
    create,
    make_folder,
    read_file,
    read_if_there,
    remove_old_temporary_files,
    replace,
)
from pbem.files.file_errors import StorageError, storage_errors
from pbem.files.game_folder import SharedFolder
from pbem.files.game_folder_places import Place, place_of
from pbem.files.open_game_folder import open_place
from pbem.files.process_locks import changing, lock
from pbem.files.signed_and_seen import (
    Arrivals,
    Heads,
    KeptFiles,
    LastOrders,
    Receipts,
    RecordArrivals,
    SeenMessages,
    ShownMessages,
    ShownTurns,
    Sightings,
    SignedActs,
    SignedMemory,
    TurnArrivals,
)
from pbem.files.toml_notes_in_home import Notebook, Notes
from pbem.files.write_once_files import WriteOnceFiles
from pbem.format.record_error import RecordError
from pbem.text.handwritten_toml_within_limits import decoded

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
    has one secret key each, `games/<id>/` drafts, acts, settings, notebooks and caches. The hash of
    a place names `snapshots/<hash>/`, and `stores/<hash>/` with copies of the files in a store.
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
        return open_place(place, self.root / "stores" / _folder_name(place))

    def check_outside(self, place: Place) -> None:
        """Raise StorageError if this home is in a game folder, where others can see the keys."""
        if place.path and self.root.resolve().is_relative_to(place.path.resolve()):
            raise self._exposed_error()

    def _exposed_error(self) -> StorageError:
        sentence = (
            "has your keys, but is inside the game folder, which others see. Move the game's files "
            "into a separate folder; or move your keys, and set PBEM_HOME to their new folder"
        )
        return StorageError(self.root, sentence)

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
        """Write a new key; return its path. If the profile has this very key, nothing changes.
        Raises TakenError if it has a different one."""
        path = self.key_path(profile)
        make_folder(self.root, private=True)
        with storage_errors(self.root):  # another program may have made the home, open to others
            if os.name != "nt" and self.root.stat().st_mode & 0o077:
                syscalls.chmod(self.root, 0o700)
        create(path, data, private=True)
        return path

    def keep_co_dealer_line(self, key: bytes, line: str) -> None:
        """Store the last line that this co-dealer gave to a referee. Raises StorageError."""
        replace(self._line_path(key), line.encode("ascii"))

    def co_dealer_line(self, key: bytes) -> str:
        """Return the last line that this co-dealer gave to a referee; empty if none is stored.
        Raises StorageError."""
        return (read_if_there(self._line_path(key)) or b"").decode("ascii", "replace")

    def _line_path(self, key: bytes) -> Path:
        return self.root / "co-dealer-lines" / key.hex()[:16]

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

    def snapshots(self, place: Place) -> Path:
        """Return the folder with the snapshots of the game at a place, which need not be read to
        find it."""
        return self.root / "snapshots" / _folder_name(place)

    def drop_caches(self) -> None:
        """Delete the caches about all games, and all snapshots; commands fill them again. Raises
        StorageError."""
        _empty(self.root / "cache")
        snapshots = self.root / "snapshots"
        for folder in snapshots.iterdir() if snapshots.exists() else ():
            _empty(folder)


def _folder_name(place: Place) -> str:
    return hashlib.sha256(os.fsencode(str(place))).hexdigest()[:16]


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


class PlaceNotes(Notes):
    """The folder where a game was last seen, or that the person asked to forget it."""

    file = "place.toml"
    folder: str = ""
    forgotten: bool = False


class GameHome:
    """The part of a person's home about one game."""

    def __init__(self, root: Path) -> None:
        """Open the memory of one game; `root` is its folder in the home. Nothing is read yet."""
        self.root = root
        self._place = Notebook(root, PlaceNotes)
        self.heads = Heads(root)
        self.signed = SignedMemory(root / "signed")
        self.acts = SignedActs(root / "acts")
        self.held_orders = KeptFiles(root / "held", "orders")
        """The orders of held seats: the referee plays them, or seals what their players mail."""
        self.last_orders = LastOrders(root / "last-orders")
        """The last orders that each seat sealed on this machine."""
        self.joined = KeptFiles(root / "joined", "seats")
        """The joins with invites that the referee's machine saw before turn 1."""
        self.sightings = Sightings(root)
        self.arrivals = Arrivals(root)
        self.answered_heads = AnsweredHeads(WriteOnceFiles(root / "answered"))
        """The turns that a co-dealer has dealt for."""
        self.turn_arrivals = TurnArrivals(root)
        self.record_arrivals = RecordArrivals(root)
        self.receipts = Receipts(root)
        self.shown_messages = ShownMessages(root)
        self.seen_messages = SeenMessages(root)
        self.shown_turns = ShownTurns(root)

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

        path = self.root / "settings.toml"
        with changing(self.root):
            self.settings()  # raises StorageError if the file is wrong
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
        folder = self._place.read().folder
        try:
            return place_of(folder) if folder else None
        except (PbemError, ValueError):
            return None  # the next command in that folder will note it again

    def remember_place(self, folder: Place | Path) -> None:
        """Note the folder of this game. Raises StorageError."""
        notes = PlaceNotes(folder=str(place_of(folder)))
        with contextlib.suppress(RecordError):  # a path that is not valid text cannot be noted
            self._place.change(lambda _: notes)

    def forget_place(self) -> None:
        """Forget the folder of this game until `remember_place` notes one. Raises StorageError."""
        self._place.change(lambda _: PlaceNotes(forgotten=True))

    @property
    def is_forgotten(self) -> bool:
        """Whether the person asked to forget the folder, and has run no command in it since."""
        return self._place.read().forgotten

    def cache(self, purpose: str) -> Cache:
        """Return the cache for one purpose, which is a word; see Cache."""
        return Cache(self.root / "cache" / purpose, purpose)

    def drop_caches(self) -> None:
        """Delete every cache of this game; commands fill them again. Raises StorageError."""
        _empty(self.root / "cache")

    def lock(self, name: str, wait_seconds: float = 0.0) -> AbstractContextManager[bool]:
        """Take the lock with this name; yield False if another command keeps it for so long."""
        return lock(self.root / f"{name}.lock", wait_seconds)

    def tidy(self) -> None:
        """Remove the temporary files that killed commands left."""
        for name in ("", "drafts", "seen", "acts", "cache"):
            remove_old_temporary_files(self.root / name)


def _empty(folder: Path) -> None:
    with storage_errors(folder):
        for path in folder.iterdir() if folder.exists() else ():
            syscalls.unlink(path)


def _names(folder: Path, form: str) -> list[str]:
    with storage_errors(folder), contextlib.suppress(FileNotFoundError):
        return sorted(f.name for f in folder.iterdir() if re.fullmatch(form, f.name))
    return []


Params = ParamSpec("Params")


def note_if_writable(
    note: Callable[Params, object], *args: Params.args, **kwargs: Params.kwargs
) -> None:
    """Note something in the home; nothing is noted if the home is read-only."""
    with contextlib.suppress(StorageError):
        note(*args, **kwargs)
