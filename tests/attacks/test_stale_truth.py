"""A file that was changed so that it looks as before: what a machine remembers does not hide it."""

import json
import os
import stat

import pytest

from pbem.files.disk import folder_fingerprint
from tests.kit.people import Person


def change_unseen(path):
    """Change one byte in place; size, time and inode stay as they were."""
    before = path.stat()
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    with path.open("r+b") as file:
        file.write(data)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    after = path.stat()
    same = ("st_size", "st_mtime_ns", "st_ino", "st_mode")
    assert all(getattr(before, name) == getattr(after, name) for name in same)


@pytest.fixture
def ann_with_closed_home(game) -> Person:
    """Ann's machine has seen the game, and her home and key are closed to others."""
    ann = game("middle").person("ann")
    ann.place = ann.place / "savannah"
    ann.home.chmod(stat.S_IRWXU)
    for line in LOOKS:
        assert ann.pbem(line).exit in (0, 1), line
    assert ann.pbem("doctor").exit == 0
    return ann


LOOKS = ("status", "show", "log", "orders", "check")


@pytest.mark.sample(1)
@pytest.mark.parametrize("path", ["turns/0002.toml", "turns/0005.toml", "seats", "game.toml"])
def test_a_record_changed_with_its_old_size_and_time_is_noticed_at_once(ann_with_closed_home, path):
    found = ann_with_closed_home.place / path
    found = min(found.iterdir()) if found.is_dir() else found
    before = folder_fingerprint(ann_with_closed_home.place)
    change_unseen(found)
    assert (
        folder_fingerprint(ann_with_closed_home.place) != before
    )  # what the table and `run` go by
    for line in (*LOOKS, "audit"):
        said = ann_with_closed_home.pbem(line)
        assert said.exit in (4, 5), (line, said)
        assert found.name in said.text, (line, said)


@pytest.mark.sample(0)
def test_doctors_exit_code_is_that_of_its_worst_finding(ann_with_closed_home):
    def doctor():
        said = ann_with_closed_home.pbem("doctor --json")
        found = json.loads(said.out)["data"]["findings"]
        return said.exit, [x["text"] for x in found if x["grade"] == "warning"]

    assert doctor() == (0, [])
    (ann_with_closed_home.place / "notes.txt").write_text("mine\n")
    assert doctor() == (0, [])  # a note is no warning
    ann_with_closed_home.home.chmod(0o755)
    code, told = doctor()
    assert (code, len(told)) == (1, 1)
    junk = ann_with_closed_home.place / "turns" / "0099.toml"
    junk.write_text("junk\n")
    assert doctor()[0] == 4
    junk.unlink()
    ann_with_closed_home.home.chmod(0o700)
    last = max((ann_with_closed_home.place / "turns").iterdir())
    data = last.read_bytes()
    last.unlink()
    assert doctor()[0] == 3  # the head went back
    last.write_bytes(data)
    assert doctor() == (0, [])
    change_unseen(ann_with_closed_home.place / "turns" / "0003.toml")
    code, (told,) = doctor()
    assert (code, "turns/0003.toml" in told) == (4, True)


def test_doctor_outside_a_game_checks_keys_and_clock(ann_with_closed_home, tmp_path):
    ann_with_closed_home.place = tmp_path
    assert ann_with_closed_home.pbem("doctor").exit == 0  # it has checked keys and clock
    assert ann_with_closed_home.pbem("doctor -C nowhere").exit == 2
    (ann_with_closed_home.home / "profiles" / "default" / "key").unlink()
    said = ann_with_closed_home.pbem("doctor")
    assert (said.exit, "your key is not here" in said.out) == (4, True)
