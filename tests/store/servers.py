"""Stores to test with: moto's S3 server, with faults on demand, and Debian's SSH server."""

import getpass
import os
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

SSHD = Path("/usr/sbin/sshd")
SECRET = "wJalrXUtnFEMI-K7MDENG-bPxRfiCYEXAMPLEKEY"
Environ = dict[str, Any]


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
        self._one_by_one = threading.Lock()
        """A real store decides which of two puts is first; moto's threads do not."""
        self.heal()

    def heal(self) -> None:
        """No faults from now on."""
        self.conditions = True
        """Whether it honours `If-None-Match`; some stores that speak S3 do not."""
        self.fault: Callable[[str, str], str] = lambda method, path: ""
        """For a request: empty, or an error code (`SlowDown`), or `gone` (no answer comes)."""
        self.after: Callable[[str, str], None] = lambda method, path: None
        """Called after a request was answered."""

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
        method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        self.calls.append(f"{method} {path}")
        if not self.conditions:
            environ.pop("HTTP_IF_NONE_MATCH", None)
        fault = self.fault(method, path)
        if fault == "gone":
            environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
            return []
        if fault:
            status = "403 no" if fault in ("AccessDenied", "InvalidAccessKeyId") else "503 no"
            start(status, [("Content-Type", "application/xml")])
            told = f"<Message>key {SECRET}</Message>"
            return [f"<Error><Code>{fault}</Code>{told}</Error>".encode()]
        with self._one_by_one if method == "PUT" else nullcontext():
            answer = list(self._app(environ, start))
        self.after(method, path)
        return answer


class SshServer:
    """Debian's `sshd` on a free port, with sftp only; `home` is the user's home for `~/.ssh`."""

    def __init__(self, root: Path) -> None:
        self.root, self.home = root, root / "home"
        (self.home / ".ssh").mkdir(parents=True)
        self._key(root / "host")
        self._key(self.home / ".ssh/id_ed25519")
        public = (self.home / ".ssh/id_ed25519.pub").read_text()
        (root / "authorized").write_text(public)
        self.port = _free_port()
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
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.1)
        raise AssertionError("sshd did not start")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
