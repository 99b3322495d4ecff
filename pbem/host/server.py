"""The web server of `pbem host`: one port, optional TLS, limits of connections, a clean stop."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
import secrets
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address
from pathlib import Path
from typing import Any, Final

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from pbem.errors import NOT_YET, USAGE, CliError, PbemError
from pbem.files.disk import create, make_folder, read_if_there
from pbem.files.home import Home
from pbem.host.app import SLOW, Host
from pbem.host.games import Games
from pbem.host.guard import network_of, wide_network
from pbem.wording.hosting import CLOCK_JUMPED_LOG, REMOVED_GAME_LOG

Network = IPv4Network | IPv6Network
HOUR: Final = 3600.0
DAY: Final = 24 * HOUR
IDLE: Final = 20.0
"""Seconds in which a request must have come, with all of its head."""
BUSY: Final = 300.0
"""Seconds in which a request must be answered, and the answer taken."""
MOST: Final = 200
"""The most connections of one network; a proxy on this computer may have any number."""
LOCAL: Final = ("127.0.0.1", "::/48")
MOST_IN_ALL: Final = 2_000
"""The most connections in all; each is an open file, of which a process may have so many."""

MANY: Final = 800
"""So many connections are open before one that asks for nothing is closed for each new one: the
oldest of the network that has the most. Those that ask for something are limited by the guard."""

_open: Counter[str] = Counter()
_all: dict[Connection, None] = {}
"""All connections, the oldest first."""

log = logging.getLogger("pbem.host")


class Connection(H11Protocol):
    """A connection with the limits above, which the web server does not have."""

    proxies: Sequence[Network] = ()
    """The networks of proxies in front: each may have any number of connections."""
    _network = ""
    _watch: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to look, or close the connection if its network has too many."""
        super().connection_made(transport)
        self._network = wide_network(network_of({"client": self.client}))
        if len(_all) >= MANY and (idle := [one for one in _all if one.is_idle]):
            closed = max(idle, key=lambda one: _open[one._network])
            closed.transport.abort()
            closed.forget()
        _open[self._network] += 1
        _all[self] = None
        too_many = _open[self._network] > MOST and not self._is_proxy()
        if too_many or len(_all) > MOST_IN_ALL:
            transport.abort()
            return
        self._look(None, 0.0)

    def _is_proxy(self) -> bool:
        if self._network in LOCAL:
            return True
        with contextlib.suppress(ValueError):
            address = ip_address(str((self.client or ("",))[0]))
            return any(address in network for network in self.proxies)
        return False

    @property
    def is_idle(self) -> bool:
        """Whether no request of this connection is being answered."""
        cycle: Any = self.cycle
        if cycle is None:
            return True
        return cycle.response_complete and not self.transport.get_write_buffer_size()

    def _look(self, before: Any, since: float) -> None:
        """Look every few seconds whether anything goes on. `before`: the request that was there
        at the last look, `since`: for how many seconds it has been the same."""
        step = IDLE / 4
        now = None if self.is_idle else self.cycle
        since = since + step if now is before else 0.0
        # the rest of a file that was refused already
        still_sends = repr(self.conn.their_state) == "SEND_BODY"
        if since > (BUSY if now else SLOW if still_sends else IDLE):
            self.transport.abort()
            return
        self._watch = self.loop.call_later(step, self._look, now, since)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop looking."""
        if self._watch:
            self._watch.cancel()
        self.forget()
        super().connection_lost(exc)

    def forget(self) -> None:
        """Count this connection no longer."""
        if self in _all:
            del _all[self]
            self.connections.discard(self)  # what the web server counts
            _open[self._network] -= 1
            if not _open[self._network]:
                del _open[self._network]


class Server:
    """A host on one port, opened immediately; `run` answers until Ctrl-C or SIGTERM."""

    def __init__(
        self, host: Host, bind: str, port: int, certificate: Path | None, key: Path | None,
        proxies: Sequence[Network] = (),
    ) -> None:  # fmt: skip
        """Open the port; `proxies` are the networks of proxies that say where requests come from,
        besides this computer. Raises CliError if the certificate cannot be used, or the port."""
        trusted = ["127.0.0.1", "::1", *map(str, proxies)]
        connection = type("ConnectionOfServer", (Connection,), {"proxies": proxies})
        self._config = uvicorn.Config(
            host.app(), log_level="critical", access_log=False, lifespan="off",
            server_header=False, date_header=True, timeout_graceful_shutdown=5, http=connection,
            ws="none", limit_concurrency=MOST_IN_ALL - 100, timeout_keep_alive=30, backlog=1024,
            h11_max_incomplete_event_size=16_384,
            proxy_headers=True, forwarded_allow_ips=trusted,
            ssl_certfile=certificate, ssl_keyfile=key,
        )  # fmt: skip
        try:
            self._config.load()
        except OSError as error:  # the certificate or its key
            told = f"the certificate cannot be used: {error.strerror or error}"
            raise CliError(told, "--certificate and --key take files in PEM form") from None
        family = socket.AF_INET6 if ":" in bind else socket.AF_INET
        self._socket = socket.socket(family)
        if os.name != "nt":  # there, two programs could then have one port
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._socket.bind((bind, port))
        except OSError as error:
            self._socket.close()
            told = f"port {port} of {bind} cannot be used: {error.strerror}"
            hint = "if no other pbem host is running, choose another port: pbem host --port 8081"
            if isinstance(error, PermissionError) and port < 1024:
                hint = (
                    f"type sudo sysctl net.ipv4.ip_unprivileged_port_start={port}, or use a proxy"
                )
            busy = error.errno == errno.EADDRINUSE  # a service tries again
            raise CliError(told, hint, NOT_YET if busy else USAGE) from None
        self._socket.listen(1024)
        self.port = int(self._socket.getsockname()[1])
        self.host = host

    def close(self) -> None:
        """Close the port."""
        self._socket.close()

    def run(self) -> None:
        """Answer until Ctrl-C or SIGTERM; once a day, remove the games that are a year old."""
        _allow_files(MOST_IN_ALL + 500)
        threading.Thread(target=_remove_old, args=(self.host.games,), daemon=True).start()
        server = uvicorn.Server(self._config)
        dealer = self.host.dealer
        if dealer:
            dealer.start()
        try:
            with contextlib.suppress(KeyboardInterrupt):
                server.run(sockets=[self._socket])
        finally:
            if dealer:
                dealer.stop()


def _remove_old(games: Games) -> None:
    """Remove old games, an hour after the start and then once a day; not after the clock of this
    computer has jumped, because all games may seem a year old then."""
    pause = HOUR
    while True:
        begun = time.time() - time.monotonic()
        time.sleep(pause)
        pause = DAY
        if abs(time.time() - time.monotonic() - begun) > HOUR:
            log.warning(CLOCK_JUMPED_LOG)
            continue
        try:
            for name in games.remove_old(time.time()):
                log.info(REMOVED_GAME_LOG, name[:8])
        except PbemError as error:
            log.warning("%s", error)


def _allow_files(number: int) -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):  # Windows has no such limit
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = number if hard == resource.RLIM_INFINITY else min(number, hard)
        if soft != resource.RLIM_INFINITY and soft < most:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


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


def log_to_terminal() -> logging.Logger:
    """Print what the host does, a line each: a game's short name, never its address. Return what
    to write to."""
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%Y-%m-%d %H:%M:%S"))
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    log.propagate = False
    return log
