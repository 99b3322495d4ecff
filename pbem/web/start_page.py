"""The first page: the list of games, opening a game in a folder, a key or a lesson."""

from __future__ import annotations

from collections import Counter
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from games.registry import working_rulesets
from pbem.acts.begin_lesson import begin
from pbem.acts.game_list import games_of as listed_games
from pbem.errors import PbemError
from pbem.format.record_error import RecordError
from pbem.web.error_answers import sentence_and_hint
from pbem.web.open_games import SHORT_ID_DIGITS, games_of
from pbem.web.page_rendering import page
from pbem.web.request_fields import field_of, read_fields
from pbem.web.typed_folders import session_of_typed


async def show_games(request: Request) -> Response:
    """Show the page with the list of games."""
    games = games_of(request)
    problem = ""
    if (folder := request.app.state.start_folder) is not None:  # where `pbem table` was started
        session = games.session(folder)
        try:
            session.game_home.remember_place(session.place)
        except PbemError as error:
            problem = sentence_and_hint(error)[0]  # the next request tries again
        else:
            request.app.state.start_folder = None
    rows = []
    for game in listed_games(games.keyring):
        title = "a game that cannot be read" if game["title"] == "?" else game["title"]
        rows.append(game | {"title": title, "name": game["game"][:SHORT_ID_DIGITS]})
    titles = Counter(row["title"] for row in rows)  # a folder tells games with one title apart
    for row in rows:
        row["place"] = row["folder"] if titles[row["title"]] > 1 else ""
    waiting_rows = [row for row in rows if row["asked"] or row["ready"] or row["may_deal"]]
    values: dict[str, Any] = {
        "waiting_games": waiting_rows,
        "other_games": [row for row in rows if row not in waiting_rows],
        "problem": problem,
        "lessons": [game for game in working_rulesets()[0] if game.lesson()],
        "begun": [game.root.name for game in games.home.lessons()],
    }
    return page(request, "games.html", **values)


async def unlock(request: Request) -> Response:
    """Accept the passphrase of a key, and keep it in memory until `pbem table` ends."""
    fields = await read_fields(request)
    games = games_of(request)
    profile = str(fields.get("profile", ""))
    try:
        if profile not in games.home.profiles():
            return JSONResponse({"ok": False, "told": "there is no such key"}, 409)
        games.passphrases.learn(profile, str(fields.get("passphrase", "")).encode())
    except RecordError as error:
        return JSONResponse({"ok": False, "told": error.sentence}, 409)
    games.forget()
    return JSONResponse({"ok": True})


async def learn(request: Request) -> Response:
    """Begin the lesson of a ruleset, or go on with it, and lead to its page."""
    games, fields = games_of(request), await read_fields(request)
    is_repeat = fields.get("again") is True
    session = begin(games.home, field_of(fields, "game"), from_start=is_repeat)
    if is_repeat:
        games.forget()
    return page(request, "lesson_begun.html", name=session.game_folder.game.hex()[:SHORT_ID_DIGITS])


async def open_folder(request: Request) -> Response:
    """Add the game in a folder to the list."""
    games, fields = games_of(request), await read_fields(request)
    session = session_of_typed(games, field_of(fields, "folder"))
    charter = session.charter
    name = session.game_folder.game.hex()[:SHORT_ID_DIGITS]
    return page(request, "opened.html", name=name, title=charter.title)
