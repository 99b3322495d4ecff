"""Find a game's folder by the game's id, never by a name that came by mail."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from pbem.format.errors import RecordError
from pbem.play.checking.game_folder import NoGameError, open_folder
from pbem.records.charter_join_orders import Charter
from pbem.records.joining import slug
from pbem.records.read_record import Record
from pbem.storage.errors import AwayError, FileError, StorageError
from pbem.storage.folder import Folder, SharedFolder, as_folder
from pbem.storage.private.home import Home
from pbem.storage.store.address import Place

_DEVICES: Final = frozenset(
    ["aux", "con", "nul", "prn", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))]
)


class Places:
    """Where to look for a game: `named` (by -C), else `here`, else the remembered folder."""

    def __init__(self, home: Home, here: Path, named: Place | None = None) -> None:
        named = named.absolute() if isinstance(named, Path) else named
        self.home, self.here, self.named = home, here.absolute(), named

    def find(self, game: bytes, charter: Record[Charter] | None) -> Place | None:
        """Find the game's folder.

        If there is none, the answer is a path for a new folder if the charter came too, else None.
        Raises RecordError `place` if -C names something else, `parent` if the game is no longer in
        its folder; also StorageError.
        """
        if self.named:
            return self._named(self.named, game, charter)
        if game_in(self.here) == game:
            return self.here
        place = self.home.game(game.hex()).place
        if place is None:
            return self._new(game, charter) if charter else None
        if game_in(self.home.folder(place)) == game:
            return place
        told = f"belongs to the game that was in {place}, where pbem cannot read a game now"
        step = "go to its folder, or give its path with -C (a new folder, if the old one is lost)"
        raise RecordError("parent", f"{told}: {step}")

    def _named(self, path: Place, game: bytes, charter: Record[Charter] | None) -> Place | None:
        folder = self.home.folder(path)
        there = game_in(folder)
        if there == game or (not there and not charter):
            return path if there else None
        if there or folder.scan().state == "foreign":
            what = "another game" if there else "other files"
            raise RecordError(
                "place", f"belongs to game {game.hex()[:6]}, but {path} contains {what}"
            )
        return path

    def _new(self, game: bytes, charter: Record[Charter]) -> Path:
        base = self.here
        while os.path.lexists(base / "game.toml") and base != base.parent:
            base = base.parent  # game folders are never inside each other
        name = slug(charter.content.title)
        name += "-game" if name in _DEVICES else ""
        for number in range(1, 1000):
            path = base / (name if number == 1 else f"{name}-{number}")
            if not os.path.lexists(path) or game_in(path) == game or _half_made(path):
                self.home.stay_outside(path)
                return path
        raise StorageError(
            base / name,
            "is taken, and so are the next thousand names like it; give a folder with -C",
        )


def _half_made(path: Path) -> bool:
    """Return whether a folder is empty, or contains only what an interrupted `receive` leaves."""
    if path.is_symlink() or not path.is_dir():
        return False
    return Folder(path).scan().state == "empty"


def game_in(folder: SharedFolder | Path) -> bytes:
    """Return the id of the game in a folder; empty if no game can be read there.

    Raises AwayError if the folder is in a store that cannot be reached now.
    """
    try:
        return open_folder(as_folder(folder)).game
    except AwayError:
        raise
    except (NoGameError, FileError, StorageError):
        return b""
