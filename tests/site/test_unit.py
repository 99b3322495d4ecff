"""The unit tests of what a browser has in another way, run by the Python of the page itself."""

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.kit.selection import ROOT

PURE = ROOT / "build" / "packages-for-tests"
HYPOTHESIS = ("hypothesis==6.131.0", "sortedcontainers==2.4.0", "attrs==25.3.0")
"""Later versions of hypothesis have a part in Rust, which Pyodide cannot load."""
NOT_IN_A_TAB = (
    "test_a_locked_key_file_wants_its_passphrase",  # no bcrypt: such a key is refused
    "process", "ssh_keygen", "second",  # they start programs
)  # fmt: skip

SLOW = (*NOT_IN_A_TAB, "each_bit")
"""With those that try each bit of a proof: the arithmetic of a tab takes ten times as long."""


@pytest.fixture(scope="module")
def packages() -> None:
    if not (PURE / "hypothesis").exists():
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", PURE]
        subprocess.run([*command, *HYPOTHESIS], check=True)


def run_in_pyodide(site: Path, *paths: str, deselect: tuple[str, ...] = NOT_IN_A_TAB) -> str:
    """Run tests in Pyodide; what pytest printed."""
    command = ["node", ROOT / "site/unit-tests.mjs", ROOT, sysconfig.get_path("purelib"), *paths]
    command += ["-k", " and ".join(f"not {one}" for one in deselect)]
    env = {**os.environ, "SITE": str(site)}
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


@pytest.mark.parametrize(
    ("paths", "least"),
    [
        (("tests/format", "tests/records", "tests/engine"), 950),
        pytest.param(("tests/play", "tests/vectors"), 500, marks=pytest.mark.long),
    ],
)
def test_the_unit_tests_pass_in_the_page_s_python(site, packages, paths, least):
    told = run_in_pyodide(site, *paths)
    assert int(re.findall(r"(\d+) passed", told)[-1]) >= least, told[-500:]


def test_hidden_cards_are_the_same_bytes_in_a_tab_and_a_large_deck_is_mixed(site, packages):
    """With @noble/curves in place of libsodium. It prints the time, and asserts none."""
    proofs = ("tests/cards/test_large_deck.py", "tests/cards/test_proofs.py", "-rP")
    printed = run_in_pyodide(site, "tests/vectors/test_hidden_cards.py", *proofs, deselect=SLOW)
    print(*re.findall(r"(?m)^.*: [0-9.]+ s$", printed), sep="\n")
    assert int(re.findall(r"(\d+) passed", printed)[-1]) >= 40, printed[-500:]
