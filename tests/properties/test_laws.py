"""The four laws over random games: a short run always, the long one by ``make test-long``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from engine import Ruleset, hooks_of
from games.classroom.rules import CLASSROOM
from games.climate.rules import CLIMATE
from games.digital.rules import DIGITAL
from games.evolution.rules import EVOLUTION
from games.origin.rules import ORIGIN
from tests.climate.hot import HOT_CLIMATE
from tests.properties.hot import HOT_ORIGIN
from tests.properties.laws import LawfulGame

RULESETS = [EVOLUTION, DIGITAL, CLIMATE, ORIGIN, CLASSROOM]
LONG = [*RULESETS, HOT_ORIGIN]
BESIDES = {"climate": HOT_CLIMATE}
"""Played besides a ruleset by the long run: its hooks count with those of the printed deck."""
RAN_OFTEN = 20
ran: Counter[tuple[str, str, str]] = Counter()


def counting(ruleset: Ruleset[Any]) -> Ruleset[Any]:
    """The ruleset, counting how often each hook of each trait runs."""

    def wrap(trait: str, hook: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any) -> Any:
            ran[ruleset.name, trait, hook] += 1
            return function(*args)

        return counted

    return replace(ruleset, kits=ruleset.kits.rewired(wrap)) if ruleset.kits else ruleset


def variants(ruleset: Ruleset[Any]) -> list[dict[str, str]]:
    """No option, then each value of each option."""
    return [{}, *({o.name: value} for o in ruleset.options for value in o.values[1:])]


def play(ruleset: Ruleset[Any], players: int, seeds: range) -> None:
    """Lawful games of that many players, all variants in turn."""
    kinds = variants(ruleset)
    for seed in seeds:
        game = ruleset.game("abcdefgh"[:players], kinds[seed % len(kinds)])
        LawfulGame(game, seed).run()


CASES = [(r, n) for r in RULESETS for n in r.players]
IDS = [f"{r.name}-{n}" for r, n in CASES]


@pytest.mark.parametrize(("ruleset", "players"), CASES, ids=IDS)
def test_laws_short(ruleset: Ruleset[Any], players: int) -> None:
    play(ruleset, players, range(6))


@pytest.mark.long
@pytest.mark.parametrize("ruleset", LONG, ids=lambda r: r.name)
def test_laws_long(ruleset: Ruleset[Any], capsys: pytest.CaptureFixture[str]) -> None:
    """300 games for each number of players, in which each hook of each trait ran often."""
    counted = counting(ruleset)
    for players in ruleset.players:
        play(counted, players, range(300))
        if hot := BESIDES.get(ruleset.name):
            play(counting(hot), players, range(60))
    if ruleset.kits is None:
        return
    hooks = [
        (ruleset.name, t, h) for t, trait in ruleset.kits.traits.items() for h in hooks_of(trait)
    ]
    with capsys.disabled():
        print(f"\n{ruleset.name}: how often each hook ran in {300 * len(ruleset.players)} games")
        for name, trait, hook in hooks:
            print(f"  {trait:20} {hook:14} {ran[name, trait, hook]:9}")
    rare = [hook for hook in hooks if ran[hook] < RAN_OFTEN]
    assert not rare
