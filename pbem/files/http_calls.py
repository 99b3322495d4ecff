"""Requests to a host over HTTP with urllib3: one call, with limits of time and size.

In a browser tab, `pbem/files/http_calls_tab.py` takes its place.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping

import urllib3

from pbem import __version__
from pbem.files import store
from pbem.files.http_store import Answer


class Calls:
    """Connections to hosts, kept open between requests; all threads may use them."""

    waits = frozenset(["orders", "press", "notice"])

    def __init__(self) -> None:
        logging.getLogger("urllib3").addHandler(logging.NullHandler())  # it logs addresses
        self._pool = urllib3.PoolManager(
            maxsize=8,
            retries=urllib3.Retry(2, redirect=False, status=0, backoff_factor=0.2),
            headers={"User-Agent": f"pbem/{__version__}"},
        )

    def ask(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        most: int,
        wait: int = 0,
        body: bytes | None = None,
        cut: bool = False,
    ) -> Answer:
        """Send a request and read the whole answer, in at most `WHOLE` seconds and `most` bytes.

        The library limits the time of each read, and a host that sends one byte a second would
        never reach that limit. So a thread asks, and is left behind if it takes too long.
        """
        found: list[Answer | BaseException] = []

        def ask() -> Answer:
            answer = self._pool.request(
                method,
                url,
                body=body,
                headers=dict(headers),
                redirect=False,  # the address is a secret, and goes to this host only
                preload_content=False,
                timeout=urllib3.Timeout(connect=store.CONNECT, read=store.PAUSE + wait),
            )
            data = bytearray()
            try:
                while len(data) <= most and (part := answer.read1(1 << 16, decode_content=False)):
                    data += part
                if len(data) > most and not cut:
                    raise store.TooMuchError
            finally:
                if len(data) > most:
                    answer.close()
                answer.release_conn()
            return Answer(answer.status, answer.headers, bytes(data[:most]))

        def note() -> None:
            try:
                found.append(ask())
            except BaseException as error:  # noqa: BLE001 - raised below, for the caller
                found.append(error)

        thread = threading.Thread(target=note, daemon=True)
        thread.start()
        thread.join(store.WHOLE + wait)
        if not found:
            raise store.SlowError
        if isinstance(found[0], BaseException):
            raise found[0]
        return found[0]
