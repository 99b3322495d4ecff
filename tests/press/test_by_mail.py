"""Messages by mail: they go out once they are written, and wait for their turn."""

import shutil
from dataclasses import replace

import pytest

from tests.kit.people import key_of


@pytest.fixture
def bo_far_away(press_scene, tmp_path):
    """Bo with a game folder of his own."""
    own = tmp_path / "away" / "savannah"
    shutil.copytree(press_scene.root, own)
    return replace(press_scene.bo, place=own)


@pytest.mark.sample(0)
def test_a_message_goes_to_the_referee_and_on_to_all(press_scene, bo_far_away):
    assert bo_far_away.pbem("tell hello").exit == 0
    assert bo_far_away.pbem("tell --to a psst").exit == 0
    sent = bo_far_away.pbem("send -o ../x.pbem")
    assert "wrote ../x.pbem (2 messages; " in sent.out
    got = press_scene.rhea.pbem(["receive", "-C", ".", str(bo_far_away.place.parent / "x.pbem")])
    assert (got.exit, "new: 2 messages" in got.out) == (0, True), got.text
    assert press_scene.heard(press_scene.ann) == ["Bo (b) says: hello", "Bo (b) to you: psst"]
    press_scene.tell(press_scene.ann, "--to", "b", "hush")
    on = press_scene.rhea.pbem("send --to b -o ../y.pbem")
    assert "1 message;" in on.out  # his own he has
    got = bo_far_away.pbem(["receive", "-C", ".", str(press_scene.root.parent / "y.pbem")])
    assert (got.exit, "new: 1 message" in got.out) == (0, True), got.text
    assert press_scene.heard(bo_far_away)[0] == "Ann (a) to you: hush"
    assert (
        "new: 1 message"
        not in bo_far_away.pbem(["receive", "-C", ".", str(press_scene.root.parent / "y.pbem")]).out
    )


@pytest.mark.sample(0)
def test_what_is_written_for_mail_says_how_to_send_it(press_scene, bo_far_away):
    bo_far_away.pbem("send --all -o ../x.pbem")  # from now on he is known to play by mail
    said = bo_far_away.pbem("tell hello")
    assert "next: pbem send" in said.out
    orders = bo_far_away.pbem("submit -", 'feed = ["* eats"]')
    assert orders.exit == 0
    bo_far_away.pbem("send -o ../y.pbem")
    bo_far_away.pbem("tell again")
    assert "next: pbem send" in bo_far_away.pbem("status").out


@pytest.mark.sample(0)
def test_everything_holds_all_messages_once(press_scene):
    press_scene.tell(press_scene.bo, "hello")
    press_scene.tell(press_scene.ann, "--to", "referee", "psst")
    for person in (press_scene.bo, press_scene.rhea):
        options = "--to a" if person is press_scene.rhea else ""
        said = person.pbem(f"send {options} --all -o ../{person.name}.pbem")
        assert "2 messages; " in said.out, said.text


def test_an_old_message_is_sent_once(press_scene, bo_far_away):
    """Bo has shown that he has turn 13; nothing shows that a message came."""
    view = press_scene.session(press_scene.ann).view()
    record = press_scene.tell(press_scene.ann, "old")
    press_scene.files[0].unlink()
    old = replace(record.content, turn=3, prev=bytes.fromhex(view.heads[3]))
    press_scene.put(old, key_of("ann"))
    assert "1 message;" in press_scene.rhea.pbem("send --to b -o ../1.pbem").out
    assert "message" not in press_scene.rhea.pbem("send --to b -o ../2.pbem").out
    assert "1 message;" in press_scene.rhea.pbem("send --to b --all -o ../3.pbem").out


@pytest.mark.long
def test_a_message_waits_for_its_turn(press_scene, bo_far_away):
    press_scene.bo.pbem("submit -", 'feed = ["* eats"]')
    assert press_scene.rhea.pbem("advance").exit == 0
    press_scene.tell(press_scene.ann, "hello")
    (file,) = press_scene.files
    got = bo_far_away.pbem(["receive", "-C", ".", str(file)])
    assert (got.exit, "is waiting for that turn" in got.err) == (5, True), got.text
    assert press_scene.rhea.pbem("send --to b --all -o ../x.pbem").exit == 0
    got = bo_far_away.pbem(["receive", "-C", ".", str(press_scene.root.parent / "x.pbem")])
    assert "1 message" in got.out, got.text
    assert press_scene.heard(bo_far_away) == ["Ann (a) says: hello"]


@pytest.mark.sample(0)
def test_what_does_not_belong_here_is_refused(press_scene, bo_far_away, tmp_path):
    content = press_scene.tell(press_scene.ann, "hello").content
    press_scene.files[0].unlink()
    wrong = {
        "not signed by seat a": (content, "bo"),
        "turn 14 that differs from yours": (replace(content, prev=bytes(32)), "ann"),
        "seat d has no player": (replace(content, seat="d"), "ann"),
    }
    for told, (press, name) in wrong.items():
        path = press_scene.put(press, key_of(name))
        got = bo_far_away.pbem(["receive", "-C", ".", str(press_scene.root / path)])
        assert (got.exit in (3, 4), told in got.err) == (True, True), got.text
    assert not (bo_far_away.place / "press").exists()
