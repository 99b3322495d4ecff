"""Microseconds per decision of random play with all rules, against catanatron and python-chess.

All count alike: choices among at least two options. Each runs as it is meant to: catanatron with
its own game loop and four of its random players, python-chess with the loop of its documentation.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import chess
from catanatron import Color, Game, RandomPlayer

from bench.measure import Row, Task, take_turns
from games.evolution.rules import EVOLUTION
from pbem.simulation.simulate import simulate

ROUNDS = 7
AIM = 1.0
GAMES = 12
"""Games of ours in a round, for each number of players: about as long as the peers' share."""
PEERS_GAMES = 8


class CountingPlayer(RandomPlayer):
    """catanatron's random player, which also counts."""

    choices = 0

    def decide(self, game: Any, playable_actions: Any) -> Any:
        CountingPlayer.choices += len(playable_actions) > 1
        return super().decide(game, playable_actions)


def catan(number: int) -> int:
    """Some games of catanatron."""
    CountingPlayer.choices = 0
    for seed in range(PEERS_GAMES):
        players = [CountingPlayer(color) for color in Color]
        Game(players, seed=1 + number * PEERS_GAMES + seed).play()
    return CountingPlayer.choices


def play_chess(number: int) -> int:
    """Some games of python-chess."""
    choices = 0
    for seed in range(PEERS_GAMES):
        rng, board = random.Random(number * PEERS_GAMES + seed), chess.Board()
        while not board.is_game_over():
            moves = list(board.legal_moves)
            choices += len(moves) > 1
            board.push(rng.choice(moves))
    return choices


def ours(players: int) -> Task:
    """Some games of Evolution with this number of players."""

    def play(number: int) -> int:
        told = simulate(EVOLUTION, players, GAMES, seed=number)
        return int(told["decisions"])

    return play


def rows(rounds: int = ROUNDS) -> Iterator[Row]:
    """Every number of players against both peers."""
    mine = {f"{n}": ours(n) for n in EVOLUTION.players}
    took = take_turns({**mine, "catanatron": catan, "python-chess": play_chess}, rounds)
    for n in mine:
        name = f"decision of random play, evolution, {n} players"
        yield Row(name, took[n], took["catanatron"], "catanatron, 4 players", AIM)
    mean = sum(took[n] for n in mine) / len(mine)
    yield Row("decision, mean of these", mean, took["catanatron"], "catanatron, 4 players", AIM)
    yield Row("decision, mean of these", mean, took["python-chess"], "python-chess")
