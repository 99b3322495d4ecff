"""Paths as people would type them."""

from pathlib import Path

import pytest

from pbem.terminal.commands_and_paths_to_type import brief, shell_quote, with_tilde
from tests.kit.people import Round


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
    assert shell_quote("savannah") == "savannah"
    assert shell_quote(Path("Our Game")) == "'Our Game'"


def test_errors_and_notes_show_the_home_folder_as_people_type_it(table: Round) -> None:
    ann = table.person("ann")
    home = str(table.root)
    ann.env["HOME"] = home
    assert ann.pbem("new savannah --players Ann,Bo --referee-plays").exit == 0
    shown = ann.pbem("demo --folder .").err
    assert "error: ~/shared/savannah contains a game already" in shown, shown
    assert home not in shown
    assert with_tilde("try: cp '" + home + "/a b' x") == "try: cp '" + home + "/a b' x"


def test_orders_where_prints_the_draft_s_path_and_writes_nothing(table: Round) -> None:
    ann = table.person("ann")
    ann.pbem("new savannah --players Ann --referee-plays --bots greedy:1").checked(0)
    ann.place = ann.place / "savannah"
    said = ann.pbem("orders --where")
    path = Path(said.out.strip())
    assert (said.exit, path.is_absolute(), path.exists()) == (0, True, False)
    assert said.err == "you have no draft for this turn yet; to write one: pbem orders\n"
    assert ann.pbem("orders").out == said.out
    assert (ann.pbem("orders --where").err, path.exists()) == ("", True)
