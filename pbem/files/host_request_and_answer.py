"""A request to a host, its answer, and the way to send it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple, Protocol

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


class Calls(Protocol):
    """The way to a host: `host_requests`, and in a browser tab `fetched_host_answers_in_tab`."""

    def ask(self, request: Request) -> Answer:
        """Send a request, and return the whole answer. Raises TooMuchError, and what
        `store_errors.asking` turns into plain errors."""
