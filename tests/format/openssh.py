"""Real `ssh-keygen`, for the tests that ask it."""

import shutil
import subprocess
from pathlib import Path

import pytest

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
