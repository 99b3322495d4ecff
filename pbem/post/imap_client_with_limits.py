"""The IMAP client of the library `imapclient`, over sockets that limit a whole answer."""

from __future__ import annotations

import imaplib
import socket
import ssl

from imapclient import IMAPClient

from pbem.post.mail_server_connection import check_size, connect_limited


class ImapClient(IMAPClient):  # type: ignore[misc]
    """An IMAP client that stops a server that sends too slowly or too much."""

    def _create_IMAP4(self) -> imaplib.IMAP4:  # noqa: N802 - the library's name
        context = self.ssl_context if self.ssl else None
        return _ImapConnection(self.host, self.port, context, self._timeout.connect)


class _ImapConnection(imaplib.IMAP4):
    """The connection of such a client."""

    def __init__(
        self, host: str, port: int, context: ssl.SSLContext | None, timeout: float
    ) -> None:
        self.context = context
        super().__init__(host, port, timeout)

    def _create_socket(self, timeout: float | None = None) -> socket.socket:
        plain_socket = connect_limited(self.host, self.port, timeout)
        return (
            self.context.wrap_socket(plain_socket, server_hostname=self.host)
            if self.context
            else plain_socket
        )

    def read(self, size: int) -> bytes:
        """Read `size` bytes. Raises Overrun if that is more than one answer may have."""
        check_size(size)
        return super().read(size)
