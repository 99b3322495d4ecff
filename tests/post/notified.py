"""A service of notifications on this computer, which notes what it is told."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest


class Heard(HTTPServer):
    """A service on this computer that notes what it is told."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.said: list[dict[str, str]] = []
        self.answer = 200

    @property
    def url(self) -> str:
        return f"json://localhost:{self.server_port}/a-secret-path"

    @property
    def texts(self) -> list[str]:
        return [f"{one['title']}: {one['message']}" for one in self.said]


class Handler(BaseHTTPRequestHandler):
    server: Heard

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        self.server.said.append(json.loads(self.rfile.read(length)))
        self.send_response(self.server.answer)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Print nothing."""


@pytest.fixture
def notified_server() -> Iterator[Heard]:
    server = Heard()
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()
