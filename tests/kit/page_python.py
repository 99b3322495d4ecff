"""Tests run by the Python of the page, with the page's own cryptography, in Node.

    packages_for_page()
    printed = run_in_page_python(site, "tests/format")

`site` is the folder of a built site.
"""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

from tests.kit.selection import ROOT

PURE = ROOT / "build" / "packages-for-tests"
HYPOTHESIS = ("hypothesis==6.131.0", "sortedcontainers==2.4.0", "attrs==25.3.0")
"""Later versions of hypothesis have a part in Rust, which Pyodide cannot load."""
NOT_IN_A_TAB = (
    "test_a_locked_key_file_needs_its_passphrase",  # no bcrypt: such a key is refused
    "process", "ssh_keygen", "second",  # they start programs
)  # fmt: skip


def packages_for_page() -> None:
    """Install what the tests need beside pytest, unless it is there."""
    if not (PURE / "hypothesis").exists():
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target"]
        subprocess.run([*command, str(PURE), *HYPOTHESIS], check=True)


def run_in_page_python(site: Path, *arguments: str) -> str:
    """Run pytest in Pyodide, for a built site; what it printed. The tests must pass."""
    script, packages = ROOT / "site/unit-tests.mjs", sysconfig.get_path("purelib")
    command = ["node", str(script), str(ROOT), packages, *arguments]
    command += ["-k", " and ".join(f"not {name}" for name in NOT_IN_A_TAB)]
    env = {**os.environ, "SITE": str(site)}
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout
