"""Snapshots in the home, from one command to the next: views, and what readers and the turn maker
know.

They only save time. A snapshot counts only if all files from which it was made still have the same
size, times and inode. Deleting one is always safe.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

from engine import Illegal, Misfit
from pbem.files.disk import StorageError
from pbem.format.canonical import RecordError
from pbem.judge.archive import are_unchanged, files_of
from pbem.judge.view import View, view_from_data
from pbem.person.user_game import UserGame
from pbem.records.press import REFEREE

if TYPE_CHECKING:
    from pbem.judge.chain import Chain
    from pbem.judge.deputy import RefereeSecrets
    from pbem.judge.table_reader import TableReader
    from pbem.judge.turn_maker import Progress

AnyReader = TypeVar("AnyReader", bound="TableReader")

# ---- Views; `submit`, `advance` and `audit` never use them

VIEW_PURPOSE: Final = "view-9"
GAME_IDS_PURPOSE: Final = "ids-1"
"""The purpose of the cache of the games' ids, by the paths of their charters."""


class ViewCache:
    """The saved views of the game in a folder; they stay valid until the folder changes."""

    def __init__(self, game: UserGame) -> None:
        self.game, self.names = game, game.names
        charter = game.names.charter
        self._charter_path = f"{game.place}/{charter.path}" if charter else ""

    def keep(self, view: View) -> None:
        """Save a view, with the size, times and inode of all files that it was made from."""
        game, charter = self.game, self.names.charter
        if view.preview or not self.names.turns or charter is None:
            return  # a preview changes with every order that arrives
        last_turn = self.names.turns[-1]
        cache = game.home.game(view.game).cache(VIEW_PURPOSE)
        entry = cache.get(last_turn.path, last_turn.mark)
        if not entry or not self._fits(entry):
            entry = {**self._sources(), "views": {}}
        entry["views"][view.seat] = view.to_data()
        entry["seats"] = sorted(set(game.roles.seats) - game.roles.held_seats)
        entry["referee"] = game.roles.referee
        cache.store(last_turn.path, last_turn.mark, entry)
        cache.save([last_turn.path])
        # the game's id too: to compute it takes longer than to read the view
        game_ids = game.home.cache(GAME_IDS_PURPOSE)
        game_ids.store(self._charter_path, charter.mark, view.game)
        game_ids.save()

    def view(self) -> View | None:
        """Return the saved view of the seat that you mean; None if anything has changed since."""
        home, charter, seat = self.game.home, self.names.charter, self.game.requested_seat
        game_id = charter and home.cache(GAME_IDS_PURPOSE).get(self._charter_path, charter.mark)
        if not game_id or not self.names.turns:
            return None
        last_turn = self.names.turns[-1]
        entry = home.game(game_id).cache(VIEW_PURPOSE).get(last_turn.path, last_turn.mark)
        if not entry or not self._fits(entry):
            return None
        seats = entry.get("seats", [])
        # views of seats that the referee plays are not saved: they may change without a new turn
        if (entry.get("referee") and not seats) or (seat not in seats if seat else len(seats) > 1):
            return None
        view_data = entry.get("views", {}).get(seat or next(iter(seats), ""))
        return view_from_data(view_data) if view_data else None

    def _fits(self, entry: dict[str, Any]) -> bool:
        sources = self._sources()
        return {name: entry.get(name) for name in sources} == sources

    def _sources(self) -> dict[str, Any]:
        names = self.names
        files = [*([names.charter] if names.charter else []), *names.joins, *names.turns]
        marks = {file.path: list(file.mark) for file in files}
        return {"marks": marks, "who": self.game.home.profiles(), "place": str(self.game.place)}


# ---- Checkpoints of readers and of the turn maker
#
# The key, the folder and the version of pbem must be the same too. Otherwise the checkpoint is
# thrown away, and the game is read from its start. `audit` and `doctor` never use one: they hash
# every file again.

CHECKPOINT_PURPOSE: Final = "checkpoint-6"
SPECTATOR_VIEWPOINT: Final = "table"


class CheckpointStore:
    """The checkpoints of one game, one for each viewpoint: a seat, `table` or `referee`."""

    def __init__(self, game: UserGame) -> None:
        self.game = game

    # -------------------------------------------------------------- readers
    def resume_reader(
        self, viewpoint: str, key: bytes, make_reader: Callable[[], AnyReader]
    ) -> AnyReader | None:
        """Return a reader that continues from its checkpoint; None if no checkpoint fits.

        `make_reader` makes a reader that has read nothing; `key` is the seat's public key, or
        empty.
        """
        from pbem.judge.checkpoints import resume

        state = self._load(viewpoint, key)
        if state is None:
            return None
        game_folder = self.game.game_folder
        reader = make_reader()
        try:
            turn_count = len(state["chain"]["times"])
            last_turn = game_folder.turn(game_folder.listing.turns[turn_count - 1])
            finder = game_folder.finder()  # the reader checks whose orders they are
            return resume(reader, state, last_turn.content, finder)
        except (*_MISFIT_ERRORS, Illegal, Misfit):
            return None

    def keep_reader(self, viewpoint: str, key: bytes, reader: TableReader) -> None:
        """Save a checkpoint of this reader, which must have absorbed only turns from the folder."""
        from pbem.judge.checkpoints import checkpoint_of

        if reader.chain.turn:
            self._save(viewpoint, key, checkpoint_of(reader), reader.chain)

    # -------------------------------------------------------------- the turn maker
    def resume_progress(self, key: bytes, secrets: RefereeSecrets) -> Progress | None:
        """Return the turn maker as the last `advance` left it; None if no checkpoint fits."""
        from pbem.judge.checkpoints import resume_progress

        state = self._load(REFEREE, key)
        try:
            return resume_progress(self.game.game_folder, secrets, state) if state else None
        except (*_MISFIT_ERRORS, Illegal, Misfit):
            return None

    def keep_progress(self, key: bytes, progress: Progress) -> None:
        """Save a checkpoint of the turn maker, whose last turn must be in the folder."""
        from pbem.judge.checkpoints import checkpoint_of_maker

        self._save(REFEREE, key, checkpoint_of_maker(progress.maker), progress.maker.chain)

    # -------------------------------------------------------------- files
    def _load(self, viewpoint: str, key: bytes) -> dict[str, Any] | None:
        charter = self.game.names.charter
        if charter is None or not self.game.names.turns:
            return None
        cache = self.game.game_home.cache(f"{CHECKPOINT_PURPOSE}-{viewpoint}")
        entry = cache.get(charter.path, charter.mark)
        if not isinstance(entry, dict) or entry.get("made_for") != self._identity(key):
            return None
        state: dict[str, Any] = entry["state"]
        return state if are_unchanged(entry["files"], self.game.names) else None

    def _save(self, viewpoint: str, key: bytes, state: dict[str, Any], chain: Chain) -> None:
        charter = self.game.names.charter
        if charter is None:
            return
        cache = self.game.game_home.cache(f"{CHECKPOINT_PURPOSE}-{viewpoint}")
        files = {path: list(mark) for path, mark in files_of(chain, self.game.names).items()}
        entry = {"made_for": self._identity(key), "files": files, "state": state}
        cache.store(charter.path, charter.mark, entry)
        cache.save()

    def _identity(self, key: bytes) -> list[str]:
        return [key.hex(), str(self.game.folder.place)]


_MISFIT_ERRORS = (
    RecordError, StorageError, KeyError, TypeError, ValueError, IndexError, AttributeError
)  # fmt: skip
