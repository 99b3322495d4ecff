"""A real browser, and people who sit at tables: each table is a `pbem table` of its own.

Tests with `@in_both` run twice: at such a table, and in a tab that plays by itself (`make
test-host`), where a host serves the page and the folder that the others share.
"""

import functools
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.looking import looking
from tests.kit import people
from tests.kit.browser import Table, chromium, site
from tests.kit.people import Person
from tests.kit.phone import OneGame, TabPage, watch
from tests.kit.processes import PATIENCE
from tests.kit.running_host import RunningHost

__all__ = ["chromium", "looking", "site"]

ENDED = (
    "net::ERR_CONNECTION_RE", "net::ERR_CONTENT_LENGTH_MISMATCH", "net::ERR_EMPTY_RESPONSE",
    "net::ERR_SOCKET_NOT_CONNECTED",
)  # fmt: skip
"""What the browser says of a table that ended before its page, as at the end of a test: REFUSED,
RESET, or an answer that was cut off or never began."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test of this folder needs the browser."""
    for item in items:
        in_tab = item.get_closest_marker("host")
        if Path(item.fspath).parent == Path(__file__).parent and not in_tab:
            item.add_marker(pytest.mark.browser)


@pytest.fixture
def backend(request) -> str:
    """What answers the page: `pbem table`, unless the test says otherwise."""
    return getattr(request, "param", "table")


@pytest.fixture
def page(chromium, backend, request):
    """A page of a fresh browser profile, which takes taps if the test's `hand` does. A message on
    its console makes the test fail."""
    callspec = getattr(request.node, "callspec", None)
    touch = bool(callspec) and callspec.params.get("hand") == "taps"
    if backend == "tab":
        page = TabPage(chromium, touch, width=1280, height=900)
    else:
        view = {"width": 1280, "height": 900}
        context = chromium.new_context(viewport=view, has_touch=touch, reduced_motion="reduce")
        context.set_default_timeout(PATIENCE * 1000)
        page = context.new_page()
        page.said = []
        watch(page, page.said)
    yield page
    page.context.close()
    assert not [one for one in page.said if not any(end in one for end in ENDED)]


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
def sit_down(page, backend, request) -> Iterator[Callable[..., Table | RunningHost]]:
    """A function that starts a table for a person and opens it in the browser."""
    if backend == "table":
        yield functools.partial(_at_table, page, request.getfixturevalue("open_table"))
        page.context.close()  # before its table ends: a page that asks then says so
        return
    # the program in the tab has this computer's clock
    request.getfixturevalue("monkeypatch").setattr(people, "NOW", int(time.time()))
    site = request.getfixturevalue("site")
    hosts: list[RunningHost] = []

    def in_tab(person: Person, options: str = "", **_: str) -> RunningHost:
        hosts.append(RunningHost(person.shared / "savannah", games=OneGame, site=site))
        hosts[-1].host.counts.requests.limit = 1_000_000
        page.sit_down(hosts[-1], person)
        return hosts[-1]

    yield in_tab
    page.context.close()
    for host in hosts:
        host.stop()


def _at_table(page, open_table, person: Person, options: str = "", **env: str) -> Table:
    table = open_table(person, options, **env)
    page.goto(table.address)
    page.wait_for_selector("h1:has-text('All my games')")
    return table
