"""The web addresses of `pbem table`, and the server on one port of this computer."""

from __future__ import annotations

import socket
import webbrowser
from contextlib import suppress
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from pbem.errors import CliError
from pbem.files.folder import Place
from pbem.files.home import Home
from pbem.table import game_pages, people_pages, start_pages
from pbem.table.games import OpenGames, answer_error
from pbem.table.guard import Guard

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


def make_app(home: Home, folder: Place | None) -> Starlette:
    """Make the web application for one person's home; add the game in `folder` to their list."""
    one = "/game/{name}"
    app = Starlette(
        routes=[
            Route("/", start_pages.show_games),
            Route("/unlock", start_pages.unlock, methods=["POST"]),
            Route("/receive", people_pages.receive, methods=["POST"]),
            Route("/new", start_pages.form, methods=["GET"]),
            Route("/new", start_pages.make, methods=["POST"]),
            Route("/join", start_pages.join, methods=["POST"]),
            Route("/open", start_pages.open_folder, methods=["POST"]),
            Route("/explain", start_pages.show_explain),
            Route("/static/drawing.css", game_pages.stylesheet),
            Mount("/static", StaticFiles(directory=STATIC)),
            Route(one, game_pages.show_game),
            Route(f"{one}/now", game_pages.now),
            Route(f"{one}/join", start_pages.join_here, methods=["POST"]),
            Route(f"{one}/plan", game_pages.show_plan),
            Route(f"{one}/plan", game_pages.change, methods=["POST"]),
            Route(f"{one}/forecast", game_pages.foresee),
            Route(f"{one}/seal", game_pages.look_before, methods=["GET"]),
            Route(f"{one}/seal", game_pages.seal, methods=["POST"]),
            Route(f"{one}/history", game_pages.show_history),
            Route(f"{one}/replay", game_pages.replay),
            Route(f"{one}/audit", start_pages.show_audit),
            Route(f"{one}/messages", people_pages.messages, methods=["GET"]),
            Route(f"{one}/messages", people_pages.tell, methods=["POST"]),
            Route(f"{one}/notices", people_pages.notices, methods=["GET"]),
            Route(f"{one}/notices", people_pages.declare, methods=["POST"]),
            Route(f"{one}/mail", people_pages.show_mail),
            Route(f"{one}/mail/sent", people_pages.note, methods=["POST"]),
            Route(f"{one}/referee", people_pages.show_referee),
            Route(f"{one}/referee", people_pages.advance, methods=["POST"]),
        ],
        middleware=[Middleware(Sentences)],
    )
    app.state.games = OpenGames(home)
    app.state.first = folder
    return app


LOOPBACK = "127.0.0.1"
"""Only programs on this computer can reach this address."""
CLOSED = "pbem table has stopped; drafts and sealed orders are kept"


class Server:
    """The web server on one port, which is opened immediately; `run` answers until Ctrl-C."""

    def __init__(self, home: Home, folder: Place | None = None, port: int = 0) -> None:
        """Open the port. Raises CliError if another program has it."""
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._socket.bind((LOOPBACK, port))
        except OSError as error:
            self._socket.close()
            told = f"port {port} cannot be used: {error.strerror}"
            raise CliError(told, "leave out --port to let pbem choose a free port") from None
        self._socket.listen(64)
        self.port = int(self._socket.getsockname()[1])
        self.guard = Guard(make_app(home, folder), f"{LOOPBACK}:{self.port}")

    @property
    def address(self) -> str:
        """The address that the user opens in the browser.

        The part after the # works only once, and the browser never sends it in a URL.
        """
        return f"http://{LOOPBACK}:{self.port}/#{self.guard.token}"

    def run(self, *, open_browser: bool = True) -> None:
        """Answer until Ctrl-C."""
        # uvicorn raises KeyboardInterrupt again once everything is closed
        with suppress(KeyboardInterrupt):
            print(f"your table: {self.address}", flush=True)
            told = "press Ctrl-C to stop pbem table; the address works once, in one browser"
            print(told, flush=True)
            if open_browser:
                webbrowser.open(self.address)
            import uvicorn  # the pages alone do not need it

            config = uvicorn.Config(
                self.guard, log_level="critical", access_log=False, lifespan="off",
                server_header=False, timeout_graceful_shutdown=1, http="h11", ws="none",
            )  # fmt: skip
            uvicorn.Server(config).run(sockets=[self._socket])
        print(CLOSED)
