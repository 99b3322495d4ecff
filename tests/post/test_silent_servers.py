"""Mail servers that fall silent: a pass ends, says so, and the next one delivers exactly once."""

import pytest

from pbem.post import imap_mailbox, smtp_sender
from tests.kit.mail_seats import begin_mail_game, opened_bytes, reply
from tests.kit.people import Person, Round
from tests.kit.small_mail_servers import (
    BO,
    CONNECT,
    FETCH,
    LOST,
    RHEA,
    TAKEN,
    WELL,
    MailHost,
    run_once,
    use_small_servers,
)

SHORT = 2.0
"""Seconds a server may take in a pass that fails."""


@pytest.fixture
def rhea_to_mail(table: Round, mail_server: MailHost) -> Person:
    """The referee of a game whose next pass sends a turn mail to Bo; Ann shares the folder."""
    found = begin_mail_game(table)
    use_small_servers(found, mail_server)
    return found


def check_failing_pass(person: Person, *words: str) -> None:
    """One pass ends with exit code 5, and with a sentence that has these words."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(imap_mailbox, "READ_TIMEOUT_SECONDS", SHORT)
        patch.setattr(smtp_sender, "READ_TIMEOUT_SECONDS", SHORT)
        said = person.pbem("run --once")
    assert said.exit == 5, said.text
    assert all(word in said.out for word in words), said.text
    assert said.err == ""


@pytest.mark.long
def test_a_pass_ends_if_a_server_accepts_and_says_nothing(rhea_to_mail, mail_server):
    mail_server.imap = mail_server.smtp = CONNECT
    check_failing_pass(
        rhea_to_mail,
        f"IMAP: localhost:{mail_server.imap_port} does not answer",
        f"SMTP: localhost:{mail_server.smtp_port} does not answer",
    )
    assert mail_server.connections == ["imap", "smtp"]
    mail_server.imap = mail_server.smtp = WELL
    run_once(rhea_to_mail)
    run_once(rhea_to_mail)
    assert len(mail_server.mails(BO)) == 1


@pytest.mark.long
def test_a_reply_is_taken_once_although_the_server_fell_silent_in_its_middle(
    rhea_to_mail, mail_server
):
    run_once(rhea_to_mail)
    (turn_mail,) = mail_server.mails(BO)
    mail_server.put(RHEA, reply(opened_bytes(turn_mail), "1"))
    mail_server.imap = FETCH
    check_failing_pass(rhea_to_mail, "stopped answering", "try again later")
    assert len(mail_server.mails(BO)) == 1
    mail_server.imap = WELL
    assert "Bo" in run_once(rhea_to_mail)
    run_once(rhea_to_mail)
    assert len(mail_server.mails(BO)) == 2  # the turn, and one answer to the reply


@pytest.mark.long
@pytest.mark.parametrize("fate", [TAKEN, LOST])
def test_a_letter_comes_once_although_the_server_fell_silent_after_its_last_dot(
    rhea_to_mail, mail_server, fate
):
    mail_server.smtp = fate
    check_failing_pass(
        rhea_to_mail, "stopped answering while pbem sent a message to bo@example.org"
    )
    mail_server.smtp = WELL
    for _ in range(3):
        run_once(rhea_to_mail)
    assert len(mail_server.mails(BO)) == 1
    assert len(mail_server.mails(RHEA)) == 1  # the copy


@pytest.mark.long
def test_a_silent_server_is_asked_once_in_a_pass(rhea_to_mail, mail_server):
    """However many messages wait: each would take the whole time limit."""
    assert rhea_to_mail.pbem("post address -C savannah a ann@example.org").exit == 0
    mail_server.smtp = LOST
    check_failing_pass(rhea_to_mail, "stopped answering")
    assert mail_server.connections.count("smtp") == 1
    mail_server.smtp = WELL
    run_once(rhea_to_mail)
    run_once(rhea_to_mail)
    assert [len(mail_server.mails(to)) for to in (BO, "ann@example.org")] == [1, 1]


@pytest.mark.long
def test_reading_goes_on_where_it_stopped(rhea_to_mail: Person, mail_server: MailHost) -> None:
    """What was read before the connection broke is not read again in each pass."""
    for number in range(3):
        mail_server.put(
            RHEA, b"From: x@example.org\r\nMessage-ID: <%d@x>\r\n\r\nhello\r\n" % number
        )
    mail_server.stop_at = 3
    check_failing_pass(rhea_to_mail, "stopped answering")
    mail_server.stop_at = 0
    before = len(mail_server.fetched)
    run_once(rhea_to_mail)
    assert mail_server.fetched[before] == 3


@pytest.mark.long
def test_a_full_disk_costs_nothing_but_time(rhea_to_mail, mail_server, monkeypatch):
    """At each place that writes: the pass ends in words, and later passes do it, once."""
    from pbem.files import disk

    run_once(rhea_to_mail)
    (turn_mail,) = mail_server.mails(BO)
    mail_server.put(RHEA, reply(opened_bytes(turn_mail), "1"))
    really, left = disk.syscalls.write, 0

    def full(*args: object) -> object:
        nonlocal left
        left -= 1
        if left < 0:
            raise OSError(28, "No space left on device")
        return really(*args)  # type: ignore[arg-type]

    for room in range(0, 40, 3):
        left = room
        with monkeypatch.context() as patched:
            patched.setattr(disk.syscalls, "write", full)
            said = rhea_to_mail.pbem("run --once")
        assert said.exit in (0, 5, 7), said.text
        assert "bug" not in said.text
    run_once(rhea_to_mail)
    run_once(rhea_to_mail)
    assert len(mail_server.mails(BO)) == 2
