"""Messages by mail: they go out once they are written, and wait for their turn."""

import shutil
from dataclasses import replace

import pytest

from pbem.records.press import MAX_MESSAGES
from tests.kit.people import key_of
from tests.press.writing import Table


@pytest.fixture
def press_table(game):
    return Table(game("middle"))


@pytest.fixture
def away(press_table, tmp_path):
    """Bo with a game folder of his own."""
    own = tmp_path / "away" / "savannah"
    shutil.copytree(press_table.root, own)
    return replace(press_table.bo, place=own)


def test_a_message_goes_to_the_referee_and_on_to_all(press_table, away):
    assert away.pbem("tell hello").exit == 0
    assert away.pbem("tell --to a psst").exit == 0
    sent = away.pbem("send -o ../x.pbem")
    assert "wrote ../x.pbem (2 messages; " in sent.out
    got = press_table.rhea.pbem(["receive", "-C", ".", str(away.place.parent / "x.pbem")])
    assert (got.exit, "new: 2 messages" in got.out) == (0, True), got.text
    assert press_table.heard(press_table.ann) == ["Bo (b) says: hello", "Bo (b) to you: psst"]
    press_table.tell(press_table.ann, "--to", "b", "hush")
    on = press_table.rhea.pbem("send --to b -o ../y.pbem")
    assert "1 message;" in on.out  # his own he has
    got = away.pbem(["receive", "-C", ".", str(press_table.root.parent / "y.pbem")])
    assert (got.exit, "new: 1 message" in got.out) == (0, True), got.text
    assert press_table.heard(away)[0] == "Ann (a) to you: hush"
    assert (
        "new: 1 message"
        not in away.pbem(["receive", "-C", ".", str(press_table.root.parent / "y.pbem")]).out
    )


def test_what_is_written_for_mail_says_how_to_send_it(press_table, away):
    away.pbem("send --all -o ../x.pbem")  # from now on he is known to play by mail
    said = away.pbem("tell hello")
    assert "next: pbem send" in said.out
    orders = away.pbem("submit -", 'feed = ["* eats"]')
    assert orders.exit == 0
    away.pbem("send -o ../y.pbem")
    away.pbem("tell again")
    assert "next: pbem send" in away.pbem("status").out


def test_everything_holds_all_messages_once(press_table):
    press_table.tell(press_table.bo, "hello")
    press_table.tell(press_table.ann, "--to", "referee", "psst")
    for person in (press_table.bo, press_table.rhea):
        options = "--to a" if person is press_table.rhea else ""
        said = person.pbem(f"send {options} --all -o ../{person.name}.pbem")
        assert "2 messages; " in said.out, said.text


def test_an_old_message_is_sent_once(press_table, away):
    """Bo has shown that he has turn 13; nothing shows that a message came."""
    view = press_table.session(press_table.ann).view()
    record = press_table.tell(press_table.ann, "old")
    press_table.files[0].unlink()
    old = replace(record.content, turn=3, prev=bytes.fromhex(view.heads[3]))
    press_table.put(old, key_of("ann"))
    assert "1 message;" in press_table.rhea.pbem("send --to b -o ../1.pbem").out
    assert "message" not in press_table.rhea.pbem("send --to b -o ../2.pbem").out
    assert "1 message;" in press_table.rhea.pbem("send --to b --all -o ../3.pbem").out


@pytest.mark.long
def test_a_message_waits_for_its_turn(press_table, away):
    press_table.bo.pbem("submit -", 'feed = ["* eats"]')
    assert press_table.rhea.pbem("advance").exit == 0
    press_table.tell(press_table.ann, "hello")
    (file,) = press_table.files
    got = away.pbem(["receive", "-C", ".", str(file)])
    assert (got.exit, "is waiting for that turn" in got.err) == (5, True), got.text
    assert press_table.rhea.pbem("send --to b --all -o ../x.pbem").exit == 0
    got = away.pbem(["receive", "-C", ".", str(press_table.root.parent / "x.pbem")])
    assert "1 message" in got.out, got.text
    assert press_table.heard(away) == ["Ann (a) says: hello"]


def test_what_does_not_belong_here_is_refused(press_table, away, tmp_path):
    content = press_table.tell(press_table.ann, "hello").content
    press_table.files[0].unlink()
    wrong = {
        "not signed by seat a": (content, "bo"),
        "turn 14 that differs from the one here": (replace(content, prev=bytes(32)), "ann"),
        "seat d has no player": (replace(content, seat="d"), "ann"),
    }
    for told, (press, name) in wrong.items():
        path = press_table.put(press, key_of(name))
        got = away.pbem(["receive", "-C", ".", str(press_table.root / path)])
        assert (got.exit in (3, 4), told in got.err) == (True, True), got.text
    assert not (away.place / "press").exists()


@pytest.mark.long
def test_a_flood_by_mail_is_cut_and_junk_is_not_counted(press_table, away):
    content = press_table.tell(press_table.ann, "0").content
    folder = away.place / "press"
    folder.mkdir()
    for number in range(100):
        (folder / f"0014-a-1-{number:06x}.toml").write_text("junk")
    paths = [
        press_table.root / press_table.put(replace(content, text=(f"{n}",)), key_of("ann"))
        for n in range(1, MAX_MESSAGES + 3)
    ]
    got = away.pbem(["receive", "-C", ".", *map(str, paths)])
    assert f"new: {MAX_MESSAGES} messages" in got.out
    assert (got.exit, "has no room for more" in got.err) == (3, True)
    assert len(press_table.heard(away)) == MAX_MESSAGES
