"""A real host, in a thread of the test's process or as a process of its own; and `pbem run`.

For example:

    host = RunningHost(tmp_path / "data")
    said = table.person("rhea").pbem(f"new savannah --players Ann,Bo --at {host.url}")
    assert f"made {host.url}/g/" in said.out
    host.stop()
"""

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import uvicorn

from pbem.files.game_folder import Listing
from pbem.files.game_folder_places import Place
from pbem.files.record_file_names import Name
from pbem.host.answer_requests import Host
from pbem.host.kept_games import Game, Games
from pbem.host.web_server import Connection, Network
from tests.kit.people import PBEM, Person
from tests.kit.processes import PATIENCE, bound_socket, free_port, until


class RunningHost:
    """A host in a thread of this process; `games` are its games, and `url` its address."""

    def __init__(
        self, place: Place | Path, tokens: Sequence[str] = (), password: str = "", port: int = 0,
        games: type[Games] = Games, site: Path | None = None, proxies: Sequence[Network] = (),
    ) -> None:  # fmt: skip
        self.host = Host(games(place), tokens, password, site)
        self.games = self.host.games
        self._socket = bound_socket(port)
        self.port = int(self._socket.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self.host.set_address(self.url)
        # a connection that is kept must not be closed just when a test uses it again
        config = uvicorn.Config(
            self.host.app(), log_level="critical", access_log=False, lifespan="off",
            http=type("ConnectionOfHost", (Connection,), {"proxies": proxies}), ws="none",
            forwarded_allow_ips=["127.0.0.1", *map(str, proxies)],
            timeout_graceful_shutdown=1, timeout_keep_alive=int(PATIENCE),
        )  # fmt: skip
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [self._socket]}, daemon=True
        )
        self._thread.start()
        until(lambda: self._server.started, every=0.005)

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join()
        self._socket.close()


class HostProcess:
    """`pbem host` as a process of its own, on a fixed port, with its owner's `home`."""

    def __init__(self, data: str, home: Path, *options: str, **env: str) -> None:
        self.data, self.home, self.options, self.env = data, home, options, env
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = home.with_name(f"{home.name}.log")
        """What it prints."""
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        words = ["host", "--data", self.data, "--port", str(self.port), *self.options]
        env = {**os.environ, "PBEM_HOME": str(self.home), **self.env}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "pbem", *words], env=env, stdout=log, stderr=log
            )

        def answers() -> bool:
            assert self.process.poll() is None, self.log.read_text()
            with socket.socket() as one:
                return one.connect_ex(("127.0.0.1", self.port)) == 0

        until(answers, every=0.02, why=self.log.read_text)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End it, and wait until it has ended."""
        self.process.send_signal(how)
        self.process.wait()

    def restart_at(self, now: int, *, was_up: bool = True) -> None:
        """Stop it, and start it when it is this time by its clock, which stands still while it
        runs. `was_up`: as if it had run until then; otherwise it was away."""
        self.stop()
        self.env["SOURCE_DATE_EPOCH"] = str(now)
        if was_up:
            for folder in Path(self.data).glob("pauses-*"):
                (folder / f"up-{now:012}").touch()
        self.start()

    def kill(self) -> None:
        """End it at once, whatever it is doing."""
        self.stop(signal.SIGKILL)


def bytes_of_files(folder: Path) -> dict[Path, bytes]:
    """Each file in a folder and in those below, while a host may write and remove some."""
    paths = [Path(place, name) for place, _, names in os.walk(folder) for name in names]
    found = {}
    for path in paths:
        with suppress(FileNotFoundError):  # it was removed, or renamed, since it was listed
            found[path] = path.read_bytes()
    return found


def has_seen_turn(owner: Path, turn: int) -> bool:
    """Whether the host with this owner's home has noted, as a co-dealer of its only game, when it
    first saw a turn."""
    notes = (owner / "dealer").glob("games/*/turn-arrivals.toml")
    return any(f"turns/{turn:04}.toml" in one.read_text("utf-8") for one in notes)


class RunProcess:
    """`pbem run` of one person, as a process; `log` has what it prints."""

    def __init__(self, person: Person) -> None:
        self.person, self.log = person, person.home.with_name(f"{person.home.name}.log")
        self.start()

    def start(self) -> None:
        line = [str(PBEM), "run", "--every", "5"]
        with self.log.open("ab") as log:
            env = self.person.environ({})
            self.process = subprocess.Popen(line, env=env, stdout=log, stderr=log)

    def kill(self) -> None:
        """End it at once, whatever it is doing."""
        self.process.kill()
        self.process.wait()


class OpenGame(Game):
    """A game that takes any file with the name of a record, whatever is in it."""

    fresh_seconds = 0.0

    def check_is_there(self, listing: Listing) -> None:
        pass

    def check_file(self, listing: Listing, name: Name, data: bytes) -> None:
        pass


class OpenGames(Games):
    game_type = OpenGame

    def make_game(self, digits: str, data: bytes, *, is_free: bool) -> bool:
        return self.game_at(digits).keep_file(Name("charter"), data)


StartHost = Callable[..., RunningHost]
