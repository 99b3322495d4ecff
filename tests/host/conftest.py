"""A real host on a free port of this computer, and people at their own machines who use it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.files.folder import Place, StoreAddress
from tests.host.lying_host import liar
from tests.kit.running_host import RunningHost, StartHost
from tests.kit.stores import S3Server

__all__ = ["liar"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[StartHost]:
    """Start hosts; they are stopped at the end of the test."""
    running: list[RunningHost] = []

    def one(place: Place | None = None, **more: object) -> RunningHost:
        running.append(RunningHost(place or tmp_path / "data", **more))
        return running[-1]

    yield one
    for host in running:
        host.stop()


@pytest.fixture
def host(start: StartHost) -> RunningHost:
    return start()


@pytest.fixture(scope="session")
def one_s3() -> Iterator[S3Server]:
    server = S3Server()
    yield server
    server.stop()


@pytest.fixture
def in_bucket(one_s3: S3Server, monkeypatch: pytest.MonkeyPatch, start: StartHost) -> RunningHost:
    """A host that keeps its games in a bucket, which the environment of this test names."""
    for name, value in one_s3.env().items():
        monkeypatch.setenv(name, value)
    client = one_s3.client()
    client.create_bucket(Bucket="club")
    while left := client.list_objects_v2(Bucket="club").get("Contents"):  # of an earlier test
        for one in left:
            client.delete_object(Bucket="club", Key=one["Key"])
    return start(StoreAddress("s3", "club/games"))
