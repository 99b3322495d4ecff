"""Commands that are killed at any write, fsync, link or rename: nothing torn, and a second run
finishes the job with the same bytes. Full disks, closed folders, and two at once."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count, product
from pathlib import Path
from shutil import copytree, rmtree
from tempfile import TemporaryDirectory

import pytest

from tests.kit.crashes import KILLED, KILLS, Injector, in_a_copy
from tests.kit.named_games import EVERY, invite, start
from tests.kit.people import NOW, TABLE, Person, Round, snapshot, whole_records
from tests.kit.record_files import record_at
from tests.kit.selection import long
from tests.storage.permissions import NOBODY

Start = Callable[[str], Round]


def struck(person: Person, line: str, at: int, how: str) -> int:
    """The exit code of a command in a copy of this process, struck at its n-th system call."""

    def act() -> int:
        Injector(at, how).arm()
        return person.pbem(line).exit

    return in_a_copy(act)


class Scene:
    """A game, and a command that writes."""

    def __init__(self, table: Round, who: str, line: str) -> None:
        self.table, self.line = table, line
        self.person = table.person(who)
        self.kept = table.root.with_name(f"{table.root.name}-kept")
        copytree(table.root, self.kept, symlinks=True)
        self.folder = table.shared / "savannah"

    def fresh(self) -> None:
        for name in ("shared", "home"):
            rmtree(self.table.root / name)
            copytree(self.kept / name, self.table.root / name)

    def finish(self) -> None:
        """Run it to the end; run again where it was done already, it may say so."""
        assert self.person.pbem(self.line).exit in (0, 5)


SCENES = {
    "new": ("nothing", "rhea", f"new savannah --players Ann,Bo --bots greedy:1 --table {TABLE}"),
    "new, and the referee plays": (
        "nothing",
        "rhea",
        f"new savannah --players Rhea,Bo --referee-plays --table {TABLE}",
    ),
    "join": ("made", "bo", "join -C savannah --invite @b"),
    "submit": ("begun", "ann", "submit -C savannah -"),
    "advance": ("joined", "rhea", "advance -C savannah"),
    "advance with bots": ("plays", "rhea", "advance -C savannah"),
    "the last advance": ("last_turn", "rhea", "advance -C savannah"),
}


@pytest.fixture
def scene(request: pytest.FixtureRequest, game: Start, tmp_path: Path) -> Scene:
    name, who, line = SCENES[request.param]
    table = game(name) if name in EVERY else Round(tmp_path)
    table.person(who)
    if "@b" in line:
        line = line.replace("@b", invite(table, "b"))
    return Scene(table, who, line)


LONG = pytest.mark.long
SLOW = "the last advance"
EACH = [pytest.param(name, marks=LONG if name == SLOW else ()) for name in SCENES]


POINTS = [
    pytest.param(KILLS, [1], id="every third"),
    *(pytest.param([k], [2, 3], marks=LONG, id=k) for k in KILLS),
]
"""The ways to be killed at every third call, from the first; in the long run at the others too."""


@pytest.mark.sample(0)
@pytest.mark.parametrize("scene", EACH, indirect=True)
@pytest.mark.parametrize(("ways", "firsts"), POINTS)
def test_a_command_killed_anywhere_is_finished_by_a_second_run(scene, ways, firsts):
    scene.finish()
    whole = whole_records(scene.folder)
    for how, first in product(ways, firsts):
        for at in count(first, 3):
            scene.fresh()
            code = struck(scene.person, scene.line, at, how)
            assert whole_records(scene.folder).items() <= whole.items(), (how, at)
            if code != KILLED:
                break
            scene.finish()
            assert whole_records(scene.folder) == whole, (how, at)
        assert at > 3  # it was struck at all


@pytest.mark.long
@pytest.mark.parametrize("scene", ["advance", *long(["new", "join", "submit"])], indirect=True)
def test_a_full_disk_leaves_no_torn_file_and_ends_in_an_error(scene: Scene) -> None:
    scene.finish()
    whole = whole_records(scene.folder)
    codes = set()
    for at in range(1, 40, 2):  # every second call: both kinds of write are among them
        scene.fresh()
        codes.add(struck(scene.person, scene.line, at, "ENOSPC"))
        assert whole_records(scene.folder).items() <= whole.items(), at
    assert 7 in codes
    assert codes <= {0, 5, 7}


@contextmanager
def as_nobody(root: Path) -> Iterator[None]:
    """Modes do not bind root, so root becomes nobody for the while, with homes of his own."""
    was = os.geteuid()
    if was == 0:
        for path in [root, *root.rglob("*")]:
            os.chown(path, NOBODY, NOBODY)
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if was == 0:
            os.seteuid(0)


@pytest.mark.parametrize("line", ["submit -", "advance", "join --invite @b"])
def test_a_read_only_game_folder_is_named_and_stays_readable(kept: Path, line: str) -> None:
    who, name = {"s": ("ann", "begun"), "a": ("rhea", "joined"), "j": ("bo", "made")}[line[0]]
    with TemporaryDirectory() as here:  # pytest's own folders are closed to nobody
        table = start(name, Path(here) / "root", kept)
        line = line.replace("@b", invite(table, "b"))
        folder, person = table.shared / "savannah", table.person(who)
        before = snapshot(folder)
        closed = [folder, *(path for path in folder.rglob("*") if path.is_dir())]
        for path in closed:
            path.chmod(0o555)
        Path(here).chmod(0o755)
        with as_nobody(table.root):
            person.pbem(f"{line} -C savannah").checked(7, err="no permission")
            assert snapshot(folder) == before
            assert person.pbem("status -C savannah").exit == 0
        for path in closed:
            path.chmod(0o755)


@pytest.mark.long
def test_two_advances_at_once_make_one_turn(game: Start) -> None:
    table = game("joined")
    rhea = table.person("rhea")
    turns = table.shared / "savannah/turns"
    clocks = (str(NOW), str(NOW + 7))
    both = [rhea.start("advance -C savannah", SOURCE_DATE_EPOCH=clock) for clock in clocks]
    said = [process.communicate("") for process in both]
    codes = sorted(process.returncode for process in both)
    assert codes in ([0, 5], [0, 3]), said
    assert [path.name for path in turns.iterdir()] == ["0001.toml"]
    record_at(turns / "0001.toml")
    assert rhea.pbem("audit savannah").exit == 0


@pytest.mark.long
def test_two_submits_at_once_leave_whole_files(game: Start) -> None:
    table = game("begun")
    ann = table.person("ann")
    both = [ann.start("submit -C savannah -") for _ in range(2)]
    typed = ("", 'always = {feed = "* eats"}')
    said = [process.communicate(text) for process, text in zip(both, typed, strict=True)]
    assert {process.returncode for process in both} == {0}, said
    assert len(whole_records(table.shared / "savannah")) in (5, 6)
    assert table.person("eve").pbem("audit savannah").exit == 0


def test_advance_is_a_function_of_folder_key_and_time(game: Start, tmp_path: Path) -> None:
    table = game("joined")
    rhea = table.person("rhea")
    copytree(table.shared / "savannah", table.shared / "copy")
    elsewhere = Person("rhea", tmp_path / "elsewhere", table.shared, table.shared)
    elsewhere.import_key()
    for who, folder in ((rhea, "savannah"), (elsewhere, "copy")):
        assert who.pbem(f"advance -C {folder}", SOURCE_DATE_EPOCH=str(NOW)).exit == 0
    assert snapshot(table.shared / "savannah") == snapshot(table.shared / "copy")


def test_a_second_advance_without_news_waits_and_changes_nothing(game: Start) -> None:
    table = game("begun")
    rhea = table.person("rhea")
    before = snapshot(table.shared)
    for later in (0, 1000):
        said = rhea.pbem("advance -C savannah", SOURCE_DATE_EPOCH=str(NOW + later))
        assert (said.exit, said.out) == (5, "")
        assert re.search(r"waiting for: a\b.*\(food\), b\b.*\(food\)", said.err)
    assert snapshot(table.shared) == before
