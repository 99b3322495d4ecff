"""`post setup`, `post address`, `run`: what they say without a mail server."""

import subprocess
from pathlib import Path

import pytest

from tests.kit.named_games import made
from tests.kit.people import Person, Round, output_of, stdout_of

GMAIL = "post setup --address me@gmail.com --password-command 'echo secret'"


@pytest.fixture
def new_rhea(tmp_path: Path) -> Person:
    return Round(tmp_path).person("rhea")


@pytest.mark.sample(0)
def test_post_without_its_library_says_how_to_install_it(new_rhea: Person, tmp_path: Path) -> None:
    library = tmp_path / "without" / "imapclient.py"
    library.parent.mkdir()
    library.write_text("raise ModuleNotFoundError('not installed', name='imapclient')\n")
    assert new_rhea.pbem(GMAIL).exit == 0
    said = new_rhea.really("post test", PYTHONPATH=str(library.parent))
    assert said.exit == 2, said
    assert "automatic mail needs libraries that are not installed" in said.err


def test_post_setup_without_a_way_to_the_password_writes_nothing(new_rhea: Person) -> None:
    said = new_rhea.pbem("post setup --address bo@gmail.com")
    assert (said.exit, "password-command" in said.err) == (2, True), said.text
    assert not (new_rhea.home / "post").exists() or "keyring" in said.err


def test_a_broken_account_file_is_told(new_rhea: Person) -> None:
    assert new_rhea.pbem(GMAIL).exit == 0
    path = new_rhea.home / "post/default/account.toml"
    for text in ("x = [", "", "address = 1", path.read_text().replace("tls", "clear")):
        path.write_text(text)
        said = new_rhea.pbem("post show")
        assert (said.exit, said.err.startswith("error: ")) == (2, True), said.text


def test_run_makes_turns_in_folders(new_rhea: Person, tmp_path: Path) -> None:
    table = Round(tmp_path)
    made(table, "--players Ann --referee Rhea --bots random:1")
    from tests.kit.named_games import sit

    sit(table, "a")
    said = new_rhea.pbem("run --once")
    assert (said.exit, "made turns/0001.toml" in said.out) == (0, True), said.text
    assert new_rhea.pbem("run --once").out.count("made") == 0


def test_a_broken_game_does_not_stop_the_others(new_rhea: Person, tmp_path: Path) -> None:
    table = Round(tmp_path)
    made(table, "--players Ann --referee Rhea --bots random:1")
    output_of(new_rhea, "new other --players Ann --referee Rhea --bots random:1")
    (table.shared / "other/game.toml").write_text("nonsense")
    from tests.kit.named_games import sit

    sit(table, "a")
    said = new_rhea.pbem("run --once")
    assert "made turns/0001.toml" in said.out
    assert "error: game " in said.out
    assert said.exit == 5


@pytest.mark.sample(0)
def test_the_unit_that_run_prints_starts_pbem_run(new_rhea: Person) -> None:
    said = stdout_of(new_rhea, "run --print-unit")
    lines = said.splitlines()
    start = next(line for line in lines if line.startswith("ExecStart="))
    assert start.endswith(" -m pbem run")
    assert f"Environment=PBEM_HOME={new_rhea.home}" in lines
    command = start.removeprefix("ExecStart=").split()
    done = subprocess.run([*command, "--once"], env=new_rhea.environ({}), check=False,
                          capture_output=True, text=True)  # fmt: skip
    assert done.returncode == 0, done.stderr
