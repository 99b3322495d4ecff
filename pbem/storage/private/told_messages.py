"""Remember in the home which messages a person was shown, so that pbem knows which are new, and
which were here while the keys that signed them counted."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
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
            lists[who] = {*sorted(after)[-MOST:]}
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
    except (StorageError, RecordError, ValueError):
        return {}
    lists = {who: some for who, some in read.items() if isinstance(some, list)}
    return {who: {x for x in some if isinstance(x, str)} for who, some in lists.items()}
