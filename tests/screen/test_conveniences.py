"""What saves typing and asking: which games can go on, completion, data, prompts, editors."""

import json
import os
import pty
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.format.openssh_key_files import write_key
from tests.kit.named_games import answer_as_bot, invite, session_of
from tests.kit.people import NOW, PBEM, Person, Round, key_of

Start = Callable[[str], Round]


def game_line(person: Person, **env: str) -> str:
    """The line of the one game."""
    said = person.pbem("list", COLUMNS="200", **env)
    assert (said.exit, said.err) == (0, "")
    return said.out.splitlines()[0]


# ---------------------------------------------------------------- list
def test_the_list_tells_the_referee_which_games_can_advance_now(game: Start) -> None:
    table = game("begun")
    rhea = table.person("rhea")
    rhea.pbem("status -C savannah")
    assert game_line(rhea).endswith("turn 1; the game is waiting for Ann and Bo")
    answer_as_bot(session_of(table.person("ann")), "a")
    assert game_line(rhea).endswith("turn 1; the game is waiting for Bo")
    answer_as_bot(session_of(table.person("bo")), "b")
    assert "ADVANCE NOW; " in game_line(rhea)
    assert "ADVANCE NOW" not in table.person("ann").pbem("list").out
    assert json.loads(rhea.pbem("list --json").out)["data"][0]["ready"] is True
    assert rhea.pbem("advance -C savannah").exit == 0


def test_orders_that_leave_a_question_open_do_not_make_a_game_ready(game: Start) -> None:
    table = game("begun")
    rhea = table.person("rhea")
    rhea.pbem("status -C savannah")
    answer_as_bot(session_of(table.person("ann")), "a")
    assert table.person("bo").pbem("submit -C savannah -").exit == 0  # answers nothing
    assert game_line(rhea).endswith("turn 1; the game is waiting for Bo")
    assert rhea.pbem("advance -C savannah").exit == 5


def test_the_list_says_deadlines_and_when_they_are_over(table: Round) -> None:
    rhea = table.person("rhea")
    line = "new savannah --players Ann,Bo --referee Rhea --deadline 24h"
    assert rhea.pbem(line).exit == 0
    assert game_line(rhea).endswith("not begun; the game is waiting for Ann and Bo to join")
    for seat, name in (("a", "ann"), ("b", "bo")):
        line = f"join -C savannah --invite {invite(table, seat)}"
        assert table.person(name).pbem(line).exit == 0
    assert "ADVANCE NOW; not begun" in game_line(rhea)
    assert rhea.pbem("advance -C savannah").exit == 0
    state = "deadline Wed 2023-11-15 22:13 UTC, in 24 hours; the game is waiting for Ann and Bo"
    assert state in game_line(rhea)
    later = str(NOW + 25 * 3600)
    said = game_line(rhea, SOURCE_DATE_EPOCH=later)
    assert "ADVANCE NOW; " in said
    assert "22:13 UTC, 60 minutes ago (passed); next: pbem advance" in said
    assert "deadline Wed 2023-11-15" in table.person("ann").pbem("list").out


# ---------------------------------------------------------------- completion
@pytest.mark.sample(0)
@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("pbem new --game cl", ["classroom", "climate"]),
        ("pbem explain --game or", ["origin"]),
        ("pbem explain long", ["long-neck"]),
        ("pbem explain --game climate long", ["long-neck", "long-night"]),
        ("pbem sim ev", ["evolution"]),
        ("pbem show --as ", ["a"]),
    ],
)
def test_games_words_and_seats_are_completed(typed: str, found: list[str], game: Start) -> None:
    ann = game("begun").person("ann")
    ann.place = ann.place / "savannah"
    count = str(len(typed.split(" ")) - 1)
    words = {"_PBEM_COMPLETE": "complete_bash", "COMP_CWORD": count, "COMP_WORDS": typed}
    said = ann.really("", **words)
    assert (sorted(said.out.split()), said.err) == (found, "")
    if "explain" in typed and "long" in typed:
        assert ann.pbem(f"explain {found[0]}").out.startswith("long neck\n")


@pytest.mark.sample(0)
def test_outside_a_game_folder_no_seats_are_completed(table: Round) -> None:
    words = {"_PBEM_COMPLETE": "complete_bash", "COMP_CWORD": "3", "COMP_WORDS": "pbem show --as "}
    said = table.person("ann").really("", **words)
    assert (said.out.strip(), said.err) == ("", "")


# ---------------------------------------------------------------- data
def test_the_list_of_explain_is_data_too(table: Round) -> None:
    said = table.person("ann").pbem("explain --game climate --json")
    data = json.loads(said.out)["data"]
    assert data["ruleset"] == "climate"
    assert "long neck" in data["groups"]["cards and terms"]
    assert "PBEM-ORD-021" in data["groups"]["errors in orders"]


def test_doctor_and_keys_are_data_too(game: Start, tmp_path: Path) -> None:
    ann = game("middle").person("ann")
    ann.home.chmod(0o755)
    found = json.loads(ann.pbem("doctor -C savannah --json").out)["data"]["findings"]
    cured = [one for one in found if one["grade"] == "warning"]
    assert cured[0]["cure"] == f"chmod 700 {ann.home}"
    assert {"grade": "fact", "text": "nothing is wrong here", "cure": ""} in found
    made = json.loads(ann.pbem("keys new --profile two --json").out)["data"]
    assert made[0]["profile"] == "two"
    assert made == [one for one in keys(ann) if one["profile"] == "two"]
    file = tmp_path / "mine"
    file.write_bytes(write_key(key_of("somebody")))
    assert json.loads(ann.pbem(f"keys import {file} --profile three --json").out)["data"]


def keys(person: Person) -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads(person.pbem("keys show --json").out)["data"]
    return found


# ---------------------------------------------------------------- width
@pytest.mark.sample(2)
@pytest.mark.parametrize("typed", ["explain --game climate", "games", "log -C savannah", "list"])
def test_long_lines_keep_to_the_terminal(typed: str, game: Start) -> None:
    ann = game("middle").person("ann")
    ann.pbem("status -C savannah")
    said = ann.pbem(typed, COLUMNS="60").out
    assert max(len(row) for row in said.splitlines() if "/savannah" not in row) <= 60
    whole = ann.pbem(typed, COLUMNS="500").out
    assert said.split() == whole.split() or "explain" in typed


# ---------------------------------------------------------------- prompts, keys, editors
@pytest.mark.sample(0)
@pytest.mark.parametrize("words", [["--invite", "-"], []])
def test_join_without_an_invite_asks_to_paste_it(game: Start, words: list[str]) -> None:
    table = game("made")
    ann = table.person("ann")
    ours, theirs = pty.openpty()
    done = subprocess.Popen(
        [str(PBEM), "join", "-C", "savannah", *words], cwd=ann.place, text=True,
        env=ann.environ({}), stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    os.write(ours, f"{invite(table, 'a')}\n".encode())
    out, err = done.communicate(timeout=600)
    os.close(ours)
    os.close(theirs)
    assert (done.returncode, err.strip()) == (0, "paste the invite, then press Enter")
    assert "you are Ann, in seat a" in out
    assert session_of(ann).roles.seats == {"a": "default"}


def test_a_second_key_is_imported_only_under_another_profile(table: Round, tmp_path: Path) -> None:
    ann = table.person("ann")
    file = tmp_path / "mine"
    file.write_bytes(write_key(key_of("somebody")))
    said = ann.pbem(f"keys import {file}")
    assert said.exit == 3
    assert "the profile default already has a different key" in said.err
    assert f"different profile: pbem keys import {file} --profile NAME; join" in said.err
    assert ann.pbem(f"keys import {file} --profile mine").exit == 0


def editor(folder: Path, name: str) -> None:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f'#!/bin/sh\necho "# by {name}" >> "$1"\n')
    path.chmod(0o755)


def test_without_editor_the_first_of_the_usual_ones_is_taken(game: Start, tmp_path: Path) -> None:
    ann = game("begun").person("ann")
    tools = tmp_path / "tools"
    env = {"EDITOR": "", "VISUAL": "", "PATH": str(tools)}
    said = ann.pbem("orders -C savannah --edit", **env)
    assert said.exit == 2
    assert "pbem found no editor; it looked for sensible-editor, nano, vi" in said.err
    step = "say which editor to use: export EDITOR=/path/to/editor, then pbem orders --edit"
    assert step in said.err
    draft = Path(ann.pbem("orders -C savannah").out.strip())
    for name in ("vi", "nano", "sensible-editor"):
        editor(tools, name)
        ann.pbem("orders -C savannah --edit", **env, HOME=str(tmp_path))
        assert draft.read_text().endswith(f"# by {name}\n"), name


def test_an_editor_that_cannot_start_is_named_with_its_path(game: Start, tmp_path: Path) -> None:
    ann = game("begun").person("ann")
    (tmp_path / "broken").write_text("")
    (tmp_path / "broken").chmod(0o755)
    said = ann.pbem("orders -C savannah --edit", EDITOR="broken", PATH=str(tmp_path))
    assert said.exit == 2
    assert f"pbem could not start the editor {tmp_path}/broken" in said.err
    assert "export EDITOR=" in said.err
