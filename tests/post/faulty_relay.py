"""A relay in front of the SMTP server that fails as it is told: it refuses, or hangs up."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

PASS, REFUSE, BUSY, DROP, SWALLOW = "pass", "refuse", "busy", "drop", "swallow"


class FaultyRelay:
    """Listens on a free port of the loopback; `mode` says what happens to the next connection."""

    def __init__(self, port: int) -> None:
        self.behind = port
        self.mode = PASS
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._listen, daemon=True).start()

    def close(self) -> None:
        self._socket.close()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._socket.accept()
                threading.Thread(target=self._serve, args=(client, self.mode), daemon=True).start()

    def _serve(self, client: socket.socket, mode: str) -> None:
        with client, suppress(OSError):
            if mode == REFUSE:
                return
            if mode == BUSY:
                client.sendall(b"421 4.3.2 too busy\r\n")
                return
            with socket.create_connection(("127.0.0.1", self.behind)) as server:
                self._relay(client, server, mode)

    def _relay(self, client: socket.socket, server: socket.socket, mode: str) -> None:
        """Pass on what both say; `DROP`: hang up in the middle of a message; `SWALLOW`: hang up
        when the server has taken one, before the client hears of it."""
        taken = threading.Event()

        def answers() -> None:
            with suppress(OSError):
                while said := server.recv(65536):
                    if taken.is_set() and mode == SWALLOW:
                        client.shutdown(socket.SHUT_RDWR)
                        return
                    client.sendall(said)

        back = threading.Thread(target=answers, daemon=True)
        back.start()
        in_message, seen = False, b""
        while said := client.recv(4096):
            if in_message and mode == DROP:
                server.sendall(said[:200])
                server.shutdown(socket.SHUT_RDWR)
                client.shutdown(socket.SHUT_RDWR)
                break
            seen = (seen + said)[-10:]
            if in_message and seen.endswith(b"\r\n.\r\n"):
                taken.set()
                in_message = False
            in_message = in_message or said.upper() == b"DATA\r\n"
            server.sendall(said)
        back.join(5)


@contextmanager
def relay(port: int) -> Iterator[FaultyRelay]:
    found = FaultyRelay(port)
    yield found
    found.close()
