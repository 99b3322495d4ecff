"""A real browser, and people who sit at tables: each table is a `pbem table` of its own."""

import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import game, kept
from tests.cli.people import Person

__all__ = ["game", "kept"]

CHROMIUM = Path("/usr/bin/chromium")
SECONDS = 60
ENDED = ("net::ERR_CONNECTION_RE", "net::ERR_CONTENT_LENGTH_MISMATCH", "net::ERR_EMPTY_RESPONSE")
"""What the browser says of a table that ended before its page, as at the end of a test: REFUSED,
RESET, or an answer that was cut off or never began."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test of this folder needs the browser."""
    for item in items:
        if Path(item.fspath).parent == Path(__file__).parent:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium():
    """Debian's Chromium; `make test-browser` installs it."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=str(CHROMIUM), args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


@pytest.fixture
def page(chromium):
    """A page of a fresh browser profile. A message on its console makes the test fail."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(SECONDS * 1000)
    said: list[str] = []
    page = context.new_page()
    watch(page, said)
    page.said = said
    yield page
    context.close()
    assert not [one for one in said if not any(end in one for end in ENDED)]


def watch(page, said: list[str]) -> None:
    """Collect what the page says on its console, and errors of its scripts."""
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))


class Table:
    """A running `pbem table` of one person."""

    def __init__(self, person: Person, options: str = "", **env: str) -> None:
        self.process = person.start(f"table --no-browser {options}", **env)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("your table: http://127.0.0.1:"), line + self.process.stderr.read()
        self.address = line.removeprefix("your table: ").strip()
        self.root, _, self.token = self.address.partition("/#")

    def close(self) -> str:
        """Press Ctrl-C; what the table said then."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        return self._ended()

    def kill(self) -> None:
        """End the process as a crash would."""
        self.process.kill()
        self._ended()

    def _ended(self) -> str:
        try:
            out, err = self.process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        return out + err


@pytest.fixture
def open_table() -> Iterator[Callable[..., Table]]:
    """A function that starts a table for a person; all are closed at the end."""
    tables: list[Table] = []

    def opened(person: Person, options: str = "", **env: str) -> Table:
        tables.append(Table(person, options, **env))
        return tables[-1]

    yield opened
    for table in tables:
        table.kill()


@pytest.fixture
def sit_down(page, open_table) -> Callable[..., Table]:
    """A function that starts a table for a person and opens it in the browser."""

    def sat(person: Person, options: str = "", **env: str) -> Table:
        table = open_table(person, options, **env)
        page.goto(table.address)
        page.wait_for_selector("h1:has-text('All my games')")
        return table

    return sat
