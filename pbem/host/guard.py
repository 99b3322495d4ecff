"""What each network address may ask of a host, and how every error becomes a sentence."""

from __future__ import annotations

import contextlib
import logging
import re
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Final, NamedTuple

from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from games.registry import fault_sentence
from pbem.errors import PbemError
from pbem.files.disk import AwayError, FileError, StorageError, TakenError
from pbem.files.folder import Name
from pbem.host.gate import LARGE_BYTES, MIB, MissingGame, Refusal, payer
from pbem.records.press import REFEREE

HEADERS: Final = {
    "content-security-policy": "default-src 'none'; style-src 'self'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "access-control-allow-origin": "*",  # the addresses are the secret, and no cookie is ever sent
    "access-control-expose-headers": "etag, retry-after",
}
ALLOW: Final = {
    "access-control-allow-methods": "GET, PUT",
    "access-control-allow-headers": "if-none-match, prefer, content-type, authorization",
    "access-control-max-age": "86400",
}

WAITING: Final = 600
"""How many lists may be held back at a time; others are answered immediately."""
WAITING_EACH: Final = 250
"""How many of them may be for one network."""
ARRIVING: Final = 64 * MIB
"""The most bytes of files that are on their way to the host at a time."""
ARRIVING_EACH: Final = 16 * MIB
"""How many of them may be from one network."""

IN_FLIGHT: Final = 800
"""How many requests are answered at a time."""
IN_FLIGHT_EACH: Final = 300
"""How many of them may be of one network: more than may wait for news."""
IN_FLIGHT_ALWAYS: Final = 16
"""How many of one network are answered even if others have used up all places."""

STANDS_STILL: Final = 3.0
"""Seconds after which a file of which nothing arrives makes room for others, if there is none."""
KEPT_EACH_DAY: Final = 256 * MIB
"""The most bytes of new files that a network can add in a day."""
LARGE_KEPT_EACH_DAY: Final = 192 * MIB
"""How many of them may be in large files: whoever has the same network can still send orders."""

SEAT_RESERVED_EACH_DAY: Final = 128 << 10
"""The bytes of new files that a seat of a game can add in a day even if a neighbour has used up
what their network can add."""
REFEREE_RESERVED_EACH_DAY: Final = 512 << 10
"""The same for the referee of a game."""
ELSEWHERE: Final = " from elsewhere"
"""Ends the name of a network in what counts for it because of a page of another site."""

_WITH_PORT: Final = re.compile(r"\[([0-9a-fA-F:.]+)\](?::\d+)?|([0-9.]+):\d+", re.ASCII)

log = logging.getLogger("pbem.host")


class Rate:
    """Counts what each network does in so many seconds; the oldest counts are forgotten."""

    def __init__(self, most: int, seconds: float = 60) -> None:
        self.most, self.seconds = most, seconds
        self._counts: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def add(self, address: str, amount: int = 1) -> bool:
        """Count so much more; return whether there was room below the limit before."""
        now = time.monotonic()
        begun, count = self._counts.pop(address, (now, 0))
        if now - begun > self.seconds:
            begun, count = now, 0
        self._counts[address] = begun, count + amount
        while len(self._counts) > 10_000:
            self._counts.popitem(last=False)
        return count < self.most

    def is_full(self, address: str, most: int = 0) -> bool:
        """Return whether this address has reached the limit, or a lower one."""
        begun, count = self._counts.get(address, (0.0, 0))
        return count >= (most or self.most) and time.monotonic() - begun <= self.seconds

    def seconds_left(self, address: str) -> int:
        """Return after how many seconds the count of this address begins again."""
        begun, _ = self._counts.get(address, (time.monotonic(), 0))
        return max(1, int(begun + self.seconds - time.monotonic()) + 1)


class Held:
    """What one request holds of a share: more and more, until its block ends."""

    def __init__(self, share: Share, network: str) -> None:
        self._share, self.network = share, network
        self.amount = 0
        self.grown_at = time.monotonic()
        self.on_drop: Callable[[], None] | None = None
        """What ends the request, if others may need what it holds."""

    def add(self, amount: int) -> bool:
        """Hold so much more; False, and nothing more is held, if that would be too much."""
        if not self._share.make_room(self, amount):
            return False
        self._share.held[self.network] += amount
        self.amount, self.grown_at = self.amount + amount, time.monotonic()
        return True

    def release(self) -> None:
        """Hold nothing any more."""
        self._share.held[self.network] -= self.amount
        self.amount = 0
        if not self._share.held[self.network]:
            del self._share.held[self.network]


class Share:
    """What requests hold at the same time, in all and for each network."""

    def __init__(self, most: int, each: int, always: int = 0) -> None:
        """`always`: what each network may hold even if that is more than `most` in all."""
        self.most, self.each, self.always = most, each, always
        self.held = Counter[str]()
        self._requests = set[Held]()

    @contextlib.contextmanager
    def hold(self, network: str) -> Iterator[Held]:
        """Give a request its part, which is nothing at first, during the block."""
        held = Held(self, network)
        self._requests.add(held)
        try:
            yield held
        finally:
            self._requests.discard(held)
            held.release()

    def make_room(self, wants: Held, amount: int) -> bool:
        """Drop requests that have not grown for a while, the slowest first, until one can hold so
        much more; return whether it can."""
        still_since = time.monotonic() - STANDS_STILL
        for held in sorted(self._requests - {wants}, key=lambda held: held.grown_at):
            is_full = self.held.total() + amount > self.most
            if not is_full and self.held[wants.network] + amount <= self.each:
                return True
            if held.grown_at > still_since:
                break
            if held.on_drop and held.amount and (is_full or held.network == wants.network):
                held.release()
                held.on_drop()
        own = self.held[wants.network] + amount
        return own <= self.always or (own <= self.each and self.held.total() + amount <= self.most)


class Counts:
    """What a host counts: requests, wrong guesses, new games and new bytes of each network.

    A refusal in a game counts for nothing but the owner's page: nobody may shut out a player who
    shares their network, such as that of a proxy.
    """

    def __init__(self) -> None:
        self.asked = Rate(1_200)
        self.guessed = Rate(120)
        """Requests for games that are not there. Games that are there are always answered."""
        self.wrong_words = Rate(120)
        """Wrong passwords and tokens. Only who sends another one is refused then."""
        self.made = Rate(20, 3600)
        self._kept = Rate(KEPT_EACH_DAY, 86_400)
        self._kept_in_games = Rate(KEPT_EACH_DAY, 86_400)
        """New bytes by writers: the name of the game, and the seat or the referee."""
        self.in_flight = Share(IN_FLIGHT, IN_FLIGHT_EACH, IN_FLIGHT_ALWAYS)
        self.waiting = Share(WAITING, WAITING_EACH)
        self.arriving = Share(ARRIVING, ARRIVING_EACH)
        self.refusals = 0
        """All refusals since the host began."""

    def need_no_guessing(self, network: str) -> None:
        """Check that a network has not sent too many wrong passwords or tokens in the last minute.
        Raises Refusal."""
        if self.wrong_words.is_full(wide_network(network)):
            raise Refusal(
                429, ("too many wrong passwords or tokens came from your network; wait a minute")
            )

    def note_wrong_word(self, network: str) -> None:
        """Count a wrong password or token of a network."""
        self.wrong_words.add(wide_network(network))

    def need_new_game(self, network: str) -> None:
        """Count a new game of a network. Raises Refusal if it has made too many."""
        wide = wide_network(network)
        if not self.made.add(wide):
            told = "many games were made from your network; try again later"
            raise Refusal(429, told, self.made.seconds_left(wide))

    def need_share_of_day(self, network: str, game: str, name: Name, size: int) -> None:
        """Check that a network has not yet filled its part of the day with files, or that this file
        is one of the first of its writer in a game. Raises Refusal."""
        most = KEPT_EACH_DAY if size <= LARGE_BYTES else LARGE_KEPT_EACH_DAY
        wide, writer = wide_network(network), payer(name)
        if not self._kept.is_full(wide, most):
            return
        reserve = REFEREE_RESERVED_EACH_DAY if writer == REFEREE else SEAT_RESERVED_EACH_DAY
        if name.kind == "charter" or self._kept_in_games.is_full(f"{game} {writer}", reserve):
            told = f"your network has sent {most // MIB} MiB today; try again tomorrow"
            raise Refusal(429, told, self._kept.seconds_left(wide))

    def keep(self, network: str, game: str, name: Name, size: int) -> None:
        """Count a new file of a network, which its writer has signed."""
        self._kept.add(wide_network(network), size)
        self._kept_in_games.add(f"{game} {payer(name)}", size)


class Guard:
    """Limits what each address may ask, and answers every error with a sentence."""

    def __init__(self, app: ASGIApp, counts: Counts) -> None:
        self.app, self.counts = app, counts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request (the interface is ASGI's)."""
        if scope["type"] != "http":
            return
        asker = asker_of(scope)
        with self.counts.in_flight.hold(wide_network(asker)) as held:
            app = self._answer(scope, asker) if held.add(1) else BUSY
            await self._answer_with_sentences(app, scope, receive, send)

    async def _answer_with_sentences(
        self, app: ASGIApp, scope: Scope, receive: Receive, send: Send
    ) -> None:
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = True
            if message["type"] == "http.response.start":
                known = {key for key, _ in message["headers"]}
                more = [(k.encode(), v.encode()) for k, v in HEADERS.items()]
                message["headers"] = [*message["headers"], *(h for h in more if h[0] not in known)]
            await send(message)

        try:
            await app(scope, receive, sending)
        except ClientDisconnect:
            return
        except Exception as error:  # noqa: BLE001 - whatever it is, the sender gets a sentence
            status, words = _said(error)
            self.counts.refusals += status >= 400
            if isinstance(error, MissingGame) and scope["path"].startswith("/g/"):
                self.counts.guessed.add(asker_of(scope))
            if not begun:
                later = error.retry_after if isinstance(error, Refusal) else 60
                await _sentence(status, words, later)(scope, receive, sending)

    def _answer(self, scope: Scope, asker: str) -> ASGIApp:
        if scope["method"] == "OPTIONS":
            return Response(status_code=204, headers=ALLOW)
        fetched = _how_fetched(scope)
        if fetched.is_foreign and not fetched.is_meant:
            return _sentence(
                403, "a page of another site sent this request; open the page of the host"
            )
        if not self.counts.asked.add(asker):
            return _sentence(429, "too many requests from your network; wait a minute")
        if any(name == b"transfer-encoding" for name, _ in scope["headers"]):
            # a proxy in front and this host could see different ends of such a request
            return _sentence(411, "say how long the file is (Content-Length)", close=True)
        return self.app


class Fetched(NamedTuple):
    """What a browser says about the page that made it ask (Fetch Metadata)."""

    is_foreign: bool
    """Whether it is a page of another address: it could ask without its reader's knowledge."""
    is_meant: bool
    """Whether somebody follows a link there, or the page has to read the answer (CORS)."""


def _how_fetched(scope: Scope) -> Fetched:
    headers = dict(scope["headers"])
    site = headers.get(b"sec-fetch-site", b"none")
    mode = headers.get(b"sec-fetch-mode", b"")
    follows = mode == b"navigate" and scope["method"] in ("GET", "HEAD")
    return Fetched(site in (b"cross-site", b"same-site"), follows or mode == b"cors")


def _said(error: Exception) -> tuple[int, str]:
    """Return the status and the sentence for an error; what it says of this computer stays here."""
    match error:
        case Refusal():
            return error.status, error.sentence
        case TakenError():
            return 412, "a file with this name and other contents is here already"
        case AwayError():
            log.warning("the store: %s", error)
            return 503, "the host cannot reach the place of its files now; try again later"
        case StorageError() if error.is_disk_full:
            log.error("%s", error)
            return 507, "this host is full: its disk takes no more files; tell its owner"
        case FileError():
            log.error("damaged: %s", error)
            return 500, "a file of this game is damaged on the host; tell its owner"
        case PbemError():
            log.error("%s", error)
            return 500, "the host cannot answer this request now; tell its owner"
        case _ if sentence := fault_sentence(error):
            log.error("%s", sentence)
            return 500, "the rules of this game have a fault; tell the host's owner"
        case _:
            log.error("a bug in pbem: %s", type(error).__name__, exc_info=error)
            return 500, "the host has a bug; tell its owner"


def _sentence(status: int, words: str, retry_after: int = 60, *, close: bool = False) -> Response:
    headers = {"retry-after": str(retry_after)} if status in (429, 503) else {}
    headers |= {"connection": "close"} if close else {}
    return PlainTextResponse(f"{words}\n", status, headers=headers)


BUSY: Final = _sentence(
    503, "too many requests of your network are being answered now; try again soon"
)


def network_of(scope: Scope) -> str:
    """Return the network that a request comes from: an IPv4 address, or the first half of an IPv6
    address, which one household has."""
    host = str((scope.get("client") or ("", 0))[0])
    if match := _WITH_PORT.fullmatch(host):  # as some proxies write it
        host = match[1] or match[2]
    try:
        address = ip_address(host)
    except ValueError:  # a proxy in front says something else
        return host
    if isinstance(address, IPv6Address):
        mapped = address.ipv4_mapped
        return str(mapped or IPv6Network((int(address), 64), strict=False))
    return str(address)


def asker_of(scope: Scope) -> str:
    """Return for whom a request counts: its network; but what a page of another site makes a
    browser ask counts apart, so that it uses up nothing that the browser's owner needs."""
    return network_of(scope) + ELSEWHERE * _how_fetched(scope).is_foreign


def wide_network(asker: str) -> str:
    """Return the network for which everything counts together but the number of requests: one
    customer may have all IPv6 networks that begin with the same 48 bits."""
    network, elsewhere, _ = asker.partition(ELSEWHERE)
    try:
        return f"{IPv6Network(network).supernet(new_prefix=48)}{elsewhere}"
    except ValueError:  # IPv4, or what a proxy says
        return asker
