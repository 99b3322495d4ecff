"""A store over HTTP: a game folder that a host keeps (`pbem host`), by its secret address.

The host gives a list of names, sizes and, of turns, digests; it gives files, and takes each new
file once. docs/host.md says which requests that takes. Nothing that it answers is trusted: every
answer has limits, and every file is checked as a file from a shared folder is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Final, NamedTuple, NoReturn, Protocol
from urllib.parse import urlencode

from pbem.files import store, syscalls
from pbem.files.disk import AwayError, StorageError
from pbem.files.folder import StoreAddress, parse_name
from pbem.files.store import Entry, Store

MOST_LIST: Final = 8 << 20
"""Bytes of one list: 100,000 names have six million."""
WAIT: Final = 25
"""Seconds for which a host may hold back a list until there is news."""
MOST_WORDS: Final = 300
"""Characters of a host's own words that an error message repeats."""
DIGITS: Final = 12
"""How many hex digits of its SHA-256 a list has for a turn or final record."""
LINE: Final = re.compile(
    rf"([a-z0-9/.-]{{1,64}}) ([0-9]{{1,7}})(?: ([0-9a-f]{{{DIGITS}}}))?", re.ASCII
)
"""A line of a list: a path, the number of bytes, and of turns and the final record a digest."""

_HOST: Final = r"https?://[A-Za-z0-9.:\[\]/_~-]{1,200}"
_INVITE: Final = "[A-Za-z0-9:-]{1,200}"
_DEALT: Final = {
    "title": ".{1,80}",
    "name": ".{1,80}",
    "address": f"{_HOST}/g/[0-9a-f]{{32}}",
    "page": "/new/[0-9a-f]{32}/[0-9a-f]{32}",
    "command": f"pbem join -C {_HOST}/g/[0-9a-f]{{32}} --invite {_INVITE}",
    "link": f"({_HOST}/#join=[0-9a-f]{{32}}/{_INVITE})?",
}
"""What a host may say of a game that it deals: people type and open it, or send it to others."""
_NO_HOST: Final = "what answers here is no host of games"

_FULL: Final = "the host has no room for this file: {}"
_REFUSED: Final = "the host refuses this file: {}"


class RefusedError(StorageError):
    """Raised if a host refuses a file, whatever room it has and whenever it is asked."""


class DealtSeat(NamedTuple):
    """A seat in a game that a host deals: whose it is, and two ways to take it."""

    name: str
    command: str
    link: str
    """The link that joins in a browser; empty if the host serves no page."""


class DealtGame(NamedTuple):
    """A game that a host has made and deals."""

    title: str
    address: str
    page: str
    """The path of the page with all of this."""
    seats: list[DealtSeat]


class Request(NamedTuple):
    """What a host is asked."""

    method: str
    url: str
    headers: Mapping[str, str]
    most: int
    """How many bytes the answer may have."""
    wait: int = 0
    """The seconds for which the host may hold the answer back."""
    body: bytes | None = None
    cut: bool = False
    """Whether a longer answer is cut; otherwise it raises TooMuchError."""


class Answer(NamedTuple):
    """What a host answered."""

    status: int
    headers: Mapping[str, str]
    data: bytes

    @property
    def words(self) -> str:
        """The host's own words about a refusal, cut, on one line, without control characters."""
        if not self.headers.get("Content-Type", "").startswith("text/plain"):
            return ""
        words = " ".join(self.data[:4000].decode("utf-8", "replace").split())
        return "".join(c for c in words if c.isprintable())[:MOST_WORDS]


class Calls(Protocol):
    """How requests reach a host: `http_calls`, and in a browser tab `http_calls_tab`."""

    def ask(self, request: Request) -> Answer:
        """Send a request, and return the whole answer. Raises TooMuchError, and what
        `store.asking` turns into plain errors."""


class HostStore(Store):
    """A game folder on a host. The host sees to it that no file is ever overwritten."""

    many = syscalls.HAS_THREADS

    def __init__(self, calls: Calls, address: StoreAddress, token: str = "") -> None:
        """`token` is what the host's owner gave to those who may make games there."""
        self.calls, self.root, self.token = calls, str(address), token
        self.shown, self.host = address.shown, address.host
        self.etag, self.entries = "", list[tuple[str, Entry]]()
        """The last list, and the mark by which the host knows it again."""

    def list_all(self, places: Collection[str]) -> Iterator[tuple[str, Entry]]:
        """List all records. Raises FileNotFoundError if the host has no such game."""
        self._ask_for_list()
        yield from self.entries

    def wait(self, seconds: float) -> bool:
        """Wait until the host has news, or for this time, at most `WAIT` seconds; return whether
        there is news."""
        before = self.etag
        self._ask_for_list(min(round(seconds), WAIT))
        return self.etag != before

    def page(self) -> str:
        """Return the address of the page that plays in a browser, if the host serves one; else an
        empty text."""
        site = f"{self.host}/"
        answer = self.calls.ask(Request("GET", f"{site}site.json", {}, MOST_LIST))
        return site if answer.status == 200 else ""

    def start_game(self, form: Mapping[str, str]) -> DealtGame:
        """Ask the host to make a game that it deals, as its page `new` does. Raises
        StorageError."""
        headers = {"Accept": "application/json"}
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        headers |= {"Authorization": f"Bearer {self.token}"} if self.token else {}
        body = urlencode(form).encode()
        answer = self.calls.ask(Request("POST", f"{self.host}/new", headers, MOST_LIST, body=body))
        if answer.status in (404, 405):
            raise RefusedError(self.host, "this host does not deal")
        if answer.status in (400, 413) and answer.words:
            raise RefusedError(self.host, f"the host makes no such game: {answer.words}")
        self._need(answer, 201)
        return _dealt_game(answer.data, self.host)

    def _ask_for_list(self, wait: int = 0) -> None:
        headers = {"If-None-Match": self.etag} if self.etag else {}
        headers |= {"Prefer": f"wait={wait}"} if wait else {}
        answer = self.calls.ask(Request("GET", f"{self.root}/", headers, MOST_LIST, wait))
        if answer.status == 304:
            return
        self._need(answer, 200)
        self.entries = entries_in(answer.data, self.shown)
        self.etag = answer.headers.get("ETag", "")[:200]

    def get(self, path: str, most: int) -> bytes:
        answer = self.calls.ask(Request("GET", f"{self.root}/{path}", {}, most, cut=True))
        self._need(answer, 200)
        return answer.data

    def put_new(self, path: str, data: bytes) -> None:
        headers = {"If-None-Match": "*", "Content-Type": "application/toml"}
        if self.token and path == "game.toml":
            headers["Authorization"] = f"Bearer {self.token}"
        request = Request("PUT", f"{self.root}/{path}", headers, MOST_LIST, body=data)
        answer = self.calls.ask(request)
        if answer.status in (200, 412):  # it is there: the same bytes, or others
            raise FileExistsError(path)
        self._need(answer, 201)

    def move(self, old: str, new: str) -> NoReturn:
        """Raise StorageError: a host keeps every file under its name."""
        raise StorageError(f"{self.shown}/{old}", "a host keeps each file; nobody can rename it")

    def remove(self, path: str) -> NoReturn:
        """Raise StorageError: a host keeps every file."""
        raise StorageError(
            f"{self.shown}/{path}", "a host keeps each file; only its owner removes games"
        )

    def _need(self, answer: Answer, status: int) -> None:
        if answer.status == status:
            return
        where, words = self.shown, answer.words
        if answer.status == 404:
            raise FileNotFoundError(where)
        if answer.status in (408, 429, 502, 503, 504):
            told = f"the host is busy now ({words or answer.status})"
            after = answer.headers.get("Retry-After", "")
            is_soon = not after.isdecimal() or int(after[:9]) <= 120  # else its words say when
            raise AwayError(where, told + "; try again in a moment" * is_soon)
        if answer.status == 507:
            raise StorageError(where, _FULL.format(words or "ask its owner to make room"))
        if answer.status == 401:
            told = "making games on this host needs the token of its owner; give it in "
            told += "PBEM_HOST_TOKEN"
            if self.token:
                told = "this host does not know the token in PBEM_HOST_TOKEN; ask its owner for one"
            raise StorageError(where, told)
        if 400 <= answer.status < 500 and words:
            raise RefusedError(where, _REFUSED.format(words))
        raise AwayError(where, f"the host answers with an error ({answer.status}); try again later")


def _dealt_game(data: bytes, where: str) -> DealtGame:
    def said(row: Mapping[str, str], name: str) -> str:
        if not re.fullmatch(_DEALT[name], row[name]):
            raise ValueError(name)
        return row[name]

    try:
        (game,) = json.loads(data)
        seats = [
            DealtSeat(said(one, "name"), said(one, "command"), said(one, "link"))
            for one in game["seats"]
        ]
        return DealtGame(said(game, "title"), said(game, "address"), said(game, "page"), seats)
    except (ValueError, TypeError, KeyError, RecursionError):
        raise StorageError(where, _NO_HOST) from None


def entries_in(text: bytes, shown: str) -> list[tuple[str, Entry]]:
    """Return the files in a host's list. Raises StorageError if it is none, TooManyFilesError."""
    entries = list[tuple[str, Entry]]()
    for line in text.decode("ascii", "replace").splitlines():
        match = LINE.fullmatch(line)
        if match is None or parse_name(match[1]) is None:
            raise StorageError(shown, _NO_HOST)
        entries.append(listed(match[1], int(match[2]), match[3] or ""))
        if len(entries) > store.MOST_FILES:
            raise store.TooManyFilesError
    return entries


def listed(path: str, size: int, digest: str = "") -> tuple[str, Entry]:
    """Return a file as a list has it; a host tells no times."""
    return path, Entry(path.rpartition("/")[2], "file", size, 0, digest)
