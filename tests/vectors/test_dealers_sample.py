"""The sample of a game in mode `dealers` is what the code makes today, and others find it right."""

import subprocess
import sys
from pathlib import Path

import pytest

from pbem.files.game_folder import Folder
from pbem.judge.audit import audit
from tests.vectors import make_dealers


def test_the_stored_game_of_dealers_is_the_one_that_the_code_makes(tmp_path: Path) -> None:
    make_dealers.play_sample(tmp_path / "game")
    made, kept = (
        {p.relative_to(root).as_posix(): p.read_bytes() for p in root.rglob("*.toml")}
        for root in (tmp_path / "game", make_dealers.FOLDER)
    )
    assert made == kept
    assert make_dealers.CARDS_FILE.read_text("ascii") == make_dealers.CARDS


@pytest.mark.sample(0)
def test_the_audit_and_a_second_implementation_find_the_stored_game_of_dealers_right() -> None:
    report = audit(Folder(make_dealers.FOLDER))
    assert (report.findings, report.final, report.closed_dealers) == ([], True, [])
    script = make_dealers.FOLDER.with_name("second_dealers.py")
    done = subprocess.run(
        [sys.executable, script, make_dealers.FOLDER, make_dealers.CARDS_FILE],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.stdout == (
        "right: 3 seat points, 2 mixes, 52 sealed shares, 1 dealers replaced, 16 shares, "
        "3 answers said, 8 opened cards, 22 cards read\n"
    )
