"""Whole games per second where there is a number to reach: origin and classroom.

A JavaScript server plays 6 random games of origin per second; a plain Python program of the course
about 950 silly games of classroom, 5 players, sorted deck. Both ran on other machines, so there is
no ratio measured side by side. Seconds are processor time, because no peer runs here that other
work on the machine would slow down equally.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import process_time

from bench.timed_tasks_and_result_rows import Rate, Task, take_turns
from games.classroom.stacked_deck_games import silly_games
from games.registry import ruleset
from tests.sim.simulate import simulate

ROUNDS = 7
GAMES = 30
"""Games in a round."""
PLAYERS = range(2, 5)
"""The numbers of players for which origin uses one set."""


def random_games(name: str, players: int, games: int) -> Task:
    """Return the task to play games of random bots with this number of players."""

    def play(number: int) -> int:
        return int(simulate(ruleset(name), players, games, seed=number)["games"])

    return play


def silly(games: int) -> Task:
    """Return the task to play silly games with 5 players on the sorted deck."""

    def play(number: int) -> int:
        silly_games(games, 5)
        return games

    return play


def rows(rounds: int = ROUNDS, games: int = GAMES) -> Iterator[Rate]:
    """Yield one row for each number of players of origin, and one for classroom."""
    tasks = {f"{n} players": random_games("origin", n, games) for n in PLAYERS}
    seconds = take_turns({**tasks, "silly": silly(4 * games)}, rounds, clock=process_time)
    for n in tasks:
        yield Rate(f"origin, random games, {n}", 1 / seconds[n], 60, "a JavaScript server: 6")
    name = "classroom, silly games, 5 players, sorted deck"
    yield Rate(name, 1 / seconds["silly"], 650, "a plain Python program: 950")
