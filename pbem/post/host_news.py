"""Ask the hosts of games for news, so that `pbem run` hears of a new record soon."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Final

from pbem.errors import PbemError
from pbem.files.folder_addresses import Place
from pbem.files.open_game_folder import open_place

MAX_WATCHED_GAMES: Final = 32
"""The number of games that are waited for at a time; others are looked at in each whole pass."""


class HostNews:
    """Asks the hosts of games for news, each in a thread of its own that ends with the process."""

    def __init__(self) -> None:
        self._has_come = threading.Event()
        self._watched: set[Place] = set()

    def watch(self, places: Iterable[Place | None]) -> None:
        """Wait for news of these games too, if their places can tell."""
        for place in places:
            if place is None or not place.has_news:
                continue
            if place not in self._watched and len(self._watched) < MAX_WATCHED_GAMES:
                self._watched.add(place)
                threading.Thread(target=self._watch_place, args=(place,), daemon=True).start()

    def take_news(self) -> bool:
        """Return whether there was news since the last call, and forget it."""
        has_come = self._has_come.is_set()
        self._has_come.clear()
        return has_come

    def _watch_place(self, place: Place) -> None:
        folder = open_place(place)
        try:
            while True:
                if folder.wait_for_news(folder.pause):
                    self._has_come.set()
        except PbemError:  # the next whole pass gets the same error and reports it
            self._watched.discard(place)
