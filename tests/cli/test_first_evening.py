"""The pages of several people, and the first game of README.md, typed verbatim."""

import re
import sys
from pathlib import Path

import pytest

from tests.cli.evening import EVENING, PAGES, README, Evening, page_as_played
from tests.kit.selection import ROOT

GAME = README.read_text("utf-8").partition("## A first game")[2]
TYPED = re.findall(r"^    ((?:pbem|cd) .*?)(?: +#.*)?$", GAME, re.MULTILINE)


@pytest.mark.sample(0)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_print_what_the_pages_of_the_first_evening_show(page, tmp_path):
    assert page_as_played(page, tmp_path.resolve()) == page.read_text("utf-8")


def test_the_readme_shows_its_picture_first_and_has_at_most_700_words() -> None:
    text = README.read_text("utf-8")
    assert len(text.split()) <= 700
    first = text.partition("```console\n")[2].partition("```")[0]
    typed = re.findall(r"^bo\$ pbem (\w+)", first, re.MULTILINE)
    assert typed == ["status", "submit", "since", "audit"]
    assert max(map(len, first.splitlines())) <= 140
    headings = re.findall("^## (.*)", text, re.MULTILINE)
    assert text.index(first) < text.index(headings[0])


def test_on_the_page_of_the_first_evening_only_bos_typing_mistakes_are_errors() -> None:
    """If the cards of the page are dealt anew, its orders must be written anew."""
    wrong = [line for line in EVENING.read_text("utf-8").splitlines() if "error" in line]
    assert [line.partition("error")[0] for line in wrong] == ["drafts/0001-b.toml:2:9: ", "1 "]


def test_the_page_of_the_first_evening_ends_with_an_audit() -> None:
    assert "eve$ pbem audit" in EVENING.read_text("utf-8")


EDITOR = """#!{python}
# Takes the # off the first choice of what is asked now, and ends the list if it needs an end.
import re, sys
path = sys.argv[1]
text = open(path).read()
before, asked, after = text.partition("# ---- Asked now")
now, later, rest = after.partition("# ---- Later questions")
for old in re.findall(r"(?ms)^\\w+ = \\[.*?^\\]", now):
    new = re.sub(r"(?m)^    .*\\n", lambda m: m[0] if m[0].startswith("    # ") else "", old)
    new = new.replace('    # "', '    "', 1).replace('    # "done"', '    "done"', 1)
    now = now.replace(old, new)
open(path, "w").write(before + asked + now + later + rest)
"""


@pytest.mark.long
def test_the_first_game_of_the_readme_can_be_typed(tmp_path: Path) -> None:
    """The eight lines as they stand there, then one of them for each answer until it is over."""
    evening, said = Evening(tmp_path.resolve()), []
    editor = tmp_path / "editor"
    editor.write_text(EDITOR.replace("{python}", sys.executable))
    editor.chmod(0o755)
    evening.person("ann").env["EDITOR"] = str(editor)
    assert len(TYPED) == 8
    for line in TYPED[:-1]:
        told = evening.type("ann", line)
        assert told.exit == 0, told.text
        said.append(told.text)
    new, _, asked, sealed, since, table, audit = said
    assert "you are the referee, and you also play, as Ann in seat a" in new
    assert "you are asked for: food" in asked
    assert "SEALED here" in sealed
    assert "made turns/0001.toml" in sealed
    assert "your move: you are asked for play" in sealed
    assert "at the Watering Hole" in since
    assert "a Ann (you)" in table
    assert "Up to turn 1, everything that pbem can check is right" in audit
    again = re.search("Repeat `(pbem [^`]*)` or `pbem play`", GAME)[1]
    assert again in TYPED
    answers = 1
    while "made final.toml" not in told.text:
        told = evening.type("ann", again)
        assert (told.exit, told.text.count("SEALED here as")) == (0, 1), told.text
        answers += 1
    assert "Proven: every signature" in evening.type("ann", "pbem audit").out
    typed = len(TYPED[:-1]) + answers - 1
    print(f"the README's solo game: {typed} commands for {answers} answers")
    assert typed - answers == 6  # new, cd, status, since, show and audit, once each


def test_every_make_target_of_the_readme_is_in_the_makefile() -> None:
    targets = set(re.findall(r"^    make ([a-z-]+)", README.read_text("utf-8"), re.MULTILINE))
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert {"demo", "test"} <= targets <= set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
