"""The limits of requests to a host for each network, and the network of a request."""

from __future__ import annotations

import contextlib
import logging
import re
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Final, NamedTuple

from starlette.types import Scope

from pbem.files.record_file_names import Name
from pbem.host.record_gate import LARGE_BYTES, MIB, HostRefusal, account_of
from pbem.records.press_message import REFEREE

MAX_WAITING_REQUESTS: Final = 600
"""The most lists that are held back at a time; other requests are answered immediately."""
MAX_NETWORK_WAITING_REQUESTS: Final = 250
"""The same for one network."""
MAX_ARRIVING_BYTES: Final = 64 * MIB
"""The most bytes of files that are on their way to the host at a time."""
MAX_NETWORK_ARRIVING_BYTES: Final = 16 * MIB
"""The same for one network."""

MAX_REQUESTS: Final = 800
"""The most requests that are answered at a time."""
MAX_NETWORK_REQUESTS: Final = 300
"""The same for one network: more than may wait for news."""
RESERVED_NETWORK_REQUESTS: Final = 16
"""Requests of one network that are answered even if others have used up all places."""

STALL_SECONDS: Final = 3.0
"""Seconds without a new byte of a file, after which the host drops it if others need the room."""
MAX_DAILY_BYTES: Final = 256 * MIB
"""The most bytes of new files that a network can add in a day."""
MAX_DAILY_LARGE_BYTES: Final = 192 * MIB
"""The same for large files: whoever has the same network can still send orders."""

MAX_DAY_CALL_REQUESTS: Final = 300
"""The most requests to be called from a network in a day, including the reserved ones."""
RESERVED_CALL_REQUESTS: Final = 2
"""The hourly requests of a seat's key that are taken beyond the limit of its network."""
MAX_DAY_LETTERS: Final = 500
"""The most letters a day that ask somebody to confirm an address."""
RESERVED_DAY_LETTERS: Final = 250
"""The part of `MAX_DAY_LETTERS` for networks and games with at most `FEW_LETTERS` letters."""
FEW_LETTERS: Final = 3
"""The most letters of a network or game in a day that may take from `RESERVED_DAY_LETTERS`."""

RESERVED_DAILY_SEAT_BYTES: Final = 128 << 10
"""The bytes of new files that a seat of a game can add in a day even if a neighbour has used up
what their network can add."""
RESERVED_DAILY_REFEREE_BYTES: Final = 512 << 10
"""The same for the referee of a game."""
FOREIGN_SUFFIX: Final = " from elsewhere"
"""The end of a network's name in the counts of requests that a page of another site has caused."""

_ADDRESS_WITH_PORT_PATTERN: Final = re.compile(
    r"\[([0-9a-fA-F:.]+)\](?::\d+)?|([0-9.]+):\d+", re.ASCII
)

log = logging.getLogger("pbem.host")


MAX_COUNTED_NETWORKS: Final = 10_000
"""The most networks that a limit counts; the one counted longest ago is forgotten first."""


class RateLimit:
    """Counts amounts for each network within a period; forgets the oldest counts."""

    def __init__(self, limit: int, period_seconds: float = 60) -> None:
        self.limit, self.period_seconds = limit, period_seconds
        self._counts: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def add(self, address: str, amount: int = 1) -> bool:
        """Add to the count of a network; return whether the count was below the limit before."""
        now = time.monotonic()
        begun_at, count = self._counts.pop(address, (now, 0))
        if now - begun_at > self.period_seconds:
            begun_at, count = now, 0
        self._counts[address] = begun_at, count + amount
        while len(self._counts) > MAX_COUNTED_NETWORKS:
            self._counts.popitem(last=False)
        return count < self.limit

    def is_full(self, address: str, lower_limit: int = 0) -> bool:
        """Return whether a network has reached the limit, or a lower one."""
        begun_at, count = self._counts.get(address, (0.0, 0))
        return (
            count >= (lower_limit or self.limit)
            and time.monotonic() - begun_at <= self.period_seconds
        )

    def seconds_left(self, address: str) -> int:
        """Return the seconds until the count of a network begins again."""
        begun_at, _ = self._counts.get(address, (time.monotonic(), 0))
        return max(1, int(begun_at + self.period_seconds - time.monotonic()) + 1)


class Holding:
    """The part of a shared limit that one request holds. It grows until the request ends."""

    def __init__(self, share: SharedLimit, network: str) -> None:
        self._share, self.network = share, network
        self.amount = 0
        self.grown_at = time.monotonic()
        self.on_drop: Callable[[], None] | None = None
        """A function that ends the request, if others may need its part."""

    def add(self, amount: int) -> bool:
        """Hold more; return False, and hold nothing more, if that would be too much."""
        if not self._share.make_room(self, amount):
            return False
        self._share.amounts_by_network[self.network] += amount
        self.amount, self.grown_at = self.amount + amount, time.monotonic()
        return True

    def release(self) -> None:
        """Hold nothing any more."""
        self._share.amounts_by_network[self.network] -= self.amount
        self.amount = 0
        if not self._share.amounts_by_network[self.network]:
            del self._share.amounts_by_network[self.network]


class SharedLimit:
    """A limit on the sum of the amounts that all requests hold, and a lower one for each
    network."""

    def __init__(self, limit: int, network_limit: int, network_reserve: int = 0) -> None:
        """`network_reserve` is what each network may hold even beyond the `limit` of all."""
        self.limit, self.network_limit, self.network_reserve = limit, network_limit, network_reserve
        self.amounts_by_network = Counter[str]()
        self._holdings = set[Holding]()

    @contextlib.contextmanager
    def hold(self, network: str) -> Iterator[Holding]:
        """Give a request its holding, which is 0 at first, for the time of a `with` block."""
        holding = Holding(self, network)
        self._holdings.add(holding)
        try:
            yield holding
        finally:
            self._holdings.discard(holding)
            holding.release()

    def make_room(self, growing: Holding, amount: int) -> bool:
        """Return whether a holding may grow by an amount.

        If it is too much, first drop requests that have not grown for a while, the slowest first.
        """
        network = growing.network
        stalled_before = time.monotonic() - STALL_SECONDS
        for holding in sorted(self._holdings - {growing}, key=lambda holding: holding.grown_at):
            is_full = self.amounts_by_network.total() + amount > self.limit
            if not is_full and self.amounts_by_network[network] + amount <= self.network_limit:
                return True
            if holding.grown_at > stalled_before:
                break
            would_help = is_full or holding.network == network
            if holding.on_drop and holding.amount and would_help:
                holding.release()
                holding.on_drop()
        network_amount = self.amounts_by_network[network] + amount
        total = self.amounts_by_network.total() + amount
        is_within_limits = network_amount <= self.network_limit and total <= self.limit
        return network_amount <= self.network_reserve or is_within_limits


class RequestCounts:
    """The counts and limits of a host: requests, wrong addresses and passwords, new games, new
    bytes.

    A refusal in a game counts only on the owner's page: nobody may shut out a player who shares
    their network, such as that of a proxy.
    """

    def __init__(self) -> None:
        """Begin with nothing counted. The numbers are for one minute, unless the second argument
        gives other seconds."""
        self.requests = RateLimit(1_200)
        self.missing_games = RateLimit(120)
        """Requests for games that are not there. Games that are there are always answered."""
        self.wrong_credentials = RateLimit(120)
        """Wrong passwords and tokens. Only who sends another one is refused then."""
        self.new_games = RateLimit(20, 3600)
        self._call_requests = RateLimit(60, 3600)
        self._day_call_requests = RateLimit(MAX_DAY_CALL_REQUESTS, 86_400)
        self._call_requests_by_key = RateLimit(RESERVED_CALL_REQUESTS, 3600)
        self._idle_call_stops = RateLimit(60, 3600)
        self._hour_letters = RateLimit(10, 3600)
        self._day_letters = RateLimit(30, 86_400)
        """Letters that ask somebody to confirm an address, by network and by game."""
        self._letters_by_mailbox = RateLimit(3, 86_400)
        self._all_letters = RateLimit(MAX_DAY_LETTERS, 86_400)
        self._daily_bytes = RateLimit(MAX_DAILY_BYTES, 86_400)
        self._daily_bytes_by_writer = RateLimit(MAX_DAILY_BYTES, 86_400)
        """New bytes by writer: the name of the game with the account of the seat or referee."""
        self.open_requests = SharedLimit(
            MAX_REQUESTS, MAX_NETWORK_REQUESTS, RESERVED_NETWORK_REQUESTS
        )
        self.waiting_requests = SharedLimit(MAX_WAITING_REQUESTS, MAX_NETWORK_WAITING_REQUESTS)
        self.arriving_bytes = SharedLimit(MAX_ARRIVING_BYTES, MAX_NETWORK_ARRIVING_BYTES)
        self.refusal_count = 0
        """All refusals since the host began."""

    def check_wrong_credentials(self, network: str) -> None:
        """Check that a network has not sent too many wrong passwords or tokens in the last minute.
        Raises HostRefusal."""
        if self.wrong_credentials.is_full(wide_network(network)):
            raise HostRefusal(
                429, ("too many wrong passwords or tokens came from your network; wait a minute")
            )

    def count_wrong_credential(self, network: str) -> None:
        """Count a wrong password or token of a network."""
        self.wrong_credentials.add(wide_network(network))

    def count_new_game(self, network: str) -> None:
        """Count a new game of a network. Raises HostRefusal if it has made too many."""
        customer = wide_network(network)
        if not self.new_games.add(customer):
            sentence = "many games were made from your network; try again later"
            raise HostRefusal(429, sentence, self.new_games.seconds_left(customer))

    def count_call_request(self, network: str, key: str) -> None:
        """Count a signed request to be called, of a network and of a seat's key. Raises
        HostRefusal if the network has sent too many, and the key some of them."""
        customer = wide_network(network)
        is_full = self._call_requests.is_full(customer) and self._call_requests_by_key.is_full(key)
        is_day_full = self._day_call_requests.is_full(customer)
        if is_full or is_day_full:
            full_limit = self._day_call_requests if is_day_full else self._call_requests
            sentence = "too many call requests came from your network; try again later"
            raise HostRefusal(429, sentence, full_limit.seconds_left(customer))
        self._day_call_requests.add(customer)
        self._call_requests.add(customer)
        self._call_requests_by_key.add(key)

    def count_idle_call_stop(self, network: str) -> bool:
        """Count a request of a network to stop calls where nobody is called; return whether it is
        worth a note. Other requests to stop have no limit."""
        return self._idle_call_stops.add(wide_network(network))

    def count_call_letter(self, network: str, game: str, mailbox: str) -> None:
        """Count a letter that asks somebody to confirm an email address, at the wish of a network
        and in a game. Raises HostRefusal if there were too many."""
        customer = wide_network(network)
        # some mail servers ignore dots
        mailbox = mailbox.replace(".", "")
        limits = [
            (self._hour_letters, customer), (self._day_letters, customer),
            (self._day_letters, game), (self._letters_by_mailbox, mailbox), (self._all_letters, ""),
        ]  # fmt: skip
        has_asked_often = any(
            self._day_letters.is_full(asker, FEW_LETTERS) for asker in (customer, game)
        )
        is_for_few = self._all_letters.is_full("", MAX_DAY_LETTERS - RESERVED_DAY_LETTERS)
        if (is_for_few and has_asked_often) or any(limit.is_full(name) for limit, name in limits):
            sentence = (
                "this host has sent too many emails of this kind: to this address, for this game, "
                "for your network or in all; try again tomorrow"
            )
            raise HostRefusal(429, sentence, 3600)
        for limit, name in limits:
            limit.add(name)

    def check_daily_bytes(self, network: str, game: str, name: Name, size: int) -> None:
        """Check that a network may add a file today. Raises HostRefusal.

        If it has filled its part of the day, the file must be one of the first of its writer in a
        game.
        """
        limit = MAX_DAILY_BYTES if size <= LARGE_BYTES else MAX_DAILY_LARGE_BYTES
        customer, writer = wide_network(network), account_of(name)
        if not self._daily_bytes.is_full(customer, limit):
            return
        reserve = RESERVED_DAILY_REFEREE_BYTES if writer == REFEREE else RESERVED_DAILY_SEAT_BYTES
        if name.kind == "charter" or self._daily_bytes_by_writer.is_full(
            f"{game} {writer}", reserve
        ):
            sentence = (
                f"your network has sent {limit // MIB} MiB today, which is the limit; try again "
                "tomorrow"
            )
            raise HostRefusal(429, sentence, self._daily_bytes.seconds_left(customer))

    def count_new_file(self, network: str, game: str, name: Name, size: int) -> None:
        """Count a new file of a network, and of its writer."""
        self._daily_bytes.add(wide_network(network), size)
        self._daily_bytes_by_writer.add(f"{game} {account_of(name)}", size)


class FetchOrigin(NamedTuple):
    """The facts that a browser tells about the page that made it send a request (Fetch
    Metadata)."""

    is_foreign: bool
    """Whether the page is at another address: it could ask without its reader's knowledge."""
    is_intended: bool
    """Whether somebody follows a link on the page, or the page has to read the answer (CORS)."""


def origin_of(scope: Scope) -> FetchOrigin:
    """Return the origin that the headers of a request tell."""
    headers = dict(scope["headers"])
    site = headers.get(b"sec-fetch-site", b"none")
    mode = headers.get(b"sec-fetch-mode", b"")
    follows = mode == b"navigate" and scope["method"] in ("GET", "HEAD")
    return FetchOrigin(site in (b"cross-site", b"same-site"), follows or mode == b"cors")


def network_of(scope: Scope) -> str:
    """Return the network that a request comes from: an IPv4 address, or the first 64 bits of an
    IPv6 address, which one household has."""
    host = str((scope.get("client") or ("", 0))[0])
    if match := _ADDRESS_WITH_PORT_PATTERN.fullmatch(host):  # as some proxies write it
        host = match[1] or match[2]
    try:
        address = ip_address(host)
    except ValueError:  # a proxy in front says something else
        return host
    if isinstance(address, IPv6Address):
        ipv4_address = address.ipv4_mapped
        return str(ipv4_address or IPv6Network((int(address), 64), strict=False))
    return str(address)


def asker_of(scope: Scope) -> str:
    """Return the name under which a request counts: its network. Requests that a page of another
    site makes a browser send count apart, so that they use up nothing that its owner needs."""
    return network_of(scope) + FOREIGN_SUFFIX * origin_of(scope).is_foreign


def wide_network(asker: str) -> str:
    """Return the network under which everything but the number of requests counts. One customer may
    have all IPv6 networks that begin with the same 48 bits."""
    network, elsewhere, _ = asker.partition(FOREIGN_SUFFIX)
    try:
        return f"{IPv6Network(network).supernet(new_prefix=48)}{elsewhere}"
    except ValueError:  # IPv4, or what a proxy says
        return asker
