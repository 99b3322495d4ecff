"""Connect to a server by SFTP, only if this user knows its host key (`~/.ssh/known_hosts`)."""

from __future__ import annotations

from typing import Any

import paramiko
from fsspec.implementations.sftp import SFTPFileSystem


class UnknownHostError(paramiko.SSHException):  # type: ignore[misc]
    """The server's host key is not one of the known keys."""


class _Refuse(paramiko.MissingHostKeyPolicy):  # type: ignore[misc]
    def missing_host_key(self, client: Any, hostname: str, key: Any) -> None:
        """Refuse the server; fsspec would accept it."""
        raise UnknownHostError(hostname)


class _KnownHosts(SFTPFileSystem):  # type: ignore[misc]
    """fsspec's file system, but only for servers with a known host key; fsspec itself accepts any
    key."""

    def _connect(self) -> None:
        self.client = paramiko.SSHClient()
        self.client.load_system_host_keys()
        self.client.set_missing_host_key_policy(_Refuse())
        self.client.connect(self.host, **self.ssh_kwargs)
        self.ftp = self.client.open_sftp()


def connected(host: str, connect: float, answer: float, **options: Any) -> Any:
    """Connect to a server; returns an fsspec file system.

    `connect` and `answer` are limits in seconds.
    """
    files = _KnownHosts(
        host,
        skip_instance_cache=True,
        timeout=connect,
        banner_timeout=connect,
        auth_timeout=connect,
        **options,
    )
    files.ftp.get_channel().settimeout(answer)
    return files
