"""Every rule case in the folders beside this file, and in the documentation."""

from pathlib import Path

import pytest

from games import registry
from pbem.rulecases.reading import Case, read_file
from pbem.rulecases.running import run

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*/*.toml"))
CASES = [case for file in FILES for case in read_file(file)]


@pytest.mark.parametrize("case", CASES, ids=[f"{Path(c.file).stem}-{c.id}" for c in CASES])
def test_case(case: Case) -> None:
    outcome = run(case, registry.ruleset(case.game))
    assert not outcome.differences


def test_no_id_is_used_twice() -> None:
    ids = [(case.game, case.id) for case in CASES]
    assert len(set(ids)) == len(ids)
