"""Stores to test with: moto's S3 server, with faults on demand, and Debian's SSH server.

For example:

    server = S3Server()  # empty, without faults
    server.client().create_bucket(Bucket="club")
    server.fault = lambda method, path: "SlowDown" if method == "PUT" else ""
    server.stop()
"""

import getpass
import os
import socket
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import pytest

from pbem.files.game_folder import SharedFolder
from tests.kit.processes import PATIENCE, free_port, until

SSHD = Path("/usr/sbin/sshd")
SECRET = "wJalrXUtnFEMI-K7MDENG-bPxRfiCYEXAMPLEKEY"
Environ = dict[str, Any]
Send = Callable[[int, bytes], None]
Lie = Callable[[int, int, Send], bool]


class S3Server:
    """moto's server on a free port of this computer; `buckets` are made when they are asked for."""

    def __init__(self) -> None:
        from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
        from werkzeug.serving import make_server

        self._app = DomainDispatcherApplication(create_backend_app)
        self._server = make_server("127.0.0.1", 0, self._answer, threaded=True)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self.calls: list[str] = []
        self.sent = 0
        """The bytes of all answers."""
        self._one_by_one = threading.Lock()
        """A real store decides which of two puts is first; moto's threads do not."""
        self.heal()

    def heal(self) -> None:
        """No faults from now on."""
        self.conditions = True
        """Whether it honours `If-None-Match`; some stores that speak S3 do not."""
        self.fault: Callable[[str, str], str] = lambda method, path: ""
        """For a request: empty, or an error code (`SlowDown`), `gone` (no answer comes) or `lost`
        (it is done, and no answer comes)."""
        self.lie: Callable[[Environ, Any], Iterable[bytes] | None] = lambda environ, start: None
        """For a request: None, or what the server answers instead of the truth."""
        self.after: Callable[[str, str], None] = lambda method, path: None
        """Called after a request was answered."""
        self.view: Callable[[str, str], str] = lambda who, path: path
        """What path a request is about, for the user with this access key."""

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def env(self) -> dict[str, str]:
        """What a user of this server has in the environment."""
        return {
            "AWS_ENDPOINT_URL": self.url, "AWS_ACCESS_KEY_ID": "AKIAEXAMPLE",
            "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_EC2_METADATA_DISABLED": "true", "AWS_CONFIG_FILE": os.devnull,
            "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        }  # fmt: skip

    def client(self) -> Any:
        """The same server for the tests, through Amazon's own library."""
        import boto3

        return boto3.client(
            "s3", endpoint_url=self.url, region_name="us-east-1",
            aws_access_key_id="AKIAEXAMPLE", aws_secret_access_key=SECRET,
        )  # fmt: skip

    def _answer(self, environ: Environ, start: Any) -> Any:
        who = environ.get("HTTP_AUTHORIZATION", "").partition("Credential=")[2].partition("/")[0]
        environ["PATH_INFO"] = self.view(who, environ["PATH_INFO"])
        environ.pop("RAW_URI", None)
        environ.pop("REQUEST_URI", None)
        method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        self.calls.append(f"{method} {path}")
        if not self.conditions:
            environ.pop("HTTP_IF_NONE_MATCH", None)
        lie = self.lie(environ, start)
        if lie is not None:
            return lie
        fault = self.fault(method, path)
        if fault == "gone":
            environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
            return []
        if fault and fault != "lost":
            status = "403 no" if fault in ("AccessDenied", "InvalidAccessKeyId") else "503 no"
            start(status, [("Content-Type", "application/xml")])
            told = f"<Message>key {SECRET}</Message>"
            return [f"<Error><Code>{fault}</Code>{told}</Error>".encode()]
        with self._one_by_one if method == "PUT" else nullcontext():
            answer = list(self._app(environ, start))
        self.sent += sum(len(part) for part in answer)
        self.after(method, path)
        if fault == "lost":
            environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
        return answer


class SshServer:
    """Debian's `sshd` on a free port, with sftp only; `home` is the user's home for `~/.ssh`.

    With `full`, it cannot write a byte into any file, as on a full disk.
    """

    def __init__(self, root: Path, full: bool = False) -> None:
        self.root, self.home = root, root / "home"
        (self.home / ".ssh").mkdir(parents=True)
        self._key(root / "host")
        self._key(self.home / ".ssh/id_ed25519")
        public = (self.home / ".ssh/id_ed25519.pub").read_text()
        (root / "authorized").write_text(public)
        self.port = free_port()
        host = (root / "host.pub").read_text().rsplit(" ", 1)[0]
        (self.home / ".ssh/known_hosts").write_text(f"[127.0.0.1]:{self.port} {host}\n")
        config = (
            f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey {root}/host\nPidFile none\n"
            f"AuthorizedKeysFile {root}/authorized\nStrictModes no\nUsePAM no\n"
            "PasswordAuthentication no\nSubsystem sftp internal-sftp\nPermitRootLogin yes\n"
        )
        (root / "config").write_text(config)
        if os.geteuid() == 0:
            Path("/run/sshd").mkdir(exist_ok=True)  # sshd wants it when root starts it
        line = [str(SSHD), "-D", "-e", "-f", str(root / "config")]
        if full:  # without a shell's default for the signal, the server would be killed
            line = ["prlimit", "--fsize=0", "env", "--ignore-signal=XFSZ", *line]
        self._run = subprocess.Popen(line, stderr=subprocess.DEVNULL)
        self._wait()

    def address(self, folder: Path) -> str:
        return f"sftp://{getpass.getuser()}@127.0.0.1:{self.port}{folder}"

    def stop(self) -> None:
        self._run.terminate()
        self._run.wait()

    def _key(self, path: Path) -> None:
        line = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)]
        subprocess.run(line, check=True)

    def _wait(self) -> None:
        def answers() -> bool:
            assert self._run.poll() is None, "sshd did not start"
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", self.port)) == 0

        until(answers, every=0.1)


class LyingSshServer:
    """An SSH server in this process, in which `lie` answers each packet of SFTP.

    `lie(kind, number, send)` gets a request and a function that sends a packet; it is
    called until it returns False. `raw` answers instead of SSH itself, with the bytes it yields.
    """

    def __init__(self, home: Path) -> None:
        import paramiko

        self.lie: Lie = lambda kind, number, send: False
        self.raw: Callable[[], Iterable[bytes]] | None = None
        self.sent = 0
        self._key = paramiko.ECDSAKey.generate()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        known = f"[127.0.0.1]:{self.port} {self._key.get_name()} {self._key.get_base64()}\n"
        with (home / ".ssh/known_hosts").open("a") as file:
            file.write(known)
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._serve)]
        self._threads[0].start()

    def address(self, folder: str) -> str:
        return f"sftp://{getpass.getuser()}@127.0.0.1:{self.port}{folder}"

    def stop(self) -> None:
        self._over.set()
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for thread in self._threads:
            thread.join(PATIENCE)

    def _serve(self) -> None:
        while not self._over.is_set():
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._answer, args=[connection])
            self._threads.append(thread)
            thread.start()

    def _answer(self, connection: socket.socket) -> None:
        import paramiko

        if self.raw is not None:
            with connection, suppress(OSError):
                for part in self.raw():
                    connection.sendall(part)
                    self.sent += len(part)
                    if self._over.is_set():
                        return
            return
        outer = self

        class Sftp(paramiko.SFTPServer):
            def _process(self, t: int, request_number: int, msg: Any) -> None:
                def send(kind: int, packet: bytes) -> None:
                    outer.sent += len(packet)
                    self._send_packet(kind, paramiko.Message(packet))

                with suppress(OSError, EOFError):
                    while not outer._over.is_set() and outer.lie(t, request_number, send):
                        pass

        class Anybody(paramiko.ServerInterface):
            def check_auth_publickey(self, username: str, key: Any) -> int:
                return paramiko.AUTH_SUCCESSFUL

            def check_channel_request(self, kind: str, chanid: int) -> int:
                return paramiko.OPEN_SUCCEEDED

        transport = paramiko.Transport(connection)
        transport.add_server_key(self._key)
        transport.set_subsystem_handler("sftp", Sftp)
        with suppress(Exception):  # the client hangs up when it has had enough
            transport.start_server(server=Anybody())
        self._over.wait(PATIENCE)
        transport.close()


@pytest.fixture(scope="session")
def s3_of_session() -> Iterator[S3Server]:
    server = S3Server()
    yield server
    server.stop()


def stray_kinds(folder: SharedFolder) -> dict[str, str]:
    """The kind of each file in the folder that is no record, by its path."""
    return {file.path: file.kind for file in folder.scan().strays}
