"""The outbox: each letter once, whatever happens between writing, trying and marking."""

import email
import email.policy
import stat
from pathlib import Path

import pytest

from pbem.files.home import Home
from pbem.mail.letter import Letter
from pbem.post.account import PostBox
from pbem.post.outbox import Outbox
from tests.post.one_letter import ACCOUNT, LETTER


@pytest.fixture
def outbox(tmp_path: Path) -> Outbox:
    return Outbox(PostBox(Home(tmp_path)), ACCOUNT)


def test_the_same_letter_is_written_once(outbox: Outbox) -> None:
    first = outbox.put(LETTER, 1)
    assert first is not None
    assert outbox.put(LETTER, 2) is None
    outbox.mark_sent(first)
    assert outbox.put(LETTER, 3) is None
    assert list(outbox.waiting()) == []
    other = Letter(
        "cy@example.org", "savannah: turn 1", "Hello.\n", about=("bundle", "x"), game="g"
    )
    assert outbox.put(other, 4) is not None


def test_what_is_read_back_is_what_was_written(outbox: Outbox) -> None:
    outbox.put(LETTER, 1_700_000_000)
    (found,) = Outbox(PostBox(Home(outbox.root.parent.parent)), ACCOUNT).waiting()
    mail = email.message_from_bytes(found.data, policy=email.policy.strict)
    assert (mail["To"], mail["From"]) == ("bo@example.org", "rhea@example.org")
    assert mail["Message-ID"] == found.message_id
    assert mail["Date"].endswith("22:13:20 -0000")
    assert outbox.is_ours(found.message_id)


def test_nobody_guesses_the_id_of_a_letter(outbox: Outbox, tmp_path: Path) -> None:
    mine = outbox.put(LETTER, 1)
    other = Outbox(PostBox(Home(tmp_path / "other")), ACCOUNT).put(LETTER, 1)
    assert mine is not None
    assert other is not None
    assert mine.message_id != other.message_id
    assert not outbox.is_ours(other.message_id)
    assert not outbox.is_ours("<pbem.../../secret@example.org>")


def test_marks_of_a_letter_that_may_have_been_sent(outbox: Outbox) -> None:
    queued = outbox.put(LETTER, 1)
    assert queued is not None
    assert outbox.tried(queued.key) is None
    outbox.try_now(queued.key)
    assert outbox.tried(queued.key) is not None
    outbox.not_sent(queued)
    assert outbox.tried(queued.key) is None
    assert outbox.sent_since("bo@example.org", 3600) == 0
    outbox.mark_sent(queued)
    assert outbox.sent_since("BO@example.org", 3600) == 1
    assert outbox.sent_letter(queued.key)["subject"] == "savannah: turn 1"


def test_a_refused_letter_is_out_of_the_way_until_it_is_forgotten(outbox: Outbox) -> None:
    queued = outbox.put(LETTER, 1)
    assert queued is not None
    outbox.mark_refused(queued)
    assert [one.to for one in outbox.refused()] == ["bo@example.org"]
    assert list(outbox.waiting()) == []
    assert outbox.put(LETTER, 2) is None
    outbox.forget_refused("bo@example.org")
    assert outbox.put(LETTER, 3) is not None


def test_everything_in_it_is_private(outbox: Outbox) -> None:
    queued = outbox.put(LETTER, 1)
    assert queued is not None
    outbox.try_now(queued.key)
    outbox.mark_sent(queued)
    for path in outbox.root.rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


def test_control_characters_in_a_title_stay_out_of_the_header(outbox: Outbox) -> None:
    letter = Letter("bo@example.org", "a\r\nBcc: eve@example.org\x00" + "x" * 900, "Hello.\n")
    queued = outbox.put(letter, 1)
    assert queued is not None
    mail = email.message_from_bytes(queued.data, policy=email.policy.default)
    assert mail["Bcc"] is None
    assert len(mail["Subject"]) <= 120


def test_a_damaged_letter_does_not_stop_the_others(outbox: Outbox) -> None:
    for text in (b"", b"{", b"[]\n", b'{"key": 3}\n', b"\xff\xfe"):
        outbox.put(LETTER, 1)
        path = outbox.root / "outbox" / f"{hash(text) % 99}.letter"
        path.write_bytes(text)
        assert [one.to for one in outbox.waiting()] == ["bo@example.org"]
        assert outbox.damaged == {path}
        path.unlink()
        outbox.damaged.clear()
