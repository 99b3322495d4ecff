"""Everybody who shares a game folder sees what is in it: no command puts a key there."""

import pytest

from tests.kit.people import Round, snapshot

LINES = [
    "keys new", "keys new --profile other", "keys deputy", "keys import {key} --profile copy",
    "keys show", "join --invite x", "status", "list", "doctor",
]  # fmt: skip


@pytest.mark.sample(3)
@pytest.mark.parametrize("below", ["", "mine", "seats/mine", "a/b/c"])
@pytest.mark.parametrize("stands", [".", "savannah"])
def test_no_command_writes_a_home_inside_a_game_folder(game, below, stands):
    table = game("middle")
    ann, folder = table.person("ann"), table.shared / "savannah"
    ann.place = table.shared / stands
    key = ann.home / "profiles" / "default" / "key"
    before = snapshot(folder)
    for line in LINES:
        said = ann.pbem(line.format(key=key), PBEM_HOME=str(folder / below))
        assert (said.exit, "is inside the game folder" in said.err) == (7, True), (line, said)
        assert snapshot(folder) == before, line


def test_receive_makes_no_game_folder_around_a_home(game):
    table = game("begun")
    rhea, bo = table.person("rhea"), table.person("bo")
    letter = table.root / "letter"
    letter.write_text(rhea.pbem("send -C savannah --to b --all --paste").out)
    around = table.root / "around"
    around.mkdir()
    line = ["receive", str(letter), "-C", str(around)]
    said = bo.pbem(line, PBEM_HOME=str(around / "home"))
    assert said.exit == 3, said
    assert "where your keys are; everybody who shares the folder" in " ".join(said.err.split())
    assert not (around / "game.toml").exists()


def test_another_programs_file_called_game_toml_is_not_taken_for_a_game(tmp_path):
    """Such as the settings of a game engine, above the user's own folders."""
    table = Round(tmp_path)
    (table.root / "game.toml").write_text('name = "a different game"\n')
    said = table.person("ann").pbem("keys new --profile other")
    assert said.exit == 0, said
