"""A real host on a free port of this computer, and people at their own machines who use it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.files.folder import Place
from tests.cli.people import Round
from tests.host.running import RunningHost

Start = Callable[..., RunningHost]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start hosts; they are stopped at the end of the test."""
    running: list[RunningHost] = []

    def one(place: Place | None = None, **more: object) -> RunningHost:
        running.append(RunningHost(place or tmp_path / "data", **more))
        return running[-1]

    yield one
    for host in running:
        host.stop()


@pytest.fixture
def host(start: Start) -> RunningHost:
    return start()


@pytest.fixture
def table(tmp_path: Path) -> Round:
    return Round(tmp_path)
