"""Mail servers that drip, flood or lie: a pass ends, says so, and loses and repeats nothing."""

import ssl
from collections.abc import Callable, Iterator

import pytest

from pbem.mail.unpack_mail import MAX_POST
from pbem.post import imap_mailbox, mail_server_connection, smtp_sender
from tests.kit.certificates import certificate
from tests.kit.mail_seats import begin_mail_game, opened_bytes, reply
from tests.kit.people import Person, Round, output_of
from tests.kit.small_mail_servers import BO, RHEA, MailHost, mail_host, run_once
from tests.post.dripping_relay import dripping


class Liar(MailHost):
    """A mail host whose IMAP answers a test changes."""

    lie: Callable[[bytes, list[bytes], bytes], bytes] | None = None
    """From the command, its words and the honest answer to the answer."""
    validity = 7

    def _imap_answer(self, word: bytes, rest: list[bytes], box: dict[int, bytes]) -> bytes:
        honest = super()._imap_answer(word, rest, box)
        honest = honest.replace(b"UIDVALIDITY 7", b"UIDVALIDITY %d" % self.validity)
        return self.lie(word, rest, honest) if self.lie else honest


@pytest.fixture
def liar(monkeypatch: pytest.MonkeyPatch) -> Iterator[Liar]:
    for module in (imap_mailbox, smtp_sender):
        monkeypatch.setattr(module, "FAREWELL_SECONDS", 0.1)
    with mail_host(Liar) as found:
        assert isinstance(found, Liar)
        yield found


@pytest.fixture
def rhea_to_send(table: Round, liar: Liar) -> Person:
    """The referee of a game whose next pass sends a turn mail to Bo."""
    found = begin_mail_game(table)
    set_up(found, liar.imap_port, liar.smtp_port)
    return found


def set_up(person: Person, imap: int, smtp: int, security: str = "clear", more: str = "") -> None:
    output_of(
        person,
        f"post setup --address {RHEA} --imap localhost:{imap} --imap-security {security} --smtp "
        f"localhost:{smtp} --smtp-security {security} --wait-for-copy 0 "
        f"--password-command 'echo secret' {more}",
    )


def failing_pass_output(person: Person, *words: str) -> str:
    said = person.pbem("run --once")
    assert said.exit == 5, said.text
    assert all(word in said.out for word in words), said.text
    assert said.err == ""
    return said.out


def loses_patience(person: Person, *words: str) -> None:
    """One pass fails, in which an answer may take two seconds; honest ones come much sooner."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mail_server_connection, "MAX_ANSWER_SECONDS", 2.0)
        failing_pass_output(person, *words)


# ---------------------------------------------------------------- drips
@pytest.mark.long
@pytest.mark.parametrize("after", ["", "LOGIN", "SELECT", "SEARCH", "FETCH"])
def test_a_pass_ends_if_an_imap_server_drips_and_the_next_one_loses_nothing(
    rhea_to_send, liar, after
):
    """Each byte comes in time, the whole answer does not."""
    run_once(rhea_to_send)
    (turn_mail,) = liar.mails(BO)
    liar.put(RHEA, reply(opened_bytes(turn_mail), "1"))
    with dripping(liar.imap_port) as relay:
        set_up(rhea_to_send, relay.port, liar.smtp_port)
        relay.after = after.encode()
        loses_patience(rhea_to_send, f"IMAP: localhost:{relay.port} takes too long to answer")
        assert relay.connections == 1
        relay.after = None
        run_once(rhea_to_send)
        run_once(rhea_to_send)
    assert len(liar.mails(BO)) == 2  # the turn, and one answer to the reply


@pytest.mark.long
@pytest.mark.parametrize("after", ["", "ehlo", "AUTH"])
def test_a_pass_ends_if_an_smtp_server_drips_and_the_next_one_sends_once(rhea_to_send, liar, after):
    with dripping(liar.smtp_port) as relay:
        set_up(rhea_to_send, liar.imap_port, relay.port)
        relay.after = after.encode()
        loses_patience(rhea_to_send, f"SMTP: localhost:{relay.port} takes too long to answer")
        assert relay.connections == 1
        relay.after = None
        run_once(rhea_to_send)
        run_once(rhea_to_send)
    assert len(liar.mails(BO)) == 1


def test_a_letter_comes_once_although_the_server_dripped_after_taking_it(rhea_to_send, liar):
    """It took the message, so nobody knows; the copy tells."""
    with dripping(liar.smtp_port) as relay:
        set_up(rhea_to_send, liar.imap_port, relay.port)
        relay.after = b"\r\n.\r\n"
        loses_patience(
            rhea_to_send, "stopped answering while pbem sent a message to bo@example.org"
        )
        relay.after = None
        run_once(rhea_to_send)
        run_once(rhea_to_send)
    assert (len(liar.mails(BO)), len(liar.mails(RHEA))) == (1, 1)


@pytest.mark.long
def test_a_pass_ends_if_servers_drip_behind_tls(rhea_to_send, liar, tmp_path):
    """The limits are also those of encrypted connections."""
    file = certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    with dripping(liar.imap_port, context) as imap, dripping(liar.smtp_port, context) as smtp:
        set_up(rhea_to_send, imap.port, smtp.port, "tls", f"--ca {file}")
        run_once(rhea_to_send)
        imap.after = smtp.after = b""
        assert rhea_to_send.pbem("post address -C savannah a ann@example.org").exit == 0
        loses_patience(
            rhea_to_send, "IMAP: localhost", "SMTP: localhost", "takes too long to answer"
        )
        imap.after = smtp.after = None
        run_once(rhea_to_send)
    assert [len(liar.mails(to)) for to in (BO, "ann@example.org")] == [1, 1]


# ---------------------------------------------------------------- floods and lies
LIES = {
    "a literal without end": (b"FETCH", b"* 9 FETCH (UID 9 BODY[] {99999999999}\r\nx"),
    "brackets in brackets": (b"FETCH", b"* 9 FETCH " + b"(" * 50_000 + b"\r\n"),
    "nonsense": (b"FETCH", b"* 9 FETCH (UID x RFC822.SIZE y)\r\n"),
    "no numbers": (b"SEARCH", b"* SEARCH one two\r\n"),
    "a line without end": (b"SEARCH", b"* SEARCH " + b"1 " * 600_000 + b"\r\n"),
    "no validity": (b"SELECT", b"* 1 EXISTS\r\n"),
    "a folder without a name": (b"LIST", b"* LIST (\r\n"),
    "not IMAP": (b"CAPABILITY", b"\x16\x03\x01\r\n"),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", sorted(LIES))
def test_a_pass_ends_in_words_if_answers_are_not_imap(rhea_to_send, liar, name):
    where, lie = LIES[name]
    liar.put(RHEA, b"From: x@example.org\r\n\r\nhello\r\n")
    liar.lie = lambda word, rest, honest: lie if where in (word, *rest[:1]) else honest
    said = rhea_to_send.pbem("run --once")
    assert said.err == ""
    assert "bug" not in said.out
    assert said.exit == 5 or where == b"LIST", said.text
    assert len(liar.mails(BO)) == 1  # sending does not wait for reading
    liar.lie = None
    run_once(rhea_to_send)
    assert len(liar.mails(BO)) == 1


@pytest.mark.long
def test_a_pass_ends_if_an_imap_server_says_too_much(rhea_to_send, liar, monkeypatch):
    monkeypatch.setattr(mail_server_connection, "MAX_ANSWER_BYTES", 1 << 20)
    lines = b"* OK and so on\r\n" * (1 << 17)
    liar.lie = lambda word, rest, honest: lines if rest[:1] == [b"SEARCH"] else honest
    failing_pass_output(rhea_to_send, "answers with more than 1 MB")


def test_a_pass_ends_if_an_smtp_server_says_too_much(rhea_to_send, liar, monkeypatch):
    monkeypatch.setattr(mail_server_connection, "MAX_ANSWER_BYTES", 1 << 16)
    liar.greeting = b"220-and so on\r\n" * (1 << 13)
    failing_pass_output(rhea_to_send, "SMTP", "answers with more than 0 MB")


@pytest.mark.sample(0)
def test_a_message_longer_than_the_server_said_is_left_in_the_mailbox(rhea_to_send, liar):
    run_once(rhea_to_send)
    liar.put(RHEA, b"From: x@example.org\r\n\r\n" + b"x" * (MAX_POST + 10))
    liar.put(RHEA, reply(opened_bytes(liar.mails(BO)[0]), "1"))
    small = b"RFC822.SIZE 10)"

    def lie(word: bytes, rest: list[bytes], honest: bytes) -> bytes:
        sized = honest.startswith(b"* 1 FETCH (FLAGS")
        return honest.replace(b"RFC822.SIZE %d)" % (MAX_POST + 33), small) if sized else honest

    liar.lie = lie
    limits_were_enough = run_once(rhea_to_send)
    assert "left a message of 12 MB in the mailbox" in limits_were_enough
    assert len(liar.mails(BO)) == 2


@pytest.mark.sample(0)
def test_message_numbers_that_no_mailbox_has_are_ignored(rhea_to_send: Person, liar: Liar) -> None:
    """A message with such a number is not there; the honest ones are read."""
    run_once(rhea_to_send)
    liar.put(RHEA, reply(opened_bytes(liar.mails(BO)[0]), "1"))
    liar.lie = lambda word, rest, honest: (
        honest.replace(b"* SEARCH", b"* SEARCH 99999999999999999999999 -4")
        if rest[:1] == [b"SEARCH"] else honest
    )  # fmt: skip
    rhea_to_send.pbem("run --once")
    liar.lie = None
    run_once(rhea_to_send)
    assert len(liar.mails(BO)) == 2


@pytest.mark.long
def test_a_reply_is_taken_once_although_its_mailbox_is_numbered_anew_each_time(rhea_to_send, liar):
    """Then everything is read again, and nothing happens twice."""
    run_once(rhea_to_send)
    liar.put(RHEA, reply(opened_bytes(liar.mails(BO)[0]), "1"))
    for validity in (8, 2**40, 9, 9):
        liar.validity = validity
        run_once(rhea_to_send)
    assert len(liar.mails(BO)) == 2


@pytest.mark.long
def test_thousands_of_messages_need_no_long_command(rhea_to_send: Person, liar: Liar) -> None:
    """Dovecot refuses a command of 64 kB, which names ten thousand messages."""
    run_once(rhea_to_send)
    for number in range(1200):
        liar.put(RHEA, b"From: x@example.org\r\nMessage-ID: <%d@x>\r\n\r\nhello\r\n" % number)
    liar.put(RHEA, reply(opened_bytes(liar.mails(BO)[0]), "1"))
    longest = 0

    def lie(word: bytes, rest: list[bytes], honest: bytes) -> bytes:
        nonlocal longest
        longest = max(longest, len(b" ".join(rest)))
        return honest

    liar.lie = lie
    run_once(rhea_to_send)
    assert longest < 8000
    assert len(liar.mails(BO)) == 2
