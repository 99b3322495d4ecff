"""Limit how many games that come by email are accepted a day, because anybody can send them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pbem.format.errors import RecordError
from pbem.mail.find_folder import Places

if TYPE_CHECKING:
    from pbem.records.charter_join_orders import Charter
    from pbem.records.read_record import Record
    from pbem.storage.private.home import Home
    from pbem.storage.store.address import Place

MOST_NEW: Final = 10
"""The most new games that are accepted in a day."""
DAY: Final = 86400


class FewNewGames(Places):
    """Finds a game's folder as `receive` does, but accepts few new games."""

    def __init__(self, home: Home, games: Path) -> None:
        super().__init__(home, games)
        self.games = games

    def find(self, game: bytes, charter: Record[Charter] | None) -> Place | None:
        """Find the game's folder (see Places).

        Raises RecordError `state` for too many new games.
        """
        place = super().find(game, charter)
        new = isinstance(place, Path) and not (place / "game.toml").exists()
        if new and self._new_today() >= MOST_NEW:
            told = f"{MOST_NEW} new games arrived today, the most that pbem run accepts in a day"
            raise RecordError(
                "state", f"{told}; to accept this one, save the email and type: pbem receive FILE"
            )
        return place

    def _new_today(self) -> int:
        now = time.time()  # a date far ahead is from a clock that was wrong
        found = self.games.glob("*/game.toml") if self.games.is_dir() else ()
        return sum(abs(path.stat().st_mtime - now) < DAY for path in found)
