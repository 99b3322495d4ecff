"""What each network address may ask of a host, and how every error becomes a sentence."""

from __future__ import annotations

import contextlib
import logging
import re
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Final

from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pbem.errors import PbemError
from pbem.files.disk import AwayError, FileError, StorageError, TakenError
from pbem.host.gate import LARGE_BYTES, MIB, Refusal

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

KEPT_EACH_DAY: Final = 256 * MIB
"""The most bytes of new files that a network can add in a day."""
LARGE_KEPT_EACH_DAY: Final = 192 * MIB
"""How many of them may be in large files: whoever has the same network can still send orders."""

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


class Share:
    """What requests hold at the same time, in all and for each network."""

    def __init__(self, most: int, each: int) -> None:
        self.most, self.each = most, each
        self.held = Counter[str]()

    @contextlib.contextmanager
    def hold(self, network: str, amount: int) -> Iterator[bool]:
        """Hold so much during the block; False, and nothing is held, if that would be too much."""
        fits = self.held.total() + amount <= self.most and self.held[network] + amount <= self.each
        self.held[network] += amount * fits
        try:
            yield fits
        finally:
            self.held[network] -= amount * fits
            if not self.held[network]:
                del self.held[network]


class Counts:
    """What a host counts: requests, refusals and new games of each network."""

    def __init__(self) -> None:
        self.asked, self.refused = Rate(1_200), Rate(120)
        self.made = Rate(20, 3600)
        self._kept = Rate(KEPT_EACH_DAY, 86_400)
        self.waiting = Share(WAITING, WAITING_EACH)
        self.arriving = Share(ARRIVING, ARRIVING_EACH)
        self.refusals = 0
        """All refusals since the host began."""

    def need_share_of_day(self, network: str, size: int) -> None:
        """Check that a network has not yet filled its part of the day with files. Raises
        Refusal."""
        most = KEPT_EACH_DAY if size <= LARGE_BYTES else LARGE_KEPT_EACH_DAY
        if self._kept.is_full(wide_network(network), most):
            raise Refusal(429, f"your network has sent {most // MIB} MiB today; try again tomorrow")

    def keep(self, network: str, size: int) -> None:
        """Count a new file of a network."""
        self._kept.add(wide_network(network), size)


class Guard:
    """Limits what each address may ask, and answers every error with a sentence."""

    def __init__(self, app: ASGIApp, counts: Counts) -> None:
        self.app, self.counts = app, counts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request (the interface is ASGI's)."""
        if scope["type"] != "http":
            return
        address, begun = network_of(scope), False

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = True
            if message["type"] == "http.response.start":
                known = {key for key, _ in message["headers"]}
                more = [(k.encode(), v.encode()) for k, v in HEADERS.items()]
                message["headers"] = [*message["headers"], *(h for h in more if h[0] not in known)]
            await send(message)

        try:
            await self._answer(scope, address)(scope, receive, sending)
        except ClientDisconnect:
            return
        except Exception as error:  # noqa: BLE001 - whatever it is, the sender gets a sentence
            status, words = _said(error)
            if status >= 400:
                self.counts.refused.add(address)
                self.counts.refusals += 1
            if not begun:
                await _sentence(status, words)(scope, receive, sending)

    def _answer(self, scope: Scope, address: str) -> ASGIApp:
        if scope["method"] == "OPTIONS":
            return Response(status_code=204, headers=ALLOW)
        if self.counts.refused.is_full(address) or not self.counts.asked.add(address):
            return _sentence(429, "too many requests from your network; wait a minute")
        if any(name == b"transfer-encoding" for name, _ in scope["headers"]):
            # a proxy in front and this host could see different ends of such a request
            return _sentence(411, "say how long the file is (Content-Length)", close=True)
        return self.app


def _said(error: Exception) -> tuple[int, str]:
    """Return the status and the sentence for an error; what it says of this computer stays here."""
    match error:
        case Refusal():
            return error.status, error.sentence
        case TakenError():
            return 412, "a file with this name and other contents is there"
        case AwayError():
            log.warning("the store: %s", error)
            return 503, "the host cannot reach its store now"
        case StorageError() if error.full:
            log.error("%s", error)
            return 507, "this host is full: its disk takes no more files; tell its owner"
        case FileError():
            log.error("damaged: %s", error)
            return 500, "a file of this game is damaged on the host; tell its owner"
        case PbemError():
            log.error("%s", error)
            return 500, "the host cannot do this now; tell its owner"
        case _:
            log.error("a bug in pbem: %s", type(error).__name__, exc_info=error)
            return 500, "a bug in the host; tell its owner"


def _sentence(status: int, words: str, *, close: bool = False) -> Response:
    headers = {"retry-after": "60"} if status in (429, 503) else {}
    headers |= {"connection": "close"} if close else {}
    return PlainTextResponse(f"{words}\n", status, headers=headers)


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


def wide_network(network: str) -> str:
    """Return the network whose new games and bytes are counted together: one customer may have all
    IPv6 networks that begin with the same 48 bits."""
    try:
        return str(IPv6Network(network).supernet(new_prefix=48))
    except ValueError:  # IPv4, or what a proxy says
        return network
