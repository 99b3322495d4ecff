"""Web Push: a host calls a browser through the push service that the browser names (RFC 8030).

The service learns that this host called this browser, and when. What a call says is encrypted for
the browser (RFC 8291) and always has the same length. Whoever asks for calls names the address, so
only services that browsers use are called, and nothing inside the host's own network.
"""

from __future__ import annotations

import base64
import contextlib
import hmac
import json
import os
import re
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Sequence
from http.client import HTTPConnection, HTTPException
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final
from urllib.parse import SplitResult, urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from pbem.errors import PbemError
from pbem.files.disk import create, make_folder, read_if_there
from pbem.files.home import Home
from pbem.records.player_call_request import CallRequest

KNOWN_SERVICES: Final = (
    "fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com",
    "*.notify.windows.com",
)  # fmt: skip
"""The push services of the browsers: Google's, Mozilla's, Apple's and Microsoft's."""
SEND_SECONDS: Final = 5.0
"""Seconds in which a push service must let the host connect, and then take a call."""
MAX_LIFETIME_SECONDS: Final = 28 * 86_400
"""The most seconds for which a service may keep a call for a browser that is switched off."""
TOKEN_SECONDS: Final = 12 * 3600
"""Seconds for which the host's signature in a call is valid."""
MESSAGE_BYTES: Final = 128
"""The bytes of what a call says, padded with spaces."""
_TRANSLATED_NETWORK: Final = IPv6Network("64:ff9b::/96")
"""The network whose addresses lead to IPv4 addresses (RFC 6052)."""
_ASSIGNED_NETWORK: Final = IPv6Network("2000::/3")
"""The network of all public IPv6 addresses."""
_SPECIAL_NETWORKS: Final = tuple(map(ip_network, ("192.0.0.0/24", "192.88.99.0/24", "3fff::/20")))
"""Networks in the lists of the IANA that not every Python knows to be special."""
_INNER_HOST_MARKS: Final = (0x00005EFE, 0x02005EFE)
"""The third quarter of an IPv6 address that ends with an IPv4 address (RFC 5214)."""


class PushError(PbemError):
    """A push service cannot be reached, or must not be called."""


class Pusher:
    """Calls browsers, with the key by which push services know this host."""

    def __init__(self, key: bytes, host_address: str, own_services: Sequence[str] = ()) -> None:
        """`key` has 32 secret bytes. `own_services` are the addresses of more services, which the
        host's owner names, such as https://push.example.org."""
        scalar = int.from_bytes(hmac.digest(key, b"pbem push", "sha512"), "big")
        order = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of P-256
        self._key = ec.derive_private_key(scalar % (order - 1) + 1, ec.SECP256R1())
        self._topic_key = hmac.digest(key, b"pbem push topics", "sha256")
        self._contact = f"https://{urlsplit(host_address).hostname or 'localhost'}"
        self._own_services = {_server_of(urlsplit(address)) for address in own_services}
        self._tls = ssl.create_default_context()

    @property
    def public_key(self) -> str:
        """The public key that a browser wants before it lets this host call, in base64url."""
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return base64.urlsafe_b64encode(point).decode().rstrip("=")

    def check(self, request: CallRequest) -> None:
        """Check that a call request names a push service that may be called, and a key of a
        browser. Raises PushError."""
        try:
            ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), request.p256dh)
        except ValueError:
            raise PushError("p256dh must be the public key of a browser") from None
        self._check_service(_split(request.address))

    def may_call(self, address: str) -> bool:
        """Return whether an address is one of a push service that may be called."""
        try:
            self._check_service(_split(address))
        except PushError:
            return False
        return True

    def send(self, request: CallRequest, game_name: str, turn: int, lifetime: int) -> int:
        """Call a browser, and return the status of the service's answer. A browser that is switched
        off is called if it comes back within `lifetime` seconds. Raises PushError."""
        address = _split(request.address)
        self._check_service(address)
        message = json.dumps({"game": game_name, "turn": turn}).encode().ljust(MESSAGE_BYTES)
        data = http_ece.encrypt(
            message, private_key=ec.generate_private_key(ec.SECP256R1()), dh=request.p256dh,
            auth_secret=request.auth, version="aes128gcm",
        )  # fmt: skip
        claims: dict[str, str | int] = {"sub": self._contact, "aud": _server_of(address)}
        claims["exp"] = int(time.time()) + TOKEN_SECONDS
        topic_parts = (request.game, request.seat.encode(), request.address.encode())
        topic = hmac.digest(self._topic_key, b"\0".join(topic_parts), "sha256")[:24]
        headers = Vapid02(self._key).sign(claims) | {
            "ttl": str(max(0, min(lifetime, MAX_LIFETIME_SECONDS))),
            "urgency": "normal",
            "topic": base64.urlsafe_b64encode(topic).decode(),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "host": address.netloc,
        }
        return self._post(address, data, headers)

    def _post(self, address: SplitResult, data: bytes, headers: dict[str, str]) -> int:
        """Send a call to the service at one of its public network addresses; follow no redirect.
        The answer's status is all that is read."""
        host, port = address.hostname or "", address.port or 443
        path = (address.path or "/") + (f"?{address.query}" if address.query else "")
        target = self._network_address(address), port
        try:
            with (
                socket.create_connection(target, SEND_SECONDS) as plain_socket,
                _time_limit(plain_socket, SEND_SECONDS),
                self._tls.wrap_socket(plain_socket, server_hostname=host) as tls_socket,
            ):
                connection = HTTPConnection(host, port)
                connection.sock = tls_socket
                connection.request("POST", path, data, headers)
                return connection.getresponse().status
        except (HTTPException, OSError, ValueError) as error:
            raise PushError(
                f"the call to the push service failed: {type(error).__name__}"
            ) from None

    def _check_service(self, address: SplitResult) -> None:
        """Check that an address is one of a push service that may be called. Raises PushError."""
        if _server_of(address) in self._own_services:
            return
        host = address.hostname or ""
        is_known = any(
            host == service or (service[0] == "*" and host.endswith(service[1:]))
            for service in KNOWN_SERVICES
        )
        if not is_known or address.port not in (None, 443):
            raise PushError(
                "this host does not know the push service of your browser, so it cannot call you "
                "in this browser"
            )

    def _network_address(self, address: SplitResult) -> str:
        """Return a network address of a push service. Raises PushError if there is none, or if one
        is not public, unless the host's owner has named the service."""
        try:
            port, kind = address.port or 443, socket.SOCK_STREAM
            entries = socket.getaddrinfo(address.hostname, port, type=kind)
        except (OSError, UnicodeError):
            raise PushError("the push service cannot be found") from None
        network_addresses = [str(entry[4][0]) for entry in entries]
        is_owners_choice = _server_of(address) in self._own_services
        is_public = all(_is_public(ip_address(address)) for address in network_addresses)
        if not is_public and not is_owners_choice:
            raise PushError(
                "the push service is in a private network, and a host calls no such service"
            )
        return network_addresses[0]


@contextlib.contextmanager
def _time_limit(connected_socket: socket.socket, seconds: float) -> Iterator[None]:
    """End a connection if a `with` block takes longer: a server that sends one byte a second never
    reaches the limit of the single reads."""
    with connected_socket.dup() as same_socket:

        def shut() -> None:
            with contextlib.suppress(OSError):
                same_socket.shutdown(socket.SHUT_RDWR)

        timer = threading.Timer(seconds, shut)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether one computer in the public network has an address, also if it is an IPv4
    address in the form of an IPv6 address."""
    if isinstance(address, IPv6Address):
        inner_address = address.ipv4_mapped or address.sixtofour
        if address in _TRANSLATED_NETWORK:
            inner_address = IPv4Address(int(address) & 0xFFFFFFFF)
        if inner_address:
            return _is_public(inner_address)
        has_inner_host = int(address) >> 32 & 0xFFFFFFFF in _INNER_HOST_MARKS
        if address not in _ASSIGNED_NETWORK or has_inner_host:
            return False
    is_special = any(address in network for network in _SPECIAL_NETWORKS)
    return address.is_global and not address.is_multicast and not is_special


def _split(text: str) -> SplitResult:
    """Return the parts of the address of a push service. Raises PushError."""
    try:
        address = urlsplit(text)
        is_plain = address.port is None or address.port > 0
    except ValueError:
        raise PushError("this is not an address") from None
    is_plain &= text.startswith("https://") and "@" not in address.netloc and "#" not in text
    is_plain &= f"https://{address.netloc}" == _server_of(address)  # one spelling of a device
    if not is_plain or not re.fullmatch(r"[a-z0-9.-]+|\[[0-9a-f:]+\]", _host_of(address)):
        raise PushError(
            "this host cannot call you in this browser: the browser's address for calls must be "
            "https:// and the plain name of a server"
        )
    return address


def _host_of(address: SplitResult) -> str:
    """Return the name of the server in an address, without its port."""
    return re.sub(r":[0-9]*$", "", address.netloc)


def _server_of(address: SplitResult) -> str:
    """Return the name and port of the server in an address, after https://."""
    port = f":{address.port}" if address.port not in (None, 443) else ""
    return f"https://{_host_of(address)}{port}"


def push_key(home: Home) -> bytes:
    """Return the secret by which push services know this host; the first call makes it and keeps it
    in the home. Raises StorageError."""
    file = home.root / "push-key"
    if not read_if_there(file):
        make_folder(home.root, private=True)
        create(file, os.urandom(32), private=True)
    return read_if_there(file) or b""
