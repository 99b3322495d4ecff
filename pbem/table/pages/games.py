"""The first page: all your games, those that wait for you first; and keys with passphrases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse

from pbem.format.errors import RecordError
from pbem.play.checking.game_folder import NoGameError
from pbem.storage.errors import StorageError
from pbem.table.errors import said, shortened
from pbem.table.open_games import SHORT
from pbem.table.render import page
from pbem.table.requests import games_of, words_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from pbem.table.open_games import OpenGames


async def show(request: Request) -> Response:
    """Show the list of games."""
    from pbem.cli.status.list import games_of as listed_games

    games = games_of(request)
    problem = _meet(request, games)
    found = [_row(one) for one in listed_games(games.keyring)]
    waiting = [one for one in found if one["asked"] or one["ready"]]
    others = [one for one in found if one not in waiting]
    return page(request, "games.html", waiting=waiting, others=others, problem=problem)


def _meet(request: Request, games: OpenGames) -> str:
    """Add the game in the folder where `pbem table` was started to the list.

    Returns the reason if that game cannot be read; then the next request tries again.
    """
    folder = request.app.state.first
    if folder is None:
        return ""
    session = games.session(folder)
    try:
        session.mine.remember_place(session.place)
    except (RecordError, StorageError, NoGameError) as error:
        return said(error)[0]
    request.app.state.first = None
    return ""


def _row(one: dict[str, Any]) -> dict[str, Any]:
    """Return a row of the list: the game's name, address and state, without commands to type."""
    from pbem.cli.status.list import TO_TYPE

    state = shortened(str(one["state"]))
    words = [part for part in state.split("; ") if not part.startswith(TO_TYPE)]
    title = "a game that cannot be read" if one["title"] == "?" else one["title"]
    return one | {"title": title, "name": one["game"][:SHORT], "words": words}


async def unlock(request: Request) -> Response:
    """Accept the passphrase of a key, and keep it in memory until `pbem table` ends."""
    typed = await words_of(request)
    games = games_of(request)
    profile = str(typed.get("profile", ""))
    try:
        if profile not in games.home.profiles():
            return JSONResponse({"ok": False, "told": "there is no such key"}, 409)
        games.passphrases.learn(profile, str(typed.get("passphrase", "")).encode())
    except RecordError as error:
        return JSONResponse({"ok": False, "told": error.sentence}, 409)
    games.forget()
    return JSONResponse({"ok": True})
