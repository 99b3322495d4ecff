"""The outbox: each letter once, whatever happens between writing, trying and marking."""

import email
import email.policy
import stat
from pathlib import Path

from pbem.files.home import Home
from pbem.mail.letter import Letter
from pbem.post.mail_account import PostBox
from pbem.post.outbox import Outbox
from tests.post.one_letter import ACCOUNT, LETTER


def test_the_same_letter_is_written_once(mail_outbox: Outbox) -> None:
    first = mail_outbox.put(LETTER, 1)
    assert first is not None
    assert mail_outbox.put(LETTER, 2) is None
    mail_outbox.mark_sent(first)
    assert mail_outbox.put(LETTER, 3) is None
    assert list(mail_outbox.queued_letters()) == []
    other = Letter(
        "cy@example.org", "savannah: turn 1", "Hello.\n", identity=("bundle", "x"), game="g"
    )
    assert mail_outbox.put(other, 4) is not None


def test_what_is_read_back_is_what_was_written(mail_outbox: Outbox) -> None:
    mail_outbox.put(LETTER, 1_700_000_000)
    (found,) = Outbox(PostBox(Home(mail_outbox.root.parent.parent)), ACCOUNT).queued_letters()
    mail = email.message_from_bytes(found.data, policy=email.policy.strict)
    assert (mail["To"], mail["From"]) == ("bo@example.org", "rhea@example.org")
    assert mail["Message-ID"] == found.message_id
    assert mail["Date"].endswith("22:13:20 -0000")
    assert mail_outbox.is_own_letter(found.message_id)


def test_nobody_guesses_the_id_of_a_letter(mail_outbox: Outbox, tmp_path: Path) -> None:
    mine = mail_outbox.put(LETTER, 1)
    other = Outbox(PostBox(Home(tmp_path / "other")), ACCOUNT).put(LETTER, 1)
    assert mine is not None
    assert other is not None
    assert mine.message_id != other.message_id
    assert not mail_outbox.is_own_letter(other.message_id)
    assert not mail_outbox.is_own_letter("<pbem.../../secret@example.org>")


def test_a_letter_that_may_have_been_sent_is_marked_until_its_fate_is_known(mail_outbox):
    queued = mail_outbox.put(LETTER, 1)
    assert queued is not None
    assert mail_outbox.seconds_since_try(queued.key) is None
    mail_outbox.try_now(queued.key)
    assert mail_outbox.seconds_since_try(queued.key) is not None
    mail_outbox.note_unsent(queued)
    assert mail_outbox.seconds_since_try(queued.key) is None
    assert mail_outbox.sent_count("bo@example.org", 3600) == 0
    mail_outbox.mark_sent(queued)
    assert mail_outbox.sent_count("BO@example.org", 3600) == 1
    assert mail_outbox.sent_letter(queued.key)["subject"] == "savannah: turn 1"


def test_a_refused_letter_is_out_of_the_way_until_it_is_forgotten(mail_outbox: Outbox) -> None:
    queued = mail_outbox.put(LETTER, 1)
    assert queued is not None
    mail_outbox.mark_refused(queued)
    assert [one.to for one in mail_outbox.refused_letters()] == ["bo@example.org"]
    assert list(mail_outbox.queued_letters()) == []
    assert mail_outbox.put(LETTER, 2) is None
    mail_outbox.forget_refused("bo@example.org")
    assert mail_outbox.put(LETTER, 3) is not None


def test_every_file_of_the_outbox_is_private(mail_outbox: Outbox) -> None:
    queued = mail_outbox.put(LETTER, 1)
    assert queued is not None
    mail_outbox.try_now(queued.key)
    mail_outbox.mark_sent(queued)
    for path in mail_outbox.root.rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


def test_control_characters_in_a_title_stay_out_of_the_header(mail_outbox: Outbox) -> None:
    letter = Letter("bo@example.org", "a\r\nBcc: eve@example.org\x00" + "x" * 900, "Hello.\n")
    queued = mail_outbox.put(letter, 1)
    assert queued is not None
    mail = email.message_from_bytes(queued.data, policy=email.policy.default)
    assert mail["Bcc"] is None
    assert len(mail["Subject"]) <= 120


def test_a_damaged_letter_does_not_stop_the_others(mail_outbox: Outbox) -> None:
    for text in (b"", b"{", b"[]\n", b'{"key": 3}\n', b"\xff\xfe"):
        mail_outbox.put(LETTER, 1)
        path = mail_outbox.root / "outbox" / f"{hash(text) % 99}.letter"
        path.write_bytes(text)
        assert [one.to for one in mail_outbox.queued_letters()] == ["bo@example.org"]
        assert mail_outbox.damaged == {path}
        path.unlink()
        mail_outbox.damaged.clear()
