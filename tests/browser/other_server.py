"""A server on another port, which keeps what a browser tells it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Other(BaseHTTPRequestHandler):
    """Whoever serves another port, and keeps all that the browser tells them."""

    heard: list[str]
    page: str

    def do_GET(self) -> None:
        self.heard.append(f"{self.requestline}\n{self.headers}")
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("set-cookie", "pbem=planted; Path=/")
        self.end_headers()
        self.wfile.write(self.page.encode())

    do_POST = do_GET  # noqa: N815 - http.server's name

    def log_message(self, *args: object) -> None:
        """Print nothing."""


@contextmanager
def other_port(page: str) -> Iterator[tuple[str, list[str]]]:
    """A server on a free port of 127.0.0.1: its address, and what it hears."""
    heard: list[str] = []
    kind = type("One", (Other,), {"heard": heard, "page": page})
    with ThreadingHTTPServer(("127.0.0.1", 0), kind) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", heard
        server.shutdown()
        thread.join()
