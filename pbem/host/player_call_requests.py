"""The call requests that a host has taken, kept beside the games, and what was called already."""

from __future__ import annotations

import hashlib
import re
import secrets
import threading
import time
from contextlib import suppress
from typing import Final, NamedTuple

from pbem.format.canonical_toml import RecordError
from pbem.format.signed_file import split
from pbem.host.record_gate import Refusal
from pbem.host.small_files import HostFiles
from pbem.records.player_call_request import (
    MAIL,
    MAX_CLOCK_SECONDS,
    CallRequest,
    call_request_in,
)
from pbem.text.clock import now

MAX_SEAT_CALLS: Final = 5
"""The most addresses at which one key of a seat is called; one of them may be for email."""
MAX_CALLS: Final = 20_000
"""The most addresses at which a host calls anybody."""
ADDRESS_NAME_CHARACTERS: Final = 98
"""The length of the name that the requests of one key for one address in a game share."""
LIST_SECONDS: Final = 60.0
"""Seconds after which the files are listed again: another host may share them."""
_REQUEST_PATTERN: Final = re.compile(r"([0-9a-f]{32})-([0-9a-f]{32})-([0-9a-f]{32})-([0-9]{12})")
_CONFIRMED_PATTERN: Final = re.compile(r"confirmed-([0-9a-f-]{98})")
_CLAIM_PATTERN: Final = re.compile(r"called-([0-9a-f]{32})-([0-9a-f]{32})-([0-9]{5})-([12])")


class TakenRequest(NamedTuple):
    """A call request that the host has taken."""

    file: str
    """The name of its file."""
    key: bytes
    """The key that signed it."""
    content: CallRequest

    @property
    def address_name(self) -> str:
        """The name that the requests of one key for one address in a game share."""
        return self.file[:ADDRESS_NAME_CHARACTERS]


class CallBook:
    """The call requests of all games, and the claims: one for each time that somebody is called.

    Hosts over the same games share the files. Each file is made once, so only one host makes a
    claim. May be used by several threads.
    """

    def __init__(self, files: HostFiles) -> None:
        self._files = files
        self._lock = threading.RLock()
        self._requests = dict[str, TakenRequest]()
        """By name, the request in each file."""
        self._claims = set[str]()
        self._confirmed = set[str]()
        """The names of the email addresses whose owners have confirmed a request."""
        self._listed_at = 0.0

    def take(self, game_name: str, data: bytes, key: bytes, content: CallRequest) -> None:
        """Keep a call request that was checked. Raises Refusal for one that comes too late or is
        one too many; StorageError."""
        address_name = address_name_of(game_name, key, content.address)
        name = f"{address_name}-{content.time:012}"
        with self._lock:
            self._list()
            earlier_names = [
                file_name for file_name in self._requests if file_name.startswith(address_name)
            ]
            if max(earlier_names, default="") >= name:
                raise Refusal(409, "this host already has a newer request for this address")
            if not content.on and not earlier_names:
                return  # nobody is called there
            other_requests = [
                request
                for request in self.requests_of(game_name)
                if request.key == key and request.file not in earlier_names
            ]
            if content.on and content.way == MAIL:
                earlier_names += [
                    request.file for request in other_requests if request.content.way == MAIL
                ]
                other_requests = [
                    request for request in other_requests if request.content.way != MAIL
                ]
            if content.on and len(other_requests) >= MAX_SEAT_CALLS:
                sentence = f"this host already calls your seat at {MAX_SEAT_CALLS} addresses"
                raise Refusal(507, f"{sentence}: switch one of them off first")
            if content.on and len(self._requests) >= MAX_CALLS:
                raise Refusal(507, "this host already calls as many people as it can")
            self._files.make(name, data)
            self._requests[name] = TakenRequest(name, key, content)
            for earlier_name in earlier_names:
                self._remove(earlier_name)
                if not content.on or not earlier_name.startswith(address_name):
                    self._unconfirm(earlier_name[:ADDRESS_NAME_CHARACTERS])

    def requests_of(self, game_name: str) -> list[TakenRequest]:
        """Return the requests to be called in a game."""
        with self._lock:
            return [
                request
                for request in self._requests.values()
                if request.file.startswith(game_name) and request.content.on
            ]

    def request_for(self, address_name: str) -> TakenRequest | None:
        """Return the request to be called at an address; None if there is none."""
        with self._lock:
            requests = self.requests_of(address_name)
            return requests[0] if requests else None

    def is_wanted(self, request: TakenRequest) -> bool:
        """Return whether the request still counts: nobody has taken it back, or stopped letters."""
        with self._lock:
            is_kept = request.file in self._requests
            return is_kept and (request.content.way != MAIL or self.is_confirmed(request))

    def is_confirmed(self, request: TakenRequest) -> bool:
        """Return whether the owner of an email address has confirmed the request."""
        with self._lock:
            return request.address_name in self._confirmed

    def confirm(self, request: TakenRequest) -> None:
        """Note that the owner of an email address has confirmed the request. Raises
        StorageError."""
        with self._lock:
            self._files.make(f"confirmed-{request.address_name}", b"confirmed")
            self._confirmed.add(request.address_name)

    def game_names(self) -> set[str]:
        """Return the names of the games in which somebody wants to be called. Raises
        StorageError."""
        with self._lock:
            self._list()
            return {name[:32] for name, request in self._requests.items() if request.content.on}

    def remove(self, request: TakenRequest) -> None:
        """Forget a request. Raises StorageError."""
        with self._lock:
            self._remove(request.file)
            self._unconfirm(request.address_name)

    def forget_game(self, game_name: str) -> None:
        """Forget all requests and claims of a game. Raises StorageError."""
        with self._lock:
            for name in [name for name in self._requests if name.startswith(game_name)]:
                self._remove(name)
                self._unconfirm(name[:ADDRESS_NAME_CHARACTERS])
            for claim in [
                claim for claim in self._claims if claim.startswith(f"called-{game_name}")
            ]:
                self._remove(claim)

    def claim(self, game_name: str, key: bytes, turn: int, number: int) -> bool:
        """Return whether this host is the one that calls the seat with a key the first or second
        time (`number`) for a turn: nobody has done that yet. Raises StorageError."""
        prefix = f"called-{game_name}-{_digits_of(key)}-"
        name = f"{prefix}{turn:05}-{number}"
        with self._lock:
            self._list()
            if name in self._claims:
                return False
            is_first = self._files.make(name, secrets.token_bytes(16))
            self._claims.add(name)
            for claim in [claim for claim in self._claims if claim.startswith(prefix)]:
                if claim < f"{prefix}{turn:05}":
                    self._remove(claim)
            return is_first

    def _remove(self, name: str) -> None:
        self._files.remove(name)
        self._requests.pop(name, None)
        self._claims.discard(name)

    def _unconfirm(self, address_name: str) -> None:
        if address_name in self._confirmed:
            self._confirmed.remove(address_name)
            self._files.remove(f"confirmed-{address_name}")

    def _list(self) -> None:
        """List the files, unless that was done just now, and read the new ones. Drop requests to
        stop that are so old that no earlier request can come again."""
        if self._listed_at and time.monotonic() - self._listed_at < LIST_SECONDS:
            return
        names = self._files.names()
        self._claims = {name for name in names if _CLAIM_PATTERN.fullmatch(name)}
        matches = [match for name in names if (match := _CONFIRMED_PATTERN.fullmatch(name))]
        self._confirmed = {match[1] for match in matches}
        request_names = {name for name in names if _REQUEST_PATTERN.fullmatch(name)}
        for name in self._requests.keys() - request_names:
            del self._requests[name]
        for name in request_names - self._requests.keys():
            with suppress(RecordError):
                signed = split(self._files.read(name) or b"")
                self._requests[name] = TakenRequest(name, signed.key, call_request_in(signed))
        oldest_time = now() - 2 * MAX_CLOCK_SECONDS
        for name, request in [*self._requests.items()]:
            if not request.content.on and request.content.time < oldest_time:
                self._remove(name)
        self._listed_at = time.monotonic()


def address_name_of(game_name: str, key: bytes, address: str) -> str:
    """Return the name that the requests of one key for one address in a game share."""
    return f"{game_name}-{_digits_of(key)}-{_digits_of(address.encode())}"


def _digits_of(data: bytes) -> str:
    """Return 32 hex digits that stand for a key or an address in names of files. So many, because a
    confirmation counts for a name: nobody may find two addresses with the same one."""
    return hashlib.sha256(data).hexdigest()[:32]
