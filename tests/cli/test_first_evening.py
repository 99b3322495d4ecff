"""The walk-through of docs/first-evening.md and the first game of README.md, typed verbatim."""

import re
from pathlib import Path

from tests.cli.evening import PAGE, Evening, played

README = (PAGE.parents[1] / "README.md").read_text("utf-8")
GAME = README.partition("## A first game")[2]
TYPED = re.findall(r"^    ((?:pbem|cd) .*?)(?: +#.*)?$", GAME, re.MULTILINE)


def test_the_first_evening_is_as_the_page_says(tmp_path: Path) -> None:
    page = PAGE.read_text("utf-8")
    assert played(page, tmp_path.resolve()) == page


def test_it_ends_with_an_audit() -> None:
    assert "eve$ pbem audit" in PAGE.read_text("utf-8")


def test_the_first_game_of_the_readme_can_be_typed(tmp_path: Path) -> None:
    """Ten lines; whoever types them takes the `#` off the first choice, as the README says."""
    evening, said = Evening(tmp_path.resolve()), []
    editor = tmp_path / "editor"
    editor.write_text("""#!/bin/sh\nexec sed -i '0,/^    # "/s//    "/' "$1"\n""")
    editor.chmod(0o755)
    evening.person("ann").env["EDITOR"] = str(editor)
    for line in TYPED:
        told = evening.type("ann", line)
        # the referee who plays is asked before the first turn can be published
        assert told.exit == (5 if line == "pbem advance" and len(said) == 2 else 0), told.text
        said.append(told.text)
    assert len(TYPED) == 10
    new, _, asked, status, opened, sealed, made, since, table, audit = said
    assert "you are the referee, and Ann in seat a" in new
    assert "your own orders come first" in asked
    assert "you are asked for: food" in status
    assert "food: " in opened
    assert "SEALED here" in sealed
    assert "made turns/0001.toml" in made
    assert "to the Watering Hole" in since or "at the Watering Hole" in since
    assert "a Ann (you)" in table
    assert "Everything that can be checked is correct" in audit


def test_the_picture_of_the_readme_is_one_that_the_program_drew() -> None:
    """`…` on a line of its own stands for lines that are left out."""
    picture = README.partition("```text\n")[2].partition("```")[0]
    shown = (PAGE.parent / "show.md").read_text("utf-8")
    parts = picture.split("…\n")
    at = shown.index(parts[0])
    assert all(part in shown[at:].partition("```")[0] for part in parts)
    assert len(picture.splitlines()) > 10


def test_what_the_readme_makes_is_in_the_makefile() -> None:
    targets = set(re.findall(r"^    make ([a-z-]+)", README, re.MULTILINE))
    makefile = (PAGE.parents[1] / "Makefile").read_text("utf-8")
    assert {"demo", "test"} <= targets <= set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
