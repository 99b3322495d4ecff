"""docs/adding-a-game.md is true: the game on that page is installed and played by the commands."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from engine import Ruleset
from tests.properties.laws import LawfulGame

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/adding-a-game.md").read_text("utf-8")
CODE = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1]
POINT = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)[1]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as pip leaves it: the module, and its entry points beside it."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "darts.py").write_text(CODE, "utf-8")
    info = folder / "darts_for_pbem-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: darts-for-pbem\nVersion: 1\n")
    target = re.search(r'darts = "(.*)"', POINT)[1]
    (info / "entry_points.txt").write_text(f"[pbem.games]\ndarts = {target}\n")
    return folder


def pbem(installed: Path, home: Path, *words: str, stdin: str = "") -> subprocess.CompletedProcess:
    path = os.pathsep.join([str(installed), str(ROOT)])
    env = os.environ | {"PYTHONPATH": path, "PBEM_HOME": str(home)}
    program = "from pbem.cli import main; main()"
    command = [sys.executable, "-c", program, *words]
    return subprocess.run(
        command, env=env, input=stdin, capture_output=True, text=True, check=False
    )


def test_the_game_is_short() -> None:
    assert len(CODE.splitlines()) < 150


def test_it_keeps_the_laws(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(installed))
    import darts

    assert isinstance(darts.DARTS, Ruleset)
    for players in darts.DARTS.players:
        for seed in range(10):
            LawfulGame(darts.DARTS.game("abcd"[:players]), seed).run()


def test_the_commands_on_the_page(installed: Path, tmp_path: Path) -> None:
    for line in re.findall(r"^    pbem (.*)$", PAGE, re.MULTILINE):
        where = ["-C", str(tmp_path / "demo")] if line.startswith("demo") else []
        done = pbem(installed, tmp_path / "home", *line.split(), *where)
        assert done.returncode == 0, done.stderr
        assert "darts" in done.stdout or "Proven" in done.stdout


def test_people_play_it(installed: Path, tmp_path: Path) -> None:
    """From `new` to the audit, with order files as people write them."""
    game = tmp_path / "pub"
    homes = {name: tmp_path / name for name in ("ref", "ann", "bo")}
    made = pbem(installed, homes["ref"], "new", str(game), "--game", "darts", "--players", "Ann,Bo")
    invites = dict(re.findall(r"^  (\w+):  pbem join --invite (\S+)$", made.stdout, re.MULTILINE))
    for name, invite in invites.items():
        home = homes[name.lower()]
        assert pbem(installed, home, "join", "-C", str(game), "--invite", invite).returncode == 0
    assert pbem(installed, homes["ref"], "advance", "-C", str(game)).returncode == 0
    for _ in range(4):  # the fifth dart is the only one left, so nobody is asked
        for name in ("ann", "bo"):
            shown = pbem(installed, homes[name], "show", "-C", str(game), "--json")
            data = json.loads(shown.stdout)["data"]
            (place,) = [p for p in data["scene"]["places"] if p["seat"] == data["seat"]]
            orders = f'throw = "{place["hand"][0]}"\n'
            done = pbem(installed, homes[name], "submit", "-C", str(game), "-", stdin=orders)
            assert done.returncode == 0, done.stderr
        assert pbem(installed, homes["ref"], "advance", "-C", str(game)).returncode == 0
    audit = pbem(installed, homes["bo"], "audit", str(game))
    assert audit.returncode == 0
    assert "Proven" in audit.stdout


def test_without_the_package_the_game_is_unknown(tmp_path: Path) -> None:
    done = pbem(
        tmp_path,
        tmp_path / "home",
        "new",
        str(tmp_path / "x"),
        "--game",
        "darts",
        "--players",
        "Ann,Bo",
    )
    assert done.returncode == 2
    assert "darts" in done.stderr
