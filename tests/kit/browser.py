"""A real browser, and tables of `pbem table` to open in it.

    @in_both
    def test_a_turn_is_shown(game, sit_down, page) -> None:
        sit_down(game("middle").person("ann"))
        page.click("a.game-title")

Tests with `@in_both` run twice: at such a table, and in a tab that plays by itself.
"""

import functools
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.people import Person
from tests.kit.phone import SITE
from tests.kit.processes import PATIENCE
from tests.kit.selection import ROOT

CHROMIUM = Path("/usr/bin/chromium-headless-shell")
WHOLE_CHROMIUM = Path("/usr/bin/chromium")
TAB = pytest.param("tab", marks=pytest.mark.host)
LATER = pytest.param("tab", marks=[pytest.mark.host, pytest.mark.long])
in_both = pytest.mark.parametrize("backend", ["table", TAB], indirect=True)
in_both_at_length = pytest.mark.parametrize("backend", ["table", LATER], indirect=True)
"""Where the table is; in a tab `make test-host LONG=1` tries it."""


@pytest.fixture(scope="session")
def site() -> Path:
    """The built site; one worker builds it, if anything has changed."""
    subprocess.run(
        [sys.executable, "-m", "tools.browser_site", "--quick", str(SITE)], cwd=ROOT, check=True
    )
    return SITE


@functools.cache
def launched():
    """Debian's Chromium; a process can drive only one, for the tests of all folders."""
    from playwright.sync_api import sync_playwright

    playwright = sync_playwright().start()
    # without the second compiler, a fresh page with its program costs two thirds
    args = ["--no-sandbox", "--disable-gpu", "--js-flags=--liftoff-only"]
    return playwright, playwright.chromium.launch(
        executable_path=str(CHROMIUM), args=args, timeout=PATIENCE * 1000
    )


@pytest.fixture(scope="session")
def chromium():
    """The browser of this process; `make test-browser` installs it."""
    playwright, browser = launched()
    yield browser
    if browser.is_connected():
        browser.close()
        playwright.stop()


@pytest.fixture(scope="session")
def whole_chromium(chromium):
    """Chromium as people have it, but without a window: it shows notifications."""
    args = ["--no-sandbox", "--disable-gpu", "--headless=new"]
    browser = launched()[0].chromium.launch(
        executable_path=str(WHOLE_CHROMIUM), args=args, timeout=PATIENCE * 1000
    )
    yield browser
    if chromium.is_connected():  # else another folder's tests were the last, and all is closed
        browser.close()


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
            out, err = self.process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        return out + err
