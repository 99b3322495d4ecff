"""The home: the private folder of one person, outside game folders (interface, *What is mine*).

    <home>/profiles/NAME/key            one secret key each, OpenSSH format
    <home>/games/<game id>/             drafts/ acts/ settings.toml heads.toml seen/ cache/ …
    <home>/cache/                       the ids of the games in the folders that were read
    <home>/stores/<hash>/               copies of the files of a game folder in a store

The home is `PBEM_HOME` or the user's data folder; its folders have mode 0700, its files 0600.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pbem.format.errors import RecordError
from pbem.storage import syscalls
from pbem.storage.atomic_write import create, make_folder, replace, sweep
from pbem.storage.errors import FileError, StorageError, storage_error
from pbem.storage.folder import Folder, SharedFolder
from pbem.storage.private.cache import Cache
from pbem.storage.read_file import read_file, read_if_there
from pbem.storage.store.address import Place, place_of

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from pbem.storage.private.last_head import Heads
    from pbem.storage.private.machine_memory import (
        Arrivals,
        KeptFiles,
        Receipts,
        Sightings,
        SignedActs,
        SignedMemory,
    )
    from pbem.storage.private.told_messages import SeenMessages, ToldMessages

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
        if isinstance(place, Path):
            return Folder(place)
        import hashlib

        from pbem.storage.store.store_folder import StoreFolder

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
        from pbem.storage.private.last_head import Heads

        return Heads(self.root / "heads.toml")

    @cached_property
    def signed(self) -> SignedMemory:
        """The last record that the referee signed on this machine."""
        from pbem.storage.private.machine_memory import SignedMemory

        return SignedMemory(self.root / "signed")

    @cached_property
    def acts(self) -> SignedActs:
        """The last notices, messages and joins that were signed on this machine."""
        from pbem.storage.private.machine_memory import SignedActs

        return SignedActs(self.root / "acts")

    @cached_property
    def held(self) -> KeptFiles:
        """The orders of the seats that the referee plays."""
        from pbem.storage.private.machine_memory import KeptFiles

        return KeptFiles(self.root / "held", "orders")

    @cached_property
    def joined(self) -> KeptFiles:
        """The joins with invites that the referee's machine saw before turn 1."""
        from pbem.storage.private.machine_memory import KeptFiles

        return KeptFiles(self.root / "joined", "seats")

    @cached_property
    def sightings(self) -> Sightings:
        """When this machine looked at the folder, and turns with impossible dates."""
        from pbem.storage.private.machine_memory import Sightings

        return Sightings(self.root / "sightings.toml")

    @cached_property
    def arrivals(self) -> Arrivals:
        """When this machine first saw the order files that answer the last turn."""
        from pbem.storage.private.machine_memory import Arrivals

        return Arrivals(self.root / "arrivals.toml")

    @cached_property
    def receipts(self) -> Receipts:
        """When orders and joins were sealed on this machine."""
        from pbem.storage.private.machine_memory import Receipts

        return Receipts(self.root / "receipts.toml")

    @cached_property
    def told(self) -> ToldMessages:
        """Which messages this person was shown."""
        from pbem.storage.private.told_messages import ToldMessages

        return ToldMessages(self.root / "told.toml")

    @cached_property
    def seen_messages(self) -> SeenMessages:
        """Which messages were here while the keys that signed them counted."""
        from pbem.storage.private.told_messages import SeenMessages

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
        from pbem.text.handwritten_toml import decoded

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
        import hashlib

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
        from pbem.text.handwritten_toml import decoded

        try:
            return place_of(decoded(read_file(self.root / "place.toml"))["folder"])
        except (StorageError, RecordError, ValueError, KeyError, TypeError):
            return None  # the next command in that folder will note it again

    def remember_place(self, folder: Place) -> None:
        """Note the folder of this game. Raises StorageError."""
        from pbem.format.canonical import emit

        place = place_of(folder)
        if self.place != place:
            with contextlib.suppress(RecordError):  # a path that is not valid text cannot be noted
                replace(self.root / "place.toml", emit({"folder": str(place)}))

    def forget_place(self) -> None:
        """Forget the folder of this game until `remember_place` notes one. Raises StorageError."""
        from pbem.format.canonical import emit

        replace(self.root / "place.toml", emit({"forgotten": True}))

    @property
    def is_forgotten(self) -> bool:
        """Whether the person asked to forget the folder, and has run no command in it since."""
        from pbem.text.handwritten_toml import decoded

        try:
            return decoded(read_file(self.root / "place.toml")).get("forgotten") is True
        except (StorageError, RecordError, ValueError):
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
        from pbem.storage.private.lock import lock

        return lock(self.root / f"{name}.lock")

    def tidy(self) -> None:
        """Remove the temporary files that killed commands left."""
        for name in ("", "drafts", "seen", "acts", "cache"):
            sweep(self.root / name)


def _has_charter(folder: Path) -> bool:
    """Return whether a folder is a game's: its `game.toml` says so, whether it is valid or not."""
    try:
        return b'\nkind = "charter"\n' in read_file(folder / "game.toml")
    except (FileError, StorageError):
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
