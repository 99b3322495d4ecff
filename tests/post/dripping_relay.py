"""A relay in front of a mail server that passes the answers on one byte after the other."""

import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

PAUSE = 0.5
"""Seconds between two bytes: below the time limit of one read, and a line takes longer than any
answer may."""


class DrippingRelay:
    """Listens on a free port; drips from the first answer after the client said `after`."""

    def __init__(self, port: int, tls: ssl.SSLContext | None = None) -> None:
        self.behind, self.tls = port, tls
        self.after: bytes | None = None
        """None: never. Empty: from the greeting on."""
        self.connections = 0
        self._open = [socket.create_server(("127.0.0.1", 0))]
        self.port = int(self._open[0].getsockname()[1])
        threading.Thread(target=self._listen, daemon=True).start()

    def close(self) -> None:
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._open[0].accept()
                self.connections += 1
                self._open.append(client)
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with suppress(OSError):
            if self.tls:
                client = self.tls.wrap_socket(client, server_side=True)
                self._open.append(client)
            server = socket.create_connection(("127.0.0.1", self.behind))
            self._open.append(server)
            drips = threading.Event()
            threading.Thread(
                target=self._answers, args=(server, client, drips), daemon=True
            ).start()
            seen = b""
            while True:
                if self.after is not None and self.after in seen:
                    drips.set()
                said = client.recv(65536)
                if not said:
                    break
                seen = (seen + said)[-100_000:]
                if self.after is not None and self.after in seen:
                    drips.set()
                server.sendall(said)

    def _answers(
        self, server: socket.socket, client: socket.socket, drips: threading.Event
    ) -> None:
        with suppress(OSError):
            while said := server.recv(65536):
                if not drips.is_set():
                    client.sendall(said)
                    continue
                for at in range(len(said)):
                    client.sendall(said[at : at + 1])
                    time.sleep(PAUSE)


@contextmanager
def dripping(port: int, tls: ssl.SSLContext | None = None) -> Iterator[DrippingRelay]:
    """The relay while it runs."""
    found = DrippingRelay(port, tls)
    try:
        yield found
    finally:
        found.close()
