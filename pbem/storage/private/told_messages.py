"""Remember in the home which messages a person was shown, so that pbem knows which are new."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from pbem.format.canonical import emit
from pbem.format.errors import RecordError
from pbem.format.record_size import MAX_BYTES
from pbem.storage.atomic_write import replace
from pbem.storage.errors import StorageError
from pbem.storage.read_file import read_file
from pbem.text.handwritten_toml import decoded

MOST: Final = 5_000
"""How many paths are remembered for each seat or viewpoint that a person has in a game."""


class ToldMessages:
    """The paths of the messages that were shown, for each seat or for `table`."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def of(self, who: str) -> set[str]:
        """Return the paths of the messages that were shown to this seat, or at the table.

        If the file is lost or damaged, every message counts as new again.
        """
        paths = self._read().get(who)
        return {x for x in paths if isinstance(x, str)} if isinstance(paths, list) else set()

    def add(self, who: str, paths: Iterable[str]) -> None:
        """Note that these messages were shown. Raises StorageError."""
        before = self.of(who)
        after = before | set(paths)
        if after != before:
            replace(self.path, emit(self._read() | {who: sorted(after)[-MOST:]}))

    def _read(self) -> dict[str, Any]:
        try:
            return decoded(read_file(self.path), MAX_BYTES)
        except (StorageError, RecordError, ValueError):
            return {}
