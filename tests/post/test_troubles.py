"""Servers that answer, but not as they should: each trouble is said in words."""

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from pbem.post.mail_account import Account, Server
from pbem.post.mail_server_connection import Trouble, connection_trouble
from pbem.post.smtp_sender import Sender
from tests.kit.people import Person, Round, Said

SMTP = {b"": b"220 here\r\n", b"EHLO": b"250-here\r\n250 SIZE 1000\r\n", b"QUIT": b"221 bye\r\n"}
IMAP = {b"": b"* OK here\r\n", b"CAPABILITY": b"* CAPABILITY IMAP4rev1\r\nTAG OK done\r\n",
        b"STARTTLS": b"TAG BAD what?\r\n", b"LOGOUT": b"* BYE\r\nTAG OK\r\n"}  # fmt: skip
SERVER = Server("mail.example.org", 993, "tls")


@contextmanager
def speaking(answers: dict[bytes, bytes]) -> Iterator[int]:
    """A server that knows only these commands, and no encryption."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with suppress(OSError):
            while True:
                client, _ = listening.accept()
                with client, client.makefile("rb") as lines:
                    client.sendall(answers[b""])
                    for line in lines:
                        words = line.split()
                        tag = words[0] if b"LOGOUT" in answers else b""
                        said = answers.get(words[1 if tag else 0].upper(), b"TAG BAD\r\n")
                        client.sendall(said.replace(b"TAG", tag))

    threading.Thread(target=serve, daemon=True).start()
    yield listening.getsockname()[1]
    listening.close()


@pytest.fixture
def rhea_at_table(table: Round) -> Person:
    return table.person("rhea")


def test_an_imap_server_that_refuses_starttls_is_not_used(rhea_at_table: Person) -> None:
    with speaking(IMAP) as port:
        said = try_setup(
            rhea_at_table, f"--imap localhost:{port} --imap-security starttls --smtp x"
        )
    assert (said.exit, "refuses STARTTLS" in said.err) == (5, True), said.text
    assert "use the port with TLS: localhost:993" in said.err


def test_an_imap_server_that_greets_with_preauth_is_not_used(rhea_at_table: Person) -> None:
    """Somebody on the way says PREAUTH, after which no client may ask for STARTTLS."""
    with speaking({**IMAP, b"": b"* PREAUTH welcome\r\n"}) as port:
        said = try_setup(
            rhea_at_table, f"--imap localhost:{port} --imap-security starttls --smtp x"
        )
    assert (said.exit, "so the connection would not be encrypted" in said.err) == (5, True)


def test_an_smtp_server_that_refuses_starttls_is_not_used() -> None:
    with speaking(SMTP) as port:
        server = Server("localhost", port, "starttls")
        account = Account("a@example.org", "a", SERVER, server, "command", "true")
        with pytest.raises(Trouble, match="refuses STARTTLS") as told:
            Sender(account, "secret")
    assert told.value.hint == "use the port with TLS: localhost:465"


@pytest.mark.parametrize(
    ("secret", "told"), [("command", "accepts no password"), ("token", "accepts no access token")]
)
def test_an_smtp_port_without_login_is_named_with_the_ports_to_use(secret: str, told: str) -> None:
    with speaking(SMTP) as port:
        server = Server("localhost", port, "clear")
        account = Account("a@example.org", "a", SERVER, server, secret, "true")
        with pytest.raises(Trouble, match=f"{told} on this port") as trouble:
            Sender(account, "secret")
    assert trouble.value.hint == "use port 465 or 587"


def try_setup(person: Person, options: str) -> Said:
    line = f"post setup --address a@example.org --password-command 'echo secret' {options}"
    assert person.pbem(line).exit == 0
    return person.pbem("post test")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (TimeoutError(), "does not answer"),
        (ConnectionRefusedError(), "nothing answers"),
        (socket.gaierror(), "there is no server called mail.example.org"),
        (ssl.SSLError("WRONG_VERSION_NUMBER"), "does not answer in TLS"),
        (ConnectionResetError("reset by peer"), "the connection to mail.example.org:993 broke"),
        (EOFError(), "broke: EOFError"),
    ],
)
def test_each_connection_error_has_its_own_sentence(error: Exception, words: str) -> None:
    told = connection_trouble(error, SERVER, "IMAP")
    assert words in str(told)
    assert told.hint
    assert told.exit == 5


@pytest.mark.parametrize(
    ("message", "hint"),
    [
        (
            "Hostname mismatch, certificate is not valid",
            "use the server name that is in the certificate",
        ),
        ("certificate has expired", "check this computer's clock"),
        ("self-signed certificate", "--ca FILE"),
    ],
)
def test_each_fault_of_a_certificate_has_its_own_hint(message: str, hint: str) -> None:
    error = ssl.SSLCertVerificationError(1, message)
    error.verify_message = message
    told = connection_trouble(error, SERVER, "SMTP")
    assert f"the certificate of mail.example.org:993 is not valid: {message}" in str(told)
    assert hint in told.hint
