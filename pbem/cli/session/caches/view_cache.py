"""Keep views from one command to the next, as long as no file changes (interface).

A file has changed if its size, time or inode has. `submit`, `advance` and `audit` never use the
cache. Deleting the cache only costs time.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.play.view import View
    from pbem.storage.folder import Listing, SharedFolder
    from pbem.storage.private.home import Home
    from pbem.storage.read_file import Mark

PURPOSE = "view-4"


class ViewCache:
    """The saved views of the game in a folder; they stay valid until the folder changes."""

    def __init__(self, home: Home, folder: SharedFolder, listing: Listing) -> None:
        self.home, self.folder, self.listing = home, folder, listing

    def keep(self, view: View, seats: Sequence[str], referee: str) -> None:
        """Save a view, with the size, time and inode of all files that it was made from.

        ``seats`` are the seats that you play as a player; ``referee`` is the referee's profile, or
        empty if you are not the referee.
        """
        if view.preview or not self.listing.turns:
            return  # a preview changes with every order that arrives
        last = self.listing.turns[-1]
        cache = self.home.game(self._game()).cache(PURPOSE)
        kept = cache.get(last.path, last.mark)
        if not self._fits(kept):
            kept = {"marks": self._marks(), "who": self.home.profiles(), "views": {}}
        kept["views"][view.seat] = view.plain()
        kept["seats"] = list(seats)
        kept["referee"] = referee
        cache.put(last.path, last.mark, kept)
        cache.save([last.path])

    def view(self, wish: str) -> View | None:
        """Return the saved view of the seat that was asked for; None if anything has changed
        since."""
        game = self._game()
        if not game or not self.listing.turns:
            return None
        last = self.listing.turns[-1]
        kept = self.home.game(game).cache(PURPOSE).get(last.path, last.mark)
        return _restored(kept, wish) if self._fits(kept) else None

    def _fits(self, kept: Any) -> bool:
        now = self._marks(), self.home.profiles()
        return bool(kept) and (kept.get("marks"), kept.get("who")) == now

    def _marks(self) -> dict[str, list[int]]:
        listing = self.listing
        found = [*([listing.charter] if listing.charter else []), *listing.joins, *listing.turns]
        return {one.path: _numbers(one.mark) for one in found}

    def _game(self) -> str:
        """Return the game's id, computed from the charter's bytes; no signature is checked."""
        if self.listing.charter is None:
            return ""
        data = self.folder.read(self.listing.charter)
        cut = data.find(b"\n#") + 1
        from pbem.records.chain import game_id

        return game_id(data[:cut]).hex() if cut else hashlib.sha256(b"").hexdigest()


def _restored(kept: dict[str, Any], wish: str) -> View | None:
    from pbem.play.view import restored

    seats = kept.get("seats", [])
    if kept.get("referee") and not seats:
        # views of seats that the referee plays are not saved: they may change without a new turn
        return None
    seat = wish or (seats[0] if len(seats) == 1 else "")
    if (wish and wish not in seats) or (len(seats) > 1 and not wish):
        return None
    plain = kept.get("views", {}).get(seat)
    return restored(plain) if plain else None


def _numbers(mark: Mark) -> list[int]:
    return [mark.size, mark.mtime_ns, mark.inode]
