"""Every transcript in `transcripts/` comes out as it stands there. transcript.py says how to read
and how to renew them."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.transcript import read_transcript
from tests.kit.people import Round

FOLDER = Path(__file__).parent / "transcripts"
FILES = sorted(FOLDER.glob("*.txt"))
WRITE = os.environ.get("PBEM_TRANSCRIPTS") == "write"
COMMANDS = (
    "learn new join advance status orders check submit show log audit keys demo sim games rules"
)
EXITS = {0, 1, 2, 3, 4, 5, 6, 7}


@pytest.mark.sample(len(FILES) if WRITE else 8)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_comes_out_as_written(path: Path, tmp_path: Path, game: Callable[[str], Round]) -> None:
    transcript = read_transcript(path)
    table = game(transcript.start) if transcript.start else Round(tmp_path)
    expected = transcript.text()
    transcript.play(table)
    assert "[exit 70]" not in transcript.text(), transcript.text()
    if WRITE:
        path.write_text(transcript.text(), "utf-8")
    else:
        assert transcript.text() == expected


def test_every_command_and_exit_code_has_one() -> None:
    typed = [step.typed for path in FILES for step in read_transcript(path).steps]
    text = "\n".join(path.read_text("utf-8") for path in FILES)
    assert not [c for c in COMMANDS.split() if not any(f"pbem {c}" in line for line in typed)]
    assert not [code for code in EXITS - {0} if f"[exit {code}]" not in text]
