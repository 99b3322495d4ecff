"""The card actions in the course's JSON, carried out by both implementations."""

from __future__ import annotations

import json
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from games.classroom.course_test_programs import PROGRAMS, Malformed
from tests.reference.classroom.actions import (
    configuration_facts,
    model_of_configuration,
    random_input,
    table_after_actions,
)
from tests.reference.seeds import is_short, repeatable, seeds


def reference_result(given: Any) -> Any:
    """Return the table to which the program xstep4 comes, or nothing if it refuses an action."""
    try:
        return configuration_facts(model_of_configuration(PROGRAMS["xstep4"](given)))
    except Malformed:
        return None


@pytest.mark.parametrize("seeds", seeds(150, 2000), ids=len)
def test_both_implementations_of_classroom_carry_out_the_same_actions(seeds: range) -> None:
    legal = 0
    for seed in seeds:
        given = random_input(Random(f"actions {seed}"))
        with repeatable(seed, lambda given=given: json.dumps(given)):
            expected = table_after_actions(deepcopy(given))
            assert reference_result(given) == expected
        legal += expected is not None
    assert not is_short(seeds) or 0.2 < legal / len(seeds) < 0.8
