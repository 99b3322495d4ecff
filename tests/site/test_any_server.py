"""The folder on a plain web server, below a path: the page needs nothing else to start."""

import functools
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.site.conftest import Phone


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def plain(site: Path) -> Iterator[str]:
    handler = functools.partial(Quiet, directory=str(site.parent))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/{site.name}/"
    server.shutdown()
    server.server_close()


def test_below_a_path_of_any_server(plain: str, chromium):
    phone = Phone(chromium).open(plain)
    assert "You have no games in this browser yet" in phone.text()
    assert phone.page.url == f"{plain}#/"
    color = "getComputedStyle(document.querySelector('.panel')).borderTopWidth"
    assert phone.frame.evaluate(color) != "0px", "the style sheets are there"
    phone.page.reload()
    phone.shown()
    assert "Join a game" in phone.text()
    # an address of a page, opened in a tab of its own, leads into the frame
    phone.page.goto(f"{plain}game/000000000000")
    phone.shown()
    assert "#/game/000000000000" in phone.page.url
    phone.context.close()
