"""Keep checkpoints of readers and of the turn maker in the home, from one command to the next.

A checkpoint counts only if all files from which it was made still have the same size, times and
inode, and if the key, the folder and the version of pbem are the same. Otherwise it is thrown away,
and the game is read from its start. `audit` and `doctor` never use it: they hash every file again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from pbem.format.errors import RecordError
from pbem.storage.errors import StorageError

if TYPE_CHECKING:
    from pbem.cli.session.game_here import GameHere
    from pbem.play.checking.table_reader import TableReader
    from pbem.play.deputy.referee_secrets import RefereeSecrets
    from pbem.play.making.progress import Progress

AnyReader = TypeVar("AnyReader", bound="TableReader")
PURPOSE = "checkpoint-1"
REFEREE = "referee"
SPECTATOR = "table"


class CheckpointStore:
    """The checkpoints of one game, one for each viewpoint: a seat, `table` or `referee`."""

    def __init__(self, here: GameHere) -> None:
        self.here = here

    # -------------------------------------------------------------- readers
    def resume_reader(self, who: str, key: bytes, new: Callable[[], AnyReader]) -> AnyReader | None:
        """Return a reader that continues from its checkpoint; None if no checkpoint fits.

        `new` makes a reader that has read nothing; `key` is the seat's public key, or empty.
        """
        from engine import Illegal, Misfit
        from pbem.play.checkpoints.reader_checkpoint import resume

        state = self._load(who, key)
        if state is None:
            return None
        game_folder = self.here.game_folder
        reader = new()
        # the reader checks whose orders they are
        find = game_folder.find_orders(lambda _kind, _key: True)
        try:
            return resume(reader, state, find, game_folder.joins(), game_folder.find_notice)
        except (*_NO_FIT, Illegal, Misfit):
            return None

    def keep_reader(self, who: str, key: bytes, reader: TableReader) -> None:
        """Save a checkpoint of this reader, which must have absorbed only turns from the folder."""
        from pbem.play.checkpoints.reader_checkpoint import checkpoint_of

        if reader.turn:
            self._save(who, key, checkpoint_of(reader), reader.turn, reader.listed)

    # -------------------------------------------------------------- the turn maker
    def resume_progress(self, key: bytes, secrets: RefereeSecrets) -> Progress | None:
        """Return the turn maker as the last `advance` left it; None if no checkpoint fits."""
        from engine import Illegal, Misfit
        from pbem.play.checkpoints.maker_checkpoint import resume_progress

        state = self._load(REFEREE, key)
        try:
            return resume_progress(self.here.game_folder, secrets, state) if state else None
        except (*_NO_FIT, Illegal, Misfit):
            return None

    def keep_progress(self, key: bytes, progress: Progress) -> None:
        """Save a checkpoint of the turn maker, whose last turn must be in the folder."""
        from pbem.play.checkpoints.maker_checkpoint import checkpoint_of_progress

        turn = progress.maker.turn
        self._save(REFEREE, key, checkpoint_of_progress(progress), turn, progress.listed)

    # -------------------------------------------------------------- files
    def _load(self, who: str, key: bytes) -> dict[str, Any] | None:
        charter = self.here.names.charter
        if charter is None or not self.here.names.turns:
            return None
        kept = self._cache(who).get(charter.path, charter.mark)
        if not isinstance(kept, dict) or kept.get("made_for") != self._made_for(key):
            return None
        marks = self.here.names.marks
        same = all(marks.get(path) == tuple(mark) for path, mark in kept["files"].items())
        state: dict[str, Any] = kept["state"]
        return state if same else None

    def _save(
        self, who: str, key: bytes, state: dict[str, Any], turn: int, listed: Iterable[bytes]
    ) -> None:
        charter = self.here.names.charter
        if charter is None:
            return
        cache = self._cache(who)
        files = self._files(turn, {ident.hex()[:6] for ident in listed})
        kept = {"made_for": self._made_for(key), "files": files, "state": state}
        cache.put(charter.path, charter.mark, kept)
        cache.save()

    def _files(self, turn: int, digits: set[str]) -> dict[str, list[int]]:
        """Return the size, times and inode of each file that was read: charter, joins, turns,
        listed orders."""
        names = self.here.names
        found = [*([names.charter] if names.charter else []), *names.joins]
        found += [one for one in names.turns if one.name.turn <= turn]
        found += [one for one in names.orders if one.name.digits in digits]
        found += [one for one in names.notices if one.name.digits in digits]
        return {one.path: list(one.mark) for one in found}

    def _made_for(self, key: bytes) -> list[str]:
        return [key.hex(), str(self.here.folder.place)]

    def _cache(self, who: str) -> Any:
        return self.here.mine.cache(f"{PURPOSE}-{who}")


_NO_FIT = (RecordError, StorageError, KeyError, TypeError, ValueError, IndexError, AttributeError)
