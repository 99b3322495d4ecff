"""The head of every page of a game: the title, the links, and who you are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.table.open_games import SHORT

if TYPE_CHECKING:
    from starlette.requests import Request

    from pbem.table.open_games import OpenGame


def frame(request: Request, game: OpenGame, here: str) -> dict[str, Any]:
    """Return the values that fill the head of a page; `here` is the name of the page."""
    session = game.session
    charter = session.game_folder.charter.content
    name = session.game_folder.game.hex()[:SHORT]
    address = f"{request.scope['root_path']}/game/{name}"
    wish = f"?as={session.wish}" if session.wish else ""
    new = unread(game)
    pages = [
        ("table", "", "Table"),
        ("history", "/history", "History"),
        ("messages", "/messages", f"Messages ({new})" if new else "Messages"),
        ("notices", "/notices", "Notices"),
        ("mail", "/mail", "Mail"),
        ("audit", "/audit", "Audit"),
    ]
    if session.roles.referee:
        pages.append(("referee", "/referee", "Referee"))
    return {
        "title": charter.title,
        "ruleset": charter.ruleset,
        "name": name,
        "address": address,
        "wish": wish,
        "here": here,
        "links": [(key, f"{address}{path}{wish}", label) for key, path, label in pages],
        "stamp": game.stamp,
    }


def unread(game: OpenGame) -> int:
    """Return the number of messages from others that you have not seen; 0 before turn 1."""
    from pbem.cli.press.messages_here import MessagesHere

    session = game.session
    if not (session.listing.press and session.listing.turns):
        return 0
    return len(MessagesHere(session, game.view()).unread())
