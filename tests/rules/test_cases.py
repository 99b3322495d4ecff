"""Every rule case in the folders beside this file, and in the documentation."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from games import registry
from pbem.rulecases.read_case import BadCase, Case, read_file
from pbem.rulecases.run_case import run

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*/*.toml"))


def collected() -> Iterator[Case | BadCase]:
    """Every case; a file that cannot be read is a test that fails, not an end to all tests."""
    for file in FILES:
        try:
            yield from read_file(file)
        except BadCase as error:
            yield error


CASES = list(collected())
IDS = [f"{c.game}-{c.id}" if isinstance(c, Case) else str(c) for c in CASES]


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_case(case: Case | BadCase) -> None:
    assert isinstance(case, Case), case
    outcome = run(case, registry.ruleset(case.game))
    assert not outcome.differences


def test_no_id_is_used_twice() -> None:
    assert len(set(IDS)) == len(IDS)
