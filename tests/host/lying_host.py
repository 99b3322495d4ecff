"""A server that answers as a host should not."""

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

Answer = Callable[[BaseHTTPRequestHandler], None]


class LyingHost:
    """Answers each request as the test says."""

    def __init__(self) -> None:
        self.answer: Answer = lambda request: None
        self.asked: list[str] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                # who answers and closes before it has read everything loses the answer
                self.rfile.read(int(self.headers.get("content-length", "0")))
                outer.asked.append(self.path)
                outer.answer(self)

            do_PUT = do_POST = do_GET  # noqa: N815 - the library's way of naming

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self.address = f"{self.url}/g/{'5eed' * 8}"

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def lying_host() -> Iterator[LyingHost]:
    one = LyingHost()
    yield one
    one.stop()


def answer_with(status: int, data: bytes, kind: str = "text/plain", **headers: str) -> Answer:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        request.send_header("content-type", kind)
        request.send_header("content-length", str(len(data)))
        for name, value in headers.items():
            request.send_header(name.replace("_", "-"), value)
        request.end_headers()
        request.wfile.write(data)

    return answer
