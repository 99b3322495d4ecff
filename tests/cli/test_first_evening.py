"""The README's walk-through, typed verbatim by three players and an auditor."""

from pathlib import Path

from tests.cli.evening import README, played


def test_the_first_evening_is_as_the_readme_says(tmp_path: Path) -> None:
    readme = README.read_text("utf-8")
    assert played(readme, tmp_path.resolve()) == readme


def test_it_ends_with_an_audit() -> None:
    assert "eve$ pbem audit" in README.read_text("utf-8")


def test_its_picture_is_one_that_the_program_drew() -> None:
    picture = README.read_text("utf-8").partition("```text\n")[2].partition("```")[0]
    assert picture in (README.parent / "docs/show.md").read_text("utf-8")
    assert len(picture.splitlines()) > 10
