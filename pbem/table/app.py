"""The web addresses of `pbem table`, and the function that makes the page for each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from pbem.table.errors import answer_error
from pbem.table.open_games import OpenGames
from pbem.table.pages import (
    audit,
    explain,
    game,
    games,
    history,
    mail,
    people,
    plan,
    referee,
    starting,
)

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from pbem.storage.private.home import Home
    from pbem.storage.store.address import Place

STATIC = Path(__file__).parent / "static"


class Sentences:
    """Shows every error as a page with a sentence, so that no traceback appears in the terminal."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request (the interface is ASGI's)."""
        from starlette.exceptions import HTTPException
        from starlette.requests import Request

        try:
            await self.app(scope, receive, send)
        except HTTPException:
            raise
        except Exception as error:  # noqa: BLE001 - a bug becomes a sentence here too
            answer = await answer_error(Request(scope, receive), error)
            await answer(scope, receive, send)


def make_app(home: Home, folder: Place | None) -> Starlette:
    """Make the web application for one person's home; add the game in `folder` to their list."""
    one = "/game/{name}"
    app = Starlette(
        routes=[
            Route("/", games.show),
            Route("/unlock", games.unlock, methods=["POST"]),
            Route("/receive", mail.receive, methods=["POST"]),
            Route("/new", starting.form, methods=["GET"]),
            Route("/new", starting.make, methods=["POST"]),
            Route("/join", starting.join, methods=["POST"]),
            Route("/open", starting.open_folder, methods=["POST"]),
            Route("/explain", explain.show),
            Route("/static/drawing.css", game.stylesheet),
            Mount("/static", StaticFiles(directory=STATIC)),
            Route(one, game.show),
            Route(f"{one}/now", game.now),
            Route(f"{one}/join", starting.join_here, methods=["POST"]),
            Route(f"{one}/plan", plan.show),
            Route(f"{one}/plan", plan.change, methods=["POST"]),
            Route(f"{one}/forecast", plan.foresee),
            Route(f"{one}/seal", plan.look_before, methods=["GET"]),
            Route(f"{one}/seal", plan.seal, methods=["POST"]),
            Route(f"{one}/history", history.show),
            Route(f"{one}/replay", history.replay),
            Route(f"{one}/audit", audit.show),
            Route(f"{one}/messages", people.messages, methods=["GET"]),
            Route(f"{one}/messages", people.tell, methods=["POST"]),
            Route(f"{one}/notices", people.notices, methods=["GET"]),
            Route(f"{one}/notices", people.declare, methods=["POST"]),
            Route(f"{one}/mail", mail.show),
            Route(f"{one}/mail/sent", mail.note, methods=["POST"]),
            Route(f"{one}/referee", referee.show),
            Route(f"{one}/referee", referee.advance, methods=["POST"]),
        ],
        middleware=[Middleware(Sentences)],
    )
    app.state.games = OpenGames(home)
    app.state.first = folder
    return app
