"""An IMAP and an SMTP server in this process, which can fall silent at a chosen moment.

    rhea = game("begun").person("rhea")
    with mail_host() as mail:
        use_small_servers(rhea, mail)
        run_once(rhea)
        assert mail.mails(BO) == []

They know just the commands that `pbem run` uses. What is sent is in `boxes` immediately.
"""

import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

import pytest

from tests.kit.people import Person

WELL = "well"
CONNECT = "connect"
"""Accept the connection, and say nothing."""
FETCH = "fetch"
"""Stop in the middle of the first message that is read."""
TAKEN = "taken"
"""Take the message after its last dot, and never say so."""
LOST = "lost"
"""Read the message with its last dot, and drop it silently."""
ID = re.compile(rb"(?im)^message-id: *(\S+)")


class MailHost:
    """Both servers, and a mailbox for each address; `imap` and `smtp` say how they fail."""

    def __init__(self) -> None:
        self.boxes: dict[str, dict[int, bytes]] = {}
        self.imap = self.smtp = WELL
        self.greeting = b"220 here\r\n"
        """The first words of the SMTP server."""
        self.connections: list[str] = []
        """The kind of each connection that was accepted."""
        self.fetched: list[int] = []
        """The number of each message that was read."""
        self.stop_at = 0
        """The number of a message in which the server stops."""
        self._numbers = 0
        self._open: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self.imap_port = self._listen("imap", self._imap)
        self.smtp_port = self._listen("smtp", self._smtp)

    def put(self, address: str, data: bytes) -> None:
        """Put a message into a mailbox."""
        with self._lock:
            self._numbers += 1
            self.boxes.setdefault(address, {})[self._numbers] = data

    def mails(self, address: str, sender: str = "") -> list[bytes]:
        """The messages in a mailbox, oldest first, perhaps only of one sender."""
        mark = f"From: {sender}".encode()
        return [mail for mail in self.boxes.get(address, {}).values() if mark in mail]

    def close(self) -> None:
        """End all connections, and wait until nobody serves them."""
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        for one in self._open:
            one.close()

    def _listen(self, kind: str, serve: Callable[[socket.socket, BinaryIO], None]) -> int:
        listening = socket.create_server(("127.0.0.1", 0))
        self._open.append(listening)

        def accept() -> None:
            with suppress(OSError):
                while True:
                    client, _ = listening.accept()
                    self._open.append(client)
                    self.connections.append(kind)
                    self._start(talk, client)

        def talk(client: socket.socket) -> None:
            with suppress(OSError), client.makefile("rb") as lines:
                if CONNECT not in (self.imap if kind == "imap" else self.smtp):
                    serve(client, lines)

        self._start(accept)
        return int(listening.getsockname()[1])

    def _start(self, work: Callable[..., None], *about: socket.socket) -> None:
        thread = threading.Thread(target=work, args=about, daemon=True)
        self._threads.append(thread)  # both servers do this, perhaps at the same moment
        thread.start()

    # ---------------------------------------------------------------- SMTP
    def _smtp(self, client: socket.socket, lines: BinaryIO) -> None:
        client.sendall(self.greeting)
        to: list[str] = []
        for line in lines:
            word = line.split()[0].upper()
            if word == b"RCPT":
                to.append(line.split(b"<")[1].split(b">")[0].decode())
            if word == b"DATA":
                client.sendall(b"354 go on\r\n")
                if not self._take(to, b"".join(iter(lines.readline, b".\r\n"))):
                    return
                to = []
            said = {b"EHLO": b"250-here\r\n250 AUTH PLAIN\r\n", b"AUTH": b"235 welcome\r\n"}
            client.sendall(said.get(word, b"250 well\r\n"))

    def _take(self, to: list[str], data: bytes) -> bool:
        """Deliver a message; return whether the client hears of it."""
        if self.smtp != LOST:
            for address in to:
                self.put(address, data)
        return self.smtp == WELL

    # ---------------------------------------------------------------- IMAP
    def _imap(self, client: socket.socket, lines: BinaryIO) -> None:
        client.sendall(b"* OK here\r\n")
        box: dict[int, bytes] = {}
        for line in lines:
            tag, word, *rest = line.split()
            if word.upper() == b"LOGIN":
                box = self.boxes.setdefault(rest[0].strip(b'"').decode(), {})
            answer = self._imap_answer(word.upper(), rest, box)
            if answer.endswith(STOP):
                client.sendall(answer.removesuffix(STOP))
                return
            client.sendall(answer + tag + b" OK done\r\n")

    def _imap_answer(self, word: bytes, rest: list[bytes], box: dict[int, bytes]) -> bytes:
        """What the server says before the line that ends the answer."""
        if word == b"CAPABILITY":
            return b"* CAPABILITY IMAP4rev1 MOVE\r\n"
        if word == b"LIST":
            name = b"INBOX" if b"INBOX" in b" ".join(rest) else b"pbem"
            return b'* LIST () "/" "' + name + b'"\r\n'
        if word in (b"SELECT", b"EXAMINE"):
            return b"* %d EXISTS\r\n* OK [UIDVALIDITY 7] ids\r\n" % len(box)
        if word == b"LOGOUT":
            return b"* BYE\r\n"
        return self._with_uids(rest, box) if word == b"UID" else b""

    def _with_uids(self, rest: list[bytes], box: dict[int, bytes]) -> bytes:
        kind, what = rest[0].upper(), b" ".join(rest[1:])
        if kind == b"SEARCH":
            ident = what.split()[-1].strip(b'"')
            found = [
                n for n in sorted(box) if b"HEADER" not in what or ID.search(box[n])[1] == ident
            ]
            return b"* SEARCH" + b"".join(b" %d" % n for n in found) + b"\r\n"
        if kind != b"FETCH":
            return b""  # copies stay where they are
        wanted = [int(n) for n in what.split()[0].split(b",")]
        if b"SIZE" in what:
            rows = (b"* %d FETCH (UID %d RFC822.SIZE %d)\r\n" % (n, n, len(box[n])) for n in wanted)
            return b"* 1 FETCH (FLAGS (\\Seen))\r\n" + b"".join(rows)
        (number,) = wanted
        data = box[number]
        head = b"* %d FETCH (UID %d BODY[] {%d}\r\n" % (number, number, len(data))
        self.fetched.append(number)
        if self.imap == FETCH or number == self.stop_at:
            return head + data[: len(data) // 2] + STOP
        return head + data + b")\r\n"


STOP = b"<the server stops here>"


@contextmanager
def mail_host(kind: type[MailHost] = MailHost) -> Iterator[MailHost]:
    """The servers while they run."""
    found = kind()
    try:
        yield found
    finally:
        found.close()


RHEA, BO = "rhea@example.org", "bo@example.org"


def use_small_servers(person: Person, host: MailHost, copy: int = 0) -> None:
    said = person.pbem(
        f"post setup --address {RHEA} --imap localhost:{host.imap_port} --imap-security clear "
        f"--smtp localhost:{host.smtp_port} --smtp-security clear --wait-for-copy {copy} "
        "--password-command 'echo secret'"
    )
    assert said.exit == 0, said.text


def run_once(person: Person) -> str:
    said = person.pbem("run --once")
    assert said.exit == 0, said.text
    return said.out


@pytest.fixture
def mail_server() -> Iterator[MailHost]:
    """Small servers for one test, with nothing in any mailbox."""
    with mail_host() as host:
        yield host
