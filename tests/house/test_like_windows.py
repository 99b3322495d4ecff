"""Commands work without the modules and calls that Windows lacks."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.source import ROOT


def output_like_windows(home: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "tools.like_windows", *words], cwd=ROOT, text=True,
        capture_output=True, env={"PBEM_HOME": str(home), "TMPDIR": str(home)}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.long
def test_a_whole_game_and_its_audit_work_without_what_windows_lacks(tmp_path: Path) -> None:
    said = output_like_windows(tmp_path, "demo", "--game", "classroom")
    folder = re.search(r"^The folder of the game.*: (.*)$", said, re.MULTILINE)
    assert folder
    assert "Proven: " in output_like_windows(tmp_path, "audit", folder[1])


@pytest.mark.long
def test_commands_of_a_referee_who_plays_work_without_what_windows_lacks(tmp_path: Path) -> None:
    pond = str(tmp_path / "pond")
    output_like_windows(
        tmp_path, "new", pond, "--players", "Ann", "--referee-plays", "--bots", "greedy:2"
    )
    output_like_windows(tmp_path, "status", "-C", pond)
    assert "WATERING HOLE" in output_like_windows(tmp_path, "show", "-C", pond).upper()
