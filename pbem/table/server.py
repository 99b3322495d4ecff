"""The server of `pbem table`: one port on this computer, until Ctrl-C."""

from __future__ import annotations

import socket
from contextlib import suppress
from typing import TYPE_CHECKING

from pbem.cli.failure import CliError
from pbem.table.app import make_app
from pbem.table.guard import Guard

if TYPE_CHECKING:
    from pbem.storage.private.home import Home
    from pbem.storage.store.address import Place

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
            raise CliError(told, "leave out --port, and pbem takes a free one") from None
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
            print("Ctrl-C ends it; the address works once, in one browser", flush=True)
            if open_browser:
                import webbrowser

                webbrowser.open(self.address)
            self._answer()
        print(CLOSED)

    def _answer(self) -> None:
        import uvicorn

        config = uvicorn.Config(
            self.guard, log_level="critical", access_log=False, lifespan="off",
            server_header=False, timeout_graceful_shutdown=1, http="h11", ws="none",
        )  # fmt: skip
        uvicorn.Server(config).run(sockets=[self._socket])
