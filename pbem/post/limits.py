"""Limits on the seconds and bytes that a mail server may use for one answer, in whatever pieces it
sends.

The time limit of a socket is for one read, so a server that sends one byte a second never reaches
the limit. So these sockets also count, for each answer, all the time and all the bytes.
"""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from engine.values import Mutable
from pbem.mail.opening import MAX_POST

WHOLE: Final = 300.0
"""Seconds for one answer: enough for the longest message at 40 kB a second."""
MOST: Final = MAX_POST + (1 << 20)
"""Bytes of one answer: the longest message that is read, and what is around it."""


class Overrun(TimeoutError):
    """Raised if a server takes too long to answer, or sends too much; the message says
    which."""


class _Allowed(Mutable):
    """The time and the number of bytes that one answer may still use."""

    until: float
    left: int

    def seconds(self) -> float:
        """Return the seconds that are left. Raises Overrun if no seconds or no bytes are left."""
        check_size(MOST - self.left)
        left = self.until - time.monotonic()
        if left <= 0:
            raise Overrun("takes too long to answer")
        return left


_ALLOWED: ContextVar[_Allowed | None] = ContextVar("allowed", default=None)


@contextmanager
def within_limits(seconds: float | None = None) -> Iterator[None]:
    """Limit what the sockets of this module may use in this block (default: WHOLE seconds)."""
    until = time.monotonic() + (WHOLE if seconds is None else seconds)
    token = _ALLOWED.set(_Allowed(until, MOST))
    try:
        yield
    finally:
        _ALLOWED.reset(token)


def check_size(size: int) -> None:
    """Raise Overrun if a server announces more bytes than one answer may have."""
    if size > MOST:
        raise Overrun(f"answers with more than {MOST >> 20} MB")


class _Counting(socket.socket):
    """A socket that counts the time and the bytes of each answer."""

    def recv_into(self, *args: Any, **named: Any) -> int:
        """As `socket.socket` does it. Raises Overrun."""
        with self._counted() as allowance:
            size = super().recv_into(*args, **named)
        allowance.left -= size
        return size

    def recv(self, *args: Any, **named: Any) -> bytes:
        """As `socket.socket` does it. Raises Overrun."""
        with self._counted() as allowance:
            data = super().recv(*args, **named)
        allowance.left -= len(data)
        return data

    def send(self, *args: Any, **named: Any) -> int:
        """As `socket.socket` does it. Raises Overrun."""
        with self._counted():
            return super().send(*args, **named)

    def sendall(self, *args: Any, **named: Any) -> None:
        """As `socket.socket` does it. Raises Overrun."""
        with self._counted():
            super().sendall(*args, **named)

    @contextmanager
    def _counted(self) -> Iterator[_Allowed]:
        """Lower the socket's time limit to the time that the answer has left. Raises Overrun."""
        allowance = _ALLOWED.get() or _Allowed(time.monotonic() + WHOLE, MOST)
        left, usual = allowance.seconds(), self.gettimeout()
        shorter = bool(usual) and left < (usual or 0)
        if shorter:
            self.settimeout(left)
        try:
            yield allowance
        except TimeoutError:
            allowance.seconds()
            raise
        finally:
            if shorter:
                self.settimeout(usual)


class LimitedTls(_Counting, ssl.SSLSocket):
    """An encrypted connection with these limits."""


def connected(host: str, port: int, timeout: float | None) -> socket.socket:
    """Open a connection with these limits, which is not encrypted yet. Raises OSError."""
    made = socket.create_connection((host, port), timeout)
    found = _Counting(made.family, made.type, made.proto, fileno=made.detach())
    found.settimeout(timeout)
    return found
