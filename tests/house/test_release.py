"""The workflows, the container and the archive of a release: that each thing they name is there.

They run on GitHub, and with a container tool; docs/testing.md says what of them was tried.
"""

import re
import tarfile
import tomllib
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import yaml

from pbem import __version__
from tests.house.source import ROOT
from tools.release import changes, packed

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
PINNED = re.compile(r"\s+(?:- )?uses: (\./\S+|[\w/-]+@[0-9a-f]{40} # v[0-9.]+)")
OF_THE_SYSTEM = ("apt-get ", "gh release create ")


def jobs(path: Path) -> dict[str, dict[str, Any]]:
    return yaml.safe_load(path.read_text())["jobs"]


def workflow_fault(command: str) -> str:
    """Say what this command of a workflow needs and the project has not; empty if nothing."""
    words = command.split()
    match words:
        case ["make", target, *_]:
            return "" if target in TARGETS else f"no target {target}"
        case ["sh" | "bash", file, *_]:
            return "" if (ROOT / file).is_file() else f"no file {file}"
        case ["python", "-m", "pip", "install", "--editable", what]:
            extra = re.fullmatch(r'"\.\[(.+)\]"', what)
            return "" if extra and extra[1] in PROJECT["optional-dependencies"] else f"no {what}"
        case ["python", "-m", "pytest", *more]:
            lists = [word.strip('"@') for word in more if "@" in word]
            return "".join(f"no file {one}" for one in lists if not (ROOT / one).is_file())
        case ["python", "-m", module, *_]:
            return "" if (ROOT / module).is_dir() else f"no module {module}"
    return "" if command.startswith(OF_THE_SYSTEM) else "no command of the project"


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_each_command_of_a_workflow_is_there(path: Path) -> None:
    commands = [
        line
        for job in jobs(path).values()
        for step in job.get("steps", ())
        for line in step.get("run", "").splitlines()
    ]
    assert commands
    assert [told for one in commands if (told := workflow_fault(one))] == []


def test_a_command_of_a_workflow_that_is_not_there_is_seen() -> None:
    pip = 'python -m pip install --editable ".[nothing]"'
    for command in ("make nothing", "sh tools/nothing.sh", pip, "python -m nothing", "curl x"):
        assert workflow_fault(command), command
    assert workflow_fault("python -m pytest @nothing.txt")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_each_action_of_a_workflow_is_pinned_and_may_only_read(path: Path) -> None:
    used = [line for line in path.read_text().splitlines() if "uses:" in line]
    assert all(PINNED.fullmatch(line) for line in used), used
    whole = yaml.safe_load(path.read_text())
    assert whole["permissions"] == {"contents": "read"}
    may_write = [name for name, job in whole["jobs"].items() if "permissions" in job]
    assert may_write == (["publish"] if path.stem == "release" else [])


def test_the_wheel_includes_each_ruleset_by_its_name() -> None:
    """Somebody may keep their games in `games/`, and these are not packed."""
    built = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    rulesets = {f"/games/{path.parent.name}" for path in (ROOT / "games").glob("*/__init__.py")}
    for kind in ("wheel", "sdist"):
        named = {*built["targets"][kind]["include"]}
        assert named >= {*rulesets, "/games/*.py", "/games/py.typed", "/games/icons"}, kind
        assert "/games" not in named


def test_each_python_is_tested_on_each_system() -> None:
    tested = jobs(ROOT / ".github/workflows/tests.yml")
    start = "Programming Language :: Python :: "
    promised = [one.removeprefix(start) for one in PROJECT["classifiers"] if start + "3." in one]
    for name in ("unix", "windows"):
        assert tested[name]["strategy"]["matrix"]["python"] == promised


def test_each_test_that_the_workflow_runs_on_windows_exists() -> None:
    lines = (ROOT / "tests/windows.txt").read_text().splitlines()
    assert lines == sorted(lines)
    assert [line for line in lines if not (ROOT / line).exists()] == []


def test_the_container_and_the_list_of_changes_know_this_version() -> None:
    text = (ROOT / "Containerfile").read_text()
    assert "RUN make dist" in text
    assert "dist" in TARGETS
    assert re.search(r"python:3\.1[1-4]-slim", text)
    assert "\nUSER pbem\n" in text
    assert "\nVOLUME /data\n" in text
    assert changes(__version__)


def test_the_archive_of_the_same_page_has_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "noble").mkdir()
    for name in ("site.json", "index.html", "noble/aes.js"):
        (tmp_path / name).write_text(name)
    first = packed(tmp_path, "pbem-site")
    (tmp_path / "index.html").touch()
    assert packed(tmp_path, "pbem-site") == first
    with tarfile.open(fileobj=BytesIO(first)) as archive:
        names = archive.getnames()
    assert names == ["pbem-site/index.html", "pbem-site/noble/aes.js", "pbem-site/site.json"]
