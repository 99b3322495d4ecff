"""The stores, started when the first test needs them, and one place in each for a game folder."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.files import store_answer_limits, store_interface
from tests.kit.processes import PATIENCE
from tests.kit.running_host import OpenGames, RunningHost
from tests.kit.stores import SSHD, S3Server, SshServer, s3_of_session
from tests.store.places import InBucket, InMemory, OnDisk, OnHost, OnServer, Spot

__all__ = ["s3_of_session"]

_COUNT = itertools.count(1)
KINDS = [
    "disk",
    "memory",
    "host",
    pytest.param("s3", marks=pytest.mark.store),
    pytest.param("s3 that ignores conditions", marks=pytest.mark.store),
    pytest.param("sftp", marks=pytest.mark.store),
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A host shows records only, so what people do with other files is not tried there."""
    items[:] = [
        item for item in items
        if not (item.get_closest_marker("other_files") and "[host" in item.nodeid)
    ]  # fmt: skip


@pytest.fixture
def s3(s3_of_session: S3Server, monkeypatch: pytest.MonkeyPatch) -> S3Server:
    """An S3 server without faults, which the environment names."""
    s3_of_session.heal()
    s3_of_session.calls.clear()
    for name, value in s3_of_session.env().items():
        monkeypatch.setenv(name, value)
    return s3_of_session


@pytest.fixture
def patience_with_s3(s3: S3Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """pbem waits long for each answer: a test starts another program while the server answers, and
    a busy machine may need half a minute for that."""
    for name in ("SILENCE_SECONDS", "ANSWER_SECONDS"):
        monkeypatch.setattr(store_answer_limits, name, PATIENCE)
    monkeypatch.setattr(store_interface, "_CONNECTIONS", {})  # an older one has the usual limits


@pytest.fixture
def bucket(s3: S3Server, tmp_path: Path) -> InBucket:
    return InBucket(s3.client(), f"club-{next(_COUNT)}", tmp_path / "copies")


@pytest.fixture(scope="session")
def one_ssh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SshServer]:
    if not SSHD.exists():
        pytest.skip("there is no sshd here: tools/sshd.sh installs it")
    server = SshServer(tmp_path_factory.mktemp("ssh"))
    yield server
    server.stop()


@pytest.fixture
def ssh(one_ssh: SshServer, monkeypatch: pytest.MonkeyPatch) -> SshServer:
    """An SSH server that the user's `~/.ssh` knows."""
    monkeypatch.setenv("HOME", str(one_ssh.home))
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    monkeypatch.setattr(store_interface, "_CONNECTIONS", {})  # each test connects anew
    return one_ssh


@pytest.fixture
def on_server(ssh: SshServer, tmp_path: Path) -> OnServer:
    root = tmp_path / "savannah"
    return OnServer(root, ssh.address(root), tmp_path / "copies")


@pytest.fixture(scope="session")
def open_host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHost]:
    """A host that takes any file with the name of a record."""
    running = RunningHost(tmp_path_factory.mktemp("host"), games=OpenGames)
    yield running
    running.stop()


@pytest.fixture
def on_host(open_host: RunningHost, tmp_path: Path) -> OnHost:
    digits = f"{next(_COUNT):032x}"
    root = open_host.games.game_at(digits).folder.place.path
    return OnHost(root, f"{open_host.url}/g/{digits}", tmp_path / "copies")


@pytest.fixture(params=KINDS)
def spot(request: pytest.FixtureRequest, tmp_path: Path) -> Spot:
    """A place for a game folder, one of each kind in turn."""
    kind = request.param
    if kind == "disk":
        return OnDisk(tmp_path / "savannah")
    if kind == "memory":
        return InMemory(f"club-{next(_COUNT)}", tmp_path / "copies")
    if kind == "host":
        return request.getfixturevalue("on_host")
    if kind == "sftp":
        return request.getfixturevalue("on_server")
    found = request.getfixturevalue("bucket")
    if kind != "s3":
        request.getfixturevalue("s3").conditions = False
    return found
