"""A real host on a free port of this computer, and people at their own machines who use it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.files.game_folder_places import Place, place_of
from tests.host.keeper import Keeper
from tests.host.lying_host import lying_host
from tests.host.web_client import Client
from tests.kit.people import NOW
from tests.kit.push_service import push_service
from tests.kit.running_host import HostProcess, RunningHost, StartHost
from tests.kit.small_mail_servers import mail_server
from tests.kit.stores import S3Server, s3_of_session

__all__ = ["lying_host", "mail_server", "push_service", "s3_of_session"]


@pytest.fixture
def start_host(tmp_path: Path) -> Iterator[StartHost]:
    """Start hosts; they are stopped at the end of the test."""
    running: list[RunningHost] = []

    def one(place: Place | None = None, **more: object) -> RunningHost:
        running.append(RunningHost(place or tmp_path / "data", **more))
        return running[-1]

    yield one
    for host in running:
        host.stop()


@pytest.fixture
def host(start_host: StartHost) -> RunningHost:
    return start_host()


@pytest.fixture
def in_bucket(
    s3_of_session: S3Server, monkeypatch: pytest.MonkeyPatch, start_host: StartHost
) -> RunningHost:
    """A host that keeps its games in a bucket, which the environment of this test names."""
    for name, value in s3_of_session.env().items():
        monkeypatch.setenv(name, value)
    client = s3_of_session.client()
    client.create_bucket(Bucket="club")
    while left := client.list_objects_v2(Bucket="club").get("Contents"):  # of an earlier test
        for one in left:
            client.delete_object(Bucket="club", Key=one["Key"])
    return start_host(place_of("s3://club/games"))


@pytest.fixture
def start_process(tmp_path: Path) -> Iterator[Callable[..., HostProcess]]:
    """Start hosts as processes; they are stopped at the end of the test."""
    running: list[HostProcess] = []

    def one(*options: str, data: str = "", home: str = "owner", **env: str) -> HostProcess:
        data = data or str(tmp_path / "data")
        running.append(HostProcess(data, tmp_path / home, *options, **env))
        return running[-1]

    yield one
    for host in running:
        host.stop()


@pytest.fixture
def dealing_host(start_process) -> HostProcess:
    return start_process("--deal", SOURCE_DATE_EPOCH=str(NOW))


@pytest.fixture
def web_client(host: RunningHost) -> Client:
    return Client(host)


@pytest.fixture
def record_keeper(tmp_path: Path) -> Keeper:
    return Keeper(tmp_path / "data")
