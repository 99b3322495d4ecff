"""The web addresses of the table, and which page answers each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from pbem.files.home import Home
from pbem.files.places import Place
from pbem.web import game_pages, people_pages, rules_page, start_pages
from pbem.web.games import OpenGames, answer_error
from pbem.web.guard import OwnActs

STATIC = Path(__file__).parent / "static"


class Sentences:
    """Shows every error as a page with a sentence, so that no traceback appears in the terminal."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request (the interface is ASGI's)."""
        try:
            await self.app(scope, receive, send)
        except HTTPException:
            raise
        except Exception as error:  # noqa: BLE001 - a bug becomes a sentence here too
            answer = await answer_error(Request(scope, receive), error)
            await answer(scope, receive, send)


def make_app(home: Home, folder: Place | None, more: Sequence[Route] = ()) -> Starlette:
    """Make the web application for one person's home; add the game in `folder` to their list.
    `more` are pages that only a browser tab has."""
    one = "/game/{name}"
    app = Starlette(
        routes=[
            Route("/", start_pages.show_games),
            Route("/unlock", start_pages.unlock, methods=["POST"]),
            Route("/receive", people_pages.receive, methods=["POST"]),
            Route("/new", start_pages.form, methods=["GET"]),
            Route("/new", start_pages.make, methods=["POST"]),
            Route("/learn", start_pages.learn, methods=["POST"]),
            Route("/join", start_pages.join, methods=["POST"]),
            Route("/open", start_pages.open_folder, methods=["POST"]),
            Route("/explain", start_pages.show_explain),
            Route("/rules/{name}", rules_page.show_rules),
            Route("/static/drawing.css", game_pages.stylesheet),
            Route("/static/player.js", game_pages.script_of_player),
            Mount("/static", StaticFiles(directory=STATIC)),
            Route(one, game_pages.show_game),
            Route(f"{one}/now", game_pages.now),
            Route(f"{one}/invite", start_pages.show_invite),
            Route(f"{one}/join", start_pages.join_here, methods=["POST"]),
            Route(f"{one}/plan", game_pages.show_plan),
            Route(f"{one}/plan", game_pages.change, methods=["POST"]),
            Route(f"{one}/forecast", game_pages.foresee),
            Route(f"{one}/about", game_pages.about),
            Route(f"{one}/seal", game_pages.seal, methods=["POST"]),
            Route(f"{one}/deliver", game_pages.deliver_orders, methods=["POST"]),
            Route(f"{one}/take-back", game_pages.take_back_orders, methods=["POST"]),
            Route(f"{one}/news", game_pages.show_news),
            Route(f"{one}/history", game_pages.show_history),
            Route(f"{one}/replay", game_pages.replay),
            Route(f"{one}/rules", rules_page.show_rules_of_game),
            Route(f"{one}/audit", start_pages.show_audit),
            Route(f"{one}/messages", people_pages.messages, methods=["GET"]),
            Route(f"{one}/messages", people_pages.tell, methods=["POST"]),
            Route(f"{one}/notices", people_pages.notices, methods=["GET"]),
            Route(f"{one}/notices", people_pages.declare, methods=["POST"]),
            Route(f"{one}/mail", people_pages.show_mail),
            Route(f"{one}/mail/sent", people_pages.note, methods=["POST"]),
            Route(f"{one}/referee", people_pages.show_referee),
            Route(f"{one}/referee", people_pages.advance, methods=["POST"]),
            *more,
        ],
        middleware=[Middleware(OwnActs), Middleware(Sentences)],
    )
    app.state.games = OpenGames(home)
    app.state.first = folder
    return app
