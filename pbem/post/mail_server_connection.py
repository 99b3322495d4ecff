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

from engine.value_classes import Mutable
from pbem.errors import KEY, NOT_YET, CliError
from pbem.mail.unpack_mail import MAX_POST
from pbem.post.mail_account import SETUP_COMMAND, Account, Server

# ---- Limit the seconds and bytes of one answer, in whatever pieces a server sends it
#
# The time limit of a socket is for one read, so a server that sends one byte a second never reaches
# the limit. So these sockets also count, for each answer, all the time and all the bytes.

MAX_ANSWER_SECONDS: Final = 300.0
"""The longest time for one answer: enough for the longest message at 40 kB a second."""
MAX_ANSWER_BYTES: Final = MAX_POST + (1 << 20)
"""The greatest size of one answer: the longest message that is read, and what is around it."""


class Overrun(TimeoutError):
    """Raised if a server takes too long to answer, or sends too much; the message says
    which."""


class _Allowance(Mutable):
    """The time and the number of bytes that one answer may still use."""

    ends_at: float
    """A time of the monotonic clock."""
    bytes_left: int

    def seconds(self) -> float:
        """Return the seconds that are left. Raises Overrun if no seconds or no bytes are left."""
        check_size(MAX_ANSWER_BYTES - self.bytes_left)
        seconds_left = self.ends_at - time.monotonic()
        if seconds_left <= 0:
            raise Overrun("takes too long to answer")
        return seconds_left


_CURRENT_ALLOWANCE: ContextVar[_Allowance | None] = ContextVar("allowed", default=None)


@contextmanager
def within_limits(seconds: float | None = None) -> Iterator[None]:
    """Limit the time and the bytes that the sockets of this module may use in this block: by
    default `MAX_ANSWER_SECONDS`, and always `MAX_ANSWER_BYTES`."""
    ends_at = time.monotonic() + (MAX_ANSWER_SECONDS if seconds is None else seconds)
    token = _CURRENT_ALLOWANCE.set(_Allowance(ends_at, MAX_ANSWER_BYTES))
    try:
        yield
    finally:
        _CURRENT_ALLOWANCE.reset(token)


def check_size(size: int) -> None:
    """Raise Overrun if a server announces more bytes than one answer may have."""
    if size > MAX_ANSWER_BYTES:
        raise Overrun(f"answers with more than {MAX_ANSWER_BYTES >> 20} MB")


class _Counting(socket.socket):
    """A socket that counts the time and the bytes of each answer."""

    def recv_into(self, *args: Any, **named: Any) -> int:
        """As `socket.socket` does it. Raises Overrun."""
        with self._counted() as allowance:
            size = super().recv_into(*args, **named)
        allowance.bytes_left -= size
        return size

    def recv(self, *args: Any, **named: Any) -> bytes:
        """As `socket.socket` does it. Raises Overrun."""
        with self._counted() as allowance:
            data = super().recv(*args, **named)
        allowance.bytes_left -= len(data)
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
    def _counted(self) -> Iterator[_Allowance]:
        """Lower the socket's time limit to the time that the answer has left. Raises Overrun."""
        allowance = _CURRENT_ALLOWANCE.get() or _Allowance(
            time.monotonic() + MAX_ANSWER_SECONDS, MAX_ANSWER_BYTES
        )
        seconds_left, usual_timeout = allowance.seconds(), self.gettimeout()
        is_shorter = bool(usual_timeout) and seconds_left < (usual_timeout or 0)
        if is_shorter:
            self.settimeout(seconds_left)
        try:
            yield allowance
        except TimeoutError:
            allowance.seconds()
            raise
        finally:
            if is_shorter:
                self.settimeout(usual_timeout)


class LimitedTls(_Counting, ssl.SSLSocket):
    """An encrypted connection with these limits."""


def connect_limited(host: str, port: int, timeout: float | None) -> socket.socket:
    """Open a connection with these limits, which is not encrypted yet. Raises OSError."""
    plain_socket = socket.create_connection((host, port), timeout)
    counting_socket = _Counting(
        plain_socket.family, plain_socket.type, plain_socket.proto, fileno=plain_socket.detach()
    )
    counting_socket.settimeout(timeout)
    return counting_socket


# ---- Open connections, and say in words what is wrong with them and what to do

T = TypeVar("T")


class Trouble(CliError):
    """A mail server cannot be used; the message says what is wrong, and what to do."""

    def __init__(self, sentence: str, hint: str = "", code: int = NOT_YET) -> None:
        super().__init__(sentence, hint, code)


def connection_trouble(
    error: Exception, server: Server, protocol: str, *, has_answered: bool = False
) -> Trouble:
    """Return the Trouble that says why there is no connection to a server; `protocol` is IMAP or
    SMTP.

    With `has_answered`, the server answered at first, so its name and port are right.
    """
    if isinstance(error, ssl.SSLCertVerificationError):
        return _certificate(error, server, protocol)
    if isinstance(error, ssl.SSLError):
        sentence = f"{protocol}: {server} does not answer in TLS"
        return Trouble(
            sentence, f"the server may require STARTTLS: --{protocol.lower()}-security starttls"
        )
    if isinstance(error, socket.gaierror):
        sentence = (
            f"{protocol}: there is no server called {server.host}, or this computer is offline"
        )
        return Trouble(
            sentence, f"check the name and your connection; to change the name: {SETUP_COMMAND}"
        )
    if isinstance(error, ConnectionRefusedError):
        sentence = f"{protocol}: nothing answers at {server}"
        return Trouble(sentence, "check the port: 993 or 143 for IMAP, 465 or 587 for SMTP")
    if (overrun := find_overrun(error)) is not None:
        return Trouble(f"{protocol}: {server} {overrun}", "try again later")
    if is_silence(error) and has_answered:
        return Trouble(f"{protocol}: {server} stopped answering", "try again later")
    if is_silence(error):
        sentence = f"{protocol}: {server} does not answer"
        return Trouble(sentence, "check the port; a firewall or your provider may block it")
    return Trouble(
        f"{protocol}: the connection to {server} broke: {one_line(error)}", "try again later"
    )


def open_client(
    server: Server,
    protocol: str,
    connect: Callable[[], T],
    starttls: Callable[[T], object],
    close: Callable[[T], object],
    refusals: tuple[type[Exception], ...],
) -> T:
    """Open a connection that is encrypted, or to this computer, and return its client. Raises
    Trouble.

    `connect`, `starttls` and `close` are the calls of the library; `protocol` is IMAP or SMTP.
    `refusals` are the errors with which the library says that the server refuses STARTTLS. A server
    can send an answer for which a library raises any error: IndexError, RecursionError…
    """
    try:
        with within_limits():
            client = connect()
    except Exception as error:  # noqa: BLE001
        raise connection_trouble(error, server, protocol) from None
    try:
        if server.security == "starttls":
            with within_limits():
                starttls(client)
    except Exception as error:  # noqa: BLE001
        close(client)
        if not isinstance(error, refusals) or find_overrun(error) is not None:
            raise connection_trouble(error, server, protocol) from None
        sentence = (
            f"{protocol}: {server} refuses STARTTLS, so the connection would not be encrypted"
        )
        port = "993" if protocol == "IMAP" else "465"
        raise Trouble(sentence, f"use the port with TLS: {server.host}:{port}") from None
    return client


def tls_context(account: Account, server: Server) -> ssl.SSLContext | None:
    """Return the TLS settings for a server: the certificates to trust, and sockets with the limits
    of this module. Return None for a server without encryption.

    Raises CliError if the account's certificate file cannot be read or contains no certificates.
    """
    if server.security == "clear":  # reading all that the system trusts takes time
        return None
    try:
        context = ssl.create_default_context(cafile=account.ca or None)
    except (OSError, ssl.SSLError):
        hint = (
            "the certificate must be a file in PEM format, which begins with "
            "-----BEGIN CERTIFICATE-----"
        )
        raise CliError(f"{account.ca} cannot be read as a certificate", hint) from None
    context.sslsocket_class = LimitedTls
    return context


def is_silence(error: Exception) -> bool:
    """Return whether an error means that a server took too long; smtplib hides the reason."""
    return isinstance(error, TimeoutError) or isinstance(error.__context__, TimeoutError)


def find_overrun(error: BaseException) -> Overrun | None:
    """Return the Overrun that caused an error; None for every other error."""
    return next((e for e in (error, error.__context__) if isinstance(e, Overrun)), None)


def check_password(password: str, account: Account, server: Server, protocol: str) -> None:
    """Raise Trouble for a password or an access token that the libraries cannot send.

    It is not shown.
    """
    if password.isascii() and password.isprintable():
        return
    sentence = (
        f"{protocol}: the {account.secret_name} for {server} contains letters or symbols that are "
        "not ASCII"
    )
    hint = "choose a password of plain letters, digits and symbols"
    if account.by_token:
        hint = (
            f"type {account.where}, and look at the first line that it prints: it must be the "
            "access token, and nothing else"
        )
    raise Trouble(sentence, hint, KEY)


def _certificate(error: ssl.SSLCertVerificationError, server: Server, protocol: str) -> Trouble:
    """Return the Trouble about a certificate that is not valid."""
    sentence = f"{protocol}: the certificate of {server} is not valid: {error.verify_message}"
    hint = "if the server is your own, name its certificate: --ca FILE"
    if "match" in error.verify_message.lower():
        hint = (
            "use the server name that is in the certificate; your provider's help page says "
            "which one it is"
        )
    elif "expired" in error.verify_message.lower():
        hint = "check this computer's clock; if it is right, tell the owner of the server"
    return Trouble(sentence, hint)


def login_trouble(account: Account, server: Server, answer: str, protocol: str) -> Trouble:
    """Return the Trouble that a server refuses the user's name, password or access token; `answer`
    is the server's."""
    sentence = (
        f"{protocol}: {server} refuses the {account.secret_name} of {account.user}: {answer[:200]}"
    )
    hint = "check the user name and password; some providers require an app password (docs/post.md)"
    if account.by_token:
        hint = (
            "sign in again with the program that prints the token; pbem starts it with: "
            f"{account.where}"
        )
    return Trouble(sentence, hint, KEY)


def one_line(error: object) -> str:
    """Return the text of an error, shortened and on one line, but never what a client wanted to
    send."""
    if isinstance(error, UnicodeError):
        return type(error).__name__  # it contains the text, which may be the password
    parts = error.args if isinstance(error, Exception) else (error,)
    words = [p.decode("utf-8", "replace") if isinstance(p, bytes) else str(p) for p in parts]
    words = [re.sub(r"""^b(['"])(.*)\1$""", r"\2", word) for word in words]  # imapclient's errors
    return " ".join(" ".join(words).split())[:300] or type(error).__name__
