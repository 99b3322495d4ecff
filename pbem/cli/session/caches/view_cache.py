"""Keep views from one command to the next, as long as no file changes (interface).

A file has changed if its size, times or inode have. `submit`, `advance` and `audit` never use the
cache. Deleting the cache only costs time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.play.view import View
    from pbem.storage.folder import Found, Listing, SharedFolder
    from pbem.storage.private.home import Home

PURPOSE = "view-5"
IDS = "ids-1"
"""The purpose of the cache of the games' ids, by the paths of their charters."""


class ViewCache:
    """The saved views of the game in a folder; they stay valid until the folder changes."""

    def __init__(self, home: Home, folder: SharedFolder, listing: Listing) -> None:
        self.home, self.folder, self.listing = home, folder, listing

    def keep(self, view: View, seats: Sequence[str], referee: str) -> None:
        """Save a view, with the size, times and inode of all files that it was made from.

        ``seats`` are the seats that you play as a player; ``referee`` is the referee's profile, or
        empty if you are not the referee.
        """
        charter = self.listing.charter
        if view.preview or not self.listing.turns or charter is None:
            return  # a preview changes with every order that arrives
        last = self.listing.turns[-1]
        cache = self.home.game(view.game).cache(PURPOSE)
        kept = cache.get(last.path, last.mark)
        if not self._fits(kept):
            who, place = self.home.profiles(), str(self.folder.place)
            kept = {"marks": self._marks(), "who": who, "place": place, "views": {}}
        kept["views"][view.seat] = view.plain()
        kept["seats"] = list(seats)
        kept["referee"] = referee
        cache.put(last.path, last.mark, kept)
        cache.save([last.path])
        self._keep_game(charter, view.game)

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
        now = self._marks(), self.home.profiles(), str(self.folder.place)
        return bool(kept) and (kept.get("marks"), kept.get("who"), kept.get("place")) == now

    def _marks(self) -> dict[str, list[int]]:
        listing = self.listing
        found = [*([listing.charter] if listing.charter else []), *listing.joins, *listing.turns]
        return {one.path: list(one.mark) for one in found}

    def _game(self) -> str:
        """Return the id of the game, if a view of it was saved; else an empty text.

        The id is saved with the view: to compute it takes longer than to read the view.
        """
        charter = self.listing.charter
        known = charter and self.home.cache(IDS).get(self._path(charter), charter.mark)
        return known or ""

    def _keep_game(self, charter: Found, game: str) -> None:
        cache = self.home.cache(IDS)
        cache.put(self._path(charter), charter.mark, game)
        cache.save()

    def _path(self, charter: Found) -> str:
        return f"{self.folder.place}/{charter.path}"


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
