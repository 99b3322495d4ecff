"""One player who only ever uses mail and one who only ever uses a synced folder play one game."""

import mailbox

import pytest

from tests.kit.people import Person, output_of, snapshot
from tests.kit.selection import before_release
from tests.mail.meeting import Meeting
from tests.mail.post import CLIENTS

pytestmark = pytest.mark.sample(0)
ROUNDS = 500
"""More than any game has."""
SOME = 10
"""As many turns as the short run plays."""


@pytest.fixture(scope="module", params=["some turns", *before_release(["to the end"])])
def played_meeting(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Meeting:
    meeting = Meeting(tmp_path_factory.mktemp("meeting"))
    meeting.begin()
    whole = request.param == "to the end"
    ended = any(not meeting.step() for _ in range(ROUNDS if whole else SOME))
    assert ended == whole
    assert whole or meeting.step(last=True)
    return meeting


def test_nobody_who_was_in_time_is_told_that_they_were_late(played_meeting):
    mails = [file.read_bytes() for file in played_meeting.cy.shared.glob("*.eml")]
    assert not any(b"too late" in mail for mail in mails)
    assert "late" not in played_meeting.rhea.pbem("send --to b --all").text


def test_a_player_by_mail_and_one_by_synced_folder_can_both_audit_their_game(played_meeting):
    over = (played_meeting.folder(played_meeting.rhea) / "final.toml").exists()
    for person in (played_meeting.bo, played_meeting.cy):
        done = person.pbem("audit")
        assert (done.exit, "Proven" in done.out) == (0, over), done.text
    assert played_meeting.mails > len(CLIENTS)


def test_player_by_mail_player_by_folder_and_referee_have_the_same_files(played_meeting):
    assert snapshot(played_meeting.folder(played_meeting.cy)) == snapshot(
        played_meeting.folder(played_meeting.rhea)
    )
    assert snapshot(played_meeting.folder(played_meeting.bo)) == snapshot(
        played_meeting.folder(played_meeting.rhea)
    )


def test_a_stranger_gets_the_whole_from_one_mailbox(played_meeting, tmp_path):
    """All mails that Cy ever got or sent, in one mbox, newest first."""
    box = mailbox.mbox(tmp_path / "box")
    ours = [*played_meeting.cy.shared.glob("*.eml"), *played_meeting.rhea.shared.glob("*.eml")]
    for file in sorted(ours, key=lambda f: -int(f.stem[5:-1])):
        box.add(file.read_bytes().replace(b"\r\n", b"\n"))
    box.close()
    eve = Person("eve", tmp_path / "home", tmp_path, tmp_path)
    output_of(eve, "receive box")
    assert snapshot(tmp_path / "savannah") == snapshot(played_meeting.folder(played_meeting.rhea))
    assert eve.pbem("audit savannah").exit == 0
