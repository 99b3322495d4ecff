"""Requests to a host over HTTP with urllib3: one call, with limits of time and size.

In a browser tab, `FetchedAnswers` (`host_request_and_answer.py`) takes its place.
"""

from __future__ import annotations

import contextlib
import logging
import socket
import threading
from typing import Any, Final

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

from pbem.files import store_answer_limits
from pbem.files.host_request_and_answer import Answer, Request

MAX_CUTS: Final = 10
"""The most cuts of a connection until its thread has ended."""
_SOCKETS_BY_THREAD: Final[dict[int, socket.socket]] = {}
"""The socket on which each thread waits for an answer, so that another thread can end it."""


class _Http(HTTPConnection):
    def getresponse(self) -> Any:
        _SOCKETS_BY_THREAD[threading.get_ident()] = self.sock
        return super().getresponse()


class _Https(HTTPSConnection):
    def getresponse(self) -> Any:
        _SOCKETS_BY_THREAD[threading.get_ident()] = self.sock
        return super().getresponse()


class _HttpPool(HTTPConnectionPool):
    ConnectionCls = _Http


class _HttpsPool(HTTPSConnectionPool):
    ConnectionCls = _Https


class HttpConnections:
    """Connections to hosts, kept open between requests; all threads may use them."""

    def __init__(self) -> None:
        """Make a pool without connections: each is opened by the first request to its host."""
        logging.getLogger("urllib3").addHandler(logging.NullHandler())  # it logs addresses
        self._pool = urllib3.PoolManager(
            maxsize=8,
            retries=urllib3.Retry(
                2, redirect=False, status=0, backoff_factor=0.2, respect_retry_after_header=False
            ),
        )
        self._pool.pool_classes_by_scheme = {"http": _HttpPool, "https": _HttpsPool}

    def ask(self, request: Request) -> Answer:
        """Send a request and read the whole answer, in at most `ANSWER_SECONDS` and the seconds for
        which the request lets the host wait.

        The library limits the time of each read, and a host that sends one byte a second would
        never reach that limit. So a thread asks, and its connection is cut if it takes too long.
        Raises SlowError then, TooMuchError for a longer answer than the request allows (unless it
        says that the answer may be cut), and whatever the library raises.
        """
        outcomes: list[Answer | BaseException] = []
        max_bytes, read_seconds = (
            request.max_bytes,
            store_answer_limits.SILENCE_SECONDS + request.wait_seconds,
        )

        def ask() -> Answer:
            answer = self._pool.request(
                request.method,
                request.url,
                body=request.body,
                headers=dict(request.headers),
                redirect=False,  # the address is a secret, and goes to this host only
                preload_content=False,
                timeout=urllib3.Timeout(
                    connect=store_answer_limits.CONNECT_SECONDS, read=read_seconds
                ),
            )
            data = bytearray()
            try:
                while len(data) <= max_bytes:
                    part = answer.read1(1 << 16, decode_content=False)
                    if not part:
                        break
                    data += part
                if len(data) > max_bytes and not request.is_cut:
                    raise store_answer_limits.TooMuchError
            finally:
                if len(data) > max_bytes:
                    answer.close()
                answer.release_conn()
            return Answer(answer.status, answer.headers, bytes(data[:max_bytes]))

        def note() -> None:
            try:
                outcomes.append(ask())
            except BaseException as error:  # noqa: BLE001 - raised below, for the caller
                outcomes.append(error)
            finally:
                _SOCKETS_BY_THREAD.pop(threading.get_ident(), None)

        thread = threading.Thread(target=note, daemon=True)
        thread.start()
        thread.join(store_answer_limits.ANSWER_SECONDS + request.wait_seconds)
        if not outcomes:
            _cut(thread)
            raise store_answer_limits.SlowError
        if isinstance(outcomes[0], BaseException):
            raise outcomes[0]
        return outcomes[0]


def _cut(thread: threading.Thread) -> None:
    """End what a thread waits for, by shutting its socket. The library asks again after the first
    cuts, so this is done several times."""
    for _ in range(MAX_CUTS):
        if answering_socket := _SOCKETS_BY_THREAD.get(thread.ident or 0):
            with contextlib.suppress(OSError):
                socket.socket.shutdown(answering_socket, socket.SHUT_RDWR)
        thread.join(0.2)
