"""`make` on a bare machine says in one sentence what is missing; it looks no further than PATH."""

import os
import shutil
import subprocess

import pytest

from tests.house.source import ROOT

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the script is for a Unix shell")
TOOLS = ("sh", "cat", "cmp", "dirname", "pwd", "rm")


@pytest.fixture
def machine_without_python(tmp_path):
    """A checkout, and a PATH with a shell's tools and no Python."""
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools/setup.sh", tmp_path / "tools")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "bin").mkdir()
    for tool in TOOLS:
        (tmp_path / "bin" / tool).symlink_to(shutil.which(tool))
    return tmp_path


def python(machine, name, version, venv="exit 1"):
    """Something that answers like a Python of this version."""
    answer = f'case "$2" in *"%d.%d"*) echo {version};; *) {venv};; esac'
    path = machine / "bin" / name
    path.write_text(f"#!/bin/sh\n{answer}\n")
    path.chmod(0o755)


def run_setup(machine, *args):
    env = {"PATH": str(machine / "bin"), "HOME": str(machine)}
    return subprocess.run(
        ["sh", "tools/setup.sh", *args], cwd=machine, env=env, capture_output=True, text=True
    )


def test_setup_without_any_python_says_what_to_install(machine_without_python):
    run = run_setup(machine_without_python)
    assert run.returncode != 0
    assert run.stderr.count("\n") == 1
    assert "no Python 3.11 to 3.14 found: install python3 and python3-venv" in run.stderr
    assert not (machine_without_python / ".venv").exists()


def test_setup_that_finds_only_old_pythons_names_them(machine_without_python):
    python(machine_without_python, "python3", "3.9")
    (machine_without_python / "bin/python3.13").write_text(
        "#!/bin/sh\necho 'pyenv: not found' >&2; exit 127\n"
    )
    (machine_without_python / "bin/python3.13").chmod(0o755)
    run = run_setup(machine_without_python, "dev")
    assert run.returncode != 0
    assert "found (only 3.9): install" in run.stderr
    assert "pyenv" not in run.stderr


def test_setup_that_finds_a_python_without_venv_says_what_to_install(machine_without_python):
    python(machine_without_python, "python3", "3.12")
    run = run_setup(machine_without_python)
    assert run.returncode != 0
    assert run.stderr.count("\n") == 1
    fault = "python 3.12 is here, but its venv module is not: install the package python3-venv"
    assert fault in run.stderr
    assert "sudo apt install python3.12-venv" in run.stderr


def test_setup_takes_the_first_python_that_works(machine_without_python):
    python(machine_without_python, "python3.14", "3.14")
    python(machine_without_python, "python3", "3.11", venv='echo "python3 $*" >&2; exit 0')
    run = run_setup(machine_without_python)
    assert "python3 -m venv .venv" in run.stderr


def test_setup_installs_again_only_after_pyproject_changes(machine_without_python):
    bin_ = machine_without_python / ".venv/bin"
    bin_.mkdir(parents=True)
    (bin_ / "python").write_text('#!/bin/sh\necho "$@" >> calls\n')
    (bin_ / "python").chmod(0o755)
    calls = machine_without_python / "calls"
    assert run_setup(machine_without_python, "dev").returncode == 0
    assert "pip install" in calls.read_text()
    assert ".[dev]" in calls.read_text()
    calls.unlink()
    assert run_setup(machine_without_python, "dev").stderr == ""
    assert run_setup(machine_without_python).stderr == ""  # the tools for tests hold the demo's
    assert not calls.exists()
    with (machine_without_python / "pyproject.toml").open("a") as file:
        file.write("# changed\n")
    assert run_setup(machine_without_python).returncode == 0
    assert "pip install" in calls.read_text()
    assert "[dev]" not in calls.read_text()


def test_setup_installs_anew_in_a_checkout_that_moved(machine_without_python, tmp_path_factory):
    test_setup_installs_again_only_after_pyproject_changes(machine_without_python)
    moved = shutil.move(machine_without_python, tmp_path_factory.mktemp("elsewhere") / "pbem")
    (moved / "calls").unlink()
    assert run_setup(moved).returncode == 0
    assert "pip install" in (moved / "calls").read_text()


def test_make_without_a_target_prints_the_help():
    run = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True)
    for target in ("help", "demo", "test", "test-long", "lint", "bench", "clean"):
        assert f"  make {target} " in run.stdout
