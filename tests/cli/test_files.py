"""Bad files in the folder, met through the front door: a sentence, the right code, nothing changed.

Files of `tests/records/faults.py` put in a record's place, and what people, disks and
cloud drives do to folders.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from pbem.format.record_error import EXIT
from tests.kit.named_games import play
from tests.kit.people import Round, Said, snapshot
from tests.kit.record_files import record_at
from tests.kit.selection import pairs
from tests.records.faults import byte_faults

Start = Callable[[str], Round]
SOME = ["empty", "no signature", "CRLF", "a byte of the text changed", "relabelled as turn"]
LOOKING = ("status", "show", "log", "check -", "submit -", "audit")
FAULTS = [
    "empty",
    "longer than any record",
    "no signature",
    "last byte cut",
    "CRLF",
    "byte order mark",
    "comment behind",
    "text behind",
    "two signatures",
    "a byte of the text changed",
    "zeros in place of the text",
    "key: small order",
    "signature: S not below the order",
    "another key's name on the signature",
]


def asks(table: Round, line: str, who: str = "ann") -> Said:
    """Ask in the folder; whatever is wrong, the folder stays as it is and there is no traceback."""
    folder = table.shared / "savannah"
    before = snapshot(folder)
    said = table.person(who).pbem([*line.split(), "-C", str(folder)] if line != "audit" else
                                  ["audit", str(folder)])  # fmt: skip
    if said.exit != 0 or not line.startswith("submit"):
        assert snapshot(folder) == before
    assert "Traceback" not in said.text
    assert said.exit != 70, said.text
    return said


@pytest.fixture
def begun_table(game: Start) -> Round:
    return game("begun")


@pytest.mark.sample(3)
@pytest.mark.parametrize(("place", "fault"), pairs(["turns/0003.toml", "game.toml"], FAULTS))
def test_a_faulty_charter_or_turn_stops_everybody(game: Start, fault: str, place: str) -> None:
    """In the place of the last turn it is no record of the chain: test_strays.py."""
    table = game("begun" if place == "game.toml" else "middle")
    path = table.shared / "savannah" / place
    made = {found.name: found for found in byte_faults(record_at(path))}[fault]
    path.write_bytes(made.data)
    for line in LOOKING:
        said = asks(table, line)
        assert said.exit == EXIT[made.reason], (line, said)
        first = next(row for row in said.text.splitlines() if row and row[:7] != "DAMAGED")
        assert place in first
    said = asks(table, "advance", "rhea")
    assert (said.exit, said.out) == (EXIT[made.reason], "")
    assert place in said.err


@pytest.mark.sample(1)
@pytest.mark.parametrize("fault", SOME)
def test_a_faulty_order_file_is_not_counted_and_its_owner_restores_it(
    begun_table: Round, fault: str
) -> None:
    table = begun_table
    assert table.person("bo").pbem("submit - -C savannah").exit == 0
    (path,) = (table.shared / "savannah/orders").iterdir()
    made = {found.name: found for found in byte_faults(record_at(path))}[fault]
    path.write_bytes(made.data)
    name = f"orders/{path.name}"
    asks(table, "status").checked(0, out="b Bo: MISSING", err=f"note: {name} does not count: ")
    asks(table, "advance", "rhea").checked(5, err=f"note: {name} does not count: ")
    asks(table, "audit", "eve").checked(0, out=f"foreign: {name}: ")
    # the computer that sealed them puts them back, and the file that was there keeps its bytes
    again = asks(table, "submit -", "bo").checked(0, err="pbem has put the orders back")
    assert "SEALED already" in again.out
    assert made.data in [one.read_bytes() for one in path.parent.iterdir() if one != path]
    assert asks(table, "status").out.count("b Bo: SEALED") == 1


@pytest.mark.parametrize("fault", SOME)
def test_a_faulty_join_file_takes_no_seat(game: Start, fault: str) -> None:
    table = game("joined")
    (path,) = (table.shared / "savannah/seats").glob("b-*")
    made = {found.name: found for found in byte_faults(record_at(path))}[fault]
    path.write_bytes(made.data)
    said = asks(table, "status").checked(0, out="b Bo: empty")
    assert f"note: seats/{path.name} does not count: " in said.err
    asks(table, "advance", "rhea").checked(5, err=f"seats/{path.name}")


def _symlink(path: Path) -> None:
    path.rename(path.parent.parent / "aside")
    path.symlink_to(path.parent.parent / "aside")


def _fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _huge(path: Path) -> None:
    with path.open("ab") as file:
        file.truncate(1 << 23)


@dataclass(frozen=True)
class Bomb:
    text: bytes

    def __call__(self, path: Path) -> None:
        path.write_bytes(self.text)


THINGS = {
    "a link": _symlink,
    "a pipe": _fifo,
    "a folder": _folder,
    "a huge file": _huge,
    "a dotted-key bomb": Bomb(b"a" + b".a" * 400_000 + b" = 1\n"),
    "brackets": Bomb(b"a = " + b"[" * 900_000 + b"\n"),
    "a long number": Bomb(b"a = " + b"9" * 900_000 + b"\n"),
    "binary": Bomb(bytes(range(256)) * 100),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("place", "what"), pairs(["game.toml", "turns/0003.toml", "seats/b", "orders/0001-b"], THINGS)
)
def test_a_link_a_pipe_or_a_bomb_in_the_place_of_a_record_is_named(game, what, place):
    table = game("middle" if place.startswith("turns") else "begun")
    assert table.person("bo").pbem("submit - -C savannah").exit == 0
    folder = table.shared / "savannah"
    path = next(p for p in folder.rglob("*.toml") if str(p.relative_to(folder)).startswith(place))
    THINGS[what](path)
    name = str(path.relative_to(folder))
    orders = place.startswith("orders")
    for line in LOOKING if not orders else ("status", "audit"):
        said = asks(table, line, "eve" if orders else "ann")
        assert (said.exit, name in said.text) == (0 if orders else 4, True), (line, said)
    said = asks(table, "advance", "rhea")
    assert (said.exit, name in said.err) == (5 if orders else 4, True), said


def test_orders_renamed_to_another_seat_count_for_nobody(begun_table: Round) -> None:
    assert begun_table.person("ann").pbem("submit - -C savannah").exit == 0
    (mine,) = (begun_table.shared / "savannah/orders").iterdir()
    mine.rename(mine.with_name(mine.name.replace("-a-", "-b-")))
    said = asks(begun_table, "status", "bo")
    assert ("a Ann: MISSING" in said.out, "b Bo (you): MISSING" in said.out) == (True, True)
    said = asks(begun_table, "advance", "rhea")
    said.checked(5, err="this file has the wrong name: it contains orders of seat a for turn 1")


def test_records_of_another_game_count_nowhere(game: Start) -> None:
    table = game("begun")
    rhea, ann, bo = (table.person(who) for who in ("rhea", "ann", "bo"))
    assert rhea.pbem("new other --players Ann,Bo").exit == 0
    lines = [x for x in rhea.pbem("advance -C other").err.splitlines() if "--invite" in x]
    for person, line in zip((ann, bo), lines, strict=True):
        said = person.pbem(["join", "-C", "other", "--invite", line.rpartition(" ")[2]]).checked(0)
    assert rhea.pbem("advance -C other").exit == 0
    assert ann.pbem("submit -C other -").exit == 0
    for path in [
        *(table.shared / "other").glob("orders/*"),
        *(table.shared / "other").glob("s*/*"),
    ]:
        place = table.shared / "savannah" / path.relative_to(table.shared / "other")
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(path.read_bytes())
    assert "a Ann (you): MISSING" in asks(table, "status").out
    said = asks(table, "advance", "rhea")
    assert (said.exit, said.err.count("this file belongs to another game")) == (5, 3)
    said = asks(table, "audit", "eve")
    assert (said.exit, said.out.count("foreign: ")) == (0, 3)


@pytest.mark.sample(0)
def test_orders_that_come_late_change_nothing_and_are_listed(game: Start) -> None:
    table = game("begun")
    bo, folder = table.person("bo"), table.shared / "savannah"
    assert bo.pbem("submit -C savannah -").exit == 0
    (late,) = (folder / "orders").iterdir()
    data = late.read_bytes()
    late.unlink()
    play(table, 2)
    late.write_bytes(data)
    said = asks(table, "audit", "eve")
    assert (said.exit, "stray: " in said.out) == (0, False), "later orders replaced them"
    play(table, 3)
    assert "late" in (folder / "turns/0003.toml").read_text("ascii")
    said = asks(table, "audit", "eve")
    assert (said.exit, f"orders/{late.name}" in said.out) == (0, False), said.out


def test_orders_twice_under_two_names_count_once(begun_table: Round) -> None:
    assert begun_table.person("ann").pbem("submit - -C savannah").exit == 0
    (mine,) = (begun_table.shared / "savannah/orders").iterdir()
    for name in (mine.name.replace("-1-", "-2-"), mine.name.replace("0001", "0002")):
        mine.with_name(name).write_bytes(mine.read_bytes())
    said = asks(begun_table, "advance", "rhea")
    assert (said.exit, said.err.count("this file has the wrong name: it contains")) == (5, 2), said
    assert "a Ann (you): SEALED" in asks(begun_table, "status").out


def test_the_charter_of_another_game_is_refused(game: Start, tmp_path: Path) -> None:
    table = game("begun")
    rhea = table.person("rhea")
    assert rhea.pbem("new other --players Ann,Bo").exit == 0
    (table.shared / "other/game.toml").replace(table.shared / "savannah/game.toml")
    theirs = "this file belongs to another game"
    audited = (
        "game.toml: this is the game.toml of another game: the other 4 files in this folder "
        "belong to game"
    )
    for line, told in {"status": theirs, "show": theirs, "audit": audited}.items():
        asks(table, line, "eve").checked(3, text=told)


def test_two_turns_with_swapped_file_names_are_refused(game: Start) -> None:
    table = game("middle")
    turns = table.shared / "savannah/turns"
    (turns / "0003.toml").rename(turns / "x")
    (turns / "0004.toml").rename(turns / "0003.toml")
    (turns / "x").rename(turns / "0004.toml")
    for line in ("status", "show", "submit -", "audit"):
        said = asks(table, line)
        said.checked(3, text="turns/0003.toml: this file has the wrong name: it contains turn 4")


def test_stray_files_stop_no_command_and_misnamed_turns_are_named(begun_table):
    folder = begun_table.shared / "savannah"
    turn = (folder / "turns/0001.toml").read_bytes()
    for name in ("0001 (1).toml", "0001-DESKTOP-7.toml", "0001.TOML", "0002.toml.part"):
        (folder / "turns" / name).write_bytes(turn)
    for name in ("con", ".DS_Store", "notes.txt", ".~pbem-1234", "seats/..", "orders.txt"):
        if not (folder / name).exists():
            (folder / name).write_bytes(b"\x1b]0;hello\x07")
    (folder / "turns/\x1b[2J.toml").write_bytes(b"")
    for line in LOOKING:
        said = asks(begun_table, line)
        assert (said.exit, "\x1b" in said.text) == (0, False), said
    said = asks(begun_table, "status")
    for name in ("0001 (1).toml", "0001-DESKTOP-7.toml", "0001.TOML"):
        assert f"note: turns/{name} is not read: " in said.err
