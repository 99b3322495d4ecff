"""`python -m tools.check_laws`: it plays all that it says, and a broken law does not pass."""

import pytest

from games.registry import ruleset
from tools import check_laws


def test_check_laws_plays_every_number_of_players_with_every_seed_once() -> None:
    played = [(t.players, s) for t in check_laws.tasks("digital", 70) for s in t.seeds]
    assert sorted(played) == [(n, s) for n in ruleset("digital").players for s in range(70)]


@pytest.mark.long
def test_check_laws_counts_how_often_hooks_are_called() -> None:
    _, count, fault = check_laws.run(check_laws.Task("evolution", 2, range(1)))
    assert fault == ""
    assert count["carnivore", "no_plants"] > 0


def test_check_laws_reports_a_broken_law(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = ruleset("digital")
    twice = rules.extend(forms=rules.forms.extend(munches="{sp} eats"))
    monkeypatch.setattr(check_laws, "ruleset", lambda name: twice)
    _, _, fault = check_laws.run(check_laws.Task("digital", 2, range(10)))
    assert "AssertionError" in fault
