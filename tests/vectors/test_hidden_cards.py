"""The answers of protocol §12 are what the code makes today, and a second implementation's too."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.vectors import make_cards

SCRIPT = make_cards.FILE.with_name("second_cards.py")


def run_second_program(file: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, SCRIPT, file], capture_output=True, text=True)


def test_the_answers_about_hidden_cards_are_still_the_answers() -> None:
    """With all bytes of twenty small games: in a tab too, where another library computes."""
    assert json.loads(make_cards.FILE.read_text("ascii")) == make_cards.card_vectors()


def test_a_second_implementation_with_its_own_curve_finds_the_answers_right() -> None:
    source = SCRIPT.read_text("utf-8")
    assert not re.search(r"(?m)^\s*(import|from) (pbem|tests|nacl)", source)
    done = run_second_program(make_cards.FILE)
    assert (done.stdout, done.stderr) == ("right: 2 keys, 2 mixes, 4 opened cards\n", "")


def hex_strings(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The paths of all strings of at least 32 bytes in the answers that the program computes."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items if isinstance(value, dict | list) else ():
        if isinstance(inner, str) and len(inner) >= 64:
            yield (*path, key)
        elif isinstance(inner, dict | list) and key not in ("transcripts", "no points"):
            yield from hex_strings(inner, (*path, key))


@pytest.mark.sample(3)
@pytest.mark.parametrize("path", [*hex_strings(json.loads(make_cards.FILE.read_text()))], ids=str)
def test_the_second_implementation_finds_a_changed_answer(tmp_path: Path, path: Any) -> None:
    answers = json.loads(make_cards.FILE.read_text("ascii"))
    inner = answers
    for key in path[:-1]:
        inner = inner[key]
    text = inner[path[-1]]
    inner[path[-1]] = text[:-9] + f"{int(text[-9], 16) ^ 1:x}" + text[-8:]
    file = tmp_path / "answers.json"
    file.write_text(json.dumps(answers), "ascii")
    done = run_second_program(file)
    assert done.returncode == 1
    assert "Error" in done.stderr
