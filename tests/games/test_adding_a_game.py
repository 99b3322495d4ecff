"""docs/adding-a-game.md is true: the game on that page is installed and played by the commands."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine import Ruleset
from games.registry import ruleset
from tests.kit.people import Round
from tests.properties.laws import LawfulGame
from tests.properties.slot_games import Lockstep

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/adding-a-game.md").read_text("utf-8")
CODE = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1]
POINT = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)[1]


@pytest.fixture(scope="module")
def site_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as pip leaves it: the module, and its entry points beside it."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "darts.py").write_text(CODE, "utf-8")
    info = folder / "darts_for_pbem-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: darts-for-pbem\nVersion: 1\n")
    target = re.search(r'darts = "(.*)"', POINT)[1]
    (info / "entry_points.txt").write_text(f"[pbem.games]\ndarts = {target}\n")
    return folder


def pbem(installed: Path, home: Path, *words: str) -> subprocess.CompletedProcess:
    path = os.pathsep.join([str(installed), str(ROOT)])
    env = os.environ | {"PYTHONPATH": path, "PBEM_HOME": str(home)}
    program = "from pbem.cli import main; main()"
    command = [sys.executable, "-c", program, *words]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


def test_the_example_game_of_the_page_has_under_150_lines() -> None:
    assert len(CODE.splitlines()) < 150


@pytest.fixture
def darts(site_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ruleset[Any]]:
    """The game, installed for this process while the test runs."""
    monkeypatch.syspath_prepend(str(site_folder))
    yield ruleset("darts")
    ruleset.cache_clear()
    sys.modules.pop("darts")


@pytest.mark.sample(0)
def test_the_example_game_of_the_page_keeps_the_laws(darts: Ruleset[Any]) -> None:
    assert isinstance(darts, Ruleset)
    for players in darts.players:
        for seed in range(10):
            LawfulGame(darts.game("abcd"[:players]), seed).run()


def test_the_example_game_needs_no_referee_who_knows_the_hands(darts: Ruleset[Any]) -> None:
    for way in ("ask", "whole"):
        game = Lockstep(darts, 3, way, way, "random", {})
        game.play()
        assert game.count["opened"] == 15


@pytest.mark.long
def test_the_commands_on_the_page_run_the_example_game(site_folder: Path, tmp_path: Path) -> None:
    for line in re.findall(r"^    pbem (.*)$", PAGE, re.MULTILINE):
        where = ["-C", str(tmp_path / "demo")] if line.startswith("demo") else []
        done = pbem(site_folder, tmp_path / "home", *line.split(), *where)
        assert done.returncode == 0, done.stderr
        assert "darts" in done.stdout or "Proven" in done.stdout


@pytest.mark.sample(0)
@pytest.mark.usefixtures("darts")
def test_people_play_the_example_game_by_order_files_until_the_audit(tmp_path: Path) -> None:
    """From `new` to the audit, with order files as people write them."""
    table = Round(tmp_path)
    rhea, ann, bo = (table.person(name) for name in ("rhea", "ann", "bo"))
    made = rhea.pbem("new pub --game darts --players Ann,Bo")
    invites = dict(re.findall(r"^  (\w+):  pbem join --invite (\S+)$", made.out, re.MULTILINE))
    for name, invite in invites.items():
        person = table.person(name.lower())
        assert person.pbem(["join", "-C", "pub", "--invite", invite]).exit == 0
    assert rhea.pbem("advance -C pub").exit == 0
    for _ in range(4):  # the fifth dart is the only one left, so nobody is asked
        for person in (ann, bo):
            data = json.loads(person.pbem("show -C pub --json").out)["data"]
            (place,) = [p for p in data["scene"]["places"] if p["seat"] == data["seat"]]
            person.pbem("submit -C pub -", f'throw = "{place["hand"][0]}"\n').checked(0)
        assert rhea.pbem("advance -C pub").exit == 0
    audit = bo.pbem("audit pub")
    assert (audit.exit, "Proven" in audit.out) == (0, True)


@pytest.mark.sample(0)
def test_without_the_package_the_game_is_unknown(tmp_path: Path) -> None:
    done = pbem(
        tmp_path, tmp_path / "home", "new", str(tmp_path / "x"), "--game", "darts", "--players",
        "Ann,Bo",
    )  # fmt: skip
    assert done.returncode == 2
    assert "darts" in done.stderr
