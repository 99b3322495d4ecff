"""Mail servers that fall silent: a pass ends, says so, and the next one delivers exactly once."""

from collections.abc import Iterator

import pytest

from pbem.post import mailbox, sender
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
    mail_host,
    run_once,
    use_small_servers,
)

SHORT = 2.0
"""Seconds a server may take in a pass that fails."""


@pytest.fixture
def host() -> Iterator[MailHost]:
    with mail_host() as found:
        yield found


@pytest.fixture
def rhea(table: Round, host: MailHost) -> Person:
    """The referee of a game whose next pass sends a turn mail to Bo; Ann shares the folder."""
    found = begin_mail_game(table)
    use_small_servers(found, host)
    return found


def fails(person: Person, *words: str) -> None:
    """One pass ends with exit code 5, and with a sentence that has these words."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mailbox, "SECONDS", SHORT)
        patch.setattr(sender, "SECONDS", SHORT)
        said = person.pbem("run --once")
    assert said.exit == 5, said.text
    assert all(word in said.out for word in words), said.text
    assert said.err == ""


@pytest.mark.long
def test_a_server_that_accepts_and_says_nothing(rhea: Person, host: MailHost) -> None:
    host.imap = host.smtp = CONNECT
    fails(rhea, f"IMAP: localhost:{host.imap_port} does not answer",
          f"SMTP: localhost:{host.smtp_port} does not answer")  # fmt: skip
    assert host.connections == ["imap", "smtp"]
    host.imap = host.smtp = WELL
    run_once(rhea)
    run_once(rhea)
    assert len(host.mails(BO)) == 1


@pytest.mark.long
def test_reading_stops_in_the_middle_of_a_message(rhea: Person, host: MailHost) -> None:
    run_once(rhea)
    (turn_mail,) = host.mails(BO)
    host.put(RHEA, reply(opened_bytes(turn_mail), "1"))
    host.imap = FETCH
    fails(rhea, "stopped answering", "try again later")
    assert len(host.mails(BO)) == 1
    host.imap = WELL
    assert "Bo" in run_once(rhea)
    run_once(rhea)
    assert len(host.mails(BO)) == 2  # the turn, and one answer to the reply


@pytest.mark.long
@pytest.mark.parametrize("fate", [TAKEN, LOST])
def test_sending_stops_after_the_last_dot(rhea: Person, host: MailHost, fate: str) -> None:
    host.smtp = fate
    fails(rhea, "stopped answering while a message to bo@example.org was being sent")
    host.smtp = WELL
    for _ in range(3):
        run_once(rhea)
    assert len(host.mails(BO)) == 1
    assert len(host.mails(RHEA)) == 1  # the copy


@pytest.mark.long
def test_a_silent_server_is_asked_once_in_a_pass(rhea: Person, host: MailHost) -> None:
    """However many messages wait: each would take the whole time limit."""
    assert rhea.pbem("post address -C savannah a ann@example.org").exit == 0
    host.smtp = LOST
    fails(rhea, "stopped answering")
    assert host.connections.count("smtp") == 1
    host.smtp = WELL
    run_once(rhea)
    run_once(rhea)
    assert [len(host.mails(to)) for to in (BO, "ann@example.org")] == [1, 1]


@pytest.mark.long
def test_reading_goes_on_where_it_stopped(rhea: Person, host: MailHost) -> None:
    """What was read before the connection broke is not read again in each pass."""
    for number in range(3):
        host.put(RHEA, b"From: x@example.org\r\nMessage-ID: <%d@x>\r\n\r\nhello\r\n" % number)
    host.stop_at = 3
    fails(rhea, "stopped answering")
    host.stop_at = 0
    before = len(host.fetched)
    run_once(rhea)
    assert host.fetched[before] == 3


@pytest.mark.long
def test_a_full_disk_costs_nothing_but_time(
    rhea: Person, host: MailHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At each place that writes: the pass ends in words, and later passes do it, once."""
    from pbem.files import disk

    run_once(rhea)
    (turn_mail,) = host.mails(BO)
    host.put(RHEA, reply(opened_bytes(turn_mail), "1"))
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
            said = rhea.pbem("run --once")
        assert said.exit in (0, 5, 7), said.text
        assert "bug" not in said.text
    run_once(rhea)
    run_once(rhea)
    assert len(host.mails(BO)) == 2
