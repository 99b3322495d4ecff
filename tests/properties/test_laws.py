"""The five laws over random games, a short run; the long one is ``python -m tools.laws``."""

from __future__ import annotations

from typing import Any

import pytest

from engine import Ruleset
from games.registry import OURS, ruleset
from tests.properties.laws import play

CASES = [(r, n) for r in map(ruleset, OURS) for n in r.players]
IDS = [f"{r.name}-{n}" for r, n in CASES]


@pytest.mark.parametrize(("rules", "players"), CASES, ids=IDS)
def test_laws_short(rules: Ruleset[Any], players: int) -> None:
    play(rules, players, range(3))
