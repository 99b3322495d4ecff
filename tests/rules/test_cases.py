"""Every rule case in the folders beside this file, and in the documentation."""

from collections import Counter
from pathlib import Path

import pytest

from games import registry
from pbem.rulecases.read_cases import read_file
from pbem.rulecases.run_cases import run

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*/*.toml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_every_rule_case_ends_as_its_file_says(file: Path) -> None:
    """Which cases of the file end in a different way, and how. Raises BadCase."""
    cases = read_file(file)
    assert cases
    found = {case.id: run(case, registry.ruleset(case.game)).differences for case in cases}
    assert not {name: differences for name, differences in found.items() if differences}


@pytest.mark.sample(0)
def test_no_id_is_used_twice() -> None:
    used = Counter((case.game, case.id) for file in FILES for case in read_file(file))
    assert not [name for name, times in used.items() if times > 1]
