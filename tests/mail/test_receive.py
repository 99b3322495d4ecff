"""What is received lies in its place, once, checked; what is not is said, and kept."""

import shutil
from pathlib import Path

import pytest

from pbem.format.mail_block import encode
from tests.kit.people import Person, snapshot, unchanged
from tests.mail.post import pasted
from tests.mail.sample import ALL, BUNDLE, FILES, SHORT, another_turn


@pytest.fixture
def eve(tmp_path):
    """Somebody with a home and an empty place to stand."""
    (tmp_path / "place").mkdir()
    return Person("eve", tmp_path / "home", tmp_path / "place", tmp_path / "place")


def give(person: Person, name: str, data: bytes | str, *options: str):
    path = person.shared / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return person.pbem(["receive", str(path), *options])


def snapshot_files(folder: Path) -> dict[str, bytes]:
    return {name: data for name, data in snapshot(folder).items() if isinstance(data, bytes)}


def seen_files(person: Person) -> list[bytes]:
    return [path.read_bytes() for path in (person.home).glob("**/seen/*")]


# ------------------------------------------------------------------ where it goes
def test_a_charter_makes_a_folder_named_by_its_title(eve):
    got = give(eve, "x.pbem", encode(ALL.values()))
    assert got.exit == 0, got.text
    assert snapshot_files(eve.place / "savannah") == ALL
    assert "Savannah: new: game.toml, 2 joins, turns 1 to 2, 3 sets of orders" in got.out
    assert "next: cd savannah && pbem" in got.out


def test_receiving_the_same_mail_twice_changes_nothing(eve):
    give(eve, "x.pbem", encode(ALL.values()))
    with unchanged(eve.place / "savannah"):
        got = give(eve, "x(1).pbem", encode(ALL.values()))
    assert got.exit == 0
    assert f"nothing new; {len(ALL)} here already" in got.out


def test_a_folder_that_was_moved_is_asked_for_elsewhere(eve):
    """No second folder is begun for a game that has one; what came is kept, and taken later."""
    give(eve, "x.pbem", encode([ALL["game.toml"]]))
    (eve.place / "savannah").rename(eve.place / "moved")
    got = give(eve, "rest.pbem", BUNDLE)
    assert got.exit == 5
    assert "belongs to the game that was in" in got.err
    assert not (eve.place / "savannah").exists()
    assert give(eve, "charter.toml", ALL["game.toml"], "-C", "moved").exit == 0
    assert snapshot_files(eve.place / "moved") == dict(zip(SHORT, FILES, strict=True))


def test_a_damaged_charter_is_named_and_no_second_folder_begun(eve):
    give(eve, "x.pbem", encode([ALL["game.toml"]]))
    path = eve.place / "savannah" / "game.toml"
    path.write_bytes(ALL["game.toml"][:99])
    eve.place = eve.place / "savannah"
    with unchanged(eve.place):
        assert give(eve, "x.pbem", BUNDLE).exit == 5
        got = give(eve, "x.pbem", BUNDLE, "-C", ".")
    assert got.exit == 3
    assert "game.toml" in got.err
    assert "is damaged: remove this file from the folder, then run pbem receive again" in got.err
    path.unlink()
    assert give(eve, "x.pbem", BUNDLE, "-C", ".").exit == 0
    assert snapshot_files(eve.place) == dict(zip(SHORT, FILES, strict=True))


# ------------------------------------------------------------------ in what order
def test_files_received_one_by_one_in_the_wrong_order_make_the_whole_game(eve):
    """Whatever comes first, all is there at the end; what cannot be checked yet is kept."""
    codes = [
        give(eve, f"{n} (conflicted copy).toml", ALL[name]).exit
        for n, name in enumerate(sorted(ALL, reverse=True))
    ]
    assert codes[0] == 5
    assert snapshot_files(eve.place / "savannah") == ALL


def test_who_lacks_a_turn_is_told_whom_to_ask_and_by_every_command(eve):
    few = [ALL[name] for name in ("game.toml", "turns/0002.toml")]
    got = give(eve, "x.pbem", encode(few))
    assert "next: ask Ann for the bundle that `pbem send --all` writes" in got.out
    assert "note: Savannah: missing: turn 1; ask Ann for the bundle that" in got.err
    for command in ("status", "show", "since"):
        said = eve.pbem(f"{command} -C savannah")
        assert said.exit == 5, said.text
        assert "turns/0001.toml: this turn is missing, but later turns are here" in said.err
        assert "not begun" not in said.text


def test_a_lost_folder_is_begun_anew_under_a_name(eve):
    give(eve, "x.pbem", BUNDLE)
    shutil.rmtree(eve.place / "savannah")
    got = give(eve, "again.pbem", encode(ALL.values()))
    assert got.exit == 5
    assert "give its path with -C. If it is lost, give the path of a new folder" in got.err
    assert give(eve, "again.pbem", encode(ALL.values()), "-C", "savannah").exit == 0
    assert snapshot_files(eve.place / "savannah") == ALL


# ------------------------------------------------------------------ what is wrong
def damaged_record(name: str) -> bytes:
    """A record with one letter of its text changed: the mail was right, the signature is not."""
    data = bytearray(ALL[name])
    data[data.index(b'"') + 1] ^= 1
    return bytes(data)


def test_a_damaged_mail_is_not_called_badly_signed(eve):
    text = BUNDLE.splitlines(keepends=True)
    got = give(eve, "cut.pbem", "".join(text[:8] + text[9:]))
    assert got.exit == 4
    assert "damaged on the way" in got.err
    assert "signature" not in got.err
    got = give(eve, "forged.pbem", encode([damaged_record("turns/0001.toml")]))
    assert got.exit == 4
    assert "signature does not match" in got.err
    assert "damaged on the way" not in got.err


def test_the_good_part_of_a_damaged_mail_is_taken(eve):
    broken = encode([ALL["turns/0001.toml"]]).replace("a", "b", 3)
    mail = pasted(BUNDLE + broken).as_bytes()
    got = give(eve, "x.eml", mail)
    assert got.exit == 4
    assert snapshot_files(eve.place / "savannah") == dict(zip(SHORT, FILES, strict=True))
    assert seen_files(eve) == [mail]
    assert "pbem has kept this file, unchanged: " in got.err


def test_the_worst_code_counts(eve):
    assert give(eve, "x.pbem", encode([ALL["turns/0002.toml"], b"no record"])).exit == 4


@pytest.mark.parametrize("name", list(ALL))
def test_nothing_unsigned_is_written(eve, name):
    give(eve, "x.pbem", encode([ALL["game.toml"]]))
    with unchanged(eve.place / "savannah"):
        assert give(eve, "y.pbem", encode([damaged_record(name)])).exit == 4


def test_a_second_turn_for_one_place_is_shown_and_kept(eve):
    give(eve, "x.pbem", encode(ALL.values()))
    with unchanged(eve.place / "savannah"):
        got = give(eve, "t.toml", another_turn())
    assert got.exit == 3
    assert "two different files called turns/0002.toml" in got.err
    assert seen_files(eve) == [another_turn()]


@pytest.mark.parametrize(
    ("line", "code"), [("receive none-such.pbem", 2), ("receive .", 2), ("receive", 2)]
)
def test_receive_says_what_it_cannot_read_and_does_not_fail(eve, line, code):
    got = eve.pbem(line)
    assert got.exit == code
    assert "Traceback" not in got.err


@pytest.mark.sample(0)
def test_a_paste_is_read(eve):
    got = eve.really("receive -", stdin="".join(f"> {row}\n" for row in BUNDLE.splitlines()))
    assert got.exit == 0, got.text
    assert snapshot_files(eve.place / "savannah") == dict(zip(SHORT, FILES, strict=True))
    assert "pbem has repaired what they changed" in got.err
