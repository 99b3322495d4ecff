"""Views kept between commands, for files whose size, time and inode are unchanged (interface).

`submit`, `advance` and `audit` never ask here. Deleting the cache costs time, nothing else.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from pbem.storage.reading import Mark

if TYPE_CHECKING:
    from pbem.cli.session import Session
    from pbem.play.view import View

PURPOSE = "view-1"


def keep_view(session: Session, view: View) -> None:
    """Keep a view, with the marks of all files that it was made from."""
    if view.preview:
        return  # it changes with every order that comes
    last = session.listing.turns[-1] if session.listing.turns else None
    if last is None:
        return
    cache = session.mine.cache(PURPOSE)
    who = sorted(session.publics)
    marks = _marks(session)
    kept = cache.get(last.path, last.mark) or {}
    if kept.get("marks") != marks or kept.get("who") != who:
        kept = {"marks": marks, "who": who, "views": {}, "seat": {}}
    kept["views"][view.seat] = view.plain()
    kept["seats"] = sorted(s for s in session.roles.seats if s not in session.roles.held)
    kept["referee"] = session.roles.referee
    cache.put(last.path, last.mark, kept)
    cache.save([last.path])


def kept_view(session: Session) -> View | None:
    """The view of whoever runs this, if one was kept and nothing has changed since."""
    listing = session.listing
    game = _game(session)
    if not game or not listing.turns:
        return None
    last = listing.turns[-1]
    kept = session.home.game(game).cache(PURPOSE).get(last.path, last.mark)
    if (
        not kept
        or kept.get("marks") != _marks(session)
        or kept.get("who") != session.home.profiles()
    ):
        return None
    return _restored(session, kept)


def _restored(session: Session, kept: dict[str, Any]) -> View | None:
    from pbem.play.view import restored

    wish, seats = session.wish, kept.get("seats", [])
    if kept.get("referee") and not seats:
        return None  # held seats are not kept: what they see may change without a new turn
    seat = wish or (seats[0] if len(seats) == 1 else "")
    if (wish and wish not in seats) or (len(seats) > 1 and not wish):
        return None
    plain = kept.get("views", {}).get(seat)
    return restored(plain) if plain else None


def _marks(session: Session) -> dict[str, tuple[int, int, int]]:
    listing = session.listing
    found = [*([listing.charter] if listing.charter else []), *listing.joins, *listing.turns]
    return {one.path: _numbers(one.mark) for one in found}


def _numbers(mark: Mark) -> tuple[int, int, int]:
    return mark.size, mark.mtime_ns, mark.inode


def _game(session: Session) -> str:
    """The id of the game in the folder, from the charter's bytes; no signature is checked here."""
    if session.listing.charter is None:
        return ""
    data = session.folder.read(session.listing.charter)
    cut = data.find(b"\n#") + 1
    from pbem.records.chain import game_id

    return game_id(data[:cut]).hex() if cut else hashlib.sha256(b"").hexdigest()
