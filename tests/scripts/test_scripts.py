"""Every script of this folder comes out as it stands there. `tests/kit/scripts.py` says how to read
them, and how to renew them."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit.people import Round
from tests.kit.scripts import read_script

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.glob("*.txt"))
WRITE = os.environ.get("PBEM_SCRIPTS") == "write"
COMMANDS = (
    "learn new join advance status orders check submit show log audit keys demo sim games rules"
)
EXITS = {0, 1, 2, 3, 4, 5, 6, 7}


@pytest.mark.sample(len(FILES) if WRITE else 8)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_script_prints_what_its_file_says(
    path: Path, tmp_path: Path, game: Callable[[str], Round]
) -> None:
    script = read_script(path)
    table = game(script.start) if script.start else Round(tmp_path)
    expected, marks = script.text(), [step.fails for step in script.steps]
    script.play(table)
    assert "[exit 70]" not in script.text(), script.text()
    if WRITE:
        path.write_text(script.text(), "utf-8")
        steps = zip(script.steps, marks, strict=True)
        changed = [step.typed for step, fails in steps if step.fails != fails]
        assert not changed, f"`$` works and `!` fails; the mark of these was changed: {changed}"
    else:
        assert script.text() == expected


def test_every_command_and_exit_code_has_a_script() -> None:
    typed = [step.typed for path in FILES for step in read_script(path).steps]
    text = "\n".join(path.read_text("utf-8") for path in FILES)
    assert not [c for c in COMMANDS.split() if not any(f"pbem {c}" in line for line in typed)]
    assert not [code for code in EXITS - {0} if f"[exit {code}]" not in text]
