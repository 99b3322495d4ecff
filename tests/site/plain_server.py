"""A web server that knows nothing of pbem, and has the page."""

import functools
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest


class Server(SimpleHTTPRequestHandler):
    changed = ""
    """The name of a file that is no longer as it was when the site was built."""

    def log_message(self, *_: object) -> None:
        pass

    def copyfile(self, source, outputfile) -> None:
        data = bytearray(source.read())
        if self.changed and self.path.endswith(self.changed):
            data[len(data) // 2] ^= 1
        outputfile.write(data)


@pytest.fixture
def plain_address(site: Path) -> Iterator[str]:
    handler = functools.partial(Server, directory=str(site.parent))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/{site.name}/"
    server.shutdown()
    server.server_close()
