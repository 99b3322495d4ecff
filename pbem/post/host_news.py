"""Waits for news of games on hosts, so that `pbem run` need not ask again and again."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Final

from pbem.errors import PbemError
from pbem.files.folder import HOSTS, Place, StoreAddress
from pbem.files.host_folder import HostFolder

MOST: Final = 32
"""How many games are waited for at a time; others are looked at in each whole pass."""


class HostNews:
    """Asks the hosts of games for news, each in a thread of its own that ends with the process."""

    def __init__(self) -> None:
        self._came = threading.Event()
        self._watched: set[StoreAddress] = set()

    def watch(self, places: Iterable[Place | None]) -> None:
        """Wait for news of these games too, as far as they are on a host."""
        for place in places:
            if not isinstance(place, StoreAddress) or place.scheme not in HOSTS:
                continue
            if place not in self._watched and len(self._watched) < MOST:
                self._watched.add(place)
                threading.Thread(target=self._wait_for, args=(place,), daemon=True).start()

    def came(self) -> bool:
        """Return whether there was news since the last call."""
        came = self._came.is_set()
        self._came.clear()
        return came

    def _wait_for(self, place: StoreAddress) -> None:
        folder = HostFolder(place)
        try:
            while True:
                if folder.wait(folder.pause):
                    self._came.set()
        except PbemError:  # the next whole pass gets the same error and reports it
            self._watched.discard(place)
