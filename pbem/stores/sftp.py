"""A folder on a server, by SFTP, only if this user knows its host key (`~/.ssh/known_hosts`)."""

from __future__ import annotations

import contextlib
import logging
import secrets
import socket
import stat
import threading
import time
from collections.abc import Iterator
from typing import Any

import paramiko
from fsspec.implementations.sftp import SFTPFileSystem
from fsspec.utils import infer_storage_options
from paramiko.sftp import CMD_CLOSE, CMD_OPENDIR, CMD_READDIR

from pbem.files import store_answer_limits
from pbem.files.disk import TEMPORARY
from pbem.files.fsspec_store import FsspecStore
from pbem.files.store_interface import BILLION, Entry, connection_for

logging.getLogger("paramiko").addHandler(logging.NullHandler())  # pbem reports its troubles itself


def open_store(address: str) -> SftpStore:
    """Return the folder at an address `sftp://user@server:port/path`."""
    scheme, _, address_path = address.partition("://")
    server, _, folder = address_path.partition("/")
    # a connection must not be used by two threads at the same time
    key = (scheme, server, threading.get_ident())
    options = infer_storage_options(address)
    port, user_name = options.get("port") or 22, options.get("username")
    files = connection_for(key, lambda: connected(options["host"], port, user_name))
    return SftpStore(files, f"/{folder}")


class UnwrittenError(Exception):
    """Raised if a server does not write a file, and does not say why."""


class UnknownHostError(paramiko.SSHException):  # type: ignore[misc]
    """The server's host key is not one of the known keys."""


class _Refuse(paramiko.MissingHostKeyPolicy):  # type: ignore[misc]
    def missing_host_key(self, client: Any, hostname: str, key: Any) -> None:
        """Refuse the server; fsspec would accept it."""
        raise UnknownHostError(hostname)


class _Socket(socket.socket):
    """A connection that limits the time and the bytes of each answer.

    paramiko reads in a thread of its own, ten times a second even if nothing comes.
    """

    _end_time: float | None = None
    _bytes_left = store_answer_limits.MAX_SFTP_BYTES
    overrun: Exception | None = None
    """The limit that the server exceeded, as an error; the connection is then lost."""

    @contextlib.contextmanager
    def limited(self) -> Iterator[None]:
        """Limit the server's time and bytes in this block. Raises SlowError, TooMuchError, instead
        of the error that the library made of them."""
        self._bytes_left, self._end_time = (
            store_answer_limits.MAX_SFTP_BYTES,
            time.monotonic() + store_answer_limits.ANSWER_SECONDS,
        )
        try:
            yield
        except Exception:
            if self.overrun:
                raise self.overrun from None
            raise
        finally:
            self._end_time = None

    def recv(self, *args: Any, **named: Any) -> bytes:
        """As `socket.socket` does it. Raises SlowError, TooMuchError."""
        if self._end_time is not None and time.monotonic() > self._end_time:
            self.overrun = store_answer_limits.SlowError()
        if self._bytes_left < 0:
            self.overrun = store_answer_limits.TooMuchError()
        if self.overrun:
            raise self.overrun
        received_bytes = super().recv(*args, **named)
        self._bytes_left -= len(received_bytes)
        return received_bytes


class _Status(paramiko.Message):  # type: ignore[misc]
    """A server's message about an error, in any encoding."""

    def get_text(self) -> str:
        """Return the next text; paramiko raises UnicodeDecodeError if it is not UTF-8."""
        return str(self.get_binary(), "utf-8", "replace")


class _Answer(paramiko.Message):  # type: ignore[misc]
    """An answer of SFTP that ends where it ends, with names in any bytes."""

    def get_bytes(self, n: int) -> bytes:
        """Return the next bytes; paramiko adds zeros, and so would count to any number."""
        data = bytes(self.packet.read(n))
        if len(data) < n:
            raise store_answer_limits.CutOffError
        return data

    def get_text(self) -> str:
        """Return the next text; paramiko raises UnicodeDecodeError if it is not UTF-8."""
        return str(self.get_binary(), "utf-8", "surrogateescape")


class _Client(paramiko.SFTPClient):  # type: ignore[misc]
    def entries(self, folder: bytes) -> list[paramiko.SFTPAttributes]:
        """List a folder, without `.` and `..`. Raises TooManyFilesError; for a list without end,
        paramiko's own function would never end."""
        attributes = list[paramiko.SFTPAttributes]()
        handle = self._request(CMD_OPENDIR, folder)[1].get_binary()
        with contextlib.suppress(EOFError):  # this is how the server says that the list ends
            while True:
                part = self._request(CMD_READDIR, handle)[1]
                for _ in range(part.get_int()):
                    if len(attributes) > store_answer_limits.MAX_FILES:
                        raise store_answer_limits.TooManyFilesError
                    name, long_name = part.get_text(), part.get_text()
                    attributes.append(paramiko.SFTPAttributes._from_msg(part, name, long_name))
        self._request(CMD_CLOSE, handle)
        return [entry for entry in attributes if entry.filename not in (".", "..")]

    def _request(self, t: int, *args: Any) -> tuple[int, paramiko.Message]:
        kind, message = super()._request(t, *args)
        return kind, _Answer(message.get_remainder())

    def _convert_status(self, msg: Any) -> None:
        super()._convert_status(_Status(msg.get_remainder()))


class _KnownHosts(SFTPFileSystem):  # type: ignore[misc]
    """fsspec's file system, but only for servers with a known host key; fsspec itself accepts any
    key."""

    def _connect(self) -> None:
        """Connect to the server over a socket with limits; fsspec calls this. Raises
        UnknownHostError, SlowError, TooMuchError, and what paramiko raises."""
        unlimited_socket = socket.create_connection(
            (self.host, self.ssh_kwargs["port"]), store_answer_limits.CONNECT_SECONDS
        )
        self.socket = _Socket(
            unlimited_socket.family,
            unlimited_socket.type,
            unlimited_socket.proto,
            fileno=unlimited_socket.detach(),
        )
        self.client = paramiko.SSHClient()
        self.client.load_system_host_keys()
        self.client.set_missing_host_key_policy(_Refuse())
        try:
            with self.socket.limited():
                self.client.connect(self.host, sock=self.socket, **self.ssh_kwargs)
                self.ftp = _Client.from_transport(self.client.get_transport())
        except BaseException:
            self.client.close()
            raise
        self.ftp.get_channel().settimeout(store_answer_limits.SILENCE_SECONDS)


def connected(host: str, port: int, username: str | None) -> SFTPFileSystem:
    """Connect to a server; returns an fsspec file system, with a `socket` that has limits."""
    return _KnownHosts(
        host,
        port=port,
        username=username,
        skip_instance_cache=True,
        timeout=store_answer_limits.CONNECT_SECONDS,
        banner_timeout=store_answer_limits.CONNECT_SECONDS,
        auth_timeout=store_answer_limits.CONNECT_SECONDS,
    )


class SftpStore(FsspecStore):
    """A folder on another computer, reached through SSH, whose rename refuses a taken name."""

    def list_folder(self, place: str) -> list[Entry]:
        with self._asking() as server:
            attributes = server.entries(self._raw(place))
        kinds = {stat.S_IFREG: "file", stat.S_IFDIR: "folder", stat.S_IFLNK: "link"}
        return [
            Entry(
                attribute.filename,
                kinds.get(stat.S_IFMT(attribute.st_mode or 0), "special"),
                attribute.st_size or 0,
                (attribute.st_mtime or 0) * BILLION,
                "",
            )
            for attribute in attributes
        ]

    def get(self, path: str, max_bytes: int) -> bytes:
        with self._asking() as server, server.open(self._raw(path), "rb") as file:
            return bytes(file.read(max_bytes))

    def write_new(self, path: str, data: bytes) -> None:
        """Write a file under a temporary name, then rename it, which fails if the name is taken.
        Raises FileExistsError, UnwrittenError."""
        folder = path.rpartition("/")[0]
        if self._is_there(path):
            raise FileExistsError(path)
        if not self._is_there(folder):
            with contextlib.suppress(OSError), self._asking():  # another program made it first
                self.files.makedirs(self._full_path(folder), exist_ok=True)
        temporary = f"{folder}/{TEMPORARY}{secrets.token_hex(8)}".lstrip("/")
        try:
            with self._asking() as server, server.open(self._raw(temporary), "wx") as file:
                file.write(data)
            self.move(temporary, path)
        except FileExistsError:
            raise
        except OSError as error:
            if error.errno is None:  # the server only said "failure"
                raise UnwrittenError from None
            raise
        finally:
            with contextlib.suppress(Exception):  # it no longer exists if all went well
                self.remove(temporary)

    def move(self, source: str, target: str) -> None:
        """Rename a file; if the name is taken, the server only says "failure"."""
        try:
            with self._asking() as server:
                server.rename(self._raw(source), self._raw(target))
        except OSError:
            if self._is_there(target):
                raise FileExistsError(target) from None
            raise

    def remove(self, path: str) -> None:
        with self._asking() as server:
            server.remove(self._raw(path))

    @contextlib.contextmanager
    def _asking(self) -> Iterator[Any]:
        """Give the connection, with limits for answers in this block. Raises EOFError if it is lost
        (paramiko's error is unclear), SlowError, TooMuchError."""
        transport = self.files.client.get_transport()
        if transport is None or not transport.is_active():
            raise EOFError
        with self.files.socket.limited():
            yield self.files.ftp

    def _is_there(self, path: str) -> bool:
        try:
            with self._asking() as server:
                server.lstat(self._raw(path))
        except FileNotFoundError:
            return False
        return True

    def _raw(self, path: str) -> bytes:
        return self._full_path(path).encode("utf-8", "surrogateescape")
