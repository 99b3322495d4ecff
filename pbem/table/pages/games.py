"""The first page: all your games, those that wait for you first; and keys with passphrases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse

from pbem.table.open_games import SHORT
from pbem.table.render import page
from pbem.table.requests import games_of, words_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from pbem.table.open_games import OpenGames


async def show(request: Request) -> Response:
    """The list of games; before the token is there, the page that brings it."""
    if not request.scope["pbem_entered"]:
        return page("enter.html")
    from pbem.cli.status.list import games_of as listed_games

    games = games_of(request)
    _meet(request, games)
    found = [_row(one) for one in listed_games(games.keyring)]
    waiting = [one for one in found if one["asked"] or one["ready"]]
    others = [one for one in found if one not in waiting]
    return page("games.html", waiting=waiting, others=others)


def _meet(request: Request, games: OpenGames) -> None:
    """Note where the game is that the table was started in, so that the list has it."""
    folder, request.app.state.first = request.app.state.first, None
    if folder is not None:
        session = games.session(folder)
        session.mine.remember_place(session.place)


def _row(one: dict[str, Any]) -> dict[str, Any]:
    """A line of the list: its name, its address and its state, without what one would type."""
    state = str(one["state"])
    words = [part for part in state.split("; ") if not part.startswith("next: ")]
    title = "a game that cannot be read" if one["title"] == "?" else one["title"]
    return one | {"title": title, "name": one["game"][:SHORT], "words": words}


async def unlock(request: Request) -> Response:
    """Take the passphrase of a key; it stays in memory until the table is closed."""
    from pbem.format.errors import RecordError

    said = await words_of(request)
    games = games_of(request)
    profile = str(said.get("profile", ""))
    try:
        if profile not in games.home.profiles():
            return JSONResponse({"ok": False, "told": "there is no such key"}, 409)
        games.passphrases.learn(profile, str(said.get("passphrase", "")).encode())
    except RecordError as error:
        return JSONResponse({"ok": False, "told": error.sentence}, 409)
    games.forget()
    return JSONResponse({"ok": True})
