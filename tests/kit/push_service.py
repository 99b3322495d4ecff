"""A push service on this computer, with encryption, and a browser that can read what it brings.

For example:

    service = PushService(tmp_path)
    browser = Browser(service)
    assert browser.endpoint.startswith(f"{service.address}/push/")
    assert browser.turns() == []
    service.stop()
"""

import json
import os
import threading
import time
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from ssl import PROTOCOL_TLS_SERVER, SSLContext
from typing import Any, NamedTuple

import http_ece
import pytest
import urllib3
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from pbem.format.secret_and_public_keys import SigningKey
from pbem.records.player_call_request import CallRequest, make_call_request
from tests.kit.certificates import certificate

POOL = urllib3.PoolManager(retries=False)
GONE, MOVED = 410, 307


class Delivery(NamedTuple):
    """What a push service gets."""

    path: str
    headers: dict[str, str]
    data: bytes


class PushService:
    """A real HTTPS server that keeps what it gets. `status` is its answer, once it `may_answer`;
    then come `trickle_bytes` of headers, one by one."""

    def __init__(self, folder: Path) -> None:
        self.deliveries: list[Delivery] = []
        self.status, self.location = 201, ""
        self.trickle_bytes, self.may_answer = 0, threading.Event()
        self.may_answer.set()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                data = self.rfile.read(int(self.headers["content-length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                service.deliveries.append(Delivery(self.path, headers, data))
                service.may_answer.wait()
                self.send_response(service.status)
                while service.trickle_bytes:
                    self.flush_headers()
                    self.wfile.write(b"x")
                    service.trickle_bytes -= 1
                    time.sleep(0.05)
                if service.location:
                    self.send_header("location", service.location)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.ca = str(certificate(folder))
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = SSLContext(PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.ca)
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.address = f"https://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class Browser:
    """A browser that has subscribed to calls at a push service."""

    count = 0

    def __init__(self, service: PushService) -> None:
        Browser.count += 1
        self.service, self.path = service, f"/push/{Browser.count}"
        self._key = ec.generate_private_key(ec.SECP256R1())
        self.auth = os.urandom(16)
        self.p256dh = self._key.public_key().public_bytes(
            Encoding.X962, PublicFormat.UncompressedPoint
        )

    @property
    def endpoint(self) -> str:
        return f"{self.service.address}{self.path}"

    def request(self, game: bytes, seat: str, time: int, **more: Any) -> CallRequest:
        """A request to call this browser, or with `on=False` to stop."""
        keys = {"p256dh": self.p256dh, "auth": self.auth} if more.get("on", True) else {}
        host = "https://pond.example.org"
        values = {"host": host, "way": "push", "on": True, "address": self.endpoint, **keys, **more}
        return CallRequest(game=game, seat=seat, time=time, **values)

    def texts(self) -> list[str]:
        """What each call says, decrypted."""
        return [
            http_ece.decrypt(
                delivery.data, private_key=self._key, auth_secret=self.auth, version="aes128gcm"
            ).decode()
            for delivery in self.service.deliveries
            if delivery.path == self.path
        ]

    def turns(self) -> list[int]:
        """The turns for which it was called."""
        return [json.loads(text)["turn"] for text in self.texts()]


@pytest.fixture
def push_service(tmp_path: Path) -> Iterator[PushService]:
    service = PushService(tmp_path)
    yield service
    service.stop()


def put_call_request(
    address: str, data: bytes, headers: Mapping[str, str] | None = None
) -> tuple[int, str]:
    """Send a call request for the game at an address; return the host's answer."""
    said = POOL.request("PUT", f"{address}/call", body=data, headers=headers)
    return said.status, said.data.decode().strip()


def host_address_of(address: str) -> str:
    """The address of the host that has the game at an address."""
    return address.partition("/g/")[0]


def ask_for_calls(address: str, request: CallRequest, key: SigningKey) -> tuple[int, str]:
    """Sign a call request for the host of a game, and send it."""
    request = CallRequest(**{**vars(request), "host": host_address_of(address)})
    return put_call_request(address, make_call_request(request, key))
