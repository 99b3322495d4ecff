"""Count the waves of questions of a round, and the cost of sending orders early.

``python -m bench question_waves_and_early_orders`` makes docs/studies.md anew, between its two
marks.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from games.registry import BUILT_IN_GAMES, ruleset
from pbem.simulation.bot_games_with_round_orders import WAYS
from tests.sim.simulate import simulate

PAGE = Path(__file__).parent.parent / "docs" / "studies.md"
BEGIN, END = "<!-- begin: python -m bench question_waves_and_early_orders -->", "<!-- end -->"
GAMES = int(os.environ.get("WAVES_GAMES", "20"))
"""Games for each number of the table."""
SEATS = range(2, 9)
"""The numbers of players of all rulesets together."""
NOT_PLAYED = "–"
"""The cell of the table if a ruleset is not for so many players."""
STRENGTH_GAMES = int(os.environ.get("WAVES_STRONG", "1000"))
"""Games in which both ways to answer sit at one table, for each ruleset; an even number."""
PLAYERS_BY_GAME = {"evolution": 4, "digital": 4, "climate": 4, "origin": 4, "classroom": 4}
"""The number of players of each ruleset at that table: half of them say everything at once."""


class Line(NamedTuple):
    """One line of a table, as the page has it."""

    text: str

    def line(self) -> str:
        """See bench.timed_tasks_and_result_rows.Row."""
        return self.text


def rows() -> Iterator[Line]:
    """Yield both tables, line by line; this also writes them into the page."""
    lines = []
    for line in chain(head(), waves(), [""], strong_head(), strength()):
        lines.append(line)
        yield Line(line)
    page_start, _, page_rest = PAGE.read_text("utf-8").partition(BEGIN)
    page_end = page_rest.partition(END)[2]
    PAGE.write_text(page_start + "\n".join([BEGIN, "", *lines, "", END]) + page_end, "utf-8")


# ------------------------------------------------------------------ waves
def head() -> list[str]:
    """Return the head of the first table."""
    return [
        f"Waves a round: the mean, and in brackets what 95 of 100 do not exceed; {GAMES} games.",
        "",
        f"| ruleset, with this many players | sends | {' | '.join(map(str, SEATS))} |",
        "|---|---" + "|---" * len(SEATS) + "|",
    ]


def variants(name: str) -> list[Mapping[str, str]]:
    """Return the options of each variant: the printed rule, and all cards at once if that is an
    option."""
    has_together = any(option.name == "together" for option in ruleset(name).options)
    return [{}, {"together": "yes"}] if has_together else [{}]


def waves() -> Iterator[str]:
    """Yield a line for each ruleset, variant and way to answer; last come those with the same
    result for any number of players."""
    labels_by_result: dict[tuple[str, str], list[str]] = {}
    for name in BUILT_IN_GAMES:
        for options in variants(name):
            for way in WAYS:
                cells = [_measured(name, players, options, way) for players in SEATS]
                label = f"{name}, plays at once" if options else name
                results = {*cells} - {NOT_PLAYED}
                if len(results) == 1:
                    labels_by_result.setdefault((way, results.pop()), []).append(label)
                else:
                    yield f"| {label} | `{way}` | {' | '.join(cells)} |"
    for (way, number), games in labels_by_result.items():
        subject = "all of these" if len(games) == len(BUILT_IN_GAMES) * 2 - 1 else "; ".join(games)
        yield f"\n`{way}` has {number} with any number of players in {subject}."


def _measured(name: str, players: int, options: Mapping[str, str], way: str) -> str:
    if players not in ruleset(name).players:
        return NOT_PLAYED
    results = simulate(ruleset(name), players, GAMES, 1, ["greedy"], options, way)
    return f"{results['waves_per_round_mean']:.2f} ({results['waves_per_round_p95']})"


# ------------------------------------------------------------------ strength
def strong_head() -> list[str]:
    """Return the head of the second table."""
    subject = "Greedy bots with `whole` against greedy bots with `ask` at one table"
    return [
        f"{subject}; {STRENGTH_GAMES} games.",
        "",
        "| ruleset | players | wins of `whole` | its fair share | of it |",
        "|---|---|---|---|---|",
    ]


def strength() -> Iterator[str]:
    """Yield a line for each ruleset. A shared win counts as a part of one."""
    for name, players in PLAYERS_BY_GAME.items():
        won = sum(_won(name, players, way, seed) for seed, way in ((1, 0), (2, 1)))
        share = won / STRENGTH_GAMES
        yield f"| {name} | {players} | {share:.1%} | 50.0% | {share / 0.5:.0%} |"


def _won(name: str, players: int, first_whole: int, seed: int) -> float:
    """Return the wins of the seats that send everything at the start of a round: every second seat,
    from seat number `first_whole` (0 or 1)."""
    ways = ["whole" if n % 2 == first_whole else "ask" for n in range(players)]
    results = simulate(
        ruleset(name), players, STRENGTH_GAMES // 2, seed, ["greedy"], {}, ",".join(ways)
    )
    sole_wins = sum(_wins(results, n, "wins") for n in range(players))
    whole_wins = sum(_wins(results, n, "wins") for n in range(players) if ways[n] == "whole")
    shared_wins = [_wins(results, n, "shared_wins") for n in range(players)]
    whole_share = sum(shared_wins[n] for n in range(players) if ways[n] == "whole") / max(
        1, sum(shared_wins)
    )
    return whole_wins + (STRENGTH_GAMES // 2 - sole_wins) * whole_share


def _wins(results: Mapping[str, Any], seat: int, kind: str) -> int:
    return int(results["seats"][seat][kind])
