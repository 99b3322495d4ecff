"""Paths as people would type them."""

from pathlib import Path

import pytest

from pbem.screen.terminal import brief, typed


def test_near_paths_are_relative_and_far_ones_from_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "games/savannah"
    here.mkdir(parents=True)
    monkeypatch.chdir(here)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert brief(here / "bundle.pbem") == "bundle.pbem"
    assert brief(tmp_path / "games/bundle.pbem") == "../bundle.pbem"
    assert brief(tmp_path / "Mail/bundle.pbem") == "~/Mail/bundle.pbem"
    assert brief(Path("/elsewhere/bundle.pbem")) == "/elsewhere/bundle.pbem"


def test_a_name_with_a_space_is_quoted_for_the_shell() -> None:
    assert typed("savannah") == "savannah"
    assert typed(Path("Our Game")) == "'Our Game'"
