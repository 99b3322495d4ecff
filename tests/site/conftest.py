"""The site on a real host, in a real browser: people with phones, and people at terminals."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.browser import chromium, site, whole_chromium
from tests.kit.push_service import push_service
from tests.kit.real_mail_servers import server
from tests.site.evening import Evening
from tests.site.plain_server import plain_address

__all__ = ["chromium", "plain_address", "push_service", "server", "site", "whole_chromium"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test of this folder needs a host and the browser."""
    for item in items:
        if Path(item.fspath).parent == Path(__file__).parent:
            item.add_marker(pytest.mark.host)


@pytest.fixture
def evening(site: Path, tmp_path: Path, chromium) -> Iterator[Evening]:
    one = Evening(tmp_path, chromium)
    yield one
    one.end()
