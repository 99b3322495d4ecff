"""Check the five laws in many random games: `python -m tools.laws [GAME…] [--games N]`.

Plays N games (300) for each number of players of each ruleset, on all cores; then prints how often
each hook of each trait ran, and how many cards law 5 counted. Exit 1 if a law was broken, or if a
hook ran or cards were shown too rarely to prove anything.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

from engine import Ruleset, hooks_of
from games.registry import BUILT_IN_GAMES, ruleset
from tests.climate.hot import HOT_CLIMATE
from tests.properties.hot import HOT_ORIGIN
from tests.properties.laws import play_lawful_games

RAN_OFTEN = 20
SHOWN = ("law 5", "cards shown")
TURNED_UP = ("law 5", "cards turned up")
CHUNK = 30
HOT = {"climate": HOT_CLIMATE, "origin": HOT_ORIGIN}
"""Decks that make rare things happen, played in addition, a fifth as often. Hooks count too."""
Count = Counter[tuple[str, str]]


class Task(NamedTuple):
    """Some games of one ruleset."""

    game: str
    players: int
    seeds: range
    hot: bool = False


def tasks(game: str, games: int) -> list[Task]:
    """All games of one ruleset, in pieces for the cores."""
    found = [Task(game, n, seeds) for n in ruleset(game).players for seeds in _pieces(games)]
    hot = HOT.get(game)
    players = hot.players if hot else ()
    return found + [Task(game, n, s, hot=True) for n in players for s in _pieces(games // 5)]


def _pieces(games: int) -> list[range]:
    return [range(first, min(first + CHUNK, games)) for first in range(0, games, CHUNK)]


def run(task: Task) -> tuple[Task, Count, str]:
    """Play the games; returns how often each hook ran, and the law that was broken, if any."""
    count: Count = Counter()
    rules = HOT[task.game] if task.hot else ruleset(task.game)
    try:
        told = play_lawful_games(counting(rules, count), task.players, task.seeds)
    except Exception as error:  # noqa: BLE001 - a broken law may lead to any error
        return task, count, f"{type(error).__name__}: {error}"
    return task, count + Counter({key: told[key[1]] for key in (SHOWN, TURNED_UP)}), ""


def counting(rules: Ruleset[Any], count: Count) -> Ruleset[Any]:
    """The ruleset, counting how often each hook of each trait runs."""

    def wrap(trait: str, hook: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any) -> Any:
            count[trait, hook] += 1
            return function(*args)

        return counted

    return rules.extend(kits=rules.kits.rewired(wrap)) if rules.kits else rules


def examine(game: str, games: int, pool: Any) -> bool:
    """Play one ruleset's games and print the results; returns whether all is well."""
    began, ran, faults, played = time.monotonic(), Counter[tuple[str, str]](), [], 0
    for task, count, fault in pool.imap_unordered(run, tasks(game, games)):
        ran += count
        played += len(task.seeds)
        faults += [f"  {task}: {fault}"] if fault else []
    kits = ruleset(game).kits
    hooks = [(t, h) for t, trait in (kits.traits if kits else {}).items() for h in hooks_of(trait)]
    hooks.append(SHOWN)
    rare = [hook for hook in hooks if ran[hook] < RAN_OFTEN]
    print(
        f"{game}: {played} games in {time.monotonic() - began:.0f} s; each hook of each trait ran"
    )
    for trait, hook in [*hooks, TURNED_UP]:  # some games never turn up a card
        print(f"  {trait:22} {hook:16} {ran[trait, hook]:9}")
    print("\n".join([*faults, *(f"  too rarely: {hook}" for hook in rare)]) or "  the laws hold")
    return not faults and not rare


def main() -> int:
    """See the module."""
    parser = argparse.ArgumentParser(description="The five laws over many random games.")
    parser.add_argument("game", nargs="*", choices=[*BUILT_IN_GAMES, []], help="default: all")
    parser.add_argument("--games", type=int, default=300, help="for each number of players")
    wishes = parser.parse_args()
    with multiprocessing.Pool() as pool:
        good = [examine(game, wishes.games, pool) for game in wishes.game or BUILT_IN_GAMES]
    return 0 if all(good) else 1


if __name__ == "__main__":
    raise SystemExit(main())
