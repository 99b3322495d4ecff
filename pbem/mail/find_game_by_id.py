"""Find a game's folder by the game's id, never by a name that came by mail."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Final

from pbem.files.file_errors import StorageError
from pbem.files.game_folder import Folder
from pbem.files.game_folder_places import DiskPlace, Place
from pbem.files.home import Home
from pbem.format.record_error import RecordError
from pbem.judge.records_of_game_folder import read_game_id
from pbem.mail.record_filing import LocalFault
from pbem.records.charter import Charter
from pbem.records.invite import slug
from pbem.records.read_and_sign_record import Record
from pbem.text.dates import DAY
from pbem.text.terminal_and_page_wording import to_type

_DEVICES: Final = frozenset(
    ["aux", "con", "nul", "prn", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))]
)


class Places:
    """The places to look for a game: `named_place` (by -C), else `start_folder`, else the folder
    that the home remembers.

    `max_new_games` limits how many new games are accepted in a day below `start_folder`, because
    anybody can send them: None is no limit, with 0 no new game comes at all.
    """

    def __init__(
        self,
        home: Home,
        start_folder: Path,
        named_place: Place | None = None,
        max_new_games: int | None = None,
    ) -> None:
        """See the class. With `max_new_games` 0, nothing is kept for games that are not here."""
        self.home, self.start_folder, self.named_place = home, start_folder.absolute(), named_place
        self.max_new_games = max_new_games

    def find(self, game: bytes, charter: Record[Charter] | None) -> Place | None:
        """Find the game's folder.

        If there is none, the answer is a path for a new folder if the charter came too, else None.
        Raises RecordError `place` if -C names something else, `parent` if the game is no longer in
        its folder, `state` for too many new games; also StorageError.
        """
        if self.named_place:
            folder = self.home.folder(self.named_place)
            present_game = read_game_id(folder)
            if present_game == game or (not present_game and not charter):
                return self.named_place if present_game else None
            if present_game or folder.scan().state == "foreign":
                contents = "another game" if present_game else "other files"
                raise LocalFault(
                    "place",
                    f"belongs to game {game.hex()[:6]}, but {self.named_place} contains {contents}",
                )
            return self.named_place
        if read_game_id(Folder(self.start_folder)) == game:
            return DiskPlace(self.start_folder)
        place = self.home.game(game.hex()).place
        if not self.may_come(game):
            sentence = f"belongs to game {game.hex()[:6]}, which is not here"
            raise RecordError("state", sentence)
        if place is None:
            return self._new_place(game, charter) if charter else None
        if read_game_id(self.home.folder(place)) == game:
            return place
        raise LocalFault(
            "parent",
            f"belongs to the game that was in {place}, where pbem finds no game now. If you moved "
            "the folder, give its path with -C. If it is lost, give the path of a new folder",
        )

    def may_come(self, game: bytes) -> bool:
        """Return whether a game is here, or may come by mail."""
        return self.max_new_games != 0 or self.home.game(game.hex()).place is not None

    def _new_place(self, game: bytes, charter: Record[Charter]) -> DiskPlace:
        """Return a free folder for a new game, named after its title, and not inside another game's
        folder.

        It is also returned if it is the game's own, or what an interrupted run left of it. Raises
        RecordError `state` for too many new games today, StorageError if a thousand such names are
        taken.
        """
        base = self.start_folder
        while os.path.lexists(base / "game.toml") and base != base.parent:
            base = base.parent  # game folders are never inside each other
        name = slug(charter.content.title)
        name += "-game" if name in _DEVICES else ""
        for number in range(1, 1000):
            path = base / (name if number == 1 else f"{name}-{number}")
            if not os.path.lexists(path) or read_game_id(Folder(path)) == game or _half_made(path):
                self.home.check_outside(DiskPlace(path))
                self._check_new_game_limit(path)
                return DiskPlace(path)
        problem = (
            "is taken, and so are a thousand similar folder names; give another folder with -C"
        )
        raise StorageError(base / name, problem)

    def _check_new_game_limit(self, path: Path) -> None:
        """Raise RecordError `state` if there is no game in this folder yet, and `max_new_games` or
        more games came to the folders beside it within a day, by the dates of their charters."""
        if self.max_new_games is None or (path / "game.toml").exists():
            return
        now = time.time()  # a date far ahead is from a clock that was wrong
        dates = (charter_path.stat().st_mtime for charter_path in path.parent.glob("*/game.toml"))
        if sum(abs(date - now) < DAY for date in dates) >= self.max_new_games:
            sentence = to_type(
                f"pbem run accepts at most {self.max_new_games} new games in a day; to accept one "
                "more, save its email and type: pbem receive FILE"
            )
            raise RecordError("state", sentence)


def _half_made(path: Path) -> bool:
    """Return whether a folder is empty, or contains only what an interrupted `receive` leaves."""
    return path.is_dir() and not path.is_symlink() and Folder(path).scan().state == "empty"
