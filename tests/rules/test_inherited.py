"""What holds in evolution holds in digital and climate, but for what their rules change."""

import pytest

from games import registry
from tests.kit.selection import long
from tests.rules.inherited import DIFFERS, differing, inherited, ruleset_for
from tests.rules.matrix import cells, covered
from tools.mutate_hooks import cases_of, fails

GAMES = sorted(DIFFERS)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_the_rule_cases_of_evolution_hold_in_the_games_made_from_it(game: str) -> None:
    cases = inherited(game)
    assert len(cases) > 100
    assert not [case.id for case in cases if fails(case, ruleset_for(game))]


@pytest.mark.parametrize("game", GAMES)
def test_cases_of_evolution_that_are_said_to_differ_in_another_game_do_differ(game: str) -> None:
    cases = [case for case in cases_of("evolution") if case.id in differing(game)]
    assert len(cases) == len(differing(game))
    assert not [case.id for case in cases if not fails(case, ruleset_for(game))]


@pytest.mark.long
@pytest.mark.parametrize("game", ["digital", *long(["climate"])])
def test_every_two_traits_meet_in_a_case_of_the_game_or_an_inherited_one(game: str) -> None:
    """In a case of its own or an inherited one both are there, and neither could be left out."""
    own, ruleset = registry.ruleset(game), ruleset_for(game)
    assert own.kits is not None
    found = {*covered(ruleset, inherited(game)), *covered(own, cases_of(game))}
    assert not sorted(cells(own.kits.traits) - found)
