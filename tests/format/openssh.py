"""Real `ssh-keygen`, for the tests that ask it."""

import shutil
import subprocess
from pathlib import Path

import pytest

from pbem.format.secret_and_public_keys import public_line

needs_ssh_keygen = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None, reason="needs ssh-keygen (package openssh-client)"
)


def ssh_keygen(*arguments: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = ["ssh-keygen", *map(str, arguments)]
    return subprocess.run(command, input=stdin, capture_output=True, check=False)


def make_key(path: Path, kind: str = "ed25519", passphrase: str = "") -> bytes:
    done = ssh_keygen("-q", "-t", kind, "-N", passphrase, "-C", "ann@example.org", "-f", path)
    assert done.returncode == 0, done.stderr
    return path.read_bytes()


def openssh_verifies(folder: Path, data: bytes, key: bytes, space: str) -> bool:
    """As docs/protocol.md tells anybody to do it: grep, sed, ssh-keygen."""
    file, signature = folder / "record.toml", folder / "record.sig"
    file.write_bytes(data)
    signature.write_bytes(_run("sed", "-n", "s/^# //p", file))
    (folder / "signers").write_text(f"someone {public_line(key)}\n")
    body = _run("grep", "-v", "^#", file)
    who = ("-f", folder / "signers", "-I", "someone", "-n", space, "-s", signature)
    return ssh_keygen("-Y", "verify", *who, stdin=body).returncode == 0


def _run(*command: str | Path) -> bytes:
    return subprocess.run([*map(str, command)], capture_output=True, check=True).stdout
