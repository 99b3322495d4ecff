"""Folders of games: one inside another is refused, and a lost one can be forgotten."""

import json
import shutil

import pytest

from tests.kit.named_games import joined as take_seats
from tests.kit.named_games import made
from tests.kit.people import Round
from tests.kit.table_requests import enter_table


@pytest.fixture
def game_before_turn_1(table: Round) -> Round:
    """A game that has not begun; Ann and Bo have joined."""
    take_seats(table)
    return table


@pytest.fixture
def game_without_folder(game_before_turn_1: Round) -> Round:
    """Rhea's game, whose folder somebody deleted."""
    shutil.rmtree(game_before_turn_1.shared / "savannah")
    return game_before_turn_1


def list_output(table: Round, name: str = "rhea") -> str:
    said = table.person(name).pbem("list").checked(0)
    return said.out


@pytest.mark.parametrize("where", ["savannah/second", "savannah/seats/second", "savannah/x/y/z"])
def test_no_game_is_made_inside_a_game(table: Round, where: str) -> None:
    made(table, "--players Ann,Bo --referee Rhea")
    said = table.person("ann").pbem(f"new {where} --players Ann,Bo")
    assert (said.exit, said.out) == (2, "")
    inside = f"error: {where} is inside {table.shared / 'savannah'}, the folder of the game"
    assert f"{inside} 'savannah': its players would see the new game too" in said.err
    name = where.rpartition("/")[2]
    assert f"try: choose a folder outside it, such as {table.shared / name}\n" in said.err
    assert not (table.shared / where).exists()


def test_no_game_is_made_inside_a_game_by_a_relative_path_or_a_link(table: Round) -> None:
    made(table, "--players Ann,Bo --referee Rhea")
    ann = table.person("ann")
    (table.shared / "link").symlink_to("savannah", target_is_directory=True)
    assert ann.pbem("new link/second --players Ann,Bo").exit == 2
    ann.place = table.shared / "savannah"
    assert ann.pbem("new second --players Ann,Bo").exit == 2
    assert ann.pbem("new ../second --players Ann,Bo").exit == 0


def test_list_says_how_to_forget_a_game_whose_folder_is_gone(game_without_folder: Round) -> None:
    rhea = game_without_folder.person("rhea")
    listed = list_output(game_without_folder)
    digits = listed[:6]
    assert "; to leave the game out of this list: pbem list --forget" in " ".join(listed.split())
    said = rhea.pbem(f"list --forget {digits}")
    assert (said.exit, said.err) == (0, "")
    assert said.out.startswith(f"pbem list no longer shows the game {digits}; to bring it back,")
    (mine,) = (rhea.home / "games").iterdir()
    assert f"your private files of this game are still in {mine}\n" in said.out
    assert rhea.home / "profiles" / "default" / "key" in rhea.home.rglob("key")
    assert (
        list_output(game_without_folder)
        == "there are no games yet; next: pbem new, or pbem join with an invite\n"
    )
    assert rhea.pbem("calendar").exit == 0


def test_the_page_that_lists_a_lost_game_shows_no_command(game_without_folder: Round) -> None:
    page = enter_table(game_without_folder.person("rhea")).get("/").text
    assert "folder is no longer there" in page
    assert "--forget" not in page


@pytest.mark.parametrize("typed", ["savannah", "{shared}/savannah", "{shared}/savannah/"])
def test_a_game_is_forgotten_by_its_folder(game_without_folder: Round, typed: str) -> None:
    rhea = game_without_folder.person("rhea")
    said = rhea.pbem(
        ["list", "--json", "--forget", typed.format(shared=game_without_folder.shared)]
    )
    data = json.loads(said.out)["data"]
    assert (said.exit, data["folder"]) == (0, str(game_without_folder.shared / "savannah"))
    assert data["kept"].endswith(data["forgotten"])
    assert json.loads(rhea.pbem("list --json").out)["data"] == []
    rhea.pbem(["list", "--forget", typed.format(shared=game_without_folder.shared)]).checked(2)


def test_a_forgotten_game_comes_back_with_a_command_in_its_folder(game_before_turn_1):
    rhea, folder = game_before_turn_1.person("rhea"), game_before_turn_1.shared / "savannah"
    folder.rename(game_before_turn_1.shared / "away")
    assert rhea.pbem("list --forget savannah").exit == 0
    (game_before_turn_1.shared / "away").rename(folder)
    assert "no games" in list_output(game_before_turn_1)
    assert rhea.pbem("status -C savannah").exit == 0
    assert "savannah" in list_output(game_before_turn_1)


def test_a_game_whose_folder_is_there_is_not_forgotten(game_before_turn_1: Round) -> None:
    rhea = game_before_turn_1.person("rhea")
    before = list_output(game_before_turn_1)
    said = rhea.pbem("list --forget savannah").checked(2)
    assert (
        f"the folder of this game is still there: {game_before_turn_1.shared / 'savannah'}"
        in said.err
    )
    assert list_output(game_before_turn_1) == before


def test_forgetting_one_of_two_games_of_one_name_needs_its_digits(game_without_folder):
    rhea = game_without_folder.person("rhea")
    (game_without_folder.shared / "other").mkdir()
    assert rhea.pbem("new other/savannah --players Ann,Bo").exit == 0
    shutil.rmtree(game_without_folder.shared / "other")
    said = rhea.pbem("list --forget savannah").checked(2, err="2 games are called 'savannah'")
    assert "the six digits" in said.err
