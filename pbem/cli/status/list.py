"""`list`: all your games, and which of them wait for you."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.cli.options import JsonOption
from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from pbem.cli.status.list_cache import ListCache
    from pbem.storage.private.home import Home

UNREAD = "?"
"""The title of a game whose charter was not read."""


def list_games(json: JsonOption = False) -> None:
    """List all your games, where they are, and which of them wait for you."""
    from pbem.cli.status.list_cache import ListCache
    from pbem.screen.terminal import print_folded
    from pbem.storage.private.home import Home

    home = Home.find()
    cache = ListCache(home)
    found = [_game(home, ident, cache) for ident in home.games()]
    found.sort(key=lambda one: (not one["asked"], not one["ready"], one["title"], one["game"]))
    if json:
        from pbem.cli.json_output import print_data

        print_data("list", found)
        return
    for one in found:
        mine = "YOUR MOVE; " if one["asked"] else "ADVANCE NOW; " if one["ready"] else ""
        title = "" if one["title"] == UNREAD else f" {clean(one['title'])}"
        print_folded(f"{one['game'][:6]}{title}: {mine}{clean(one['state'])}", 7)
        if one["folder"]:
            print(f"       {one['folder']}")
    if not found:
        print("no games yet; next: pbem new, or pbem join with an invite")


def _game(home: Home, ident: str, cache: ListCache) -> dict[str, Any]:
    place = home.game(ident).place
    folder = str(place or "")
    one: dict[str, Any] = {"game": ident, "title": UNREAD, "folder": folder}
    one |= {"asked": False, "ready": False, "deadline": 0}
    if place is None or not place.exists():
        return one | {
            "state": "its folder is no longer there; if you moved it, run any command in it once"
        }
    return cache.line(ident, place, lambda: one | _state(place, home, ident))


def _state(place: Path, home: Home, ident: str) -> dict[str, Any]:
    from pbem.cli.failure import CliError
    from pbem.cli.session.session import Session
    from pbem.cli.status.before_turn_one import BeforeTurnOne
    from pbem.cli.status.game_status import read_status
    from pbem.format.errors import RecordError
    from pbem.play.checking.game_folder import NoGameError
    from pbem.storage.errors import StorageError

    title = UNREAD
    try:
        session = Session(place, home=home)
        title = session.game_folder.charter.content.title
        if session.game_folder.game.hex() != ident:
            return {"title": UNREAD, "state": "its folder contains a different game now"}
        status = read_status(session)
        next_ = f"next: {status.next}"
    except (RecordError, StorageError, NoGameError, CliError) as error:
        return {"title": title, "state": f"cannot be read: {_why(error)}"}
    ready = bool(session.roles.referee) and status.readiness.ready
    if session.roles.referee and not ready and next_.endswith("pbem advance"):
        next_ = status.readiness.waits()
    if isinstance(status, BeforeTurnOne):
        return {"title": title, "ready": ready, "state": f"not begun; {next_}"}
    view = status.view
    asked = view.seat in view.awaited and view.seat not in status.sealed
    where = "over" if view.over else f"turn {view.turn}"
    until = 0 if view.over or not view.awaited else view.deadline
    state = f"{view.ruleset}, {where}{_until(until)}; {next_}"
    return {"title": title, "asked": asked, "ready": ready, "deadline": until, "state": state}


def _until(deadline: int) -> str:
    """The deadline, and whether it has passed."""
    from pbem.cli.clock import now
    from pbem.text.dates import date

    if not deadline:
        return ""
    return f", deadline {date(deadline)}" + (" (over)" if deadline <= now() else "")


def _why(error: Exception) -> str:
    """The error's sentence, with the file if it is known."""
    path = getattr(error, "path", "")
    return (f"{path}: " if path else "") + getattr(error, "sentence", str(error))
