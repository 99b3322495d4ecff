"""What the cases cover: every ruling, every hook of every trait, every pair of traits."""

from __future__ import annotations

import re

import pytest

from games import registry
from pbem.rulecases.read_cases import Case
from tests.kit.selection import long
from tests.rules.matrix import cells, covered
from tools import mutate_hooks
from tools.mutate_hooks import cases_of, fails, hooks, mutants

FLOORS = {"evolution": 270, "digital": 50, "climate": 180, "origin": 265, "classroom": 120}
"""How many cases each ruleset has at least."""
RULINGS = {
    "evolution": (1, 24), "digital": (2, 5), "climate": (3, 7), "origin": (4, 12),
    "classroom": (5, 12),
}  # fmt: skip
"""The chapter of the rulings on a game, and how many points it has."""
CANNOT_MEET: dict[str, dict[tuple[str, str], str]] = {"evolution": {}, "classroom": {}}
"""Pairs of traits that never meet, with the reason. In these two there are none: any two may lie
on one species, and two of a kind on neighbours. For digital and climate see test_inherited.py, for
origin test_origin_matrix.py."""


@pytest.mark.long
@pytest.mark.parametrize("game", ["evolution", *long(sorted(FLOORS.keys() - {"evolution"}))])
def test_leaving_out_any_hook_makes_some_rule_case_fail(game: str) -> None:
    ruleset, cases = registry.ruleset(game), cases_of(game)
    assert not [case.id for case in cases if fails(case, ruleset)]
    found = list(mutants(ruleset, cases))
    assert len(found) == len(list(hooks(ruleset)))
    assert not [mutant for mutant in found if not mutant.noticed_by]


@pytest.mark.sample(0)
def test_a_hook_that_no_case_is_about_is_found_out() -> None:
    ruleset = registry.ruleset("evolution")
    cases = [case for case in cases_of("evolution") if "climbing" not in repr(case)]
    assert [m.noticed_by for m in mutants(ruleset, cases, [("climbing", "defends")])] == [""]
    assert [m.noticed_by for m in mutants(ruleset, cases, [("horns", "struck")])] != [""]


@pytest.mark.long
def test_the_tool_finds_no_hook_without_a_rule_case(capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print()
        assert mutate_hooks.main(list(FLOORS)) == 0


@pytest.mark.parametrize("game", sorted(RULINGS))
def test_every_ruling_has_a_case(game: str) -> None:
    chapter, points = RULINGS[game]
    cases = cases_of(game)
    missing = [n for n in range(1, points + 1) if not any(_about(c, chapter, n) for c in cases)]
    assert not missing


def _about(case: Case, chapter: int, point: int) -> bool:
    """By its id, or by the source that it gives."""
    said = re.search(rf"\brulings? .*?\b{chapter}\.{point}(?!\d)", case.source)
    return case.id.startswith(f"{chapter}.{point:02d}-") or said is not None


@pytest.mark.parametrize("game", FLOORS)
def test_there_are_as_many_cases_as_promised(game: str) -> None:
    assert len(cases_of(game)) >= FLOORS[game]


@pytest.mark.sample(0)
@pytest.mark.parametrize("game", sorted(CANNOT_MEET))
def test_every_two_traits_meet_in_some_rule_case(game: str) -> None:
    """In some case both are there, and neither could be left out unnoticed."""
    ruleset = registry.ruleset(game)
    assert ruleset.kits is not None
    empty = cells(ruleset.kits.traits) - set(covered(ruleset, cases_of(game)))
    assert empty == set(CANNOT_MEET[game])
