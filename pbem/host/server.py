"""The web server of `pbem host`: one port, optional TLS, a clean stop."""

from __future__ import annotations

import contextlib
import logging
import secrets
import signal
import socket
import sys
import threading
import time
from pathlib import Path

import uvicorn

from pbem.errors import CliError, PbemError
from pbem.files.disk import create, make_folder, read_if_there
from pbem.files.home import Home
from pbem.host.app import Host
from pbem.host.games import Games

DAY = 86_400

log = logging.getLogger("pbem.host")


class Server:
    """A host on one port, opened immediately; `run` answers until Ctrl-C or SIGTERM."""

    def __init__(
        self, host: Host, bind: str, port: int, certificate: Path | None, key: Path | None
    ) -> None:
        """Open the port. Raises CliError if it cannot be used, or if the certificate is not
        readable."""
        family = socket.AF_INET6 if ":" in bind else socket.AF_INET
        self._socket = socket.socket(family)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._socket.bind((bind, port))
        except OSError as error:
            self._socket.close()
            raise CliError(f"port {port} of {bind} cannot be used: {error.strerror}") from None
        self._socket.listen(1024)
        self.port = int(self._socket.getsockname()[1])
        self.host = host
        self._config = uvicorn.Config(
            host.app(), log_level="critical", access_log=False, lifespan="off",
            server_header=False, date_header=True, timeout_graceful_shutdown=5, http="h11",
            ws="none", limit_concurrency=2_000, timeout_keep_alive=30, backlog=1024,
            h11_max_incomplete_event_size=16_384,
            proxy_headers=True, forwarded_allow_ips="127.0.0.1",
            ssl_certfile=certificate, ssl_keyfile=key,
        )  # fmt: skip
        try:
            self._config.load()
        except OSError as error:  # the certificate or its key
            self._socket.close()
            told = f"the certificate cannot be used: {error.strerror or error}"
            raise CliError(told, "--certificate and --key take files in PEM form") from None

    def run(self) -> None:
        """Answer until Ctrl-C or SIGTERM; once a day, remove the games that are a year old."""
        threading.Thread(target=_remove_old, args=(self.host.games,), daemon=True).start()
        server = uvicorn.Server(self._config)
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[self._socket])


def _remove_old(games: Games) -> None:
    while True:
        try:
            for name in games.remove_old(time.time()):
                log.info("%s removed: nobody has touched it for a year", name[:8])
        except PbemError as error:
            log.warning("%s", error)
        time.sleep(DAY)


def password_file(home: Home) -> Path:
    """Return where the password of the owner's page is kept."""
    return home.root / "host-password"


def owners_password(home: Home) -> str:
    """Return the password of the owner's page; the first call makes it and keeps it in the home.
    Raises StorageError."""
    file = password_file(home)
    if not (data := read_if_there(file)):
        make_folder(home.root, private=True)
        create(file, secrets.token_urlsafe(18).encode() + b"\n", private=True)
        data = read_if_there(file) or b""
    return data.decode().strip()


def log_to_terminal() -> None:
    """Print what the host does, a line each: a game's short name, never its address."""
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%Y-%m-%d %H:%M:%S"))
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    log.propagate = False


def stop_on_term() -> None:
    """Let SIGTERM end the host as Ctrl-C does."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
