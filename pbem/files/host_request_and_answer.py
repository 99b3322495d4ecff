"""A request to a host, its answer, and the way to send it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple, Protocol

from pbem.files.store_answer_limits import TooMuchError

MAX_WORDS_CHARACTERS: Final = 300
"""Characters of a host's own words that an error message repeats."""
NO_HOST: Final = "the server at this address is not a host of pbem games"


class Request(NamedTuple):
    """A request to a host."""

    method: str
    url: str
    headers: Mapping[str, str]
    max_bytes: int
    """The most bytes of the answer."""
    wait_seconds: int = 0
    """The seconds for which the host may hold the answer back."""
    body: bytes | None = None
    is_cut: bool = False
    """Whether a longer answer is cut; otherwise it raises TooMuchError."""


class Answer(NamedTuple):
    """The answer of a host."""

    status: int
    headers: Mapping[str, str]
    data: bytes

    @property
    def words(self) -> str:
        """The host's own words about a refusal, cut, on one line, without control characters."""
        if not self.headers.get("Content-Type", "").startswith("text/plain"):
            return ""
        words = " ".join(self.data[:4000].decode("utf-8", "replace").split())
        return "".join(c for c in words if c.isprintable())[:MAX_WORDS_CHARACTERS]


class HostConnection(Protocol):
    """The way to a host: `HttpConnections` (`host_http_connections.py`); in a browser tab,
    `FetchedAnswers`."""

    def ask(self, request: Request) -> Answer:
        """Send a request, and return the whole answer. Raises TooMuchError, and what
        `translate_store_errors` turns into plain errors."""


ANSWERS: dict[tuple[str, str], Answer] = {}
"""The answers of hosts, by method and URL; empty except while a folder takes answers."""


class FetchedAnswers:
    """The way to a host in a browser tab: gives the answers that the worker has fetched before.

    A request of a page must not wait for the network, and nothing may leave before it is kept. So
    for the program the host is out of reach: it shows what was there before, and what it writes
    waits in the outbox of the game's folder. Then the worker sends what waits, fetches what is new,
    and lets the folder take the answers, as if the host could be reached now.
    """

    def ask(self, request: Request) -> Answer:
        """Return the answer to this request. Raises ConnectionError if it is not here,
        TooMuchError."""
        answer = ANSWERS.get((request.method, request.url))
        if answer is None:
            raise ConnectionError
        if len(answer.data) > request.max_bytes and not request.is_cut:
            raise TooMuchError
        return answer._replace(data=answer.data[: request.max_bytes])
