"""Cache the line that `list` prints about each game, as long as nothing has changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from pbem.cli.clock import now
from pbem.storage.errors import StorageError
from pbem.storage.fingerprint import fingerprint
from pbem.storage.private.home import Home
from pbem.storage.read_file import Mark
from pbem.storage.store.address import Place

PURPOSE = "list-3"
DAY: Final = 86_400
THREADS: Final = 8
"""How many stores are asked at the same time."""
_ANY = Mark(0, 0, 0)
Line = dict[str, Any]


class ListCache:
    """The cached lines of all games of a home.

    A line is valid until a file changes in the game's folder, in the home's data of the game, or
    among the keys. It also becomes invalid at the deadline (or when players may no longer change
    their orders), because the game can then go on without a new file. A line that is `passing` is
    not cached.
    """

    def __init__(self, home: Home) -> None:
        self.home = home
        self._keys = fingerprint(home.root / "profiles")
        self._ahead: dict[str, str | StorageError] = {}

    def look_ahead(self, places: Mapping[str, Place]) -> None:
        """Ask the object stores of these games for their lists, several at the same time.

        The answers, and errors, are used when the line of each game is asked for.
        """
        stores = {x: place for x, place in places.items() if not isinstance(place, Path)}
        if len(stores) < 2:
            return
        from concurrent.futures import ThreadPoolExecutor

        from pbem.storage.store.connect import SHARED

        # other connections belong to one thread: they would be made anew for each
        wanted = {ident: place for ident, place in stores.items() if place.scheme in SHARED}
        with ThreadPoolExecutor(THREADS) as pool:
            self._ahead = dict(zip(wanted, pool.map(self._look, wanted.values()), strict=True))

    def _look(self, place: Place) -> str | StorageError:
        try:
            return self.home.folder(place).stamp()
        except StorageError as error:
            return error

    def line(self, ident: str, place: Place, make: Callable[[], Line]) -> Line:
        """Return the line of the game with this id in this folder: the cached one, else a new one.

        Raises StorageError if the folder cannot be read now.
        """
        cache = self.home.game(ident).cache(PURPOSE)
        kept = cache.get("line", _ANY)
        if kept and kept["of"] == self._stamp(ident, place) and _in_time(kept):
            line: Line = kept["line"]
            return line
        made, line = now(), make()
        if line.pop("passing", False):
            return line
        # compute the stamp last, because making a line can write what this machine saw into the
        # home
        kept = {"of": self._stamp(ident, place), "made": made, "line": line}
        cache.put("line", _ANY, kept)
        cache.save()
        return line

    def _stamp(self, ident: str, place: Place) -> list[str]:
        mine = fingerprint(self.home.game(ident).root, skip={"cache"})
        shared = self._ahead.pop(ident, None) or self.home.folder(place).stamp()
        if isinstance(shared, StorageError):
            raise shared
        return [self._keys, mine, shared, str(place)]


def _in_time(kept: dict[str, Any]) -> bool:
    """Return whether no deadline, and not a whole day, has passed since the line was made."""
    made = int(kept["made"])
    moments = [int(kept["line"][name]) for name in ("deadline", "held_until")]
    return made <= now() < made + DAY and not any(made < moment <= now() for moment in moments)
