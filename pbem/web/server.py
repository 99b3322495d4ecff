"""The server of `pbem table`, on one port of this computer."""

from __future__ import annotations

import asyncio
import os
import socket
import webbrowser
from contextlib import suppress

import uvicorn

from pbem.errors import CliError
from pbem.files.game_folder_places import Place
from pbem.files.home import Home
from pbem.text.terminal_and_page_wording import to_type
from pbem.web.access_guard import Guard
from pbem.web.page_routes import make_app

LOOPBACK = "127.0.0.1"
"""Only programs on this computer can reach this address."""
CLOSED_SENTENCE = "pbem table has stopped; drafts and sealed orders are kept"


class Server:
    """The web server on one port, which is opened immediately; `run` answers until Ctrl-C."""

    def __init__(
        self, home: Home, folder: Place | None = None, port: int = 0, first_page: str = ""
    ) -> None:
        """Open the port; 0 stands for any free one.

        `first_page` is the path of the page to show first, instead of the list of games. `folder`
        is a game to add to the list. Raises CliError if another program has the port.
        """
        # asyncio sends small answers at once (TCP_NODELAY) only if the socket names its protocol
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if os.name != "nt":  # there, two programs could then have one port
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._socket.bind((LOOPBACK, port))
        except OSError as error:
            self._socket.close()
            problem = f"port {port} cannot be used: {error.strerror}"
            raise CliError(
                problem, to_type("leave out --port to let pbem choose a free port")
            ) from None
        self._socket.listen(64)
        self.port = int(self._socket.getsockname()[1])
        self.guard = Guard(make_app(home, folder), f"{LOOPBACK}:{self.port}", first_page)

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
            asyncio.run(self._answer(open_browser=open_browser))
        print(CLOSED_SENTENCE)

    async def _answer(self, *, open_browser: bool) -> None:
        """Whoever has read the address may press Ctrl-C: by then it is a coroutine that they
        stop."""
        print(f"your table: {self.address}", flush=True)
        advice = "press Ctrl-C to stop pbem table; the address works once, in one browser"
        print(advice, flush=True)
        if open_browser:
            webbrowser.open(self.address)
        config = uvicorn.Config(
            self.guard, log_level="critical", access_log=False, lifespan="off",
            server_header=False, timeout_graceful_shutdown=1, http="h11", ws="none",
        )  # fmt: skip
        await uvicorn.Server(config).serve(sockets=[self._socket])
