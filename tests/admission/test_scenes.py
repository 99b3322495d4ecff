"""Who lets which record in: the scenes of `scenes.toml`, each before four callers.

`PBEM_SCENES=write` writes the answers of today; read the diff.
"""

import os
import re
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import tomlkit

from tests.admission.callers import CALLERS
from tests.admission.moments import MOMENTS, Moment
from tests.admission.records import scene_of

TABLE = Path(__file__).with_name("scenes.toml")
WRITE = os.environ.get("PBEM_SCENES") == "write" and "PYTEST_XDIST_WORKER" not in os.environ
PARSE = tomlkit.parse if WRITE else tomllib.loads  # it takes an eighth of the time
DOCUMENT = PARSE(TABLE.read_text("utf-8"))
SCENES: Any = DOCUMENT["scene"]
USUAL = {"filer": "filed", "gate": "taken", "reader": "read", "audit": "nothing"}
"""What each caller answers where a scene says nothing else."""
HEADING_BEFORE_ANSWERS = re.compile(r"\n(# -+ .*\n)((?:\w+ = .*\n)+)")
"""Matches the heading of the next scenes with answers of the scene above it, which tomlkit puts
below the heading."""


@pytest.fixture(scope="module")
def moment_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Moment]:
    return cache(lambda name: MOMENTS[name](tmp_path_factory.mktemp("moment")))


@pytest.fixture(scope="module", autouse=True)
def table_is_written() -> Iterator[None]:
    yield
    if WRITE:
        text = HEADING_BEFORE_ANSWERS.sub(r"\2\n\1", tomlkit.dumps(DOCUMENT))
        TABLE.write_text(text, "utf-8")


@pytest.mark.sample(len(SCENES) if WRITE else 10)
@pytest.mark.parametrize("row", SCENES, ids=[row["name"] for row in SCENES])
def test_mail_host_folder_and_audit_admit_each_record_as_the_table_says(row, moment_of, tmp_path):
    scene = scene_of(row, moment_of(row["at"]), tmp_path)
    answers = {name: ask(scene) for name, ask in CALLERS.items()}
    if WRITE:
        for name, answer in answers.items():
            row.pop(name, None)
            row.update({} if answer == USUAL[name] else {name: answer})
    assert answers == {name: row.get(name, usual) for name, usual in USUAL.items()}


def test_each_moment_at_which_a_record_arrives_has_a_scene():
    assert {row["at"] for row in SCENES} == set(MOMENTS)


def test_no_two_scenes_have_one_name():
    names = [row["name"] for row in SCENES]
    assert sorted(set(names)) == sorted(names)
    assert len(names) >= 60
