"""The web server of `pbem host`: one port, optional TLS, limits of connections, a clean stop."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
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
from pbem.host.answer_requests import MAX_ARRIVAL_SECONDS, Host
from pbem.host.kept_games import Games
from pbem.host.request_limits import network_of, wide_network
from pbem.wording.host_reports import CLOCK_JUMPED_LOG, REMOVED_GAME_LOG

Network = IPv4Network | IPv6Network
HOUR_SECONDS: Final = 3600.0
DAY_SECONDS: Final = 24 * HOUR_SECONDS
MAX_IDLE_SECONDS: Final = 20.0
"""Seconds in which a request must have come, with all of its head."""
MAX_REQUEST_SECONDS: Final = 300.0
"""Seconds in which a request must be answered, and the answer taken."""
MAX_NETWORK_CONNECTIONS: Final = 200
"""The most connections of one network; a proxy, and this computer, may have any number."""
LOCAL_NETWORKS: Final = ("127.0.0.1", "::/48")
MAX_CONNECTIONS: Final = 2_000
"""The most connections in all; each is an open file, of which a process may have so many."""

CROWDED_CONNECTIONS: Final = 800
"""So many connections are open before one that asks for nothing is closed for each new one: the
oldest of the network that has the most. Those that ask for something are limited by the guard."""

_counts_by_network: Counter[str] = Counter()
_open_connections: dict[Connection, None] = {}
"""All connections as keys, the oldest first; the values say nothing."""

log = logging.getLogger("pbem.host")


class Connection(H11Protocol):
    """A connection with the limits above, which the web server does not have."""

    proxies: Sequence[Network] = ()
    """The networks of proxies in front: each may have any number of connections."""
    _network = ""
    _next_look: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to watch the connection, or close it if its network has too many.

        If many connections are open, first close an idle one of the network with the most.
        """
        super().connection_made(transport)
        self._network = wide_network(network_of({"client": self.client}))
        if len(_open_connections) >= CROWDED_CONNECTIONS:
            idle_connections = [
                connection for connection in _open_connections if connection.is_idle
            ]
            if idle_connections:
                closed_connection = max(
                    idle_connections, key=lambda connection: _counts_by_network[connection._network]
                )
                closed_connection.transport.abort()
                closed_connection.forget()
        _counts_by_network[self._network] += 1
        _open_connections[self] = None
        network_count = _counts_by_network[self._network]
        has_too_many = network_count > MAX_NETWORK_CONNECTIONS and not self._is_proxy()
        if has_too_many or len(_open_connections) > MAX_CONNECTIONS:
            transport.abort()
            return
        self._watch_activity(None, 0.0)

    def _is_proxy(self) -> bool:
        """Whether the connection comes from this computer or a proxy in front."""
        if self._network in LOCAL_NETWORKS:
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

    def _watch_activity(self, previous_request: Any, unchanged_seconds: float) -> None:
        """Close the connection if nothing has gone on for too long; else look again in a moment.

        `previous_request` is the request at the last look, None for none; it had been the same for
        `unchanged_seconds` then.
        """
        look_seconds = MAX_IDLE_SECONDS / 4
        current_request = None if self.is_idle else self.cycle
        is_same = current_request is previous_request
        unchanged_seconds = unchanged_seconds + look_seconds if is_same else 0.0
        limit = MAX_IDLE_SECONDS
        if current_request:
            limit = MAX_REQUEST_SECONDS
        elif repr(self.conn.their_state) == "SEND_BODY":  # the rest of a file that was refused
            limit = MAX_ARRIVAL_SECONDS
        if unchanged_seconds > limit:
            self.transport.abort()
            return
        self._next_look = self.loop.call_later(
            look_seconds, self._watch_activity, current_request, unchanged_seconds
        )

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop looking."""
        if self._next_look:
            self._next_look.cancel()
        self.forget()
        super().connection_lost(exc)

    def forget(self) -> None:
        """Remove this connection from the counts."""
        if self in _open_connections:
            del _open_connections[self]
            self.connections.discard(self)  # what the web server counts
            _counts_by_network[self._network] -= 1
            if not _counts_by_network[self._network]:
                del _counts_by_network[self._network]


class Server:
    """A host on one port, opened immediately; `run` answers until Ctrl-C or SIGTERM."""

    def __init__(
        self, host: Host, bind: str, port: int, certificate: Path | None, key: Path | None,
        proxies: Sequence[Network] = (),
    ) -> None:  # fmt: skip
        """Open the port `port` of the address `bind`.

        `certificate` and `key` are files in PEM form; None for no TLS. `proxies` are the networks
        of proxies that say where requests come from, besides this computer. Raises CliError if the
        certificate or the port cannot be used.
        """
        trusted_addresses = ["127.0.0.1", "::1", *map(str, proxies)]
        connection_type = type("ConnectionOfServer", (Connection,), {"proxies": proxies})
        self._config = uvicorn.Config(
            host.app(), log_level="critical", access_log=False, lifespan="off",
            server_header=False, date_header=True, timeout_graceful_shutdown=5,
            http=connection_type,
            ws="none", limit_concurrency=MAX_CONNECTIONS - 100, timeout_keep_alive=30, backlog=1024,
            h11_max_incomplete_event_size=16_384,
            proxy_headers=True, forwarded_allow_ips=trusted_addresses,
            ssl_certfile=certificate, ssl_keyfile=key,
        )  # fmt: skip
        try:
            self._config.load()
        except OSError as error:  # the certificate or its key
            problem = f"the certificate cannot be used: {error.strerror or error}"
            raise CliError(problem, "--certificate and --key take files in PEM form") from None
        family = socket.AF_INET6 if ":" in bind else socket.AF_INET
        self._socket = socket.socket(family)
        if os.name != "nt":  # there, two programs could then have one port
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._socket.bind((bind, port))
        except OSError as error:
            self._socket.close()
            problem = f"port {port} of {bind} cannot be used: {error.strerror}"
            hint = "if no other pbem host is running, choose another port: pbem host --port 8081"
            if isinstance(error, PermissionError) and port < 1024:
                hint = (
                    f"allow the port: sudo sysctl net.ipv4.ip_unprivileged_port_start={port}; or "
                    "use a proxy"
                )
            is_port_taken = error.errno == errno.EADDRINUSE  # a service tries again
            raise CliError(problem, hint, NOT_YET if is_port_taken else USAGE) from None
        self._socket.listen(1024)
        self.port = int(self._socket.getsockname()[1])
        self.host = host

    def close(self) -> None:
        """Close the port."""
        self._socket.close()

    def run(self) -> None:
        """Answer until Ctrl-C or SIGTERM; once a day, remove the games that are a year old."""
        _allow_open_files(MAX_CONNECTIONS + 500)
        threading.Thread(target=_remove_unused_games, args=(self.host.games,), daemon=True).start()
        server = uvicorn.Server(self._config)
        workers = [worker for worker in (self.host.dealer, self.host.caller) if worker]
        for worker in workers:
            worker.start()
        try:
            with contextlib.suppress(KeyboardInterrupt):
                server.run(sockets=[self._socket])
        finally:
            for worker in workers:
                worker.stop()


def _remove_unused_games(games: Games) -> None:
    """Remove unused games, an hour after the start and then once a day, for ever.

    Nothing is removed after the clock of this computer has jumped: all games may seem unused then.
    """
    wait_seconds = HOUR_SECONDS
    while True:
        clock_offset = time.time() - time.monotonic()
        time.sleep(wait_seconds)
        wait_seconds = DAY_SECONDS
        if abs(time.time() - time.monotonic() - clock_offset) > HOUR_SECONDS:
            log.warning(CLOCK_JUMPED_LOG)
            continue
        try:
            for name in games.remove_unused(time.time()):
                log.info(REMOVED_GAME_LOG, name[:8])
        except PbemError as error:
            log.warning("%s", error)


def _allow_open_files(file_count: int) -> None:
    """Let this process open so many files, or as many as the system permits."""
    with contextlib.suppress(ImportError, ValueError, OSError):  # Windows has no such limit
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        limit = file_count if hard == resource.RLIM_INFINITY else min(file_count, hard)
        if soft != resource.RLIM_INFINITY and soft < limit:
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))


def log_to_terminal() -> logging.Logger:
    """Print what the host does, a line each, with a game's short name and never its address. Return
    the log."""
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%Y-%m-%d %H:%M:%S"))
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    log.propagate = False
    return log
