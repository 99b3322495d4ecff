"""Requests to a host in a browser tab: the worker has sent them before, and the answers are here.

A request of a page must not wait for the network, and nothing may leave before it is kept. So for
the program the host is out of reach: it shows what was there before, and what it writes waits in
the outbox of the game's folder. Then the worker sends what waits, fetches what is new, and lets the
folder take the answers, as if the host could be reached now.
"""

from __future__ import annotations

from pbem.files.host_request_and_answer import Answer, Request
from pbem.files.store_limits import TooMuchError

ANSWERS: dict[tuple[str, str], Answer] = {}
"""The answers of hosts, by method and URL; empty except while a folder takes answers."""


class Calls:
    """Gives the answers that are here."""

    def ask(self, request: Request) -> Answer:
        """Return the answer to this request. Raises ConnectionError if it is not here,
        TooMuchError."""
        answer = ANSWERS.get((request.method, request.url))
        if answer is None:
            raise ConnectionError
        if len(answer.data) > request.max_bytes and not request.is_cut:
            raise TooMuchError
        return answer._replace(data=answer.data[: request.max_bytes])
