"""Whole games in which three people see only their emails."""

from pathlib import Path

import pytest

from tests.kit.people import Round
from tests.post.seats.by_mail_alone import RULESETS, play_by_mail


@pytest.mark.sample(1)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_some_turns_by_mail_alone(ruleset: str, tmp_path: Path):
    counts, _ = play_by_mail(Round(tmp_path), ruleset, turns=8, seed=ruleset)
    assert counts["sealed"] >= 8
    assert counts["misread"] == 0


@pytest.mark.long
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_whole_game_by_mail_alone(ruleset: str, tmp_path: Path):
    counts, is_over = play_by_mail(Round(tmp_path), ruleset, turns=400, seed=ruleset)
    assert is_over
    assert counts["sealed"] > 10
    assert counts["misread"] == 0
