"""`pbem audit` of many folders: each is judged, none stops another, the worst code counts."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.kit.people import Person, Round
from tests.kit.selection import long

ALL = "broken savannah nothing going letter.txt"


@pytest.fixture
def eve_with_five_games(game: Callable[[str], Round]) -> Person:
    """A good game, one that goes on, one with a turn changed, an empty folder and a file."""
    eve = game("over").person("eve")
    good = eve.place / "savannah"
    for name in ("broken", "going"):
        shutil.copytree(good, eve.place / name)
    turn = eve.place / "broken/turns/0003.toml"
    turn.write_text(turn.read_text("utf-8").replace("kind", "knid"), "utf-8")
    (eve.place / "going/final.toml").unlink()
    for late in sorted((eve.place / "going/turns").iterdir())[4:]:
        late.unlink()
    (eve.place / "nothing").mkdir()
    (eve.place / "letter.txt").write_text("Dear Eve\n")
    return eve


@pytest.mark.long
@pytest.mark.parametrize("jobs", ["1", *long(["2"])])
def test_an_audit_of_many_folders_gives_the_json_of_each_audit_alone(eve_with_five_games, jobs):
    said = eve_with_five_games.pbem(f"audit {ALL} --json --jobs {jobs}")
    told = json.loads(said.out)["data"]
    assert [one["folder"] for one in told] == ALL.split()
    assert [one["exit"] for one in told] == [4, 0, 2, 0, 2]
    assert said.exit == 4
    for one in told:
        alone = eve_with_five_games.pbem(["audit", one.pop("folder"), "--json"])
        if "error" not in one:
            assert one == json.loads(alone.out)["data"]


def test_a_bug_in_one_audit_does_not_end_the_others(eve_with_five_games: Person) -> None:
    from pbem.cli import audit

    right = audit.examine

    def wrong(folder: object) -> object:
        if Path(str(folder.root)).name == "going":
            raise ZeroDivisionError
        return right(folder)

    with patch.object(audit, "examine", wrong):
        said = eve_with_five_games.pbem("audit going savannah --jobs 1")
    assert said.exit == 70
    assert said.out.startswith("going: not audited: this is a bug in pbem (ZeroDivisionError);")
    assert "\nsavannah: PROVEN: " in said.out


@pytest.mark.long
def test_an_audit_whose_process_is_killed_leaves_the_verdicts_of_the_others(eve_with_five_games):
    (eve_with_five_games.place / "killer").mkdir()
    place = eve_with_five_games.place / "killer/sitecustomize.py"
    place.write_text(
        "import os, signal, sys\n"
        "def hook(event, args):\n"
        "    if event == 'open' and 'going/game.toml' in str(args[0]):\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "sys.addaudithook(hook)\n"
    )
    path = os.pathsep.join([str(place.parent), str(Path(__file__).parents[2])])
    said = eve_with_five_games.really("audit going savannah --jobs 2", PYTHONPATH=path).checked(5)
    assert said.out.startswith("going: not audited: the audit of this game broke off")
    assert "\nsavannah: PROVEN: " in said.out
