"""Check the five laws in many random games: `python -m tools.check_laws [GAME…] [--games N]`.

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

MIN_RUNS = 20
"""The number of times that each hook must run, and cards must be shown, to prove anything."""
CARDS_SHOWN = ("law 5", "cards shown")
CARDS_TURNED_UP = ("law 5", "cards turned up")
TASK_GAMES = 30
"""The number of games of one task."""
HOT_RULESETS = {"climate": HOT_CLIMATE, "origin": HOT_ORIGIN}
"""Decks that make rare things happen, played in addition, a fifth as often. Hooks count too."""
Count = Counter[tuple[str, str]]
"""The number of runs of each hook: by trait and hook."""


class Task(NamedTuple):
    """A few games of one ruleset."""

    game: str
    players: int
    seeds: range
    hot: bool = False
    """Whether they are played with the deck in `HOT_RULESETS`."""


def tasks(game: str, games: int) -> list[Task]:
    """Return all games of one ruleset, in tasks for the cores; `games` is the number of games for
    each number of players."""
    usual_tasks = [Task(game, n, seeds) for n in ruleset(game).players for seeds in _pieces(games)]
    hot = HOT_RULESETS.get(game)
    players = hot.players if hot else ()
    return usual_tasks + [Task(game, n, s, hot=True) for n in players for s in _pieces(games // 5)]


def _pieces(games: int) -> list[range]:
    return [range(start, min(start + TASK_GAMES, games)) for start in range(0, games, TASK_GAMES)]


def run(task: Task) -> tuple[Task, Count, str]:
    """Play the games; return the task, how often each hook ran, and the law that was broken: empty
    if none was."""
    hook_counts: Count = Counter()
    rules = HOT_RULESETS[task.game] if task.hot else ruleset(task.game)
    try:
        law_counts = play_lawful_games(counting(rules, hook_counts), task.players, task.seeds)
    except Exception as error:  # noqa: BLE001 - a broken law may lead to any error
        return task, hook_counts, f"{type(error).__name__}: {error}"
    card_counts = Counter({key: law_counts[key[1]] for key in (CARDS_SHOWN, CARDS_TURNED_UP)})
    return task, hook_counts + card_counts, ""


def counting(rules: Ruleset[Any], count: Count) -> Ruleset[Any]:
    """Return the ruleset, but each run of a hook of a trait is counted in `count`."""

    def wrap(trait: str, hook: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any) -> Any:
            count[trait, hook] += 1
            return function(*args)

        return counted

    return rules.extend(kits=rules.kits.rewired(wrap)) if rules.kits else rules


def examine(game: str, games: int, pool: Any) -> bool:
    """Play one ruleset's games and print the results; return whether all is well."""
    started_at, hook_counts = time.monotonic(), Counter[tuple[str, str]]()
    faults, game_count = list[str](), 0
    for task, count, fault in pool.imap_unordered(run, tasks(game, games)):
        hook_counts += count
        game_count += len(task.seeds)
        faults += [f"  {task}: {fault}"] if fault else []
    kits = ruleset(game).kits
    hooks = [(t, h) for t, trait in (kits.traits if kits else {}).items() for h in hooks_of(trait)]
    hooks.append(CARDS_SHOWN)
    rare_hooks = [hook for hook in hooks if hook_counts[hook] < MIN_RUNS]
    seconds = time.monotonic() - started_at
    print(f"{game}: {game_count} games in {seconds:.0f} s; each hook of each trait ran")
    for trait, hook in [*hooks, CARDS_TURNED_UP]:  # some games never turn up a card
        print(f"  {trait:22} {hook:16} {hook_counts[trait, hook]:9}")
    print(
        "\n".join([*faults, *(f"  too rarely: {hook}" for hook in rare_hooks)]) or "  the laws hold"
    )
    return not faults and not rare_hooks


def main() -> int:
    """Examine the games that are named, or all; return the exit code."""
    parser = argparse.ArgumentParser(description="The five laws over many random games.")
    parser.add_argument("game", nargs="*", choices=[*BUILT_IN_GAMES, []], help="default: all")
    parser.add_argument("--games", type=int, default=300, help="for each number of players")
    options = parser.parse_args()
    with multiprocessing.Pool() as pool:
        results = [examine(game, options.games, pool) for game in options.game or BUILT_IN_GAMES]
    return 0 if all(results) else 1


if __name__ == "__main__":
    raise SystemExit(main())
