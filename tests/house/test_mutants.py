"""The reasons why some wrong changes of the code go unnoticed fit the code as it is."""

import tomllib

from tests.kit.selection import ROOT

HARMLESS = ROOT / "tools/mutants/harmless.toml"


def test_each_harmless_change_fits_lines_of_its_module():
    """A reason for a line that is gone would one day excuse another line like it."""
    stale = [
        f"{path}: {original}"
        for path, groups in tomllib.loads(HARMLESS.read_text("utf-8")).items()
        for code in [" ".join((ROOT / path).read_text("utf-8").split())]
        for group in groups
        for original, _ in group["changes"]
        if " ".join(original.split()) not in code
    ]
    assert stale == []
