"""Connections to mail servers: limits on what a server may use, and errors in words."""

from __future__ import annotations

import re
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final, TypeVar

from engine.values import Mutable
from pbem.errors import KEY, NOT_YET, CliError
from pbem.mail.opening import MAX_POST
from pbem.post.account import SETUP, Account, Server

# ---- Limit the seconds and bytes of one answer, in whatever pieces a server sends it
#
# The time limit of a socket is for one read, so a server that sends one byte a second never reaches
# the limit. So these sockets also count, for each answer, all the time and all the bytes.

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


# ---- Open connections, and say in words what is wrong with them and what to do

T = TypeVar("T")


class Trouble(CliError):
    """A mail server cannot be used; the message says what is wrong, and what to do."""

    def __init__(self, sentence: str, hint: str = "", code: int = NOT_YET) -> None:
        super().__init__(sentence, hint, code)


def connection_trouble(
    error: Exception, server: Server, what: str, *, began: bool = False
) -> Trouble:
    """Say why there is no connection to a server; `what` is IMAP or SMTP.

    With `began`, the server answered at first, so its name and port are right.
    """
    if isinstance(error, ssl.SSLCertVerificationError):
        return _certificate(error, server, what)
    if isinstance(error, ssl.SSLError):
        told = f"{what}: {server} does not answer in TLS"
        return Trouble(told, f"it may require STARTTLS: --{what.lower()}-security starttls")
    if isinstance(error, socket.gaierror):
        told = f"{what}: there is no server called {server.host}, or this computer is offline"
        return Trouble(told, f"check the name and your connection; to change the name: {SETUP}")
    if isinstance(error, ConnectionRefusedError):
        told = f"{what}: nothing answers at {server}"
        return Trouble(told, "check the port: 993 or 143 for IMAP, 465 or 587 for SMTP")
    if (found := overrun(error)) is not None:
        return Trouble(f"{what}: {server} {found}", "try again later")
    if is_silence(error) and began:
        return Trouble(f"{what}: {server} stopped answering", "try again later")
    if is_silence(error):
        told = f"{what}: {server} does not answer"
        return Trouble(told, "check the port; a firewall or your provider may block it")
    return Trouble(
        f"{what}: the connection to {server} broke: {one_line(error)}", "try again later"
    )


def opened(
    server: Server,
    what: str,
    connect: Callable[[], T],
    starttls: Callable[[T], object],
    close: Callable[[T], object],
    refusals: tuple[type[Exception], ...],
) -> T:
    """Open a connection that is encrypted, or to this computer. Raises Trouble.

    `refusals` are the errors with which a library says that the server refuses STARTTLS. A server
    can send an answer for which a library raises any error: IndexError, RecursionError…
    """
    try:
        with within_limits():
            client = connect()
    except Exception as error:  # noqa: BLE001
        raise connection_trouble(error, server, what) from None
    try:
        if server.security == "starttls":
            with within_limits():
                starttls(client)
    except Exception as error:  # noqa: BLE001
        close(client)
        if not isinstance(error, refusals) or overrun(error) is not None:
            raise connection_trouble(error, server, what) from None
        told = f"{what}: {server} refuses STARTTLS, so the connection would not be encrypted"
        port = "993" if what == "IMAP" else "465"
        raise Trouble(told, f"use the port with TLS: {server.host}:{port}") from None
    return client


def is_silence(error: Exception) -> bool:
    """Return whether an error means that a server took too long; smtplib hides the reason."""
    return isinstance(error, TimeoutError) or isinstance(error.__context__, TimeoutError)


def overrun(error: BaseException) -> Overrun | None:
    """Return the Overrun that caused an error; None for every other error."""
    return next((e for e in (error, error.__context__) if isinstance(e, Overrun)), None)


def check_password(password: str, account: Account, server: Server, what: str) -> None:
    """Raise Trouble for a password or an access token that the libraries cannot send.

    It is not shown.
    """
    if password.isascii() and password.isprintable():
        return
    told = f"{what}: the {account.secret_name} for {server} contains letters or symbols that are "
    told += "not ASCII"
    hint = "choose a password of plain letters, digits and symbols"
    if account.by_token:
        hint = f"run this command; the first line that it prints must be the token: {account.where}"
    raise Trouble(told, hint, KEY)


def _certificate(error: ssl.SSLCertVerificationError, server: Server, what: str) -> Trouble:
    told = f"{what}: the certificate of {server} is not valid: {error.verify_message}"
    hint = "if the server is your own, name its certificate: --ca FILE"
    if "match" in error.verify_message.lower():
        hint = (
            "use the server name that is in the certificate; your provider's help page says "
            "which one it is"
        )
    elif "expired" in error.verify_message.lower():
        hint = "check this computer's clock; if it is right, tell the owner of the server"
    return Trouble(told, hint)


def login_trouble(account: Account, server: Server, said: str, what: str) -> Trouble:
    """Say that a server refuses the user's name, password or access token."""
    told = f"{what}: {server} refuses the {account.secret_name} of {account.user}: {said[:200]}"
    hint = "check the user name and password; some providers require an app password (docs/post.md)"
    if account.by_token:
        hint = f"sign in again with the program that prints the token: {account.where}"
    return Trouble(told, hint, KEY)


def one_line(error: object) -> str:
    """Return the text of an error, shortened and on one line, but never what a client wanted to
    send."""
    if isinstance(error, UnicodeError):
        return type(error).__name__  # it contains the text, which may be the password
    parts = error.args if isinstance(error, Exception) else (error,)
    words = [p.decode("utf-8", "replace") if isinstance(p, bytes) else str(p) for p in parts]
    words = [re.sub(r"""^b(['"])(.*)\1$""", r"\2", word) for word in words]  # imapclient's errors
    return " ".join(" ".join(words).split())[:300] or type(error).__name__
