"""How many waves of questions a round needs, and what it costs to send orders early.

``python -m bench waves`` makes docs/studies.md anew, between its two marks.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from games.registry import BUILT_IN_GAMES, ruleset
from pbem.simulation.play import WAYS
from tests.sim.simulate import simulate

PAGE = Path(__file__).parent.parent / "docs" / "studies.md"
BEGIN, END = "<!-- begin: python -m bench waves -->", "<!-- end -->"
GAMES = int(os.environ.get("WAVES_GAMES", "20"))
"""Games for each number of the table."""
SEATS = range(2, 9)
"""The numbers of players of all rulesets together."""
NONE = "–"
"""What stands where a ruleset is not for so many players."""
STRONG = int(os.environ.get("WAVES_STRONG", "1000"))
"""Games in which both ways to answer sit at one table, for each ruleset; an even number."""
TABLES = {"evolution": 4, "digital": 4, "climate": 4, "origin": 4, "classroom": 4}
"""How many sit there: half of them say everything at once."""


class Line(NamedTuple):
    """One line of a table, as the page has it."""

    text: str

    def line(self) -> str:
        """See bench.measure.Row."""
        return self.text


def rows() -> Iterator[Line]:
    """Both tables, line by line; this also writes them into the page."""
    made = []
    for line in chain(head(), waves(), [""], strong_head(), strength()):
        made.append(line)
        yield Line(line)
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text(before + "\n".join([BEGIN, "", *made, "", END]) + after, "utf-8")


# ------------------------------------------------------------------ waves
def head() -> list[str]:
    """The head of the first table."""
    return [
        f"Waves a round: the mean, and in brackets what 95 of 100 do not exceed; {GAMES} games.",
        "",
        f"| ruleset, with this many players | sends | {' | '.join(map(str, SEATS))} |",
        "|---|---" + "|---" * len(SEATS) + "|",
    ]


def variants(name: str) -> list[Mapping[str, str]]:
    """The printed rule, and all cards at once if that is an option."""
    together = any(option.name == "together" for option in ruleset(name).options)
    return [{}, {"together": "yes"}] if together else [{}]


def waves() -> Iterator[str]:
    """A line for each ruleset, variant and way to answer; those without a difference come last."""
    alike: dict[tuple[str, str], list[str]] = {}
    for name in BUILT_IN_GAMES:
        for options in variants(name):
            for way in WAYS:
                told = [_measured(name, players, options, way) for players in SEATS]
                how = f"{name}, plays at once" if options else name
                measured = {*told} - {NONE}
                if len(measured) == 1:
                    alike.setdefault((way, measured.pop()), []).append(how)
                else:
                    yield f"| {how} | `{way}` | {' | '.join(told)} |"
    for (way, number), games in alike.items():
        where = "all of these" if len(games) == len(BUILT_IN_GAMES) * 2 - 1 else "; ".join(games)
        yield f"\n`{way}` has {number} with any number of players in {where}."


def _measured(name: str, players: int, options: Mapping[str, str], way: str) -> str:
    if players not in ruleset(name).players:
        return NONE
    done = simulate(ruleset(name), players, GAMES, 1, ["greedy"], options, way)
    return f"{done['waves_per_round_mean']:.2f} ({done['waves_per_round_p95']})"


# ------------------------------------------------------------------ strength
def strong_head() -> list[str]:
    """The head of the second table."""
    return [
        f"Greedy bots with `whole` against greedy bots with `ask` at one table; {STRONG} games.",
        "",
        "| ruleset | players | wins of `whole` | its fair share | of it |",
        "|---|---|---|---|---|",
    ]


def strength() -> Iterator[str]:
    """A line for each ruleset. A shared win counts as a part of one."""
    for name, players in TABLES.items():
        won = sum(_won(name, players, way, seed) for seed, way in ((1, 0), (2, 1)))
        share = won / STRONG
        yield f"| {name} | {players} | {share:.1%} | 50.0% | {share / 0.5:.0%} |"


def _won(name: str, players: int, first: int, seed: int) -> float:
    """Wins of the seats that send everything at the start of a round: every second seat, from the
    first or the second."""
    ways = ["whole" if n % 2 == first else "ask" for n in range(players)]
    done = simulate(ruleset(name), players, STRONG // 2, seed, ["greedy"], {}, ",".join(ways))
    alone = sum(_wins(done, n, "wins") for n in range(players))
    mine = sum(_wins(done, n, "wins") for n in range(players) if ways[n] == "whole")
    both = [_wins(done, n, "shared_wins") for n in range(players)]
    shared = sum(both[n] for n in range(players) if ways[n] == "whole") / max(1, sum(both))
    return mine + (STRONG // 2 - alone) * shared


def _wins(done: Mapping[str, Any], seat: int, kind: str) -> int:
    return int(done["seats"][seat][kind])
