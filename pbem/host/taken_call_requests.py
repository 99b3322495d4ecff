"""The call requests that a host has taken, kept beside the games, and what was called already."""

from __future__ import annotations

import hashlib
import re
import secrets
import threading
import time
from contextlib import suppress
from typing import Final, NamedTuple

from pbem.files.file_errors import StorageError
from pbem.files.write_once_files import WriteOnceFiles
from pbem.format.record_error import RecordError
from pbem.format.signed_file import split
from pbem.host.record_gate import HostRefusal
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
"""The most addresses at which a host calls anybody. The last half is for games with a turn: before,
anybody may join with many keys."""
_GAME_CHARACTERS: Final = 32
"""The length of a game's name on a host."""
ADDRESS_NAME_CHARACTERS: Final = 98
"""The length of the name that the requests of one key for one address in a game share."""
LIST_SECONDS: Final = 60.0
"""Seconds after which the files are listed again: another host may share them."""
_ADDRESS_NAME: Final = "[0-9a-f]{32}-[0-9a-f]{32}-[0-9a-f]{32}"
_REQUEST_PATTERN: Final = re.compile(f"{_ADDRESS_NAME}-[0-9]{{12}}")
_STOP_PATTERN: Final = re.compile(f"stopped-({_ADDRESS_NAME})-([0-9]{{12}})")
_CONFIRMED_PATTERN: Final = re.compile(f"confirmed-({_ADDRESS_NAME})")
_CLAIM_PATTERN: Final = re.compile(f"called-({_ADDRESS_NAME})-[0-9]{{5}}-[12]")


class TakenRequest(NamedTuple):
    """A request to call somebody that the host has taken."""

    file: str
    """The name of its file."""
    key: bytes
    """The key that signed it."""
    content: CallRequest

    @property
    def game_name(self) -> str:
        """The name of the game's folder on the host."""
        return self.file[:_GAME_CHARACTERS]

    @property
    def address_name(self) -> str:
        """The name that the requests of one key for one address in a game share."""
        return self.file[:ADDRESS_NAME_CHARACTERS]


class CallBook:
    """The call requests of all games, and the claims: one for each time that somebody is called.

    Hosts over the same games share the files. Each file is made once, so only one host makes a
    claim. A stop is written before what it stops is removed, and what was written at the same time
    is looked for afterwards, so that it counts for all of them. May be used by several threads.
    """

    def __init__(self, files: WriteOnceFiles) -> None:
        self._files = files
        self._lock = threading.RLock()
        self._requests = dict[str, dict[str, TakenRequest]]()
        """By game and by name of the file, the requests to be called."""
        self._stop_times = dict[str, int]()
        """By address name, the time of the last stop: only a later request counts."""
        self._claims = set[str]()
        self._confirmed = set[str]()
        """The names of the email addresses whose owners have confirmed a request."""
        self._leftovers = set[str]()
        """The claims and confirmations that belonged to no request at the last listing."""
        self._listed_at = 0.0

    def take(
        self, game_name: str, data: bytes, key: bytes, content: CallRequest, *,
        has_begun: bool = True,
    ) -> None:  # fmt: skip
        """Keep a call request that was checked, or stop. `has_begun`: the game has a turn. Raises
        HostRefusal for one that comes too late or is one too many; StorageError."""
        address_name = address_name_of(game_name, key, content.address)
        with self._lock:
            self._list(game_name)
            earlier_requests = self._requests_at(address_name)
            latest_time = max((request.content.time for request in earlier_requests), default=-1)
            if content.on:
                latest_time = max(latest_time, self._stop_times.get(address_name, -1))
            if latest_time >= content.time:
                raise HostRefusal(
                    409, "this host already has a newer call request for this address"
                )
            if content.on:
                self._keep_request(address_name, data, key, content, has_begun=has_begun)
            else:
                self._stop(address_name, content.time)

    def _keep_request(
        self, address_name: str, data: bytes, key: bytes, content: CallRequest, *, has_begun: bool
    ) -> None:
        """Keep a request to be called. A key's request for email takes the place of its earlier one
        in the game. Raises HostRefusal, StorageError."""
        game_name = address_name[:_GAME_CHARACTERS]
        other_requests = [
            request
            for request in self.requests_of(game_name)
            if request.key == key and request.address_name != address_name
        ]
        replaced_requests = list[TakenRequest]()
        if content.way == MAIL:
            replaced_requests = [
                request for request in other_requests if request.content.way == MAIL
            ]
        if len(other_requests) - len(replaced_requests) >= MAX_SEAT_CALLS:
            sentence = f"this host already calls your seat at {MAX_SEAT_CALLS} addresses"
            raise HostRefusal(507, f"{sentence}: switch one of them off first")
        call_count = sum(len(requests) for requests in self._requests.values())
        if call_count >= (MAX_CALLS if has_begun else MAX_CALLS // 2):
            raise HostRefusal(507, "this host already calls as many people as it can")
        name = f"{address_name}-{content.time:012}"
        self._files.make(name, data)
        # this drops the request if another host has just taken a stop or a newer one
        self._list(game_name)
        if name not in self._requests.get(game_name, {}):
            raise HostRefusal(409, "this host already has a newer call request for this address")
        for request in replaced_requests:
            self._stop(request.address_name, request.content.time)

    def _stop(self, address_name: str, time: int) -> None:
        """Drop the requests for an address that were made until a time, for all hosts."""
        name = f"stopped-{address_name}-{time:012}"
        try:
            self._files.make(name, b"stopped")
        except StorageError:  # a full disk, on which this makes room
            for request in self._requests_at(address_name):
                if request.content.time <= time:
                    self._files.remove(request.file)
            self._files.make(name, b"stopped")
        self._list(address_name[:_GAME_CHARACTERS])
        if not self._requests_at(address_name):
            self._unconfirm(address_name)

    def _requests_at(self, address_name: str) -> list[TakenRequest]:
        """Return the requests to be called at an address: at most one, unless two hosts have just
        taken one each."""
        return [
            request
            for request in self.requests_of(address_name[:_GAME_CHARACTERS])
            if request.address_name == address_name
        ]

    def requests_of(self, game_name: str) -> list[TakenRequest]:
        """Return the requests to be called in a game."""
        with self._lock:
            return [*self._requests.get(game_name, {}).values()]

    def request_for(self, address_name: str) -> TakenRequest | None:
        """Return the request to be called at an address; None if there is none. Raises
        StorageError."""
        with self._lock:
            if not self._requests_at(address_name):
                self._list(address_name[:_GAME_CHARACTERS])  # another host may have it
            return next(iter(self._requests_at(address_name)), None)

    def is_wanted(self, request: TakenRequest) -> bool:
        """Return whether a request still counts: nobody has taken it back, here or at another host
        over the same games. Raises StorageError."""
        with self._lock:
            is_kept = request in self._requests_at(request.address_name)
        return is_kept and self._files.read(request.file) is not None

    def is_confirmed(self, request: TakenRequest) -> bool:
        """Return whether the owner of an email address has confirmed the request."""
        with self._lock:
            return request.address_name in self._confirmed

    def confirm(self, request: TakenRequest) -> None:
        """Note that the owner of an email address has confirmed the request, if it still counts.
        Raises StorageError."""
        with self._lock:
            self._list(request.game_name)
            if self._requests_at(request.address_name):
                self._files.make(f"confirmed-{request.address_name}", b"confirmed")
                self._confirmed.add(request.address_name)

    def game_names(self) -> set[str]:
        """Return the names of the games in which somebody wants to be called. Forget what belongs
        to no request any more, and stops that are so old that no earlier request can come again.
        Raises StorageError."""
        with self._lock:
            if time.monotonic() - self._listed_at >= LIST_SECONDS or not self._listed_at:
                self._list()
                self._forget_leftovers()
            return {*self._requests}

    def remove(self, request: TakenRequest) -> None:
        """Call nobody any more for a request, nor for an earlier one. Raises StorageError."""
        with self._lock:
            self._stop(request.address_name, request.content.time)

    def forget_game(self, game_name: str) -> None:
        """Forget all about a game. Raises StorageError."""
        with self._lock:
            for name in self._files.names():
                if game_name in name:
                    self._files.remove(name)
            self._list(game_name)  # another host may have added a request meanwhile

    def claim(self, request: TakenRequest, turn: int, number: int) -> bool:
        """Return whether this host is the one that calls somebody at an address the first or second
        time (`number`) for a turn: nobody has done that yet. Raises StorageError."""
        prefix = f"called-{request.address_name}-"
        name = f"{prefix}{turn:05}-{number}"
        with self._lock:
            if name in self._claims:
                return False
            is_first = self._files.make(name, secrets.token_bytes(16))
            self._claims.add(name)
            for claim in [claim for claim in self._claims if claim.startswith(prefix)]:
                if claim < f"{prefix}{turn:05}":
                    self._files.remove(claim)
                    self._claims.remove(claim)
            return is_first

    def _unconfirm(self, address_name: str) -> None:
        if address_name in self._confirmed:
            self._confirmed.remove(address_name)
            self._files.remove(f"confirmed-{address_name}")

    def _list(self, game_name: str = "") -> None:
        """List the files of a game, or of all games, and read the new requests. Drop requests that
        were stopped, or that have a later one for their address."""
        if not self._listed_at:
            game_name = ""
        names = [name for name in self._files.names() if game_name in name]
        self._claims = {name for name in self._claims if game_name not in name}
        self._claims |= {name for name in names if _CLAIM_PATTERN.fullmatch(name)}
        matches = [match for name in names if (match := _CONFIRMED_PATTERN.fullmatch(name))]
        self._confirmed = {name for name in self._confirmed if game_name not in name}
        self._confirmed |= {match[1] for match in matches}
        self._stop_times = {
            name: stop_time for name, stop_time in self._stop_times.items() if game_name not in name
        }
        for name in sorted(names, reverse=True):
            if match := _STOP_PATTERN.fullmatch(name):
                if match[1] in self._stop_times:
                    self._files.remove(name)  # a later one stops the same
                else:
                    self._stop_times[match[1]] = int(match[2])
        request_names = sorted(name for name in names if _REQUEST_PATTERN.fullmatch(name))
        known_requests = self._requests
        self._requests = {
            name: requests for name, requests in known_requests.items() if game_name not in name
        }
        last_names = {name[:ADDRESS_NAME_CHARACTERS]: name for name in request_names}
        for name in request_names:
            address_name, request_game = name[:ADDRESS_NAME_CHARACTERS], name[:_GAME_CHARACTERS]
            is_stopped = int(name[-12:]) <= self._stop_times.get(address_name, -1)
            if is_stopped or name != last_names[address_name]:
                self._files.remove(name)
            elif request := known_requests.get(request_game, {}).get(name) or self._read(name):
                self._requests.setdefault(request_game, {})[name] = request
        if not game_name:
            self._listed_at = time.monotonic()

    def _read(self, name: str) -> TakenRequest | None:
        """Return the request in a file; None if there is none."""
        with suppress(RecordError):
            signed = split(self._files.read(name) or b"")
            return TakenRequest(name, signed.key, call_request_in(signed))
        return None

    def _forget_leftovers(self) -> None:
        """Forget old stops, and the claims and confirmations that belong to nothing at two
        listings: in between, another host may replace a request."""
        self._files.sweep()
        oldest_time = now() - 2 * MAX_CLOCK_SECONDS
        for address_name, stop_time in [*self._stop_times.items()]:
            if stop_time < oldest_time:
                self._files.remove(f"stopped-{address_name}-{stop_time:012}")
                del self._stop_times[address_name]
        address_names = {
            request.address_name
            for requests in self._requests.values()
            for request in requests.values()
        }
        leftovers = {f"confirmed-{name}" for name in self._confirmed - address_names}
        known_names = address_names | self._stop_times.keys()
        for claim in self._claims:
            match = _CLAIM_PATTERN.fullmatch(claim)
            if match and match[1] not in known_names:
                leftovers.add(claim)
        for name in leftovers & self._leftovers:
            self._files.remove(name)
            self._claims.discard(name)
            self._confirmed.discard(name.removeprefix("confirmed-"))
        self._leftovers = leftovers - self._leftovers


def address_name_of(game_name: str, key: bytes, address: str) -> str:
    """Return the name that the requests of one key for one address in a game share."""
    return f"{game_name}-{_digits_of(key)}-{_digits_of(address.encode())}"


def _digits_of(data: bytes) -> str:
    """Return 32 hex digits that stand for a key or an address in names of files. So many, because a
    confirmation counts for a name: nobody may find two addresses with the same one."""
    return hashlib.sha256(data).hexdigest()[:32]
