"""What commands import decides how long they take to start; here is what they must do without."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from bench.make_games import make_long
from bench.startup import desk
from bench.timed_tasks_and_result_rows import PBEM


def imported(*words, home=None):
    """The names of the modules that a command imports."""
    env = {"PBEM_HOME": str(home)} if home else {}
    env["COLUMNS"] = os.environ.get("COLUMNS", "80")
    told = subprocess.run(
        [sys.executable, "-X", "importtime", PBEM, *words],
        env=env, capture_output=True, text=True, check=True, encoding="utf-8",
    ).stderr  # fmt: skip
    return set(re.findall(r"^import time:.*\| +(\S+)$", told, re.MULTILINE))


def within(modules, *packages):
    return {m for m in modules for p in packages if m == p or m.startswith(f"{p}.")}


def test_the_help_imports_no_command_no_game_and_no_cryptography():
    modules = imported("--help")
    assert within(modules, "pbem.cli") <= {"pbem.cli", "pbem.cli.command_list_and_help"}
    assert not within(
        modules, "engine", "games", "cryptography", "tomlkit", "rich", "pbem.records", "pbem.judge"
    )


@pytest.fixture(scope="module")
def at_a_desk(tmp_path_factory):
    place = tmp_path_factory.mktemp("bench")
    made = desk(make_long(place / "long", 1, players=2, min_turns=10), place / "desk", 10)
    made.check()(0)
    return made


@pytest.mark.long
def test_a_check_with_a_warm_cache_verifies_nothing_and_makes_no_turn(at_a_desk):
    words = ("check", "--folder", str(at_a_desk.folder), str(at_a_desk.orders))
    modules = imported(*words, home=at_a_desk.home)
    assert "engine" in modules
    assert not within(
        modules, "cryptography", "tomlkit", "rich", "engine.play_bot_game",
        "pbem.judge.turn_maker", "pbem.judge.audit", "pbem.acts.new_game", "pbem.acts.join",
        "pbem.acts.advance", "pbem.acts.write_bundles_and_emails", "pbem.mail", "pbem.plain_email",
        "pbem.post",
    )  # fmt: skip


@pytest.mark.sample(0)
def test_the_list_does_without_the_report_of_one_game(at_a_desk):
    modules = imported("list", home=at_a_desk.home)
    assert "pbem.acts.game_list" in modules
    assert not within(
        modules, "pbem.wording.game_status", "pbem.wording.status_sections",
        "pbem.wording.audit_certificate",
        "pbem.judge.audit", "pbem.judge.evidence_from_own_machine",
    )  # fmt: skip


@pytest.mark.sample(0)
def test_a_check_with_a_cold_cache_verifies(at_a_desk, tmp_path):
    shutil.copytree(at_a_desk.home / "profiles", tmp_path / "profiles")
    words = ("check", "--folder", str(at_a_desk.folder), str(at_a_desk.orders))
    assert within(imported(*words, home=tmp_path), "cryptography")
