"""Microseconds per decision of random play with all rules, against catanatron and python-chess.

All count alike: choices among at least two options. Each runs as it is meant to: catanatron with
its own game loop and four of its random players, python-chess with the loop of its documentation.
Seconds are processor time, and of the rounds the fastest counts: so other work on the machine
changes the ratios little.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from time import process_time
from typing import Any

import chess
from catanatron import Color, Game, RandomPlayer

from bench.timed_tasks_and_result_rows import Row, Task, take_turns
from games.registry import BUILT_IN_GAMES, ruleset
from tests.sim.simulate import simulate

ROUNDS = 21
AIM_CATANATRON = 0.3
AIM_CHESS = 0.7
GAMES = 6
"""Games of ours in a round, for each number of players."""
PEERS_GAMES = 8
SEATS = 4
"""The number of players in the games of greedy bots."""


class CountingPlayer(RandomPlayer):
    """catanatron's random player, which also counts."""

    choices = 0

    def decide(self, game: Any, playable_actions: Any) -> Any:
        CountingPlayer.choices += len(playable_actions) > 1
        return super().decide(game, playable_actions)


def catan(number: int) -> int:
    """Play a few games of catanatron; return the number of decisions."""
    CountingPlayer.choices = 0
    for seed in range(PEERS_GAMES):
        players = [CountingPlayer(color) for color in Color]
        Game(players, seed=1 + number * PEERS_GAMES + seed).play()
    return CountingPlayer.choices


def play_chess(number: int) -> int:
    """Play a few games of python-chess; return the number of decisions."""
    choices = 0
    for seed in range(PEERS_GAMES):
        rng, board = random.Random(number * PEERS_GAMES + seed), chess.Board()
        while not board.is_game_over():
            moves = list(board.legal_moves)
            choices += len(moves) > 1
            board.push(rng.choice(moves))
    return choices


def own_games(name: str, players: int, bot: str = "random", games: int = GAMES) -> Task:
    """Return the task to play games of this ruleset with so many players, all bots of this name; it
    counts decisions."""

    def play(number: int) -> int:
        counts = simulate(ruleset(name), players, games, seed=number, bots=[bot])
        return int(counts["decisions"])

    return play


def rows(rounds: int = ROUNDS) -> Iterator[Row]:
    """Yield each ruleset against both peers, as the mean over its numbers of players; then greedy
    bots against random ones."""
    for name in BUILT_IN_GAMES:
        players = ruleset(name).players
        tasks = {f"{n}": own_games(name, n) for n in players}
        peers = {"catanatron": catan, "python-chess": play_chess}
        seconds = take_turns({**tasks, **peers}, rounds, min, process_time)
        mean = sum(seconds[n] for n in tasks) / len(tasks)
        title = f"decision, {name}, mean of {players[0]} to {players[-1]} players"
        yield Row(title, mean, seconds["catanatron"], "catanatron, 4 players", AIM_CATANATRON)
        yield Row(title, mean, seconds["python-chess"], "python-chess", AIM_CHESS)
    for name in BUILT_IN_GAMES:
        players = SEATS
        tasks = {
            "random": own_games(name, players),
            "greedy": own_games(name, players, "greedy", 1),
        }
        seconds = take_turns(tasks, rounds, min, process_time)
        title = f"greedy's decision, {name}, {players} players"
        yield Row(title, seconds["greedy"], seconds["random"], "random's")
