"""The cached views of a game, and the cached states of its readers and of the turn maker.

A command saves these snapshots in the home for the next one. They only save time. A snapshot counts
only if all files from which it was made still have the same size, times and inode. Deleting one is
always safe. They are filed by the place of the game, so that a view is found before a file of the
game is read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar

from engine import Illegal, Misfit
from pbem.files.caches_in_home import Cache
from pbem.files.disk import Mark
from pbem.files.file_errors import StorageError
from pbem.format.record_error import RecordError
from pbem.judge.game_view import View, view_from_data
from pbem.judge.records_of_game_folder import are_unchanged, files_of
from pbem.person.user_game import UserGame
from pbem.records.press_message import REFEREE

if TYPE_CHECKING:
    from pbem.judge.public_turn_reader import PublicReader
    from pbem.judge.referee_secrets import RefereeSecrets
    from pbem.judge.turn_maker import Progress

AnyReader = TypeVar("AnyReader", bound="PublicReader")

VIEW_PURPOSE: Final = "view-9"
CHECKPOINT_PURPOSE: Final = "checkpoint-6"
SPECTATOR_VIEWPOINT: Final = "table"


class Snapshots:
    """The snapshots of the game in a folder, as the folder was when it was listed last.

    One file has the views of the last turn, and one the checkpoint of each viewpoint: a seat,
    `table` or `referee`. A checkpoint has the key of its viewpoint too.
    """

    def __init__(self, game: UserGame) -> None:
        self.game = game
        self._folder = game.home.snapshots(game.place)

    # -------------------------------------------------------------- views
    # `submit`, `advance` and `audit` never use them.
    def keep_view(self, view: View) -> None:
        """Save a view that was made from the folder."""
        if view.preview or not self.game.names.turns or self.game.names.charter is None:
            return  # a preview changes with every order that arrives
        roles = self.game.roles
        views = (self._load_views() or {"views": {}})["views"] | {view.seat: view.to_data()}
        seats = sorted(set(roles.seats) - roles.referee_seats)
        state = {"views": views, "seats": seats, "referee": roles.referee}
        self._save(VIEW_PURPOSE, self.game.home.profiles(), self._view_files(), state)

    def view(self) -> View | None:
        """Return the saved view of the seat that you mean; None if anything has changed since."""
        state, seat = self._load_views(), self.game.requested_seat
        if state is None:
            return None
        seats = state["seats"]
        # views of seats that the referee plays are not saved: they may change without a new turn
        if (state["referee"] and not seats) or (seat not in seats if seat else len(seats) > 1):
            return None
        view_data = state["views"].get(seat or next(iter(seats), ""))
        return view_from_data(view_data) if view_data else None

    def _load_views(self) -> dict[str, Any] | None:
        """Return the views of the last turn by seat, your seats, and whether you are the
        referee."""
        return self._load(VIEW_PURPOSE, self.game.home.profiles(), self._view_files())

    def _view_files(self) -> dict[str, Mark]:
        names = self.game.names
        files = [*([names.charter] if names.charter else []), *names.joins, *names.turns]
        return {file.path: file.mark for file in files}

    # -------------------------------------------------------------- readers
    # The key and the version of pbem must be the same too. Otherwise the checkpoint is thrown away,
    # and the game is read from its start. `audit` and `doctor` never use one: they hash every file
    # again.
    def resume_reader(
        self, viewpoint: str, key: bytes, make_reader: Callable[[], AnyReader]
    ) -> AnyReader | None:
        """Return a reader that continues from its checkpoint; None if no checkpoint fits.

        `viewpoint` is a seat or `table`. `make_reader` makes a reader that has read nothing; `key`
        is the seat's public key, or empty.
        """
        from pbem.judge.reader_and_maker_checkpoints import resume_reader

        state = self._load(_checkpoint_of(viewpoint), [key.hex()])
        if state is None:
            return None
        game_folder = self.game.game_folder
        reader = make_reader()
        try:
            turn_count = len(state["chain"]["times"])
            last_turn = game_folder.turn(game_folder.listing.turns[turn_count - 1])
            finder = game_folder.finder()  # the reader checks whose orders they are
            return resume_reader(reader, state, last_turn.content, finder)
        except (*_MISFIT_ERRORS, Illegal, Misfit):
            return None

    def keep_reader(self, viewpoint: str, key: bytes, reader: PublicReader) -> None:
        """Save a checkpoint of this reader, which must have absorbed only turns from the folder."""
        from pbem.judge.reader_and_maker_checkpoints import checkpoint_of

        if reader.chain.turn and not reader.lapsed_orders.seats:
            files, state = files_of(reader.chain, self.game.names), checkpoint_of(reader)
            self._save(_checkpoint_of(viewpoint), [key.hex()], files, state)

    # -------------------------------------------------------------- the turn maker
    def resume_progress(self, key: bytes, secrets: RefereeSecrets) -> Progress | None:
        """Return the turn maker as the last `advance` left it; None if no checkpoint fits."""
        from pbem.judge.reader_and_maker_checkpoints import resume_progress

        state = self._load(_checkpoint_of(REFEREE), [key.hex()])
        try:
            return resume_progress(self.game.game_folder, secrets, state) if state else None
        except (*_MISFIT_ERRORS, Illegal, Misfit):
            return None

    def keep_progress(self, key: bytes, progress: Progress) -> None:
        """Save a checkpoint of the turn maker, whose last turn must be in the folder."""
        from pbem.judge.reader_and_maker_checkpoints import checkpoint_of_maker

        maker = progress.maker
        if maker.lapsed_orders.seats:
            return
        files, state = files_of(maker.chain, self.game.names), checkpoint_of_maker(maker)
        self._save(_checkpoint_of(REFEREE), [key.hex()], files, state)

    # -------------------------------------------------------------- files
    def _load(
        self, purpose: str, made_for: list[str], files: Mapping[str, Mark] | None = None
    ) -> dict[str, Any] | None:
        """Return the state that was saved for these profiles or this key; None if one of its files
        has changed since. With `files`, the state must come from exactly these files."""
        entry = Cache(self._folder / purpose, purpose).load()
        if entry is None or entry["made_for"] != made_for:
            return None
        if files is not None and entry["files"].keys() != files.keys():
            return None
        state: dict[str, Any] = entry["state"]
        return state if are_unchanged(entry["files"], self.game.names) else None

    def _save(
        self, purpose: str, made_for: list[str], files: Mapping[str, Mark], state: dict[str, Any]
    ) -> None:
        entry = {"made_for": made_for, "files": files, "state": state}
        Cache(self._folder / purpose, purpose).save(entry)


def _checkpoint_of(viewpoint: str) -> str:
    return f"{CHECKPOINT_PURPOSE}-{viewpoint}"


_MISFIT_ERRORS = (
    RecordError, StorageError, KeyError, TypeError, ValueError, IndexError, AttributeError
)  # fmt: skip
