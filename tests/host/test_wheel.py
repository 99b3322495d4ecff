"""A bare machine: the built wheel alone plays a demo, and with the extra `host` starts a host."""

import re
import shutil
import subprocess
import sys
import urllib.request
import venv
import zipfile
from pathlib import Path

import pytest

from tests.house.source import ROOT
from tests.kit.processes import PATIENCE

pytestmark = pytest.mark.host

PIP = ["-m", "pip", "--quiet", "--disable-pip-version-check"]


def command_output(*command: object, cwd: Path | None = None) -> str:
    words = [str(one) for one in command]
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_installed_wheel_plays_a_demo_and_starts_a_host(tmp_path, monkeypatch):
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    source = tmp_path / "source"
    for name in ("engine", "games", "pbem"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    ours = {path.relative_to(source).as_posix() for path in source.glob("*/**/*") if path.is_file()}
    (source / "games" / ("0" * 32)).mkdir()  # somebody keeps their games in this folder
    (source / "games" / ("0" * 32) / "game.toml").touch()
    command_output(sys.executable, *PIP, "wheel", "--no-deps", "-w", tmp_path / "dist", source)
    (wheel,) = (tmp_path / "dist").glob("pbem-*.whl")
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert packed == ours
    venv.create(tmp_path / "venv", with_pip=True)
    bin_ = tmp_path / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    command_output(bin_ / "python", *PIP, "install", wheel)
    pbem = bin_ / "pbem"
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    (folder,) = re.findall(
        "The folder of the game.*: (.*)", command_output(pbem, "demo", cwd=tmp_path)
    )
    assert command_output(pbem, "audit", folder, cwd=tmp_path).startswith("PROVEN: ")
    command_output(bin_ / "python", *PIP, "install", f"{wheel}[host]")
    host = subprocess.Popen(
        [pbem, "host", "--data", "d", "--port", "0"], cwd=tmp_path, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert host.stdout
        first = host.stdout.readline()
        found = re.search(r"reach the games at (http\S+)", first)
        assert found, first + host.communicate(timeout=PATIENCE)[1]
        with urllib.request.urlopen(found[1], timeout=PATIENCE) as answer:
            assert answer.status == 200
        said = command_output(
            pbem, "new", "pond", "--players", "Ann,Bo", "--at", found[1], cwd=tmp_path
        )
        (line,) = re.findall(r"  Ann:  pbem (join .*)", said)
        monkeypatch.setenv("PBEM_HOME", str(tmp_path / "ann"))
        assert "you are Ann" in command_output(pbem, *line.split(), cwd=tmp_path)
    finally:
        host.terminate()
        host.communicate(timeout=PATIENCE)
    assert list((tmp_path / "d").rglob("game.toml"))
