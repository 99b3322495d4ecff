"""What any command saw is remembered: a folder that goes back makes no referee sign twice."""

from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest

from tests.kit.named_games import MIDDLE, session_of
from tests.kit.people import NOW, Person, Round, snapshot

Start = Callable[[str], Round]


@pytest.fixture
def back(game: Start) -> tuple[Round, Person, dict[str, bytes | str]]:
    """The laptop has made the last turn; the desktop has the key and has seen nothing. Returns the
    folder as it was one turn earlier, too."""
    table = game("middle")
    folder = table.shared / "savannah"
    desktop = Person("rhea", table.root / "home/desktop", table.shared, table.shared)
    desktop.import_key()
    last = folder / f"turns/{MIDDLE:04}.toml"
    before = {name: data for name, data in snapshot(folder).items() if name != f"turns/{last.name}"}
    return table, desktop, before


def go_back(table: Round, before: dict[str, bytes | str]) -> None:
    """Let a cloud drive, or somebody who can write there, put the folder back."""
    folder = table.shared / "savannah"
    for name in snapshot(folder).keys() - before.keys():
        (folder / name).unlink()


SEEING = (
    "advance -C savannah", "run --once", "status -C savannah", "send -C savannah --to a --all",
    "audit savannah", "doctor -C savannah", "log -C savannah", "list",
)  # fmt: skip


@pytest.mark.sample(2)
@pytest.mark.parametrize("line", SEEING)
def test_a_second_machine_that_saw_a_turn_signs_no_other_in_its_place(
    back: tuple[Round, Person, dict[str, bytes | str]], line: str
) -> None:
    table, desktop, before = back
    session_of(desktop).game_home.remember_place(table.shared / "savannah")  # for `run` and `list`
    said = desktop.pbem(line)
    assert said.exit in (0, 1, 5), said.text
    go_back(table, before)
    again = desktop.pbem("advance -C savannah", SOURCE_DATE_EPOCH=str(NOW + 3600))
    assert (again.exit, f"turn {MIDDLE} (" in again.err) == (3, True), again.text
    assert f"this computer saw turn {MIDDLE} (" in again.err
    assert snapshot(table.shared / "savannah") == before
    desktop.pbem("run --once", SOURCE_DATE_EPOCH=str(NOW + 3600))
    assert snapshot(table.shared / "savannah") == before


def test_the_machine_that_made_a_lost_turn_puts_it_back(
    back: tuple[Round, Person, dict[str, bytes | str]],
) -> None:
    table, _, before = back
    whole = snapshot(table.shared / "savannah")
    go_back(table, before)
    assert table.person("rhea").pbem("advance -C savannah").exit == 5
    assert snapshot(table.shared / "savannah") == whole


def test_a_home_remembers_a_turn_as_soon_as_it_is_made(game: Start) -> None:
    table = game("joined")
    rhea = table.person("rhea")
    assert rhea.pbem("advance -C savannah").exit == 0
    seen = session_of(rhea).game_home.heads.last_position()
    assert seen is not None
    assert seen.turn == 1
    assert f'head = "{seen.head}"' not in (table.shared / "savannah/turns/0001.toml").read_text()


@pytest.mark.sample(0)
def test_a_home_remembers_a_turn_that_came_by_mail(game: Start, tmp_path: Path) -> None:
    table = game("middle")
    folder = table.shared / "savannah"
    sent = table.person("rhea").pbem("send -C savannah --all --to a")
    assert sent.exit == 0, sent.text
    (bundle,) = table.shared.glob("*pbem*")
    ann = Person("ann", tmp_path / "new", table.shared, tmp_path / "place")
    ann.place.mkdir()
    ann.import_key()
    copytree(folder, ann.place / "savannah")
    for path in (ann.place / "savannah/turns").iterdir():
        path.unlink()
    said = ann.pbem(f"receive {bundle} -C savannah")
    assert said.exit == 0, said.text
    (ann.place / f"savannah/turns/{MIDDLE:04}.toml").unlink()
    said = ann.pbem("status -C savannah")
    assert (said.exit, "this computer saw turn " in said.err) == (3, True), said.text
