"""Whether what was cached about a game (a line of the list, a round, a page) is still right."""

from __future__ import annotations

from typing import NamedTuple

from pbem.files.disk import folder_fingerprint
from pbem.files.game_folder_places import Place
from pbem.files.home import Home
from pbem.text.clock import now

Stamp = list[str]
"""A list of texts of which one changes whenever a file changes."""


class Freshness(NamedTuple):
    """The files' stamp and the time when something was made, and the moments at which the clock
    alone makes it wrong."""

    stamp: Stamp
    made_at: int
    moments: list[int]
    """Seconds since 1970; 0 is no moment."""

    def is_valid(self, stamp: Stamp) -> bool:
        """Return whether the stamp is the same, no moment has come since, and the clock was not set
        back."""
        return self.stamp == stamp and self.made_at <= now() and not self.has_moment_come

    @property
    def has_moment_come(self) -> bool:
        """Whether one of the moments has come since it was made."""
        return any(self.made_at < moment <= now() for moment in self.moments)


def stamp_of_keys(home: Home) -> str:
    """Return a text that changes whenever a key in the home changes."""
    return folder_fingerprint(home.root / "profiles")


def stamp_of_game(home: Home, game_id: str, place: Place, folder_stamp: str = "") -> Stamp:
    """Return the stamp of a game: of its data in the home, and of its folder. `folder_stamp` is the
    folder's fingerprint, if it is known. Raises StorageError."""
    home_stamp = folder_fingerprint(home.game(game_id).root, skip={"cache"})
    return [home_stamp, folder_stamp or home.folder(place).fingerprint(), str(place)]
