"""A clock that is set back a day or ahead a year between two passes of `pbem run`."""

import os
import time
from collections import Counter

import pytest

from pbem.mail.letter import Letter
from pbem.post import outbox as outbox_module
from pbem.post.mailbox_progress_and_retries import MailboxState
from tests.kit.mail_seats import FOOD, NEW, begin_mail_game, opened_bytes, reply, submit
from tests.kit.people import NOW, Person, Round
from tests.kit.small_mail_servers import BO, ID, RHEA, MailHost, use_small_servers
from tests.post.one_letter import LETTER

HOUR, DAY, YEAR = 3600, 86400, 365 * 86400
REAL = time.time


@pytest.fixture
def jump(monkeypatch: pytest.MonkeyPatch) -> "type[Clock]":
    """The computer's clock, which a test can set; the dates of files are not changed."""
    monkeypatch.setattr(time, "time", lambda: REAL() + Clock.ahead)
    monkeypatch.setattr(Clock, "ahead", 0)
    return Clock


class Clock:
    ahead = 0
    """Seconds by which it is wrong."""


def run_output_after_jump(person: Person, jump: type[Clock], ahead: int) -> str:
    jump.ahead = ahead
    said = person.pbem("run --once", SOURCE_DATE_EPOCH=str(NOW + ahead))
    assert (said.exit, said.err) == (0, ""), said.text
    return said.out


def turn_count(table: Round) -> int:
    return len(list((table.shared / "savannah/turns").iterdir()))


def repeated_mails(mail_server: MailHost) -> list[tuple[str, int]]:
    """What came to Bo more than once."""
    mails = mail_server.mails(BO)
    found = Counter([ID.search(mail)[1] for mail in mails])
    found += Counter(str(opened_bytes(mail)["Subject"]) for mail in mails)
    return [(what, count) for what, count in found.items() if count > 1]


@pytest.mark.long
def test_each_turn_comes_once_and_no_deadline_counts_too_early(table, jump, mail_server):
    rhea = begin_mail_game(table, NEW.replace("--deadline never", "--deadline 24h"))
    use_small_servers(rhea, mail_server)
    for ahead in (0, -DAY, HOUR, -DAY):
        run_output_after_jump(rhea, jump, ahead)
    assert (turn_count(table), len(mail_server.mails(BO))) == (1, 1)
    submit(table.person("ann"), FOOD)
    mail_server.put(RHEA, reply(opened_bytes(mail_server.mails(BO)[0]), "1"))
    assert "made turns/0002.toml" in run_output_after_jump(rhea, jump, -DAY)
    for ahead in (HOUR, 23 * HOUR, -DAY):  # turn 2 has the date of turn 1, not an older one
        run_output_after_jump(rhea, jump, ahead)
    assert turn_count(table) == 2
    assert "made turns/0003.toml" in run_output_after_jump(
        rhea, jump, YEAR
    )  # the deadline has passed
    made = turn_count(table)
    said = [run_output_after_jump(rhea, jump, ahead) for ahead in (0, -DAY, HOUR)]
    assert "which is in the future: check this computer's clock" in "".join(said)
    assert turn_count(table) == made
    assert repeated_mails(mail_server) == []


def test_the_time_since_a_letter_was_tried_is_right_however_the_clock_is_set(
    mail_outbox, jump, monkeypatch
):
    mail_outbox.try_now("key")
    for jump.ahead in (YEAR, -DAY, 0):
        tried = mail_outbox.seconds_since_try("key")
        assert tried is not None
        assert 0 <= tried < HOUR
    begun = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: begun + HOUR)
    jump.ahead = -DAY  # a wait of an hour is over, although the clock says otherwise
    assert mail_outbox.seconds_since_try("key") == pytest.approx(HOUR, abs=HOUR / 2)
    monkeypatch.setattr(time, "monotonic", lambda: 0.0)  # and the computer was started again
    assert mail_outbox.seconds_since_try("key") == 0
    jump.ahead = 2 * HOUR - DAY
    monkeypatch.setattr(time, "monotonic", lambda: 3.0 * HOUR)
    assert mail_outbox.seconds_since_try("key") == pytest.approx(2 * HOUR, abs=HOUR / 2)


def test_limits_on_letters_end_although_the_clock_was_a_year_ahead(mail_outbox, jump):
    queued = mail_outbox.put(LETTER, 1)
    assert queued is not None
    mail_outbox.mark_sent(queued)
    assert mail_outbox.sent_count(LETTER.address, HOUR) == 1
    jump.ahead = -YEAR  # the mark is now a year ahead
    assert mail_outbox.sent_count(LETTER.address, HOUR) == 0
    state = MailboxState(mail_outbox.root)
    assert [state.note_answer("bo@x", REAL() + YEAR, 2) for _ in range(3)] == [True, True, False]
    assert [state.note_answer("bo@x", REAL(), 2) for _ in range(3)] == [True, True, False]


def test_letters_marked_as_sent_stay_so_when_the_clock_runs_ahead(mail_outbox, jump, monkeypatch):
    monkeypatch.setattr(outbox_module, "MAX_KEPT_MARKS", 2)
    letters = [Letter(LETTER.address, f"turn {n}", "x\n", identity=(str(n),)) for n in range(4)]
    for number, letter in enumerate(letters):
        queued = mail_outbox.put(letter, 1)
        assert queued is not None
        mail_outbox.mark_sent(queued)
        mark = next((mail_outbox.root / "sent").glob(f"*-{queued.key}"))
        os.utime(
            mark, (REAL(), REAL() - (outbox_module.KEPT_SECONDS + HOUR if number == 0 else number))
        )
    jump.ahead = YEAR
    mail_outbox.tidy()
    assert [mail_outbox.put(letter, 2) is not None for letter in letters] == [
        True, False, False, False,
    ]  # fmt: skip
