"""Send mail with SMTP; each message is also sent to our own mailbox, in the same transaction."""

from __future__ import annotations

import contextlib
import smtplib
import socket
from collections.abc import Callable
from typing import Any, Final

from pbem.post.mail_account import Account
from pbem.post.mail_server_connection import (
    Trouble,
    check_password,
    connect_limited,
    connection_trouble,
    is_silence,
    login_trouble,
    one_line,
    open_client,
    tls_context,
    within_limits,
)

READ_TIMEOUT_SECONDS: Final = 60
"""The longest time of a server for one read."""
FAREWELL_SECONDS: Final = 5.0
"""The longest time of a server to end the connection."""


class Refused(Trouble):
    """The server refuses this message for now or, if `lasting` is true, for ever; `of_address` says
    that it refuses the address of the recipient, and not the sender or the message."""

    def __init__(self, sentence: str, *, lasting: bool, of_address: bool = False) -> None:
        super().__init__(sentence)
        self.lasting, self.of_address = lasting, of_address


class Unsure(Trouble):
    """The connection broke while the message was being sent, so it may have been sent."""


class Sender:
    """One connection to the SMTP server. `close` ends it."""

    def __init__(self, account: Account, password: str) -> None:
        """Connect and log in. Raises Trouble."""
        self.account = account
        self._client = _connect(account)
        try:
            self._log_in(password)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the connection."""
        with contextlib.suppress(OSError, smtplib.SMTPException), within_limits(FAREWELL_SECONDS):
            self._client.quit()

    def _log_in(self, password: str) -> None:
        """Log in with a password or an access token. Raises Trouble."""
        account, server = self.account, self.account.smtp
        check_password(password, account, server, "SMTP")
        try:
            with within_limits():
                if account.by_token:
                    self._send_token(password)
                else:
                    self._client.login(account.user, password)
        except smtplib.SMTPAuthenticationError as error:
            raise login_trouble(account, server, one_line(error.smtp_error), "SMTP") from None
        except smtplib.SMTPNotSupportedError:
            sentence = f"SMTP: {server} accepts no {account.secret_name} on this port"
            raise Trouble(sentence, "use port 465 or 587") from None
        except (OSError, smtplib.SMTPException, ValueError) as error:
            raise connection_trouble(error, server, "SMTP", has_answered=True) from None

    def _send_token(self, token: str) -> None:
        """Log in with an access token (XOAUTH2), a method that smtplib does not have."""
        self._client.ehlo_or_helo_if_needed()
        if "XOAUTH2" not in self._client.esmtp_features.get("auth", "").upper().split():
            raise smtplib.SMTPNotSupportedError

        def answer(challenge: bytes | None = None) -> str:
            # a server that refuses the token asks once more, and must get an empty answer
            login = f"user={self.account.user}\1auth=Bearer {token}\1\1"
            return login if challenge is None else ""

        self._client.auth("XOAUTH2", answer)

    def send(
        self, recipient: str, data: bytes, before_sending: Callable[[], None],
        *, has_copy: bool = True,
    ) -> None:  # fmt: skip
        """Send one message, with a copy to our own mailbox (`has_copy`) in the same transaction.

        `before_sending` is called when the server is ready for the message, just before it is
        sent. Raises Refused if it was not sent, Unsure if it may have been sent, Trouble if there
        is no connection.
        """
        own_address = self.account.address
        try:
            with within_limits():
                self._ask(self._client.mail(own_address), recipient)
                self._ask(self._client.rcpt(recipient), recipient, of_address=True)
                if has_copy and recipient != own_address:
                    # if our own mailbox refuses it, there is no copy
                    self._client.rcpt(own_address)
        except (OSError, smtplib.SMTPException) as error:
            raise connection_trouble(error, self.account.smtp, "SMTP", has_answered=True) from None
        before_sending()
        try:
            with within_limits():
                code, answer = self._client.data(data)
        except smtplib.SMTPDataError as error:
            self._reset()
            raise _refused(error.smtp_code, error.smtp_error, recipient) from None
        except (OSError, smtplib.SMTPException) as error:
            raise self._unsure(error, recipient) from None
        if code != 250:
            self._reset()
            raise _refused(code, answer, recipient)

    def _unsure(self, error: Exception, recipient: str) -> Unsure:
        """Return the error that says that nobody knows whether the message was sent."""
        server, hint = self.account.smtp, "pbem will check whether the message was sent"
        if is_silence(error):
            sentence = f"SMTP: {server} stopped answering while pbem sent a message to {recipient}"
            return Unsure(sentence, hint)
        return Unsure(
            f"SMTP: the connection to {server} broke while pbem sent a message to {recipient}: "
            f"{one_line(error)}",
            hint,
        )

    def _ask(
        self, answer: tuple[int, bytes], recipient: str, *, of_address: bool = False
    ) -> None:  # fmt: skip
        code, text = answer
        if code not in (250, 251):
            self._reset()
            raise _refused(code, text, recipient, of_address=of_address)

    def _reset(self) -> None:
        with contextlib.suppress(OSError, smtplib.SMTPException), within_limits():
            self._client.rset()


def _refused(
    code: int, answer: bytes | str, recipient: str, *, of_address: bool = False
) -> Refused:  # fmt: skip
    lasting = 500 <= code < 600
    refuses = "refuses" if lasting else "does not accept at present"
    sentence = f"SMTP: the server {refuses} mail to {recipient}: {code} {one_line(answer)}"
    return Refused(sentence, lasting=lasting, of_address=of_address)


def _connect(account: Account) -> smtplib.SMTP:
    """Return an encrypted client that has not logged in. Raises Trouble."""
    server, context = account.smtp, tls_context(account, account.smtp)

    def connect() -> smtplib.SMTP:
        if server.security == "tls":
            return smtplib.SMTP_SSL(
                server.host, server.port, timeout=READ_TIMEOUT_SECONDS, context=context
            )
        return _Client(server.host, server.port, timeout=READ_TIMEOUT_SECONDS)

    return open_client(
        server,
        "SMTP",
        connect,
        lambda client: client.starttls(context=context),
        smtplib.SMTP.close,
        (smtplib.SMTPException,),
    )


class _Client(smtplib.SMTP):
    """A client that stops a server that sends too slowly or too much.

    The library's encrypted client gets a socket with the same limits from `trusted`.
    """

    def _get_socket(self, host: str, port: int, timeout: Any) -> socket.socket:
        return connect_limited(host, port, timeout)
