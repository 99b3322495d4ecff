"""A store over HTTP: a game folder that a host keeps (`pbem host`), by its secret address.

The host gives a list of names, sizes and, of turns, digests; it gives files, and takes each new
file once. docs/host.md says which requests that takes. Nothing that it answers is trusted: every
answer has limits, and every file is checked as a file from a shared folder is.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Final, NoReturn
from urllib.parse import urlencode

from pbem.files import store_answer_limits, syscalls
from pbem.files.file_errors import AwayError, StorageError
from pbem.files.game_folder_places import HostPlace
from pbem.files.host_answer_about_new_game import NewGameAnswer, read_dealt_game
from pbem.files.host_request_and_answer import NO_HOST, Answer, HostConnection, Request
from pbem.files.record_file_names import parse_name
from pbem.files.store_interface import Entry, Store

MAX_LIST_BYTES: Final = 8 << 20
"""Bytes of one list: 100,000 names have six million."""
MAX_WAIT_SECONDS: Final = 25
"""Seconds for which a host may hold back a list until there is news."""
DIGEST_DIGITS: Final = 12
"""The number of hex digits of a SHA-256 in a list, for a turn or final record."""
LIST_LINE: Final = re.compile(
    rf"([a-z0-9/.-]{{1,64}}) ([0-9]{{1,7}})(?: ([0-9a-f]{{{DIGEST_DIGITS}}}))?", re.ASCII
)
"""A line of a list: a path, the number of bytes, and of turns and the final record a digest."""


def folder_name_of(digits: str) -> str:
    """Return the name of the game at an address on its host: of its folder there, and in calls."""
    return hashlib.sha256(digits.encode()).hexdigest()[:32]


_NO_ROOM_SENTENCE: Final = "the host has no room for this file: {}"
_REFUSED_SENTENCE: Final = "the host refuses this file: {}"
_NO_TOKEN: Final = (
    "to make games on this host, you need a token: ask the host's owner, and set PBEM_HOST_TOKEN"
)
_UNKNOWN_TOKEN: Final = (
    "this host does not know the token in PBEM_HOST_TOKEN; ask the host's owner for a token"
)


class RefusedError(StorageError):
    """Raised if a host refuses a file for ever, not only for want of room or time."""


class HostStore(Store):
    """A game folder on a host. The host sees to it that no file is ever overwritten."""

    is_parallel = syscalls.HAS_THREADS

    def __init__(self, connection: HostConnection, place: HostPlace, token: str = "") -> None:
        """Prepare the store; `token` is the permission by the host's owner to make games there."""
        self.connection: HostConnection = connection
        self.root, self.token = str(place), token
        self.shown_address, self.host = place.shown_address, place.host
        self.etag, self.entries = "", list[tuple[str, Entry]]()
        """The last list, and the mark by which the host knows it again."""

    def list_entries(self, places: Collection[str]) -> Iterator[tuple[str, Entry]]:
        """List all records. Raises FileNotFoundError if the host has no such game."""
        self._ask_for_list()
        yield from self.entries

    def wait_for_news(self, seconds: float) -> bool:
        """Wait until the host has news, at most `seconds` or `MAX_WAIT_SECONDS`; return whether
        there is news."""
        old_etag = self.etag
        self._ask_for_list(min(round(seconds), MAX_WAIT_SECONDS))
        return self.etag != old_etag

    def page(self) -> str:
        """Return the address of the page that plays in a browser, if the host serves one; else an
        empty text."""
        site = f"{self.host}/"
        answer = self.connection.ask(Request("GET", f"{site}site.json", {}, MAX_LIST_BYTES))
        return site if answer.status == 200 else ""

    def start_game(self, form: Mapping[str, str]) -> NewGameAnswer:
        """Let the host make and deal a game, as its page `new` does. Raises StorageError."""
        headers = {"Accept": "application/json"}
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        headers |= {"Authorization": f"Bearer {self.token}"} if self.token else {}
        body = urlencode(form).encode()
        answer = self.connection.ask(
            Request("POST", f"{self.host}/new", headers, MAX_LIST_BYTES, body=body)
        )
        if answer.status in (404, 405):
            raise RefusedError(
                self.host, "this host does not deal cards; deal yourself, or use another host"
            )
        if answer.status in (400, 413) and answer.words:
            raise RefusedError(self.host, f"the host did not make the game: {answer.words}")
        self._need(answer, 201)
        return read_dealt_game(answer.data, self.host)

    def co_dealer_line(self) -> str:
        """Return the line with which a game names the host as a co-dealer. Raises RefusedError if
        it is none, StorageError."""
        answer = self.connection.ask(Request("GET", f"{self.host}/co-dealer", {}, MAX_LIST_BYTES))
        if answer.status == 404:
            sentence = "this host is not a co-dealer: its owner must start it with --co-deal"
            raise RefusedError(self.host, sentence)
        self._need(answer, 200)
        return answer.data.decode("utf-8", "replace").partition("\n")[0]

    def _ask_for_list(self, wait_seconds: int = 0) -> None:
        """Get the host's list, if it changed since the last one; the host may wait so long for
        news. Raises FileNotFoundError, and what `_need` and `entries_in` raise."""
        headers = {"If-None-Match": self.etag} if self.etag else {}
        headers |= {"Prefer": f"wait={wait_seconds}"} if wait_seconds else {}
        answer = self.connection.ask(
            Request("GET", f"{self.root}/", headers, MAX_LIST_BYTES, wait_seconds)
        )
        if answer.status == 304:
            return
        self._need(answer, 200)
        self.entries = entries_in(answer.data, self.shown_address)
        self.etag = answer.headers.get("ETag", "")[:200]

    def get(self, path: str, max_bytes: int) -> bytes:
        answer = self.connection.ask(
            Request("GET", f"{self.root}/{path}", {}, max_bytes, is_cut=True)
        )
        self._need(answer, 200)
        return answer.data

    def write_new(self, path: str, data: bytes) -> None:
        """Write a new file, with the host owner's token if it is a charter. Raises FileExistsError
        if the host has a file with this name, and what `_need` raises."""
        headers = {"If-None-Match": "*", "Content-Type": "application/toml"}
        if self.token and path == "game.toml":
            headers["Authorization"] = f"Bearer {self.token}"
        request = Request("PUT", f"{self.root}/{path}", headers, MAX_LIST_BYTES, body=data)
        answer = self.connection.ask(request)
        if answer.status in (200, 412):  # it is there: the same bytes, or others
            raise FileExistsError(path)
        self._need(answer, 201)

    def move(self, source: str, target: str) -> NoReturn:
        """Raise StorageError: a host keeps every file under its name."""
        raise StorageError(f"{self.shown_address}/{source}", "files on a host cannot be renamed")

    def remove(self, path: str) -> NoReturn:
        """Raise StorageError: a host keeps every file."""
        raise StorageError(
            f"{self.shown_address}/{path}",
            "files on a host stay; only the owner of the host can remove a game",
        )

    def _need(self, answer: Answer, status: int) -> None:
        """Raise an error unless the answer has this status: FileNotFoundError for 404, AwayError if
        it may work later, RefusedError if the host refuses for ever, else StorageError."""
        if answer.status == status:
            return
        address, words = self.shown_address, answer.words
        if answer.status == 404:
            raise FileNotFoundError(address)
        if answer.status in (408, 429, 502, 503, 504):
            sentence = f"the host takes nothing more for now ({words or answer.status})"
            retry_after = answer.headers.get("Retry-After", "")
            # after a longer wait, the host's own words say when
            is_soon = not retry_after.isdecimal() or int(retry_after[:9]) <= 120
            if is_soon:
                sentence = f"the host is busy now ({words or answer.status}); try again in a moment"
            raise AwayError(address, sentence)
        if answer.status == 507:
            remedy = words or "ask the host's owner to make room"
            raise StorageError(address, _NO_ROOM_SENTENCE.format(remedy))
        if answer.status == 401:
            raise StorageError(address, _UNKNOWN_TOKEN if self.token else _NO_TOKEN)
        if 400 <= answer.status < 500 and words:
            raise RefusedError(address, _REFUSED_SENTENCE.format(words))
        sentence = f"the host answers with an error ({answer.status}); try again later"
        raise AwayError(address, sentence)


def entries_in(text: bytes, shown_address: str) -> list[tuple[str, Entry]]:
    """Return the files in a host's list. Raises StorageError if it is none, TooManyFilesError."""
    entries = list[tuple[str, Entry]]()
    for line in text.decode("ascii", "replace").splitlines():
        match = LIST_LINE.fullmatch(line)
        if match is None or parse_name(match[1]) is None:
            raise StorageError(shown_address, NO_HOST)
        entries.append(listed_entry(match[1], int(match[2]), match[3] or ""))
        if len(entries) > store_answer_limits.MAX_FILES:
            raise store_answer_limits.TooManyFilesError
    return entries


def listed_entry(path: str, size: int, digest: str = "") -> tuple[str, Entry]:
    """Return a file as a list has it; a host tells no times."""
    return path, Entry(path.rpartition("/")[2], "file", size, 0, digest)
